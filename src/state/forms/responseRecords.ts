/** The stored responses to forms. Specification part 1, "Form and response (forms)". */
import { sql } from 'drizzle-orm'
import { numbered } from '../storage/queries/listing.ts'
import { record } from '../storage/records/record.ts'
import { responses as table } from './tables.ts'

export type Response = typeof table.$inferSelect

export const responses = record(table, {
  noun: 'response',
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: { formId: (value) => sql`${table.formId} = ${value}` },
  }),
  snapshot: { section: 'forms', name: 'responses' },
})
