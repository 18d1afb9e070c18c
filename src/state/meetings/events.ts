/** The events of meetings (assumed; the specification shows none). They go to subscriptions of the control plane. */
import type { Workspace } from '../workspace/workspace.ts'
import type { meetings, participants, sessions } from './tables.ts'

interface MeetingEvent {
  readonly meeting: typeof meetings.$inferSelect
}

interface SessionEvent extends MeetingEvent {
  readonly session: typeof sessions.$inferSelect
}

interface ParticipantEvent extends MeetingEvent {
  readonly participant: typeof participants.$inferSelect
}

export interface MeetingEvents {
  'meeting.created': MeetingEvent
  'meeting.updated': MeetingEvent
  'meeting.deactivated': MeetingEvent
  'meeting.activated': MeetingEvent
  'participant.added': ParticipantEvent
  'session.started': SessionEvent
  'participant.joined': ParticipantEvent & SessionEvent
  'participant.left': ParticipantEvent & SessionEvent
  'session.ended': SessionEvent
  'transcript.completed': SessionEvent
  'summary.completed': SessionEvent
}

export type MeetingEventName = keyof MeetingEvents

/** Appends an event of the record with this id. Only inside a `write`. */
export function appendMeetingEvent<Name extends MeetingEventName>(
  workspace: Workspace,
  name: Name,
  record: string,
  data: MeetingEvents[Name],
): void {
  workspace.append({ interface: 'meetings', name, record, data: { ...data } })
}
