/** The schemas of the event data of recruiting; all are assumed. */
import { Type, type TProperties } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable } from '../../http/schemas/schemas.ts'
import { Id } from '../../http/schemas/wireShapes.ts'
import { CandidateItem, Note } from './shapes/candidates.ts'
import { CandidateImport } from './shapes/imports.ts'
import { Evaluation, Interview } from './shapes/interviews.ts'
import { Vacancy } from './shapes/vacancies.ts'

const data = <Fields extends TProperties>(name: string, properties: Fields) =>
  named(
    `${name}EventData`,
    Assumed(
      'The specification does not show events of recruiting. The simulator sends the record, without values that need a special permission.',
      Type.Object(properties),
    ),
  )

export const VacancyData = data('Vacancy', { vacancy: Vacancy.item })
export const VacancyMovedData = data('VacancyMoved', {
  vacancy: Vacancy.item,
  previous_status: Type.String(),
  reason: Nullable(Type.String()),
})
export const DeletedVacancyData = data('DeletedVacancy', {
  vacancy: Type.Object({ id: Id('vac_'), title: Type.String(), deleted_at: Instant() }),
})
export const CandidateData = data('CandidateApplied', {
  vacancy_id: Id('vac_'),
  candidate: CandidateItem.item,
})
export const StageData = data('CandidateStageChanged', {
  vacancy_id: Id('vac_'),
  candidate: CandidateItem.item,
  previous_stage: Type.String(),
  new_stage: Type.String(),
  changed_by: Type.String(),
  notes: Nullable(Type.String()),
})
export const NoteData = data('CandidateNoteAdded', { note: Note.item })
export const ImportData = data('Import', { import: CandidateImport.item })
export const InterviewData = data('Interview', { interview: Interview.item })
export const EvaluationData = data('InterviewEvaluated', { evaluation: Evaluation.item })
