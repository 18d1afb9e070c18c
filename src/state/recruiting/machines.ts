/** The state machines of recruiting. Specification part 1, "Vacancy status", "Candidate stage", "Interview status". */
import { assumed, documentedBut } from '../model/fidelity.ts'
import { machine, statesWhere } from '../model/machine.ts'

const STATUS_CALL = 'POST /vacancies/{vacancy_id}/status'
const assumedOrder = assumed(
  'The specification shows the states and the call that sets one, but not the allowed transitions. The simulator follows common applicant tracking systems.',
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
      fidelity: assumedOrder,
    },
    pause: {
      from: ['published'],
      to: 'paused',
      by: STATUS_CALL,
      emits: 'vacancy.paused',
      fidelity: documentedBut(
        'The specification shows paused as the example of the call. Assumed: only a published vacancy can be paused.',
      ),
    },
    begin_process: {
      from: ['published', 'paused'],
      to: 'in_process',
      by: STATUS_CALL,
      emits: 'vacancy.in_process',
      fidelity: assumedOrder,
    },
    close: {
      from: ['published', 'paused', 'in_process'],
      to: 'closed',
      by: STATUS_CALL,
      emits: 'vacancy.closed',
      fidelity: documentedBut(
        'The specification closes a published vacancy before it is archived. The other previous states are assumed.',
      ),
    },
    expire: {
      from: ['published', 'paused'],
      to: 'closed',
      by: 'the clock, at closes_at',
      emits: 'vacancy.closed',
      fidelity: assumed(
        'The specification shows closes_at, but not its effect. The simulator closes the vacancy at that time.',
      ),
    },
    archive: {
      from: ['closed', 'draft'],
      to: 'archived',
      by: STATUS_CALL,
      emits: 'vacancy.archived',
      fidelity: documentedBut(
        'The specification archives a closed vacancy. Assumed: a draft can also be archived.',
      ),
    },
    reopen: {
      from: ['closed'],
      to: 'published',
      by: STATUS_CALL,
      emits: 'vacancy.published',
      fidelity: assumedOrder,
    },
  },
})

/** The statuses in which a vacancy takes no more candidates, so that an interview for it is a surprise. */
export const ENDED = statesWhere(vacancyMachine, {
  draft: false,
  published: false,
  paused: false,
  in_process: false,
  closed: true,
  archived: true,
})

/** The statuses of vacancies with a public page. */
export const WITH_PAGE = statesWhere(vacancyMachine, {
  draft: false,
  published: true,
  paused: true,
  in_process: true,
  closed: true,
  archived: false,
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
    'The specification shows the call that sets the stage. Assumed: any stage can follow any other, and setting the current stage only stores its notes.',
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

/** The move to each stage. */
export const MOVE_TO = {
  new: 'start_over',
  reviewing: 'review',
  shortlisted: 'shortlist',
  interview: 'interview',
  offer: 'offer',
  hired: 'hire',
  rejected: 'reject',
} as const satisfies Readonly<Record<Stage, keyof typeof applicationMachine.moves>>

/** The stages on the way to a hire, in order. */
export const FUNNEL = statesWhere(applicationMachine, {
  new: true,
  reviewing: true,
  shortlisted: true,
  interview: true,
  offer: true,
  hired: true,
  rejected: false,
})

const byTrigger = assumed(
  'The specification shows the states of an interview, but not what causes this transition. The simulator has a trigger for it.',
)

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
      fidelity: documentedBut(
        'The specification shows the body. Assumed: a new time must be confirmed again.',
      ),
    },
    confirm: {
      from: ['scheduled'],
      to: 'confirmed',
      by: 'the trigger recruiting.interview.confirm',
      emits: 'interview.confirmed',
      fidelity: byTrigger,
    },
    start: {
      from: ['scheduled', 'confirmed'],
      to: 'in_progress',
      by: 'the trigger recruiting.interview.start',
      emits: 'interview.started',
      fidelity: byTrigger,
    },
    complete: {
      from: ['in_progress'],
      to: 'completed',
      by: 'the trigger recruiting.interview.complete',
      emits: 'interview.completed',
      fidelity: byTrigger,
    },
    cancel: {
      from: ['scheduled', 'confirmed', 'in_progress'],
      to: 'cancelled',
      by: 'POST /interviews/{interview_id}/cancel',
      emits: 'interview.cancelled',
      fidelity: documentedBut(
        'The specification shows that an interview can be cancelled from scheduled on. Assumed: a completed interview cannot be cancelled.',
      ),
    },
  },
})

/** The statuses in which an interview takes the time of its participants. */
export const TAKES_TIME = statesWhere(interviewMachine, {
  scheduled: true,
  confirmed: true,
  in_progress: true,
  completed: false,
  cancelled: false,
})

/** The statuses in which an interview can be evaluated. */
export const EVALUABLE = statesWhere(interviewMachine, {
  scheduled: true,
  confirmed: true,
  in_progress: true,
  completed: true,
  cancelled: false,
})

const progress = assumed(
  'The specification shows the status processing and an asynchronous import. The simulator imports a hundred rows per second on the workspace’s clock.',
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
