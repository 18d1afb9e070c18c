/** Iterates over invoices by date, in time slices, so that large reports do not block other requests. */
import { and, asc, sql, type SQL } from 'drizzle-orm'
import { isOneOf } from '../../storage/columns.ts'
import { ofWorkspace, query } from '../../storage/queries/query.ts'
import { IN_FORCE } from '../machines.ts'
import { Slices } from '../../model/slices.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Invoice } from '../invoices/invoices.ts'
import type { Span } from '../../shared/periods.ts'
import { invoices as table } from '../tables.ts'

/** The number of rows per query. It takes much less time than a slice. */
const BATCH_SIZE = 100

type InvoiceIterator = (workspace: Workspace, span: Span) => AsyncGenerator<Invoice>

/** Creates an iterator over the invoices that meet a condition. Call it once, when the module is loaded. */
export function createInvoiceIterator(condition?: SQL): InvoiceIterator {
  const nextBatch = query((orm) =>
    orm
      .select({ rowid: sql<number>`${table}.rowid`, invoice: table })
      .from(table)
      .where(
        and(
          ofWorkspace(table),
          sql`(${table.date}, ${table}.rowid) > (${sql.placeholder('date')}, ${sql.placeholder('rowid')})`,
          sql`${table.date} < ${sql.placeholder('end')}`,
          condition,
        ),
      )
      .orderBy(asc(table.date), asc(sql`${table}.rowid`))
      .limit(BATCH_SIZE),
  )
  return async function* iterate(workspace, { start, end }) {
    const slices = new Slices()
    let after = { date: start - 1, rowid: Number.MAX_SAFE_INTEGER }
    for (;;) {
      const found = nextBatch.all(workspace, { ...after, end })
      for (const { invoice } of found) {
        yield invoice
        if (slices.isOver) await slices.turn()
      }
      const last = found.at(-1)
      if (!last || found.length < BATCH_SIZE) return
      after = { date: last.invoice.date, rowid: last.rowid }
    }
  }
}

const live = sql`+${isOneOf(table.status, IN_FORCE)}`

/** Income invoices and credit notes that are not cancelled. */
export const invoicesAndCreditNotes: InvoiceIterator = createInvoiceIterator(
  sql`${live} and ${table.type} in ('I', 'E')`,
)

/** Credit notes that are not cancelled. */
export const activeCreditNotes: InvoiceIterator = createInvoiceIterator(sql`${live} and ${table.type} = 'E'`)

/** Income invoices with the payment method PPD that are not cancelled. */
export const creditInvoices: InvoiceIterator = createInvoiceIterator(
  sql`${live} and ${table.type} = 'I' and ${table.metodoPago} = 'PPD'`,
)

/** All invoices, including cancelled ones. */
export const allInvoices: InvoiceIterator = createInvoiceIterator()
