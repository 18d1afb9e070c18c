/** Serializers of recruiting records and the URLs of their pages. */
import type { Static } from '@sinclair/typebox'
import { DateTime } from 'luxon'
import { fieldView, instant, computed, type Fields } from '../../http/shapes/fields.ts'
import { fileLink } from '../../http/files/fileLinks.ts'
import { iso, isoOrNull } from '../../state/model/clock.ts'
import { countryName } from '../../state/shared/countries.ts'
import type { EventViews } from '../../state/workspace/events.ts'
import {
  allSkills,
  applicationsOf,
  historyOf,
  type ApplicationDetails,
  type Candidate,
  type Note as NoteRow,
} from '../../state/recruiting/candidates.ts'
import type { Evaluation as EvaluationRow } from '../../state/recruiting/evaluations.ts'
import type { RecruitingEvents } from '../../state/recruiting/events.ts'
import type { Import } from '../../state/recruiting/imports.ts'
import {
  conflictsWith,
  sharedInterviewers,
  type Interview as InterviewRow,
} from '../../state/recruiting/interviews.ts'
import type { SalaryRange } from '../../state/recruiting/jsonColumns.ts'
import { applications, vacancies } from '../../state/recruiting/tables.ts'
import { storedFiles } from '../../state/shared/storedFiles.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { CandidateItem, CandidateProfile, FoundCandidate, Note } from './schemas/candidates.ts'
import type { CandidateImport } from './schemas/imports.ts'
import type { Evaluation, EvaluationList, Interview, ScheduledInterview } from './schemas/interviews.ts'
import type { Vacancy } from './schemas/vacancies.ts'

const BASE_PATH = '/recruiting/v1'

/** The path of the pages of vacancies. */
export const PAGES_PATH = '/recruiting/jobs'

const pageAddress = ({ id, registry }: Workspace, page: string): string =>
  `${registry.publicUrl}${PAGES_PATH}/${id}/${page}`

const profileAddress = ({ registry }: Workspace, id: string): string =>
  `${registry.publicUrl}${BASE_PATH}/candidates/${id}`

const userView = (id: string, workspace: Workspace) => ({ id, name: workspace.user(id)?.name ?? null })

const locationOf = (country: string | null, city: string | null) => ({
  country: country === null ? null : countryName(country),
  city,
})

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

// ---------------------------------------------------------------- candidates

export const candidateItemFields: Fields<Static<typeof CandidateItem>> = {
  id: applications.candidateId,
  name: applications.name,
  email: applications.email,
  phone: applications.phone,
  location: computed([applications.country, applications.city], ([country, city]) =>
    locationOf(country, city),
  ),
  experience_years: computed([applications.experienceYears], ([years]) => years),
  skills: applications.skills,
  stage: applications.stage,
  match_score: applications.matchScore,
  applied_at: instant(applications.appliedAt),
  profile_url: computed([applications.candidateId], ([id], workspace) => profileAddress(workspace, id)),
}

/** The common fields of a candidate, without the id. */
const personView = ({ name, email, phone, country, city, experienceYears }: Candidate) => ({
  name,
  email,
  phone,
  location: locationOf(country, city),
  experience_years: experienceYears,
})

/** Returns a download link, which expires; each response has a new one. */
function fileUrl(id: string | null, workspace: Workspace): string | null {
  const file = id === null ? undefined : storedFiles.find(workspace, id)
  return file ? fileLink(workspace, file).url : null
}

/** Serializes a search result with the latest application of the candidate. */
export const searchResultView = (
  candidate: Candidate,
  last: ApplicationDetails | undefined,
  workspace: Workspace,
): Static<typeof FoundCandidate> => ({
  id: candidate.id,
  ...personView(candidate),
  skills: allSkills(candidate),
  stage: last?.stage ?? null,
  match_score: last?.matchScore ?? null,
  applied_at: isoOrNull(last?.appliedAt ?? null),
  profile_url: profileAddress(workspace, candidate.id),
})

export const profileView = (candidate: Candidate, workspace: Workspace): Static<typeof CandidateProfile> => ({
  id: candidate.id,
  ...personView(candidate),
  availability: candidate.availability,
  preferred_modality: candidate.preferredModality,
  salary_expectation: candidate.salaryExpectation,
  summary: candidate.summary,
  experience: [...candidate.jobs],
  education: [...candidate.education],
  skills: { technical: [...candidate.technicalSkills], soft: [...candidate.softSkills] },
  languages: [...candidate.languages],
  documents: {
    cv_url: fileUrl(candidate.cvFileId, workspace),
    portfolio_url: candidate.portfolioUrl,
    linkedin_url: candidate.linkedinUrl,
  },
  tags: [...candidate.tags],
  applications: applicationsOf(workspace, [candidate.id]).map((each) => ({
    vacancy_id: each.vacancyId,
    vacancy_title: each.vacancyTitle,
    stage: each.stage,
    applied_at: iso(each.appliedAt),
    stage_history: historyOf(workspace, each.id).map((change) => ({
      previous_stage: change.previousStage,
      new_stage: change.newStage,
      changed_at: iso(change.changedAt),
      changed_by: userView(change.changedBy, workspace),
      notes: change.notes,
    })),
  })),
  created_at: iso(candidate.createdAt),
})

export const noteView = (note: NoteRow, workspace: Workspace): Static<typeof Note> => ({
  id: note.id,
  candidate_id: note.candidateId,
  content: note.content,
  visibility: note.visibility,
  author: userView(note.authorId, workspace),
  created_at: iso(note.createdAt),
})

