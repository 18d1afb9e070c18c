/** The tables of recruiting. Specification part 1, "Vacancy", "Candidate, interview, evaluation". */
import { sql } from 'drizzle-orm'
import { index, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { Type } from '@sinclair/typebox'
import {
  choice,
  country,
  email,
  filledText,
  flag,
  id,
  instant,
  integer,
  json,
  listOf,
  real,
  recentInstant,
  refersTo,
  states,
  table,
  tableWithKey,
  text,
  textOf,
  url,
  withTimes,
} from '../storage/columns.ts'
import * as shapes from '../storage/shapes.ts'
import { SLUG_PATTERN } from '../text/slugs.ts'
import {
  AVAILABILITIES,
  criterion,
  degree,
  duplicateRow,
  importedColumn,
  importedRow,
  interviewer,
  job,
  language,
  problem,
  salaryExpectation,
  salaryRange,
  type SalaryExpectation,
  type SalaryRange,
} from './jsonColumns.ts'
import {
  MAX_COUNT,
  MAX_INTERVIEW_MINUTES,
  MAX_LENGTH,
  MAX_LISTED,
  MAX_SCORE,
  MAX_YEARS,
  MIN_INTERVIEW_MINUTES,
} from './limits.ts'
import { applicationMachine, FUNNEL, importMachine, interviewMachine, vacancyMachine } from './machines.ts'

export const MODALITIES = ['on_site', 'remote', 'hybrid'] as const
export const CONTRACT_TYPES = ['full_time', 'part_time', 'project', 'internship', 'temporary'] as const
const LEVELS = ['entry', 'junior', 'mid', 'senior', 'lead', 'director', 'executive'] as const
const VISIBILITIES = ['public', 'internal'] as const
export const INTERVIEW_TYPES = ['video_platform', 'on_site', 'phone', 'external_video'] as const
export const RECOMMENDATIONS = ['advance', 'hold', 'reject'] as const
export const NOTE_VISIBILITIES = ['team', 'private'] as const

/** Requirements and benefits. */
const points = () => listOf(() => shapes.text(MAX_LENGTH.point), { maxItems: MAX_COUNT.points })

/** Skills and tags. */
const words = (maxItems: number = MAX_COUNT.words) =>
  json<readonly string[]>(() => shapes.words(maxItems, MAX_LENGTH.word))

const years = () => real(0, MAX_YEARS)
const source = () => filledText(MAX_LENGTH.word)
const remark = () => text(MAX_LENGTH.remark)

export const vacancies = table(
  'recruiting_vacancies',
  {
    title: filledText(MAX_LENGTH.title),
    slug: textOf(() => Type.String({ pattern: SLUG_PATTERN })),
    department: filledText(MAX_LENGTH.department).orNull(),
    description: text(MAX_LENGTH.description).orNull(),
    responsibilities: points(),
    mandatory: points(),
    desirable: points(),
    benefits: points(),
    skills: words(),
    country: country().orNull(),
    city: filledText(MAX_LENGTH.city).orNull(),
    modality: choice(MODALITIES).orNull(),
    contractType: choice(CONTRACT_TYPES).orNull(),
    level: choice(LEVELS).orNull(),
    minExperienceYears: years().orNull(),
    salaryRange: json<SalaryRange>(salaryRange).orNull(),
    openings: integer(1, 10_000).default(1),
    visibility: choice(VISIBILITIES).default('public'),
    status: states(vacancyMachine).default('draft'),
    applicationsCount: integer(0).default(0),
    viewsCount: integer(0).default(0),
    publishedAt: instant().orNull(),
    closesAt: instant().orNull(),
    ...withTimes,
    departmentKey: text().orNull(),
    /** Searched text: title, department, description, skills and city without case and accents. */
    searchKey: text(),
    /** When the job closes the vacancy; null if it has no closing date or cannot expire. */
    closingAt: instant().orNull(),
  },
  (self) => [
    uniqueIndex('recruiting_vacancies_slug').on(self.workspace, self.slug),
    index('recruiting_vacancies_created').on(self.workspace, self.createdAt),
    index('recruiting_vacancies_closing')
      .on(self.workspace, self.closingAt)
      .where(sql`${self.closingAt} is not null`),
  ],
)

export const candidates = table(
  'recruiting_candidates',
  {
    name: filledText(MAX_LENGTH.name),
    email: email(),
    phone: text(MAX_LENGTH.phone).orNull(),
    country: country().orNull(),
    city: text(MAX_LENGTH.city).orNull(),
    experienceYears: years().orNull(),
    technicalSkills: words(),
    softSkills: words(),
    availability: choice(AVAILABILITIES).orNull(),
    preferredModality: choice(MODALITIES).orNull(),
    salaryExpectation: json<SalaryExpectation>(salaryExpectation).orNull(),
    summary: text(MAX_LENGTH.summary).orNull(),
    jobs: listOf(job),
    education: listOf(degree),
    languages: listOf(language),
    /** The id of a stored file. */
    cvFileId: id().orNull(),
    portfolioUrl: url(MAX_LENGTH.profileUrl).orNull(),
    linkedinUrl: url(MAX_LENGTH.profileUrl).orNull(),
    /** The tags of an imported row plus those of its import. */
    tags: words(2 * MAX_COUNT.words),
    /** The source of the latest application or import. */
    source: source().orNull(),
    ...withTimes,
    /** The address in lower case, which identifies a candidate. */
    emailKey: text(),
    /** Searched text: name, e-mail, phone, summary, skills and past jobs without case and accents. */
    searchKey: text(),
    skillKey: text(),
    tagKey: text(),
    cityKey: text(),
    countryKey: text(),
  },
  (self) => [
    index('recruiting_candidates_email').on(self.workspace, self.emailKey),
    index('recruiting_candidates_created').on(self.workspace, self.createdAt),
  ],
)

/** An application of a candidate for a vacancy. The columns for lists are derived from the candidate. */
export const applications = table(
  'recruiting_applications',
  {
    vacancyId: refersTo(vacancies),
    candidateId: refersTo(candidates, { cascade: true }),
    stage: states(applicationMachine).default('new'),
    /** The furthest stage, as an index of FUNNEL. Only an application that is hired now has the last index. */
    furthest: integer(0, FUNNEL.length - 1).default(0),
    /** Computed at the time of the application. */
    matchScore: integer(0, 100),
    source: source().orNull(),
    appliedAt: instant(),
    hiredAt: instant().orNull(),
    ...withTimes,
    name: text(),
    email: text(),
    phone: text().orNull(),
    country: text().orNull(),
    city: text().orNull(),
    experienceYears: real().orNull(),
    skills: json<readonly string[]>(),
    nameKey: text(),
    /** For sorting: -1 if unknown. */
    experienceKey: real(),
    skillKey: text(),
    cityKey: text(),
    countryKey: text(),
  },
  (self) => [
    uniqueIndex('recruiting_applications_pair').on(self.workspace, self.vacancyId, self.candidateId),
    index('recruiting_applications_vacancy').on(self.workspace, self.vacancyId, self.appliedAt),
    index('recruiting_applications_candidate').on(self.workspace, self.candidateId, self.appliedAt),
    index('recruiting_applications_applied').on(self.workspace, self.appliedAt, self.furthest),
    index('recruiting_applications_hired')
      .on(self.workspace, self.hiredAt, self.appliedAt, self.vacancyId)
      .where(sql`${self.hiredAt} is not null`),
  ],
)

/** No column of the state machine, because the record itself never moves. */
const stage = () => textOf(() => shapes.oneOf(applicationMachine.states))

/** Every change of the stage of an application. */
export const stageChanges = table(
  'recruiting_stage_changes',
  {
    applicationId: refersTo(applications, { cascade: true }),
    previousStage: stage(),
    newStage: stage(),
    notes: remark().orNull(),
    /** The id of a user. */
    changedBy: text(),
    changedAt: instant(),
    notificationSent: flag(),
  },
  (self) => [
    index('recruiting_stage_changes_application').on(self.workspace, self.applicationId, self.changedAt),
  ],
)

export const notes = table(
  'recruiting_notes',
  {
    candidateId: refersTo(candidates, { cascade: true }),
    content: filledText(MAX_LENGTH.note),
    visibility: choice(NOTE_VISIBILITIES).default('team'),
    /** The id of a user. */
    authorId: id(),
    createdAt: instant(),
  },
  (self) => [index('recruiting_notes_candidate').on(self.workspace, self.candidateId, self.createdAt)],
)

export const interviews = table(
  'recruiting_interviews',
  {
    vacancyId: refersTo(vacancies),
    candidateId: refersTo(candidates),
    type: choice(INTERVIEW_TYPES),
    status: states(interviewMachine).default('scheduled'),
    scheduledAt: recentInstant(),
    durationMinutes: integer(MIN_INTERVIEW_MINUTES, MAX_INTERVIEW_MINUTES),
    /** The IANA time zone in which times of the interview are shown. */
    timezone: textOf(() => Type.String({ format: 'timezone' })),
    interviewers: listOf(interviewer, { minItems: 1, maxItems: MAX_COUNT.interviewers }),
    candidatePreparation: remark().orNull(),
    internalNotes: remark().orNull(),
    /** The URL of an external video room. */
    externalRoomUrl: url(MAX_LENGTH.roomUrl).orNull(),
    candidateNotified: flag(),
    /** The id of the user who invites. */
    organizerId: id(),
    /** The revision of the calendar file (RFC 5545, SEQUENCE). */
    sequence: integer(0).default(0),
    cancelReason: filledText(MAX_LENGTH.cancelReason).orNull(),
    cancelNotes: remark().orNull(),
    cancelledAt: instant().orNull(),
    ...withTimes,
    endsAt: instant(),
    /** The addresses of the interviewers with a separator around each, for searches by address. */
    interviewerKey: text(),
  },
  (self) => [
    index('recruiting_interviews_created').on(self.workspace, self.createdAt),
    index('recruiting_interviews_scheduled').on(self.workspace, self.scheduledAt, self.status, self.endsAt),
    index('recruiting_interviews_candidate').on(self.workspace, self.candidateId, self.scheduledAt),
  ],
)

export const evaluations = table(
  'recruiting_evaluations',
  {
    interviewId: refersTo(interviews, { cascade: true }),
    interviewerEmail: email(),
    overallScore: real(0, MAX_SCORE),
    criteria: listOf(criterion, { maxItems: MAX_COUNT.criteria }),
    /** null without criteria. */
    weightedScore: real(0, MAX_SCORE).orNull(),
    recommendation: choice(RECOMMENDATIONS),
    notes: remark().orNull(),
    createdAt: instant(),
  },
  (self) => [index('recruiting_evaluations_interview').on(self.workspace, self.interviewId, self.createdAt)],
)

export const imports = table(
  'recruiting_imports',
  {
    status: states(importMachine).default('processing'),
    source: source().orNull(),
    tags: words(),
    totalRows: integer(0),
    processed: integer(0).default(0),
    created: integer(0).default(0),
    duplicates: integer(0).default(0),
    failed: integer(0).default(0),
    /** The first errors and the first warnings. */
    problems: listOf(problem, { maxItems: 2 * MAX_LISTED }),
    duplicateRows: listOf(duplicateRow, { maxItems: MAX_LISTED }),
    /** null for imports of earlier versions. */
    columns: listOf(importedColumn).orNull(),
    /** The id of a user. */
    startedBy: text(),
    startedAt: instant(),
    completedAt: instant().orNull(),
    /** When the next batch is imported; null if none is left. */
    nextAt: instant().orNull(),
  },
  (self) => [
    index('recruiting_imports_next')
      .on(self.workspace, self.nextAt)
      .where(sql`${self.nextAt} is not null`),
  ],
)

/** The number of rows that one job imports. */
export const BATCH_SIZE = 100

/** Pending rows of imports, one batch per table row. */
export const importRows = tableWithKey('recruiting_import_rows', ['importId', 'position'], {
  importId: refersTo(imports, { cascade: true }),
  position: integer(),
  rows: listOf(importedRow, { maxItems: BATCH_SIZE }),
})
