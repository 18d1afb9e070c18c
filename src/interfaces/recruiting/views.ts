/** The fields of vacancies, and the data of the events of recruiting. */
import type { Static } from '@sinclair/typebox'
import { fieldView, instant, computed, type Fields } from '../../http/shapes/fields.ts'
import { iso } from '../../state/model/clock.ts'
import type { RecruitingEvents } from '../../state/recruiting/events.ts'
import type { SalaryRange } from '../../state/recruiting/jsonColumns.ts'
import { vacancies } from '../../state/recruiting/tables.ts'
import type { EventViews } from '../../state/workspace/events.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { pageAddress } from './addresses.ts'
import { CandidateItem, Note } from './shapes/candidates.ts'
import { locationOf } from './shapes/common.ts'
import { CandidateImport } from './shapes/imports.ts'
import { Evaluation, Interview } from './shapes/interviews.ts'
import type { Vacancy } from './shapes/vacancies.ts'

// ---------------------------------------------------------------- vacancies

/** Removes the amounts of a salary that is not visible. */
const publicSalary = (range: SalaryRange | null): SalaryRange | null =>
  range === null || range.visible ? range : { ...range, min: null, max: null }

/** The fields of a vacancy for every caller. */
export const vacancyFields: Fields<Static<typeof Vacancy>> = {
  id: vacancies.id,
  title: vacancies.title,
  slug: vacancies.slug,
  department: vacancies.department,
  description: vacancies.description,
  responsibilities: vacancies.responsibilities,
  requirements: computed([vacancies.mandatory, vacancies.desirable], ([mandatory, desirable]) => ({
    mandatory: [...mandatory],
    desirable: [...desirable],
  })),
  benefits: vacancies.benefits,
  skills: vacancies.skills,
  location: computed([vacancies.country, vacancies.city], ([country, city]) => locationOf(country, city)),
  modality: vacancies.modality,
  contract_type: vacancies.contractType,
  level: vacancies.level,
  min_experience_years: computed([vacancies.minExperienceYears], ([years]) => years),
  salary_range: computed([vacancies.salaryRange], ([range]) => publicSalary(range)),
  openings: vacancies.openings,
  visibility: vacancies.visibility,
  status: vacancies.status,
  applications_count: vacancies.applicationsCount,
  views_count: vacancies.viewsCount,
  public_url: computed([vacancies.slug], ([slug], workspace) => pageAddress(workspace, slug)),
  published_at: instant(vacancies.publishedAt),
  closes_at: instant(vacancies.closesAt),
  created_at: instant(vacancies.createdAt),
  updated_at: instant(vacancies.updatedAt),
}

/** The fields of a vacancy for callers with the permission vacancies:write. */
export const fullVacancyFields: Fields<Static<typeof Vacancy>> = {
  ...vacancyFields,
  salary_range: computed([vacancies.salaryRange], ([range]) => range),
}

export const createdVacancyView = fieldView(vacancies, vacancyFields, [
  'id',
  'title',
  'slug',
  'status',
  'created_at',
])

// ---------------------------------------------------------------- events

const vacancyView = fieldView(vacancies, vacancyFields)

const vacancyEventData = ({ vacancy }: RecruitingEvents['vacancy.created'], workspace: Workspace) => ({
  vacancy: vacancyView(vacancy, workspace),
})

const vacancyMoved = (
  { vacancy, previousStatus, reason }: RecruitingEvents['vacancy.closed'],
  workspace: Workspace,
) => ({ vacancy: vacancyView(vacancy, workspace), previous_status: previousStatus, reason })

const importEventData = ({ imported }: RecruitingEvents['import.completed'], workspace: Workspace) => ({
  import: CandidateImport.view(imported, workspace),
})

const interviewEventData = (
  { interview }: RecruitingEvents['interview.scheduled'],
  workspace: Workspace,
) => ({
  interview: Interview.view(interview, workspace),
})

export const eventViews: EventViews<RecruitingEvents> = {
  'vacancy.created': vacancyEventData,
  'vacancy.updated': vacancyEventData,
  'vacancy.published': vacancyMoved,
  'vacancy.paused': vacancyMoved,
  'vacancy.in_process': vacancyMoved,
  'vacancy.closed': vacancyMoved,
  'vacancy.archived': vacancyMoved,
  'vacancy.deleted': ({ vacancy: { id, title }, deletedAt }) => ({
    vacancy: { id, title, deleted_at: iso(deletedAt) },
  }),
  'candidate.applied': ({ application }, workspace) => ({
    vacancy_id: application.vacancyId,
    candidate: CandidateItem.view(application, workspace),
  }),
  'candidate.stage_changed': ({ application, change }, workspace) => ({
    vacancy_id: application.vacancyId,
    candidate: CandidateItem.view(application, workspace),
    previous_stage: change.previousStage,
    new_stage: change.newStage,
    changed_by: change.changedBy,
    notes: change.notes,
  }),
  'candidate.note_added': ({ note }, workspace) => ({ note: Note.view(note, workspace) }),
  'import.completed': importEventData,
  'interview.scheduled': interviewEventData,
  'interview.rescheduled': interviewEventData,
  'interview.confirmed': interviewEventData,
  'interview.started': interviewEventData,
  'interview.completed': interviewEventData,
  'interview.cancelled': interviewEventData,
  'interview.evaluated': ({ evaluation }, workspace) => ({
    evaluation: Evaluation.view(evaluation, workspace),
  }),
}