export const importView = (run: Import, workspace: Workspace): Static<typeof CandidateImport> => ({
  import_id: run.id,
  status: run.status,
  total_rows: run.totalRows,
  processed: run.processed,
  created: run.created,
  duplicates: run.duplicates,
  errors: [...run.problems],
  failed: run.failed,
  duplicate_rows: [...run.duplicateRows],
  columns: [...(run.columns ?? [])],
  started_by: userView(run.startedBy, workspace),
  started_at: iso(run.startedAt),
  completed_at: isoOrNull(run.completedAt),
})

// ---------------------------------------------------------------- interviews

/** Returns the URL of the meeting: a room of this server or the external URL. null if it has none. */
export function roomOf({ id, type, externalRoomUrl }: InterviewRow, workspace: Workspace): string | null {
  switch (type) {
    case 'video_platform':
      return pageAddress(workspace, `rooms/${id}`)
    case 'external_video':
      return externalRoomUrl
    case 'on_site':
    case 'phone':
      return null
  }
}

/** Formats an instant with the offset of the zone: "2031-03-12T10:00:00.000-05:00". */
const inZone = (moment: number, zone: string): string =>
  DateTime.fromMillis(moment, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZZ")

export const interviewView = (interview: InterviewRow, workspace: Workspace): Static<typeof Interview> => ({
  id: interview.id,
  vacancy_id: interview.vacancyId,
  candidate_id: interview.candidateId,
  type: interview.type,
  status: interview.status,
  scheduled_at: inZone(interview.scheduledAt, interview.timezone),
  duration_minutes: interview.durationMinutes,
  timezone: interview.timezone,
  interviewers: [...interview.interviewers],
  candidate_preparation: interview.candidatePreparation,
  internal_notes: interview.internalNotes,
  video_room_url: roomOf(interview, workspace),
  candidate_notified: interview.candidateNotified,
  cancellation:
    interview.cancelledAt === null
      ? null
      : {
          reason: interview.cancelReason ?? '',
          notes: interview.cancelNotes,
          cancelled_at: iso(interview.cancelledAt),
        },
  created_at: iso(interview.createdAt),
})

/** Serializes an interview with warnings about other interviews at that time. */
export const scheduledView = (
  interview: InterviewRow,
  workspace: Workspace,
): Static<typeof ScheduledInterview> => ({
  ...interviewView(interview, workspace),
  warnings: conflictsWith(workspace, interview).flatMap((clash) => [
    ...sharedInterviewers(interview, clash).map(({ name }) => ({
      code: 'interviewer_busy' as const,
      message: `${name} has another interview at that time.`,
      interview_id: clash.id,
    })),
    ...(clash.candidateId === interview.candidateId
      ? [
          {
            code: 'candidate_busy' as const,
            message: 'The candidate has another interview at that time.',
            interview_id: clash.id,
          },
        ]
      : []),
  ]),
})

export const evaluationView = (
  evaluation: EvaluationRow,
  { interviewers }: InterviewRow,
): Static<typeof Evaluation> => ({
  id: evaluation.id,
  interview_id: evaluation.interviewId,
  interviewer: {
    name: interviewers.find(({ email }) => email === evaluation.interviewerEmail)?.name ?? '',
    email: evaluation.interviewerEmail,
  },
  overall_score: evaluation.overallScore,
  weighted_score: evaluation.weightedScore,
  recommendation: evaluation.recommendation,
  created_at: iso(evaluation.createdAt),
})

export const evaluationDetailsView = (
  evaluation: EvaluationRow,
  interview: InterviewRow,
): Static<typeof EvaluationList>['data'][number] => ({
  ...evaluationView(evaluation, interview),
  criteria: [...evaluation.criteria],
  notes: evaluation.notes,
})

// ---------------------------------------------------------------- events

const vacancyView = fieldView(vacancies, vacancyFields)
const itemView = fieldView(applications, candidateItemFields)

const vacancyEventData = ({ vacancy }: RecruitingEvents['vacancy.created'], workspace: Workspace) => ({
  vacancy: vacancyView(vacancy, workspace),
})

const vacancyMoved = (
  { vacancy, previousStatus, reason }: RecruitingEvents['vacancy.closed'],
  workspace: Workspace,
) => ({ vacancy: vacancyView(vacancy, workspace), previous_status: previousStatus, reason })

const importEventData = ({ imported }: RecruitingEvents['import.completed'], workspace: Workspace) => ({
  import: importView(imported, workspace),
})

const interviewEventData = (
  { interview }: RecruitingEvents['interview.scheduled'],
  workspace: Workspace,
) => ({
  interview: interviewView(interview, workspace),
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
    candidate: itemView(application, workspace),
  }),
  'candidate.stage_changed': ({ application, change }, workspace) => ({
    vacancy_id: application.vacancyId,
    candidate: itemView(application, workspace),
    previous_stage: change.previousStage,
    new_stage: change.newStage,
    changed_by: change.changedBy,
    notes: change.notes,
  }),
  'candidate.note_added': ({ note }, workspace) => ({ note: noteView(note, workspace) }),
  'import.completed': importEventData,
  'interview.scheduled': interviewEventData,
  'interview.rescheduled': interviewEventData,
  'interview.confirmed': interviewEventData,
  'interview.started': interviewEventData,
  'interview.completed': interviewEventData,
  'interview.cancelled': interviewEventData,
  'interview.evaluated': ({ evaluation, interview }) => ({
    evaluation: evaluationView(evaluation, interview),
  }),
}
