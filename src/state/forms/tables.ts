/** Forms and what was answered to them. Specification part 1, "Form and response (forms)". */
import {
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { changing, scoped, stamped } from '../columns.ts'
import type { Field } from './fields.ts'
import { formMachine } from './machines.ts'

export const MODES = ['conversational', 'classic'] as const
export const RESPONSE_STATUSES = ['completed'] as const

export type Mode = (typeof MODES)[number]

/** A file that was sent as an answer: a stored file. */
export interface FileAnswer {
  readonly fileId: string
  readonly name: string
  readonly contentType: string
  readonly size: number
}

export type AnswerValue = string | number | boolean | readonly string[] | FileAnswer | null

/** What was answered to one field, as the field was then; null where nothing was. */
export interface FieldAnswer {
  readonly fieldId: string
  readonly label: string
  readonly type: Field['type']
  readonly value: AnswerValue
  readonly timeSeconds: number
  /** How often the answer was changed after it was first given. */
  readonly revisions: number
}

/** What the pages of a form say and do. */
export interface Settings {
  readonly showProgress: boolean
  /** null where it is the usual one. */
  readonly submitLabel: string | null
  readonly successMessage: string | null
  /** Origins whose pages may frame it; null is all. */
  readonly embedOrigins: readonly string[] | null
}

export const forms = sqliteTable(
  'forms_forms',
  {
    ...scoped,
    title: text().notNull(),
    description: text(),
    status: text({ enum: formMachine.states }).notNull().default('draft'),
    /** Of the form in its workspace; what stands in addresses names the workspace as well. */
    slug: text().notNull(),
    isPublic: integer('is_public', { mode: 'boolean' }).notNull(),
    defaultMode: text('default_mode', { enum: MODES }).notNull().default('conversational'),
    fields: text({ mode: 'json' }).$type<readonly Field[]>().notNull(),
    settings: text({ mode: 'json' }).$type<Settings>().notNull(),
    publishedAt: integer('published_at'),
    ...stamped,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    uniqueIndex('forms_forms_slug').on(table.workspace, table.slug),
    index('forms_forms_created').on(table.workspace, table.createdAt),
    // Who sends a form names its id alone.
    index('forms_forms_id').on(table.id),
  ],
)

export const responses = sqliteTable(
  'forms_responses',
  {
    ...scoped,
    formId: text('form_id').notNull(),
    status: text({ enum: RESPONSE_STATUSES }).notNull().default('completed'),
    mode: text({ enum: MODES }).notNull(),
    respondentEmail: text('respondent_email'),
    answers: text({ mode: 'json' }).$type<readonly FieldAnswer[]>().notNull(),
    startedAt: integer('started_at').notNull(),
    completedAt: integer('completed_at').notNull(),
    totalTimeSeconds: integer('total_time_seconds').notNull(),
    /** Of the fields that were asked, how many were answered. */
    completionPercentage: integer('completion_percentage').notNull(),
    ...changing,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('forms_responses_form').on(table.workspace, table.formId, table.createdAt),
    foreignKey({
      columns: [table.workspace, table.formId],
      foreignColumns: [forms.workspace, forms.id],
    }),
  ],
)
