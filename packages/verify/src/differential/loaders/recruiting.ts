/** Vacancies, candidates with their applications and history, interviews and evaluations. */
import { countryCalled, FUNNEL } from '../../../../../src/published.ts'
import type { Answers, Row } from '../../crawl/answers.ts'
import {
  columns,
  detailed,
  fileNotShown,
  instantIn,
  NOT_SHOWN,
  recordsOf,
  rowsOf,
  rowsOfEach,
  startOf,
  users,
  type Found,
  type Loaded,
  type Loader,
  type LoadOptions,
} from './loader.ts'

const VACANCY = [
  ...['id', 'title', 'slug', 'department', 'description', 'responsibilities', 'benefits', 'skills'],
  ...['modality', 'contractType', 'level', 'minExperienceYears', 'salaryRange', 'openings', 'visibility'],
  ...['status', 'viewsCount', 'publishedAt', 'closesAt', 'createdAt', 'updatedAt'],
]
const CANDIDATE = [
  ...['id', 'name', 'email', 'phone', 'experienceYears', 'availability', 'preferredModality'],
  ...['salaryExpectation', 'summary', 'education', 'languages', 'tags', 'createdAt'],
]
const INTERVIEW = [
  ...['id', 'vacancyId', 'candidateId', 'type', 'status', 'durationMinutes', 'timezone', 'interviewers'],
  ...['candidatePreparation', 'internalNotes', 'candidateNotified', 'createdAt'],
]
const EVALUATION = [
  ...['id', 'interviewId', 'overallScore', 'criteria', 'weightedScore', 'recommendation', 'notes'],
  'createdAt',
]

const IMPORT = [
  ...['status', 'totalRows', 'processed', 'created', 'duplicates', 'duplicateRows', 'columns', 'startedAt'],
  'completedAt',
]

const partIn = (row: Row, name: string): Row => (row[name] ?? {}) as Row
const rowsIn = (row: Row, name: string): readonly Row[] => (row[name] ?? []) as Row[]

export const recruiting: Loader = {
  needs: ['getCandidate', 'listCandidatesOfVacancy', 'listEvaluations'],
  load,
}

