/**
 * The events of signage. The specification shows none: they are assumed, and reach only subscriptions made in the
 * control plane.
 */
import { Type, type TSchema } from '@sinclair/typebox'
import type { PublishedEvent } from '../../http/definition.ts'
import { Assumed, Instant, named } from '../../http/schemas.ts'
import { assumed } from '../../state/fidelity.ts'
import type { SignageEvents } from '../../state/signage/events.ts'
import { Group } from './schemas/groups.ts'
import { Layout } from './schemas/layouts.ts'
import { Media } from './schemas/media.ts'
import { Playlist } from './schemas/playlists.ts'
import { Schedule } from './schemas/schedules.ts'
import { Action, Screen } from './schemas/screens.ts'

const Deleted = named(
  'DeletedEventData',
  Assumed(
    'The specification shows no events of signage; a record that is gone is told by its id, its name and when it went.',
    Type.Object({ id: Type.String(), name: Type.String(), deleted_at: Instant() }),
  ),
)

const oneEachOperation =
  'The specification shows no events of signage; one follows each operation that changes a record.'
const ofDevices =
  'The specification shows no events of signage; what devices do without being asked is told of.'

const EVENTS: Readonly<
  Record<keyof SignageEvents, readonly [title: string, payload: TSchema, why?: string]>
> = {
  'screen.paired': ['A screen was paired', Screen],
  'screen.updated': ['A screen was updated', Screen],
  'screen.online': ['A screen is online again', Screen, ofDevices],
  'screen.standby': ['A screen is in standby', Screen, ofDevices],
  'screen.offline': ['A screen is offline', Screen, ofDevices],
  'screen.action_completed': ['A device has done what it was asked to do', Action, ofDevices],
  'screen.action_failed': ['A device could not do what it was asked to do', Action, ofDevices],
  'screen.unpaired': ['A screen was unpaired', Deleted],
  'media.created': ['A medium was uploaded', Media],
  'media.updated': ['A medium was updated', Media],
  'media.deleted': ['A medium was deleted', Deleted],
  'playlist.created': ['A playlist was created', Playlist],
  'playlist.updated': ['A playlist was updated', Playlist],
  'playlist.deleted': ['A playlist was deleted', Deleted],
  'layout.created': ['A layout was created', Layout],
  'layout.updated': ['A layout was updated', Layout],
  'layout.deleted': ['A layout was deleted', Deleted],
  'schedule.created': ['A schedule was created', Schedule],
  'schedule.updated': ['A schedule was updated', Schedule],
  'schedule.deleted': ['A schedule was deleted', Deleted],
  'group.created': ['A group was created', Group],
  'group.updated': ['A group was updated', Group],
  'group.deleted': ['A group was deleted', Deleted],
}

/** In the order of a record's life. */
export const publishedEvents: readonly PublishedEvent[] = Object.entries(EVENTS).map(
  ([name, [title, payload, why = oneEachOperation]]) => ({ name, title, payload, fidelity: assumed(why) }),
)
