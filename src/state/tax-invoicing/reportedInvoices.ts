/** Invoices in the order of their dates, in slices, however many there are: others have their turn between them. */
import { and, asc, sql, type SQL } from 'drizzle-orm'
import { ofWorkspace, query } from '../query.ts'
import { Slices } from '../slices.ts'
import type { Workspace } from '../workspace.ts'
import type { Invoice } from './invoices.ts'
import type { Span } from './reportPeriods.ts'
import { invoices as table } from './tables.ts'

/** Read at a time, well within a slice. */
const PIECE = 100

export const ALL_TIME: Span = { start: Number.MIN_SAFE_INTEGER, end: Number.MAX_SAFE_INTEGER }

type Walk = (workspace: Workspace, span: Span) => AsyncGenerator<Invoice>

/** The walk through all invoices that meet a condition. Made once, where the module is loaded. */
export function walk(condition?: SQL): Walk {
  const piece = query((orm) =>
    orm
      .select({ place: sql<number>`${table}.rowid`, invoice: table })
      .from(table)
      .where(
        and(
          ofWorkspace(table),
          sql`(${table.date}, ${table}.rowid) > (${sql.placeholder('date')}, ${sql.placeholder('place')})`,
          sql`${table.date} < ${sql.placeholder('end')}`,
          condition,
        ),
      )
      .orderBy(asc(table.date), asc(sql`${table}.rowid`))
      .limit(PIECE),
  )
  return async function* walked(workspace, { start, end }) {
    const slices = new Slices()
    let after = { date: start - 1, place: Number.MAX_SAFE_INTEGER }
    for (;;) {
      const found = piece.all(workspace, { ...after, end })
      for (const { invoice } of found) {
        yield invoice
        if (slices.isOver) await slices.turn()
      }
      const last = found.at(-1)
      if (!last || found.length < PIECE) return
      after = { date: last.invoice.date, place: last.place }
    }
  }
}

const live = sql`${table.status} <> 'cancelled'`

/** Income invoices and credit notes that are not cancelled. */
export const invoiced: Walk = walk(sql`${live} and ${table.type} in ('I', 'E')`)

/** Credit notes that are not cancelled. */
export const liveCreditNotes: Walk = walk(sql`${live} and ${table.type} = 'E'`)

/** Income invoices that are paid later, and are not cancelled. */
export const onCredit: Walk = walk(sql`${live} and ${table.type} = 'I' and ${table.metodoPago} = 'PPD'`)

/** All of them, cancelled ones included. */
export const everyInvoice: Walk = walk()
