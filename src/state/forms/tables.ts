/** The tables of forms and responses. Specification part 1, "Form and response (forms)". */
import { Type, type TSchema } from '@sinclair/typebox'
import { index, uniqueIndex } from 'drizzle-orm/sqlite-core'
import {
  choice,
  email,
  filledText,
  flag,
  instant,
  integer,
  json,
  refersTo,
  states,
  table,
  text,
  textOf,
  withCreation,
  withTimes,
} from '../storage/columns.ts'
import { decimalNumber, oneOf, orNone, text as filled, whole } from '../storage/shapes.ts'
import { FIELD_TYPES, MAX_FIELDS_OF_FORM, MAX_OPTIONS, OPERATORS, type Field } from './fields.ts'
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

const closed = (properties: Readonly<Record<string, TSchema>>) =>
  Type.Object(properties, { additionalProperties: false })

const FIELD_ID = '^[A-Za-z][\\w-]{0,63}$'

const fieldShape = () =>
  closed({
    id: Type.String({ pattern: FIELD_ID }),
    type: oneOf(FIELD_TYPES),
    label: filled(300),
    description: orNone(filled(1000)),
    placeholder: orNone(filled(200)),
    required: Type.Boolean(),
    options: Type.Array(filled(200), { maxItems: MAX_OPTIONS }),
    validations: closed({
      min: orNone(decimalNumber(-1e12, 1e12)),
      max: orNone(decimalNumber(-1e12, 1e12)),
      minDate: orNone(Type.String({ format: 'date' })),
      maxDate: orNone(Type.String({ format: 'date' })),
      minLength: orNone(whole(0, 10_000)),
      maxLength: orNone(whole(1, 10_000)),
      pattern: orNone(filled(200)),
    }),
    visibleIf: orNone(
      closed({
        fieldId: Type.String({ pattern: FIELD_ID }),
        operator: oneOf(OPERATORS),
        value: Type.Union([Type.String({ maxLength: 500 }), Type.Number(), Type.Boolean(), Type.Null()]),
      }),
    ),
  })

const settingsShape = () =>
  closed({
    showProgress: Type.Boolean(),
    submitLabel: orNone(filled(60)),
    successMessage: orNone(filled(1000)),
    embedOrigins: orNone(
      Type.Array(Type.String({ pattern: '^https?://[\\w.:-]{1,253}$' }), { maxItems: 20 }),
    ),
  })

const answerShape = () =>
  closed({
    fieldId: filled(64),
    label: filled(300),
    type: oneOf(FIELD_TYPES),
    value: Type.Union([
      Type.String({ maxLength: 10_000 }),
      Type.Number(),
      Type.Boolean(),
      Type.Array(Type.String({ maxLength: 200 }), { maxItems: 50 }),
      closed({ fileId: filled(100), name: filled(255), contentType: filled(255), size: whole(0) }),
      Type.Null(),
    ]),
    timeSeconds: Type.Number({ minimum: 0, maximum: 1e9 }),
    revisions: whole(0, 1e9),
  })

export const forms = table(
  'forms_forms',
  {
    title: filledText(200),
    /** The specification shows no length. */
    description: text(2000).orNull(),
    status: states(formMachine).default('draft'),
    /** Unique in the workspace. Slugs on the wire also name the workspace. */
    slug: textOf(() => Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 120 })),
    isPublic: flag(),
    defaultMode: choice(MODES).default('conversational'),
    fields: json<readonly Field[]>(() => Type.Array(fieldShape(), { maxItems: MAX_FIELDS_OF_FORM })),
    settings: json<Settings>(settingsShape),
    publishedAt: instant().orNull(),
    ...withTimes,
  },
  (self) => [
    uniqueIndex('forms_forms_slug').on(self.workspace, self.slug),
    index('forms_forms_created').on(self.workspace, self.createdAt),
    // A submission names only the id of the form.
    index('forms_forms_id').on(self.id),
  ],
)

export const responses = table(
  'forms_responses',
  {
    formId: refersTo(forms),
    status: choice(RESPONSE_STATUSES).default('completed'),
    mode: choice(MODES),
    respondentEmail: email().orNull(),
    answers: json<readonly FieldAnswer[]>(() => Type.Array(answerShape(), { maxItems: MAX_FIELDS_OF_FORM })),
    startedAt: instant(),
    completedAt: instant(),
    totalTimeSeconds: integer(0),
    /** The percentage of visible fields that were answered. */
    completionPercentage: integer(0, 100),
    ...withCreation,
  },
  (self) => [index('forms_responses_form').on(self.workspace, self.formId, self.createdAt)],
)
