/** The tables of recruiting. Specification part 1, "Vacancy", "Candidate, interview, evaluation". */
import { sql } from 'drizzle-orm'
import {
  foreignKey,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { scoped, stamped } from '../storage/columns.ts'
import { applicationMachine, importMachine, interviewMachine, vacancyMachine } from './machines.ts'

export const MODALITIES = ['on_site', 'remote', 'hybrid'] as const
export const CONTRACT_TYPES = ['full_time', 'part_time', 'project', 'internship', 'temporary'] as const
export const LEVELS = ['entry', 'junior', 'mid', 'senior', 'lead', 'director', 'executive'] as const
export const VISIBILITIES = ['public', 'internal'] as const
export const SALARY_PERIODS = ['hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const
export const AVAILABILITIES = ['immediate', '2_weeks', '1_month', 'negotiable'] as const
export const INTERVIEW_TYPES = ['video_platform', 'on_site', 'phone', 'external_video'] as const
export const ANSWERS = ['pending', 'accepted', 'declined'] as const
export const RECOMMENDATIONS = ['advance', 'hold', 'reject'] as const
export const NOTE_VISIBILITIES = ['team', 'private'] as const

export type SalaryPeriod = (typeof SALARY_PERIODS)[number]

export interface SalaryRange {
  readonly min: number | null
  readonly max: number | null
  readonly currency: string
  readonly period: SalaryPeriod
  readonly visible: boolean
}

const texts = (name: string) => text(name, { mode: 'json' }).$type<readonly string[]>().notNull()

export const vacancies = sqliteTable(
  'recruiting_vacancies',
  {
    ...scoped,
    title: text().notNull(),
    slug: text().notNull(),
    department: text(),
    description: text(),
    responsibilities: texts('responsibilities'),
    mandatory: texts('mandatory'),
    desirable: texts('desirable'),
    benefits: texts('benefits'),
    skills: texts('skills'),
    /** ISO 3166-1 alpha-2. */
    country: text(),
    city: text(),
    modality: text({ enum: MODALITIES }),
    contractType: text('contract_type', { enum: CONTRACT_TYPES }),
    level: text({ enum: LEVELS }),
    minExperienceYears: real('min_experience_years'),
    salaryRange: text('salary_range', { mode: 'json' }).$type<SalaryRange>(),
    openings: integer().notNull().default(1),
    visibility: text({ enum: VISIBILITIES }).notNull().default('public'),
    status: text({ enum: vacancyMachine.states }).notNull().default('draft'),
    applicationsCount: integer('applications_count').notNull().default(0),
    viewsCount: integer('views_count').notNull().default(0),
    publishedAt: integer('published_at'),
    closesAt: integer('closes_at'),
    ...stamped,
    departmentKey: text('department_key'),
    /** Searched text: title, department, description, skills and city without case and accents. */
    searchKey: text('search_key').notNull(),
    /** When the job closes the vacancy; null if it has no closing date or cannot expire. */
    closingAt: integer('closing_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    uniqueIndex('recruiting_vacancies_slug').on(table.workspace, table.slug),
    index('recruiting_vacancies_created').on(table.workspace, table.createdAt),
    index('recruiting_vacancies_closing')
      .on(table.workspace, table.closingAt)
      .where(sql`${table.closingAt} is not null`),
  ],
)

export interface SalaryExpectation {
  readonly min: number
  readonly currency: string
  readonly period: SalaryPeriod
}

export interface Job {
  readonly company: string
  readonly title: string
  readonly period: string | null
  readonly description: string | null
}

export interface Degree {
  readonly institution: string
  readonly degree: string
  readonly year: number | null
}

export interface Language {
  readonly language: string
  readonly level: string
}

export const candidates = sqliteTable(
  'recruiting_candidates',
  {
    ...scoped,
    name: text().notNull(),
    email: text().notNull(),
    phone: text(),
    country: text(),
    city: text(),
    experienceYears: real('experience_years'),
    technicalSkills: texts('technical_skills'),
    softSkills: texts('soft_skills'),
    availability: text({ enum: AVAILABILITIES }),
    preferredModality: text('preferred_modality', { enum: MODALITIES }),
    salaryExpectation: text('salary_expectation', { mode: 'json' }).$type<SalaryExpectation>(),
    summary: text(),
    jobs: text({ mode: 'json' }).$type<readonly Job[]>().notNull(),
    education: text({ mode: 'json' }).$type<readonly Degree[]>().notNull(),
    languages: text({ mode: 'json' }).$type<readonly Language[]>().notNull(),
    /** The id of a stored file. */
    cvFileId: text('cv_file_id'),
    portfolioUrl: text('portfolio_url'),
    linkedinUrl: text('linkedin_url'),
    tags: texts('tags'),
    /** The source of the latest application or import. */
    source: text(),
    ...stamped,
    /** The address in lower case, which identifies a candidate. */
    emailKey: text('email_key').notNull(),
    /** Searched text: name, e-mail, phone, summary, skills and past jobs without case and accents. */
    searchKey: text('search_key').notNull(),
    skillKey: text('skill_key').notNull(),
    tagKey: text('tag_key').notNull(),
    cityKey: text('city_key').notNull(),
    countryKey: text('country_key').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('recruiting_candidates_email').on(table.workspace, table.emailKey),
    index('recruiting_candidates_created').on(table.workspace, table.createdAt),
  ],
)

/** An application of a candidate for a vacancy. The columns for lists are derived from the candidate. */
export const applications = sqliteTable(
  'recruiting_applications',
  {
    ...scoped,
    vacancyId: text('vacancy_id').notNull(),
    candidateId: text('candidate_id').notNull(),
    stage: text({ enum: applicationMachine.states }).notNull().default('new'),
    /** The furthest stage, as an index of FUNNEL. Only an application that is hired now has the last index. */
    furthest: integer().notNull().default(0),
    /** 0 to 100, computed at the time of the application. */
    matchScore: integer('match_score').notNull(),
    source: text(),
    appliedAt: integer('applied_at').notNull(),
    hiredAt: integer('hired_at'),
    ...stamped,
    name: text().notNull(),
    email: text().notNull(),
    phone: text(),
    country: text(),
    city: text(),
    experienceYears: real('experience_years'),
    skills: texts('skills'),
    nameKey: text('name_key').notNull(),
    /** For sorting: -1 if unknown. */
    experienceKey: real('experience_key').notNull(),
    skillKey: text('skill_key').notNull(),
    cityKey: text('city_key').notNull(),
    countryKey: text('country_key').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    uniqueIndex('recruiting_applications_pair').on(table.workspace, table.vacancyId, table.candidateId),
    index('recruiting_applications_vacancy').on(table.workspace, table.vacancyId, table.appliedAt),
    index('recruiting_applications_candidate').on(table.workspace, table.candidateId, table.appliedAt),
    index('recruiting_applications_applied').on(table.workspace, table.appliedAt, table.furthest),
    index('recruiting_applications_hired')
      .on(table.workspace, table.hiredAt, table.appliedAt, table.vacancyId)
      .where(sql`${table.hiredAt} is not null`),
    foreignKey({
      columns: [table.workspace, table.candidateId],
      foreignColumns: [candidates.workspace, candidates.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.workspace, table.vacancyId],
      foreignColumns: [vacancies.workspace, vacancies.id],
    }),
  ],
)

/** Every change of the stage of an application. */
export const stageChanges = sqliteTable(
  'recruiting_stage_changes',
  {
    ...scoped,
    applicationId: text('application_id').notNull(),
    previousStage: text('previous_stage').notNull(),
    newStage: text('new_stage').notNull(),
    notes: text(),
    /** The id of a user. */
    changedBy: text('changed_by').notNull(),
    changedAt: integer('changed_at').notNull(),
    notificationSent: integer('notification_sent', { mode: 'boolean' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('recruiting_stage_changes_application').on(table.workspace, table.applicationId, table.changedAt),
    foreignKey({
      columns: [table.workspace, table.applicationId],
      foreignColumns: [applications.workspace, applications.id],
    }).onDelete('cascade'),
  ],
)

export const notes = sqliteTable(
  'recruiting_notes',
  {
    ...scoped,
    candidateId: text('candidate_id').notNull(),
    content: text().notNull(),
    visibility: text({ enum: NOTE_VISIBILITIES }).notNull().default('team'),
    /** The id of a user. */
    authorId: text('author_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('recruiting_notes_candidate').on(table.workspace, table.candidateId, table.createdAt),
    foreignKey({
      columns: [table.workspace, table.candidateId],
      foreignColumns: [candidates.workspace, candidates.id],
    }).onDelete('cascade'),
  ],
)

export interface Interviewer {
  readonly name: string
  readonly email: string
  readonly role: string | null
  readonly required: boolean
  readonly status: (typeof ANSWERS)[number]
}

export const interviews = sqliteTable(
  'recruiting_interviews',
  {
    ...scoped,
    vacancyId: text('vacancy_id').notNull(),
    candidateId: text('candidate_id').notNull(),
    type: text({ enum: INTERVIEW_TYPES }).notNull(),
    status: text({ enum: interviewMachine.states }).notNull().default('scheduled'),
    scheduledAt: integer('scheduled_at').notNull(),
    durationMinutes: integer('duration_minutes').notNull(),
    /** The IANA time zone in which times of the interview are shown. */
    timezone: text().notNull(),
    interviewers: text({ mode: 'json' }).$type<readonly Interviewer[]>().notNull(),
    candidatePreparation: text('candidate_preparation'),
    internalNotes: text('internal_notes'),
    /** The URL of an external video room. */
    externalRoomUrl: text('external_room_url'),
    candidateNotified: integer('candidate_notified', { mode: 'boolean' }).notNull(),
    /** The id of the user who invites. */
    organizerId: text('organizer_id').notNull(),
    /** The revision of the calendar file (RFC 5545, SEQUENCE). */
    sequence: integer().notNull().default(0),
    cancelReason: text('cancel_reason'),
    cancelNotes: text('cancel_notes'),
    cancelledAt: integer('cancelled_at'),
    ...stamped,
    endsAt: integer('ends_at').notNull(),
    /** The addresses of the interviewers with a separator around each, for searches by address. */
    interviewerKey: text('interviewer_key').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('recruiting_interviews_created').on(table.workspace, table.createdAt),
    index('recruiting_interviews_scheduled').on(
      table.workspace,
      table.scheduledAt,
      table.status,
      table.endsAt,
    ),
    index('recruiting_interviews_candidate').on(table.workspace, table.candidateId, table.scheduledAt),
    foreignKey({
      columns: [table.workspace, table.candidateId],
      foreignColumns: [candidates.workspace, candidates.id],
    }),
    foreignKey({
      columns: [table.workspace, table.vacancyId],
      foreignColumns: [vacancies.workspace, vacancies.id],
    }),
  ],
)

export interface Criterion {
  readonly name: string
  readonly weight: number
  readonly score: number
  readonly comment: string | null
}

export const evaluations = sqliteTable(
  'recruiting_evaluations',
  {
    ...scoped,
    interviewId: text('interview_id').notNull(),
    interviewerEmail: text('interviewer_email').notNull(),
    overallScore: real('overall_score').notNull(),
    criteria: text({ mode: 'json' }).$type<readonly Criterion[]>().notNull(),
    /** null without criteria. */
    weightedScore: real('weighted_score'),
    recommendation: text({ enum: RECOMMENDATIONS }).notNull(),
    notes: text(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('recruiting_evaluations_interview').on(table.workspace, table.interviewId, table.createdAt),
    foreignKey({
      columns: [table.workspace, table.interviewId],
      foreignColumns: [interviews.workspace, interviews.id],
    }).onDelete('cascade'),
  ],
)

/** An error in one row of a file. */
export interface RowProblem {
  readonly row: number
  /** null for the row as a whole. */
  readonly field: string | null
  readonly message: string
}

export interface DuplicateRow {
  readonly row: number
  readonly candidate_id: string
}

/** A column of a file and its field; null if the column is ignored. */
export interface ImportedColumn {
  readonly column: string
  readonly field: string | null
}

export const imports = sqliteTable(
  'recruiting_imports',
  {
    ...scoped,
    status: text({ enum: importMachine.states }).notNull().default('processing'),
    source: text(),
    tags: texts('tags'),
    totalRows: integer('total_rows').notNull(),
    processed: integer().notNull().default(0),
    created: integer().notNull().default(0),
    duplicates: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    /** The first errors, at most 1,000. */
    problems: text({ mode: 'json' }).$type<readonly RowProblem[]>().notNull(),
    duplicateRows: text('duplicate_rows', { mode: 'json' }).$type<readonly DuplicateRow[]>().notNull(),
    /** null for imports of earlier versions. */
    columns: text({ mode: 'json' }).$type<readonly ImportedColumn[]>(),
    /** The id of a user. */
    startedBy: text('started_by').notNull(),
    startedAt: integer('started_at').notNull(),
    completedAt: integer('completed_at'),
    /** When the next batch is imported; null if none is left. */
    nextAt: integer('next_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('recruiting_imports_next')
      .on(table.workspace, table.nextAt)
      .where(sql`${table.nextAt} is not null`),
  ],
)

/** The fields of a candidate in a row of a file. */
export interface ImportedFields {
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly country: string | null
  readonly city: string | null
  readonly experienceYears: number | null
  readonly skills: readonly string[]
  readonly availability: (typeof AVAILABILITIES)[number] | null
  readonly summary: string | null
  readonly linkedinUrl: string | null
  readonly portfolioUrl: string | null
  readonly source: string | null
  readonly tags: readonly string[]
}

/** A valid row, or the errors of an invalid one. */
export type ImportedRow =
  | { readonly row: number; readonly fields: ImportedFields }
  | { readonly row: number; readonly problems: readonly RowProblem[] }

/** Pending rows of imports, one batch per table row. */
export const importRows = sqliteTable(
  'recruiting_import_rows',
  {
    workspace: scoped.workspace,
    importId: text('import_id').notNull(),
    position: integer().notNull(),
    rows: text({ mode: 'json' }).$type<readonly ImportedRow[]>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.importId, table.position] }),
    foreignKey({
      columns: [table.workspace, table.importId],
      foreignColumns: [imports.workspace, imports.id],
    }).onDelete('cascade'),
  ],
)
