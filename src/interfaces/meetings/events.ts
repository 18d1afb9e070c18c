/** The events of meetings (assumed; the specification shows none). They go to subscriptions of the control plane. */
import type { EventsOf } from '../../http/definition/events.ts'
import { assumed } from '../../state/model/fidelity.ts'
import type { MeetingEvents } from '../../state/meetings/events.ts'
import type * as payloads from './payloads.ts'
import { meetingView, participantView, sessionView } from './views.ts'

const fidelity = assumed('The specification shows no events of meetings.')

const ofMeeting = {
  fidelity,
  payload: 'MeetingData',
  view: ({ meeting }: MeetingEvents['meeting.created']) => ({ meeting: meetingView(meeting) }),
} as const

const ofSession = {
  fidelity,
  payload: 'SessionData',
  view: ({ meeting, session }: MeetingEvents['session.started']) => ({
    meeting: meetingView(meeting),
    session: sessionView(session),
  }),
} as const

const ofPresence = {
  fidelity,
  payload: 'PresenceData',
  view: ({ meeting, session, participant }: MeetingEvents['participant.joined']) => ({
    meeting: meetingView(meeting),
    session: sessionView(session),
    participant: participantView(participant),
  }),
} as const

export const events: EventsOf<MeetingEvents, typeof payloads> = {
  'meeting.created': { title: 'A meeting was created', ...ofMeeting },
  'meeting.updated': { title: 'A meeting was changed', ...ofMeeting },
  'meeting.deactivated': { title: 'A meeting was closed to new connections', ...ofMeeting },
  'meeting.activated': { title: 'A meeting was reopened', ...ofMeeting },
  'participant.added': {
    title: 'A participant was added',
    fidelity,
    payload: 'AddedData',
    view: ({ meeting, participant }) => ({
      meeting: meetingView(meeting),
      participant: participantView(participant),
    }),
  },
  'session.started': { title: 'A session started', ...ofSession },
  'participant.joined': { title: 'A participant joined', ...ofPresence },
  'participant.left': { title: 'A participant left', ...ofPresence },
  'session.ended': { title: 'A session ended', ...ofSession },
  'transcript.completed': { title: 'A transcript was generated', ...ofSession },
  'summary.completed': { title: 'A summary was generated', ...ofSession },
}
