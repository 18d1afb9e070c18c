/** Meetings. */
import { NAME, type Scenarios } from '../scenario.ts'

const MEETING = { publicMeetingId: '{meeting}' }

export const meetingsScenarios: Scenarios = {
  interface: 'meetings',
  scenarios: [
    {
      resource: 'meetings',
      needsAllow: 'No call deletes a meeting.',
      steps: [
        {
          operation: 'createMeeting',
          body: { title: NAME, datetime: '2031-03-12T15:00:00Z', language: 'es-419' },
          save: { meeting: 'meeting.publicMeetingId' },
          creates: { id: 'meeting', undo: null, find: null },
        },
        { operation: 'createMeeting', body: { title: NAME, language: 'xx' }, refused: 400 },
        { operation: 'updateMeeting', path: MEETING, body: { title: `${NAME} changed` } },
        { operation: 'updateMeeting', path: MEETING, body: { status: 'SOMETIMES' }, refused: 400 },
        {
          operation: 'addParticipant',
          path: MEETING,
          confirms: 'send',
          body: {
            preset_name: 'sim_meet_guest',
            name: NAME,
            email: 'suite-sim-{run}@example.com',
          },
        },
        {
          operation: 'updateMeeting',
          path: MEETING,
          body: { status: 'INACTIVE' },
          moves: 'meetings.meeting deactivate',
        },
        {
          operation: 'updateMeeting',
          path: MEETING,
          body: { status: 'ACTIVE' },
          moves: 'meetings.meeting activate',
        },
        {
          operation: 'updateMeeting',
          path: MEETING,
          body: { status: 'INACTIVE' },
          moves: 'meetings.meeting deactivate',
        },
      ],
    },
  ],
  uncovered: { fetchTranscript: 'it needs a session that people held' },
}
