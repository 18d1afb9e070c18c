/** The states of meetings and sessions. Specification part 3, "Meeting status". Of sessions, it shows only the id. */
import { assumed, documented } from '../model/fidelity.ts'
import { machine } from '../model/machine.ts'
import { callStep, triggerStep, inState } from '../model/ways.ts'

const UPDATE = 'PATCH /public/meetings/{publicMeetingId}'

export const meetingMachine = machine({
  name: 'meetings.meeting',
  title: 'Meeting',
  states: ['ACTIVE', 'INACTIVE'],
  initial: ['ACTIVE'],
  reach: { made: { ACTIVE: callStep('POST /public/meetings', { title: 'Fitting of the new floor' }) } },
  moves: {
    deactivate: {
      from: ['ACTIVE'],
      to: 'INACTIVE',
      settledIn: ['INACTIVE'],
      by: UPDATE,
      way: callStep('PATCH /public/meetings/{meeting.meeting.publicMeetingId}', { status: 'INACTIVE' }),
      emits: 'meeting.deactivated',
      fidelity: documented,
    },
    activate: {
      from: ['INACTIVE'],
      to: 'ACTIVE',
      settledIn: ['ACTIVE'],
      by: UPDATE,
      emits: 'meeting.activated',
      fidelity: documented,
    },
  },
})

/** The move to each status. */
export const MOVE_TO = { ACTIVE: 'activate', INACTIVE: 'deactivate' } as const satisfies Readonly<
  Record<(typeof meetingMachine.states)[number], keyof typeof meetingMachine.moves>
>

const participant = callStep('POST /public/meetings/{meeting.meeting.publicMeetingId}/participants', {
  name: 'Ana Castillo',
  preset_name: 'sim_meet_host',
})

export const sessionMachine = machine({
  name: 'meetings.session',
  title: 'Session',
  states: ['live', 'ended'],
  initial: ['live'],
  reach: {
    made: {
      live: triggerStep(
        'meetings.participant.join',
        { participantId: '{participant.participant.url?participant}' },
        { needs: { meeting: inState(meetingMachine, 'ACTIVE'), participant } },
      ),
    },
  },
  moves: {
    end: {
      from: ['live'],
      to: 'ended',
      by: 'the trigger meetings.session.end, a host on the page of the meeting, or the last participant to leave',
      way: triggerStep('meetings.session.end', { publicMeetingId: '{meeting.meeting.publicMeetingId}' }),
      emits: 'session.ended',
      fidelity: assumed(
        'The specification shows sessions only in the path of a transcript; in the simulator, a session is a live run of its meeting.',
      ),
    },
  },
})

export const meetingMachines = [meetingMachine, sessionMachine]
