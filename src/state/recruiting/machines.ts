/** Specification part 1, "Vacancy status", "Candidate stage", "Interview status". */
import { assumed, documentedBut } from '../fidelity.ts'
import { machine } from '../machine.ts'

const STATUS_CALL = 'POST /vacancies/{vacancy_id}/status'
const usualLife = assumed(
  'The specification shows the states and the call that sets one, not which may follow which: as applicant tracking systems have it.',
)

export const vacancyMachine = machine({
  name: 'recruiting.vacancy',
  title: 'Vacancy',
  states: ['draft', 'published', 'paused', 'in_process', 'closed', 'archived'],
  initial: ['draft', 'published'],
  moves: {
    publish: {
      from: ['draft', 'paused'],
      to: 'published',
      by: STATUS_CALL,
      emits: 'vacancy.published',
      fidelity: usualLife,
    },
    pause: {
      from: ['published'],
      to: 'paused',
      by: STATUS_CALL,
      emits: 'vacancy.paused',
      fidelity: documentedBut('Paused is the example of the call; that it follows published is assumed.'),
    },
    begin_process: {
      from: ['published', 'paused'],
      to: 'in_process',
      by: STATUS_CALL,
      emits: 'vacancy.in_process',
      fidelity: usualLife,
    },
    close: {
      from: ['published', 'paused', 'in_process'],
      to: 'closed',
      by: STATUS_CALL,
      emits: 'vacancy.closed',
      fidelity: documentedBut('A published vacancy is closed before it is archived; the others are assumed.'),
    },
    expire: {
      from: ['published', 'paused'],
      to: 'closed',
      by: 'the clock, at closes_at',
      emits: 'vacancy.closed',
      fidelity: assumed('The specification shows closes_at and not what happens then.'),
    },
    archive: {
      from: ['closed', 'draft'],
      to: 'archived',
      by: STATUS_CALL,
      emits: 'vacancy.archived',
      fidelity: documentedBut('A closed vacancy is archived; that a draft may be as well is assumed.'),
    },
    reopen: {
      from: ['closed'],
      to: 'published',
      by: STATUS_CALL,
      emits: 'vacancy.published',
      fidelity: usualLife,
    },
  },
})

export type VacancyStatus = (typeof vacancyMachine.states)[number]

const STAGES = ['new', 'reviewing', 'shortlisted', 'interview', 'offer', 'hired', 'rejected'] as const
export type Stage = (typeof STAGES)[number]

const to = <const Target extends Stage>(stage: Target) => ({
  from: STAGES.filter((each) => each !== stage),
  to: stage,
  by: 'POST /vacancies/{vacancy_id}/candidates/{candidate_id}/stage',
  emits: 'candidate.stage_changed' as const,
  settledIn: [stage],
  fidelity: documentedBut(
    'The call sets the stage; that any stage may follow any other, and that the one it is in changes nothing, is assumed.',
  ),
})

export const applicationMachine = machine({
  name: 'recruiting.application',
  title: 'Application',
  states: STAGES,
  initial: ['new'],
  moves: {
    start_over: to('new'),
    review: to('reviewing'),
    shortlist: to('shortlisted'),
    interview: to('interview'),
    offer: to('offer'),
    hire: to('hired'),
    reject: to('rejected'),
  },
})

/** The move that leads to each stage. */
export const MOVE_TO = {
  new: 'start_over',
  reviewing: 'review',
  shortlisted: 'shortlist',
  interview: 'interview',
  offer: 'offer',
  hired: 'hire',
  rejected: 'reject',
} as const satisfies Readonly<Record<Stage, keyof typeof applicationMachine.moves>>

/** The stages on the way to a hire, in their order. */
export const FUNNEL = ['new', 'reviewing', 'shortlisted', 'interview', 'offer', 'hired'] as const

const outside = assumed('The specification shows the states and not what moves an interview into them.')

export const interviewMachine = machine({
  name: 'recruiting.interview',
  title: 'Interview',
  states: ['scheduled', 'confirmed', 'in_progress', 'completed', 'cancelled'],
  initial: ['scheduled'],
  moves: {
    reschedule: {
      from: ['scheduled', 'confirmed'],
      to: 'scheduled',
      by: 'PATCH /interviews/{interview_id}',
      emits: 'interview.rescheduled',
      fidelity: documentedBut('The body is shown; that a new time has to be confirmed anew is assumed.'),
    },
    confirm: {
      from: ['scheduled'],
      to: 'confirmed',
      by: 'the trigger recruiting.interview.confirm',
      emits: 'interview.confirmed',
      fidelity: outside,
    },
    start: {
      from: ['scheduled', 'confirmed'],
      to: 'in_progress',
      by: 'the trigger recruiting.interview.start',
      emits: 'interview.started',
      fidelity: outside,
    },
    complete: {
      from: ['in_progress'],
      to: 'completed',
      by: 'the trigger recruiting.interview.complete',
      emits: 'interview.completed',
      fidelity: outside,
    },
    cancel: {
      from: ['scheduled', 'confirmed', 'in_progress'],
      to: 'cancelled',
      by: 'POST /interviews/{interview_id}/cancel',
      emits: 'interview.cancelled',
      fidelity: documentedBut(
        'Scheduled or later is shown; that one which is over can not be cancelled any more is assumed.',
      ),
    },
  },
})

const progress = assumed(
  'The specification shows the status processing and that the import is asynchronous: a hundred rows a second on the clock of the workspace.',
)

export const importMachine = machine({
  name: 'recruiting.import',
  title: 'Import',
  states: ['processing', 'completed'],
  initial: ['processing'],
  moves: {
    complete: {
      from: ['processing'],
      to: 'completed',
      by: 'the clock',
      emits: 'import.completed',
      fidelity: progress,
    },
  },
})

export const recruitingMachines = [vacancyMachine, applicationMachine, interviewMachine, importMachine]
