/** The stored responses to forms. Specification part 1, "Form and response (forms)". */
import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { numbered } from '../storage/queries/listing.ts'
import { record } from '../storage/records/record.ts'
import { email, oneOf, text, whole } from '../storage/shapes.ts'
import { FIELD_TYPES, MAX_FIELDS_OF_FORM } from './fields.ts'
import { responses as table } from './tables.ts'

export type Response = typeof table.$inferSelect

const answerShape = () =>
  Type.Object(
    {
      fieldId: text(64),
      label: text(300),
      type: oneOf(FIELD_TYPES),
      value: Type.Union([
        Type.String({ maxLength: 10_000 }),
        Type.Number(),
        Type.Boolean(),
        Type.Array(Type.String({ maxLength: 200 }), { maxItems: 50 }),
        Type.Object(
          { fileId: text(100), name: text(255), contentType: text(255), size: whole(0) },
          { additionalProperties: false },
        ),
        Type.Null(),
      ]),
      timeSeconds: Type.Number({ minimum: 0, maximum: 1e9 }),
      revisions: whole(0, 1e9),
    },
    { additionalProperties: false },
  )

export const responses = record(table, {
  noun: 'response',
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: { formId: (value) => sql`${table.formId} = ${value}` },
  }),
  snapshot: {
    section: 'forms',
    name: 'responses',
    instants: ['startedAt', 'completedAt', 'createdAt'],
    shapes: () => ({
      respondentEmail: email(),
      answers: Type.Array(answerShape(), { maxItems: MAX_FIELDS_OF_FORM }),
      totalTimeSeconds: whole(0),
      completionPercentage: whole(0, 100),
    }),
  },
})
