/**
 * The events of recruiting. The specification does not show them: all are assumed, and only subscriptions created through
 * the control plane receive them.
 */
import type { EventsOf } from '../../http/definition/events.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { assumed } from '../../state/model/fidelity.ts'
import type { RecruitingEvents } from '../../state/recruiting/events.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type * as payloads from './payloads.ts'
import { CandidateItem, Note } from './shapes/candidates.ts'
import { CandidateImport } from './shapes/imports.ts'
import { Evaluation, Interview } from './shapes/interviews.ts'
import { Vacancy } from './shapes/vacancies.ts'

const fidelity = assumed(
  'The specification does not show events of recruiting. The simulator sends one for each operation that changes a record.',
)

const ofVacancy = {
  fidelity,
  payload: 'VacancyData',
  view: ({ vacancy }: RecruitingEvents['vacancy.created'], workspace: Workspace) => ({
    vacancy: Vacancy.view(vacancy, workspace),
  }),
} as const

const ofMovedVacancy = {
  fidelity,
  payload: 'VacancyMovedData',
  view: ({ vacancy, previousStatus, reason }: RecruitingEvents['vacancy.closed'], workspace: Workspace) => ({
    vacancy: Vacancy.view(vacancy, workspace),
    previous_status: previousStatus,
    reason,
  }),
} as const

const ofInterview = {
  fidelity,
  payload: 'InterviewData',
  view: ({ interview }: RecruitingEvents['interview.scheduled'], workspace: Workspace) => ({
    interview: Interview.view(interview, workspace),
  }),
} as const

/** In the order of a hire. */
export const events: EventsOf<RecruitingEvents, typeof payloads> = {
  'vacancy.created': { title: 'A vacancy was created', ...ofVacancy },
  'vacancy.updated': { title: 'A vacancy was updated', ...ofVacancy },
  'vacancy.drafted': { title: 'A vacancy became a draft again', ...ofMovedVacancy },
  'vacancy.published': { title: 'A vacancy was published', ...ofMovedVacancy },
  'vacancy.paused': { title: 'A vacancy was paused', ...ofMovedVacancy },
  'vacancy.in_process': { title: 'The selection for a vacancy started', ...ofMovedVacancy },
  'vacancy.closed': { title: 'A vacancy was closed', ...ofMovedVacancy },
  'vacancy.archived': { title: 'A vacancy was archived', ...ofMovedVacancy },
  'vacancy.deleted': {
    title: 'A vacancy was deleted',
    fidelity,
    payload: 'DeletedVacancyData',
    view: ({ vacancy: { id, title }, deletedAt }) => ({ vacancy: { id, title, deleted_at: iso(deletedAt) } }),
  },
  'candidate.applied': {
    title: 'A candidate applied for a vacancy',
    fidelity,
    payload: 'CandidateData',
    view: ({ application }, workspace) => ({
      vacancy_id: application.vacancyId,
      candidate: CandidateItem.view(application, workspace),
    }),
  },
  'candidate.stage_changed': {
    title: 'A candidate moved to another stage',
    fidelity,
    payload: 'StageData',
    view: ({ application, change }, workspace) => ({
      vacancy_id: application.vacancyId,
      candidate: CandidateItem.view(application, workspace),
      previous_stage: change.previousStage,
      new_stage: change.newStage,
      changed_by: change.changedBy,
      notes: change.notes,
    }),
  },
  'candidate.note_added': {
    title: 'A note about a candidate was added',
    fidelity,
    payload: 'NoteData',
    view: ({ note }, workspace) => ({ note: Note.view(note, workspace) }),
  },
  'import.completed': {
    title: 'An import of candidates was completed',
    fidelity,
    payload: 'ImportData',
    view: ({ imported }, workspace) => ({ import: CandidateImport.view(imported, workspace) }),
  },
  'interview.scheduled': { title: 'An interview was scheduled', ...ofInterview },
  'interview.rescheduled': { title: 'An interview was rescheduled', ...ofInterview },
  'interview.confirmed': { title: 'An interview was confirmed', ...ofInterview },
  'interview.started': { title: 'An interview started', ...ofInterview },
  'interview.completed': { title: 'An interview was completed', ...ofInterview },
  'interview.cancelled': { title: 'An interview was cancelled', ...ofInterview },
  'interview.evaluated': {
    title: 'An interviewer evaluated a candidate',
    fidelity,
    payload: 'EvaluationData',
    view: ({ evaluation }, workspace) => ({ evaluation: Evaluation.view(evaluation, workspace) }),
  },
}
