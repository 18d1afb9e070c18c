/**
 * The events of signage. The specification does not show them: all are assumed, and only subscriptions created through
 * the control plane receive them.
 */
import type { EventsOf } from '../../http/definition/events.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { assumed } from '../../state/model/fidelity.ts'
import type { SignageEvents } from '../../state/signage/events.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type * as payloads from './payloads.ts'
import { Group } from './shapes/groups.ts'
import { Layout } from './shapes/layouts.ts'
import { Media } from './shapes/media.ts'
import { Playlist } from './shapes/playlists.ts'
import { Schedule } from './shapes/schedules.ts'
import { Action, Screen } from './shapes/screens.ts'

const perOperation = assumed(
  'The specification does not show events of signage. The simulator sends one for each operation that changes a record.',
)
const perDeviceReport = assumed(
  'The specification does not show events of signage. The simulator sends one for each change that a device reports.',
)

const screen = { fidelity: perOperation, payload: 'ScreenData', view: Screen.view } as const
const action = { fidelity: perDeviceReport, payload: 'ActionData', view: Action.view } as const
const media = { fidelity: perOperation, payload: 'MediaData', view: Media.view } as const
const playlist = { fidelity: perOperation, payload: 'PlaylistData', view: Playlist.view } as const
const layout = { fidelity: perOperation, payload: 'LayoutData', view: Layout.view } as const
const schedule = { fidelity: perOperation, payload: 'ScheduleData', view: Schedule.view } as const
const group = { fidelity: perOperation, payload: 'GroupData', view: Group.view } as const

const deleted = {
  fidelity: perOperation,
  payload: 'DeletedData',
  view: ({ id, name }: SignageEvents['screen.unpaired'], workspace: Workspace) => ({
    id,
    name,
    deleted_at: iso(workspace.now()),
  }),
} as const

/** In the order of a record's life. */
export const events: EventsOf<SignageEvents, typeof payloads> = {
  'screen.paired': { title: 'A screen was paired', ...screen },
  'screen.updated': { title: 'A screen was updated', ...screen },
  'screen.online': { title: 'A screen went online', ...screen, fidelity: perDeviceReport },
  'screen.standby': { title: 'A screen went to standby', ...screen, fidelity: perDeviceReport },
  'screen.offline': { title: 'A screen went offline', ...screen, fidelity: perDeviceReport },
  'screen.action_completed': { title: 'A device completed an action', ...action },
  'screen.action_failed': { title: 'An action failed on a device', ...action },
  'screen.unpaired': { title: 'A screen was unpaired', ...deleted },
  'media.created': { title: 'A medium was uploaded', ...media },
  'media.updated': { title: 'A medium was updated', ...media },
  'media.deleted': { title: 'A medium was deleted', ...deleted },
  'playlist.created': { title: 'A playlist was created', ...playlist },
  'playlist.updated': { title: 'A playlist was updated', ...playlist },
  'playlist.deleted': { title: 'A playlist was deleted', ...deleted },
  'layout.created': { title: 'A layout was created', ...layout },
  'layout.updated': { title: 'A layout was updated', ...layout },
  'layout.deleted': { title: 'A layout was deleted', ...deleted },
  'schedule.created': { title: 'A schedule was created', ...schedule },
  'schedule.updated': { title: 'A schedule was updated', ...schedule },
  'schedule.deleted': { title: 'A schedule was deleted', ...deleted },
  'group.created': { title: 'A group was created', ...group },
  'group.updated': { title: 'A group was updated', ...group },
  'group.deleted': { title: 'A group was deleted', ...deleted },
}
