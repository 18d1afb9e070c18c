/**
 * The events of signage, each with its record. The specification does not show them: all are assumed, and only
 * subscriptions created through the control plane receive them.
 */
import type { NewEvent, Workspace } from '../workspace/workspace.ts'
import type { actions, groups, layouts, media, playlists, schedules, screens } from './tables.ts'

type Screen = typeof screens.$inferSelect
type Group = typeof groups.$inferSelect
type Media = typeof media.$inferSelect
type Action = typeof actions.$inferSelect
type Playlist = typeof playlists.$inferSelect
type Layout = typeof layouts.$inferSelect
type Schedule = typeof schedules.$inferSelect

/** A deleted record. */
interface DeletedRecord {
  readonly id: string
  readonly name: string
}

/** Event names and their records, in the order of a record's life. */
export interface SignageEvents {
  'screen.paired': Screen
  'screen.updated': Screen
  'screen.online': Screen
  'screen.standby': Screen
  'screen.offline': Screen
  'screen.action_completed': Action
  'screen.action_failed': Action
  'screen.unpaired': DeletedRecord
  'media.created': Media
  'media.updated': Media
  'media.deleted': DeletedRecord
  'playlist.created': Playlist
  'playlist.updated': Playlist
  'playlist.deleted': DeletedRecord
  'layout.created': Layout
  'layout.updated': Layout
  'layout.deleted': DeletedRecord
  'schedule.created': Schedule
  'schedule.updated': Schedule
  'schedule.deleted': DeletedRecord
  'group.created': Group
  'group.updated': Group
  'group.deleted': DeletedRecord
}

/** Records an event with the current state of the record, or its last state if it was deleted. Call only inside a `write`. */
export function appendSignageEvent<Name extends keyof SignageEvents>(
  workspace: Workspace,
  name: Name,
  record: SignageEvents[Name],
): void {
  const event: NewEvent = { interface: 'signage', name, record: record.id, data: { ...record } }
  workspace.append(event)
}
