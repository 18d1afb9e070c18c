/**
 * The events of recruiting. The specification does not show them: all are assumed, and only subscriptions created through
 * the control plane receive them.
 */
import { Type, type TSchema } from '@sinclair/typebox'
import type { PublishedEvent } from '../../http/definition/definition.ts'
import { Assumed, Instant, named, Nullable } from '../../http/schemas/schemas.ts'
import { Id } from '../../http/schemas/wireShapes.ts'
import { assumed } from '../../state/model/fidelity.ts'
import type { RecruitingEventName } from '../../state/recruiting/events.ts'
import { CandidateItem, Note } from './shapes/candidates.ts'
import { CandidateImport } from './shapes/imports.ts'
import { Evaluation, Interview } from './shapes/interviews.ts'
import { Vacancy } from './shapes/vacancies.ts'

const Data = (name: string, properties: Parameters<typeof Type.Object>[0]) =>
  named(
    `${name}EventData`,
    Assumed(
      'The specification does not show events of recruiting. The simulator sends the record, without values that need a special permission.',
      Type.Object(properties),
    ),
  )

const VacancyData = Data('Vacancy', { vacancy: Vacancy })
const VacancyMovedData = Data('VacancyMoved', {
  vacancy: Vacancy,
  previous_status: Type.String(),
  reason: Nullable(Type.String()),
})
const DeletedVacancyData = Data('DeletedVacancy', {
  vacancy: Type.Object({ id: Id('vac_'), title: Type.String(), deleted_at: Instant() }),
})
const CandidateData = Data('CandidateApplied', { vacancy_id: Id('vac_'), candidate: CandidateItem.item })
const StageData = Data('CandidateStageChanged', {
  vacancy_id: Id('vac_'),
  candidate: CandidateItem.item,
  previous_stage: Type.String(),
  new_stage: Type.String(),
  changed_by: Type.String(),
  notes: Nullable(Type.String()),
})
const NoteData = Data('CandidateNoteAdded', { note: Note.item })
const ImportData = Data('Import', { import: CandidateImport.item })
const InterviewData = Data('Interview', { interview: Interview.item })
const EvaluationData = Data('InterviewEvaluated', { evaluation: Evaluation.item })

const EVENTS: Readonly<Record<RecruitingEventName, readonly [title: string, payload: TSchema]>> = {
  'vacancy.created': ['A vacancy was created', VacancyData],
  'vacancy.updated': ['A vacancy was updated', VacancyData],
  'vacancy.published': ['A vacancy was published', VacancyMovedData],
  'vacancy.paused': ['A vacancy was paused', VacancyMovedData],
  'vacancy.in_process': ['The selection for a vacancy started', VacancyMovedData],
  'vacancy.closed': ['A vacancy was closed', VacancyMovedData],
  'vacancy.archived': ['A vacancy was archived', VacancyMovedData],
  'vacancy.deleted': ['A vacancy was deleted', DeletedVacancyData],
  'candidate.applied': ['A candidate applied for a vacancy', CandidateData],
  'candidate.stage_changed': ['A candidate moved to another stage', StageData],
  'candidate.note_added': ['A note about a candidate was added', NoteData],
  'import.completed': ['An import of candidates was completed', ImportData],
  'interview.scheduled': ['An interview was scheduled', InterviewData],
  'interview.rescheduled': ['An interview was rescheduled', InterviewData],
  'interview.confirmed': ['An interview was confirmed', InterviewData],
  'interview.started': ['An interview started', InterviewData],
  'interview.completed': ['An interview was completed', InterviewData],
  'interview.cancelled': ['An interview was cancelled', InterviewData],
  'interview.evaluated': ['An interviewer evaluated a candidate', EvaluationData],
}

/** The published events, in the order of a hire. */
export const publishedEvents: readonly PublishedEvent[] = Object.entries(EVENTS).map(
  ([name, [title, payload]]) => ({
    name,
    title,
    payload,
    fidelity: assumed(
      'The specification does not show events of recruiting. The simulator sends one for each operation that changes a record.',
    ),
  }),
)