function load(answers: Answers, { knowsTimezone }: LoadOptions): Loaded {
  const vacancies = rowsOf(answers, 'listVacancies')
  const listed = rowsOfEach(answers, 'listCandidatesOfVacancy', vacancies)
  const found = detailed(answers, 'getCandidate', rowsOf(answers, 'searchCandidates'))
  const invited = rowsOf(answers, 'listInterviews')
  const evaluated = rowsOfEach(answers, 'listEvaluations', invited)
  // Without its record, a candidate can't be loaded, nor what refers to it.
  const candidates = { rows: found.rows.filter(({ row }) => 'education' in row) }
  const interviews = { rows: referring(invited, 'candidate_id', candidates) }
  const evaluations = { rows: referring(evaluated, 'interview_id', interviews) }
  const imports = [...recordsOf(answers, 'getCandidateImport').values()] as Row[]
  const applications = applicationsOf(candidates.rows.map(({ row }) => row))
  const scores = new Map(
    listed.rows.map(({ row, path }) => [
      `${String(path['vacancy_id'])} ${String(row['id'])}`,
      row['match_score'],
    ]),
  )
  return {
    users: users([
      ...applications.flatMap(({ changes }) => changes.map((change) => change['changed_by'])),
      ...imports.map((row) => row['started_by']),
    ]),
    snapshot: {
      files: fileNotShown(startOf(answers)),
      recruiting: {
        vacancies: vacancies.rows.map(({ row }) => ({
          ...columns(row, VACANCY),
          ...columns(partIn(row, 'requirements'), ['mandatory', 'desirable']),
          ...locationOf(row),
          applicationsCount: applications.filter(({ vacancyId }) => vacancyId === row['id']).length,
        })),
        candidates: candidates.rows.map(({ row }) => {
          const documents = partIn(row, 'documents')
          return {
            ...columns(row, CANDIDATE),
            ...locationOf(row),
            ...columns(documents, ['portfolioUrl', 'linkedinUrl']),
            cvFileId: typeof documents['cv_url'] === 'string' ? NOT_SHOWN : null,
            technicalSkills: partIn(row, 'skills')['technical'] ?? [],
            softSkills: partIn(row, 'skills')['soft'] ?? [],
            jobs: row['experience'] ?? [],
            updatedAt: row['created_at'],
          }
        }),
        applications: applications.map(({ changes: _changes, ...application }) => ({
          ...application,
          matchScore: scores.get(`${application.vacancyId} ${application.candidateId}`) ?? 0,
        })),
        stageChanges: applications.flatMap(({ id, changes }) =>
          changes.map((change, index) => ({
            ...columns(change, ['previousStage', 'newStage', 'notes', 'changedAt']),
            id: `${id}_${String(index)}`,
            applicationId: id,
            changedBy: partIn(change, 'changed_by')['id'],
            notificationSent: false,
          })),
        ),
        interviews: interviews.rows.map(({ row }) => ({
          ...columns(row, INTERVIEW),
          ...cancellationOf(row['cancellation'] as Row | null),
          scheduledAt: instantIn(row['scheduled_at']),
          externalRoomUrl: row['type'] === 'external_video' ? row['video_room_url'] : null,
          organizerId: NOT_SHOWN,
          updatedAt: row['created_at'],
        })),
        imports: imports.map((row) => ({
          ...columns(row, IMPORT),
          id: row['import_id'],
          source: null,
          tags: [],
          failed: row['errors'],
          problems: row['error_rows'],
          startedBy: partIn(row, 'started_by')['id'],
        })),
        evaluations: evaluations.rows.map(({ row }) => ({
          ...columns(row, EVALUATION),
          interviewerEmail: partIn(row, 'interviewer')['email'],
        })),
      },
    },
    unknown: [
      // No call shows from where an application came.
      'getVacancyAnalytics.data.metrics.sources*',
      ...(knowsTimezone ? [] : ['getSummary*', 'getRecruitmentAnalytics*']),
    ],
    derived: ['getVacancy.applications_count', 'getVacancyAnalytics*'],
    isComplete: [vacancies, listed, found, invited, evaluated].every(({ isComplete }) => isComplete),
  }
}

/** Returns the applications of candidates, with the changes of their stages, the oldest first. */
function applicationsOf(candidates: readonly Row[]) {
  return candidates
    .flatMap((candidate) =>
      rowsIn(candidate, 'applications').map((row) => {
        const changes = rowsIn(row, 'stage_history').toReversed()
        const stages = [row['stage'], ...changes.map((change) => change['new_stage'])]
        const last = changes.at(-1)?.['changed_at'] ?? row['applied_at']
        return {
          vacancyId: String(row['vacancy_id']),
          candidateId: String(candidate['id']),
          stage: row['stage'],
          furthest: Math.max(0, ...stages.map((stage) => (FUNNEL as readonly unknown[]).indexOf(stage))),
          appliedAt: row['applied_at'],
          hiredAt: row['stage'] === 'hired' ? last : null,
          createdAt: row['applied_at'],
          updatedAt: last,
          changes,
        }
      }),
    )
    .toSorted((one, other) => (String(one.appliedAt) < String(other.appliedAt) ? -1 : 1))
    .map((application, index) => ({ ...application, id: `app_${String(index)}` }))
}

/** Returns the rows whose field is the id of one of the others. */
function referring({ rows }: Found, field: string, others: Pick<Found, 'rows'>): Found['rows'] {
  const ids = new Set(others.rows.map(({ row }) => row['id']))
  return rows.filter(({ row }) => ids.has(row[field]))
}

/** Responses have the name of the country, snapshots its code. */
function locationOf(row: Row): object {
  const { country, city } = partIn(row, 'location')
  return {
    country: typeof country === 'string' ? (countryCalled(country) ?? country) : null,
    city: city ?? null,
  }
}

const cancellationOf = (cancellation: Row | null): object => ({
  cancelReason: cancellation?.['reason'] ?? null,
  cancelNotes: cancellation?.['notes'] ?? null,
  cancelledAt: cancellation?.['cancelled_at'] ?? null,
})
