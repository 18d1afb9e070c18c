/** What happens to meetings. The specification shows no events of them: they are assumed, for subscriptions of the control plane. */
import type { Workspace } from '../workspace.ts'
import type { meetings, participants, sessions } from './tables.ts'

interface MeetingTold {
  readonly meeting: typeof meetings.$inferSelect
}

interface SessionTold extends MeetingTold {
  readonly session: typeof sessions.$inferSelect
}

interface ParticipantTold extends MeetingTold {
  readonly participant: typeof participants.$inferSelect
}

export interface MeetingEvents {
  'meeting.created': MeetingTold
  'meeting.updated': MeetingTold
  'meeting.deactivated': MeetingTold
  'meeting.activated': MeetingTold
  'participant.added': ParticipantTold
  'session.started': SessionTold
  'participant.joined': ParticipantTold & SessionTold
  'participant.left': ParticipantTold & SessionTold
  'session.ended': SessionTold
  'transcript.completed': SessionTold
  'summary.completed': SessionTold
}

export type MeetingEventName = keyof MeetingEvents

/** Appends an event that tells of the record with this id. Only inside a `write`. */
export function appendMeetingEvent<Name extends MeetingEventName>(
  workspace: Workspace,
  name: Name,
  record: string,
  data: MeetingEvents[Name],
): void {
  workspace.append({ interface: 'meetings', name, record, data: { ...data } })
}
