/** The events of meetings (assumed; the specification shows none). They go to subscriptions of the control plane. */
import { appenderOf } from '../workspace/events.ts'
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

export const appendMeetingEvent = appenderOf<MeetingEvents>('meetings')
