/**
 * What happens in signage, each event with the record that it tells of. The specification shows no events of it: they
 * are assumed, and reach only subscriptions made in the control plane.
 */
import type { NewEvent, Workspace } from '../workspace.ts'
import type { LayoutInFull, PlaylistInFull, ScheduleInFull } from './inFull.ts'
import type { actions, groups, media, screens } from './tables.ts'

type Screen = typeof screens.$inferSelect
type Group = typeof groups.$inferSelect
type Media = typeof media.$inferSelect
type Action = typeof actions.$inferSelect

/** A record that is gone. */
interface Gone {
  readonly id: string
  readonly name: string
}

/** In the order of a record's life. */
export interface SignageEvents {
  'screen.paired': Screen
  'screen.updated': Screen
  'screen.online': Screen
  'screen.standby': Screen
  'screen.offline': Screen
  'screen.action_completed': Action
  'screen.action_failed': Action
  'screen.unpaired': Gone
  'media.created': Media
  'media.updated': Media
  'media.deleted': Gone
  'playlist.created': PlaylistInFull
  'playlist.updated': PlaylistInFull
  'playlist.deleted': Gone
  'layout.created': LayoutInFull
  'layout.updated': LayoutInFull
  'layout.deleted': Gone
  'schedule.created': ScheduleInFull
  'schedule.updated': ScheduleInFull
  'schedule.deleted': Gone
  'group.created': Group
  'group.updated': Group
  'group.deleted': Gone
}

/** Tells of the record as it now is, or as it was when it went. Only inside a `write`. */
export function appendSignageEvent<Name extends keyof SignageEvents>(
  workspace: Workspace,
  name: Name,
  record: SignageEvents[Name],
): void {
  const event: NewEvent = { interface: 'signage', name, record: record.id, data: { ...record } }
  workspace.append(event)
}
