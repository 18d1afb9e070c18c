/** The tables of forms and responses. Specification part 1, "Form and response (forms)". */
import {
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { changing, scoped, stamped } from '../storage/columns.ts'
import type { Field } from './fields.ts'
import { formMachine } from './machines.ts'

export const MODES = ['conversational', 'classic'] as const
export const RESPONSE_STATUSES = ['completed'] as const

export type Mode = (typeof MODES)[number]

/** A stored file in an answer. */
export interface FileAnswer {
  readonly fileId: string
  readonly name: string
  readonly contentType: string
  readonly size: number
}

export type AnswerValue = string | number | boolean | readonly string[] | FileAnswer | null

/** The answer to a field as it was at that time; null without an answer. */
export interface FieldAnswer {
  readonly fieldId: string
  readonly label: string
  readonly type: Field['type']
  readonly value: AnswerValue
  readonly timeSeconds: number
  /** How often the answer changed after it was first given. */
  readonly revisions: number
}

/** The settings of the pages of a form. */
export interface Settings {
  readonly showProgress: boolean
  /** null for the default label. */
  readonly submitLabel: string | null
  readonly successMessage: string | null
  /** Origins that may embed the form; null for all. */
  readonly embedOrigins: readonly string[] | null
}

export const forms = sqliteTable(
  'forms_forms',
  {
    ...scoped,
    title: text().notNull(),
    description: text(),
    status: text({ enum: formMachine.states }).notNull().default('draft'),
    /** Unique in the workspace. Slugs on the wire also name the workspace. */
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
    // A submission names only the id of the form.
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
    /** The percentage of visible fields that were answered. */
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
