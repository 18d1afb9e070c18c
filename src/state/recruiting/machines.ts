/** The state machines of recruiting. Specification part 1, "Vacancy status", "Candidate stage", "Interview status". */
import { assumed, documentedBut } from '../model/fidelity.ts'
import { machine, statesWhere } from '../model/machine.ts'
import { callStep, triggerStep, inState } from '../model/ways.ts'
import { vacancyStatus } from './readings.ts'

const STATUS_CALL = 'POST /vacancies/{vacancy_id}/status'
const anyOrder = assumed(
  'The specification shows the states and the call that sets one, but not the allowed transitions. Any status can follow any other, but for the documented rule that a published vacancy is closed before it is archived. The reading recruiting.vacancy_status allows the transitions of common applicant tracking systems only.',
)

const STATUSES = ['draft', 'published', 'paused', 'in_process', 'closed', 'archived'] as const
type Status = (typeof STATUSES)[number]

/** The previous states: all others, and under the reading `machine` those of common applicant tracking systems. */
const setBy = <const Target extends Status>(
  to: Target,
  except: readonly Status[],
  ofMachine: readonly Status[],
) => ({
  from: STATUSES.filter((status) => status !== to && !except.includes(status)),
  under: { reading: vacancyStatus, is: 'machine', from: ofMachine },
  to,
  by: STATUS_CALL,
  way: callStep('POST /vacancies/{vacancy.id}/status', { status: to }),
})

const vacancy = (status: Status) => callStep('POST /vacancies', { title: 'Upholsterer', status })

export const vacancyMachine = machine({
  name: 'recruiting.vacancy',
  title: 'Vacancy',
  states: STATUSES,
  initial: ['draft', 'published'],
  reach: {
    made: { draft: vacancy('draft'), published: vacancy('published') },
    get: 'GET /vacancies/{vacancy.id}',
  },
  moves: {
    redraft: { ...setBy('draft', [], []), emits: 'vacancy.drafted', fidelity: anyOrder },
    publish: {
      ...setBy('published', ['closed'], ['draft', 'paused']),
      emits: 'vacancy.published',
      fidelity: anyOrder,
    },
    pause: {
      ...setBy('paused', [], ['published']),
      emits: 'vacancy.paused',
      fidelity: documentedBut(
        'The specification shows paused as the example of the call, without the previous states. The reading recruiting.vacancy_status decides about them.',
      ),
    },
    begin_process: {
      can: 'begin its process',
      ...setBy('in_process', [], ['published', 'paused']),
      emits: 'vacancy.in_process',
      fidelity: anyOrder,
    },
    close: {
      ...setBy('closed', [], ['published', 'paused', 'in_process']),
      emits: 'vacancy.closed',
      fidelity: documentedBut(
        'The specification closes a published vacancy before it is archived. The other previous states are assumed.',
      ),
    },
    expire: {
      can: 'expire',
      from: ['published', 'paused'],
      to: 'closed',
      by: 'the clock, at closes_at',
      emits: 'vacancy.closed',
      fidelity: assumed(
        'The specification shows closes_at, but not its effect. The simulator closes the vacancy at that time.',
      ),
    },
    archive: {
      ...setBy('archived', ['published'], ['closed', 'draft']),
      emits: 'vacancy.archived',
      fidelity: documentedBut(
        'The specification archives a vacancy that was published after it was closed. The other previous states are assumed.',
      ),
    },
    reopen: {
      from: ['closed'],
      to: 'published',
      by: STATUS_CALL,
      emits: 'vacancy.published',
      fidelity: anyOrder,
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
  way: callStep('POST /vacancies/{vacancy.id}/candidates/{application.candidate_id}/stage', { stage }),
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
  reach: {
    made: {
      // The address of the candidate is new, because a known one is that of an existing candidate.
      new: triggerStep(
        'recruiting.candidate.apply',
        { vacancy_id: '{vacancy.id}', name: 'Pablo Quintero', email: '{vacancy.id}@example.com' },
        { needs: { vacancy: inState(vacancyMachine, 'published') } },
      ),
    },
  },
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

const pull = (move: string) => triggerStep(`recruiting.interview.${move}`, { interview_id: '{interview.id}' })

export const interviewMachine = machine({
  name: 'recruiting.interview',
  title: 'Interview',
  states: ['scheduled', 'confirmed', 'in_progress', 'completed', 'cancelled'],
  initial: ['scheduled'],
  reach: {
    made: {
      scheduled: callStep(
        'POST /interviews',
        {
          vacancy_id: '{application.vacancy_id}',
          candidate_id: '{application.candidate_id}',
          type: 'phone',
          scheduled_at: '2099-01-05T15:00:00Z',
          interviewers: [{ name: 'Marco Vega', email: 'of.{application.vacancy_id}@example.com' }],
        },
        { needs: { application: inState(applicationMachine, 'new') } },
      ),
    },
    get: 'GET /interviews/{interview.id}',
  },
  moves: {
    reschedule: {
      from: ['scheduled', 'confirmed'],
      to: 'scheduled',
      by: 'PATCH /interviews/{interview_id}',
      emits: 'interview.rescheduled',
      fidelity: assumed(
        'The specification shows the body of the call, but not its effect on the status. In the simulator, a new time must be confirmed again.',
      ),
    },
    confirm: {
      from: ['scheduled'],
      to: 'confirmed',
      by: 'the trigger recruiting.interview.confirm',
      way: pull('confirm'),
      emits: 'interview.confirmed',
      fidelity: byTrigger,
    },
    start: {
      from: ['scheduled', 'confirmed'],
      to: 'in_progress',
      by: 'the trigger recruiting.interview.start',
      way: pull('start'),
      emits: 'interview.started',
      fidelity: byTrigger,
    },
    complete: {
      from: ['in_progress'],
      to: 'completed',
      by: 'the trigger recruiting.interview.complete',
      way: pull('complete'),
      emits: 'interview.completed',
      fidelity: byTrigger,
    },
    cancel: {
      // "scheduled or later"
      from: ['scheduled', 'confirmed', 'in_progress', 'completed'],
      to: 'cancelled',
      by: 'POST /interviews/{interview_id}/cancel',
      way: callStep('POST /interviews/{interview.id}/cancel', { reason: 'The position was filled' }),
      emits: 'interview.cancelled',
      fidelity: documentedBut('The specification shows the move. The name of its event is assumed.'),
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
  reach: {
    made: {
      // Rows without an address create no candidates. On a running clock, 20 rows take 200 ms.
      processing: {
        as: 'imported',
        call: 'POST /candidates/import',
        csv: `name,email\n${'Pablo,\n'.repeat(20)}`,
      },
    },
    get: 'GET /candidates/import/{imported.import_id}',
  },
  moves: {
    complete: {
      from: ['processing'],
      to: 'completed',
      by: 'the clock',
      way: { clock: 'PT1S' },
      emits: 'import.completed',
      fidelity: progress,
    },
  },
})

export const recruitingMachines = [vacancyMachine, applicationMachine, interviewMachine, importMachine]
