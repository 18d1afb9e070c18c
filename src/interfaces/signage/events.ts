/**
 * The events of signage. The specification does not show them: all are assumed, and only subscriptions created through
 * the control plane receive them.
 */
import { Type, type TSchema } from '@sinclair/typebox'
import type { PublishedEvent } from '../../http/definition/definition.ts'
import { Assumed, Instant, named } from '../../http/schemas/schemas.ts'
import { assumed } from '../../state/model/fidelity.ts'
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
    'The specification does not show events of signage. The simulator sends the id, the name and the time of the deletion.',
    Type.Object({ id: Type.String(), name: Type.String(), deleted_at: Instant() }),
  ),
)

const perOperation =
  'The specification does not show events of signage. The simulator sends one for each operation that changes a record.'
const perDeviceReport =
  'The specification does not show events of signage. The simulator sends one for each change that a device reports.'

const EVENTS: Readonly<
  Record<keyof SignageEvents, readonly [title: string, payload: TSchema, why?: string]>
> = {
  'screen.paired': ['A screen was paired', Screen],
  'screen.updated': ['A screen was updated', Screen],
  'screen.online': ['A screen went online', Screen, perDeviceReport],
  'screen.standby': ['A screen went to standby', Screen, perDeviceReport],
  'screen.offline': ['A screen went offline', Screen, perDeviceReport],
  'screen.action_completed': ['A device completed an action', Action, perDeviceReport],
  'screen.action_failed': ['An action failed on a device', Action, perDeviceReport],
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

/** The published events, in the order of a record's life. */
export const publishedEvents: readonly PublishedEvent[] = Object.entries(EVENTS).map(
  ([name, [title, payload, why = perOperation]]) => ({ name, title, payload, fidelity: assumed(why) }),
)
