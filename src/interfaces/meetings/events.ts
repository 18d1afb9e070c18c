/** The events of meetings (assumed; the specification shows none). They go to subscriptions of the control plane. */
import type { EventsOf } from '../../http/definition/events.ts'
import { assumed } from '../../state/model/fidelity.ts'
import type { MeetingEvents } from '../../state/meetings/events.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type * as payloads from './payloads.ts'
import { Meeting, Participant, Session } from './shapes/meetings.ts'

const fidelity = assumed('The specification shows no events of meetings.')

const ofMeeting = {
  fidelity,
  payload: 'MeetingData',
  view: ({ meeting }: MeetingEvents['meeting.created'], workspace: Workspace) => ({
    meeting: Meeting.view(meeting, workspace),
  }),
} as const

const ofSession = {
  fidelity,
  payload: 'SessionData',
  view: ({ meeting, session }: MeetingEvents['session.started'], workspace: Workspace) => ({
    meeting: Meeting.view(meeting, workspace),
    session: Session.view(session, workspace),
  }),
} as const

const ofPresence = {
  fidelity,
  payload: 'PresenceData',
  view: ({ meeting, session, participant }: MeetingEvents['participant.joined'], workspace: Workspace) => ({
    meeting: Meeting.view(meeting, workspace),
    session: Session.view(session, workspace),
    participant: Participant.view(participant, workspace),
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
    view: ({ meeting, participant }, workspace) => ({
      meeting: Meeting.view(meeting, workspace),
      participant: Participant.view(participant, workspace),
    }),
  },
  'session.started': { title: 'A session started', ...ofSession },
  'participant.joined': { title: 'A participant joined', ...ofPresence },
  'participant.left': { title: 'A participant left', ...ofPresence },
  'session.ended': { title: 'A session ended', ...ofSession },
  'transcript.completed': { title: 'A transcript was generated', ...ofSession },
  'summary.completed': { title: 'A summary was generated', ...ofSession },
}
