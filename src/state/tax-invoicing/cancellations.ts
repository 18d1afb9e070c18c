/** Requests to cancel an invoice. Specification part 2, "Tax invoice cancellation". */
import { Type } from '@sinclair/typebox'
import { and, desc, eq, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import type { Workspace } from '../workspace.ts'
import { uuid } from './shapes.ts'
import { cancellations as table } from './tables.ts'

export type Cancellation = typeof table.$inferSelect

export const cancellations = record(table, {
  noun: 'cancellation',
  snapshot: {
    section: 'tax-invoicing',
    name: 'cancellations',
    instants: ['requestedAt', 'resolvedAt', 'dueAt', 'createdAt'],
    shapes: () => ({ uuidSustitucion: Type.Union([uuid(), Type.Null()]) }),
  },
})

const newestFirst = query((orm) =>
  orm
    .select()
    .from(table)
    .where(and(ofWorkspace(table), eq(table.invoiceId, sql.placeholder('invoiceId'))))
    .orderBy(desc(table.requestedAt), desc(sql`rowid`))
    .limit(1),
)

/** The last request to cancel an invoice. */
export const lastCancellation = (workspace: Workspace, invoiceId: string): Cancellation | undefined =>
  newestFirst.first(workspace, { invoiceId })
