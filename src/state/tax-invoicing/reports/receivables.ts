/** The reports on receivables and cancellations. Specification part 2, "Tax invoicing", names both without details. */
import { and, asc, sql } from 'drizzle-orm'
import type { Big } from 'big.js'
import { ofWorkspace, query } from '../../storage/queries/query.ts'
import { Slices } from '../../model/slices.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { decimal, roundAmount, ZERO } from '../documents/amounts.ts'
import type { Cancellation } from '../invoices/cancellations.ts'
import { creditsOfInvoices } from './credits.ts'
import type { Credits } from '../invoices/creditNotes.ts'
import { inPesos } from '../documents/documents.ts'
import type { Invoice } from '../invoices/invoices.ts'
import { ALL_TIME, type Period } from '../../shared/periods.ts'
import { creditInvoices } from './reportedInvoices.ts'
import { daysBetween } from './reportPeriods.ts'
import { cancellations, invoices } from '../tables.ts'

export const RECEIVABLE_STATUSES = ['pending', 'partial', 'paid'] as const
export type ReceivableStatus = (typeof RECEIVABLE_STATUSES)[number]

export const AGES = ['0-30', '31-60', '61-90', '90+'] as const
export type Age = (typeof AGES)[number]

export interface Receivable {
  readonly invoice: Invoice
  readonly status: ReceivableStatus
  /** The amount that active credit notes take off. */
  readonly credited: Big
  /** Negative if the recipient paid too much, or was credited too much. */
  readonly balance: Big
  /** The balance in pesos, with two decimals, so that the rows add up to their totals. */
  readonly balanceInPesos: Big
  /** Days since the date of issue, which is the due date, because no payment terms are stored. */
  readonly days: number
  readonly age: Age
}

const ageOf = (days: number): Age =>
  days <= 30 ? '0-30' : days <= 60 ? '31-60' : days <= 90 ? '61-90' : '90+'

function receivableOf(workspace: Workspace, invoice: Invoice, credits: Credits): Receivable {
  const { uuid, total, paid, moneda, tipoCambio, date } = invoice
  const credited = credits.get(uuid) ?? ZERO
  const balance = decimal(total).minus(paid).minus(credited)
  const days = daysBetween(date, workspace.now())
  return {
    invoice,
    status: balance.lte(0) ? 'paid' : decimal(paid).gt(0) ? 'partial' : 'pending',
    credited,
    balance,
    balanceInPesos: roundAmount(inPesos(balance, moneda, tipoCambio), 2),
    days,
    age: ageOf(days),
  }
}

export interface Receivables {
  /** Oldest first. */
  readonly found: readonly Receivable[]
  /** The sum of their balances in pesos. */
  readonly total: Big
  readonly byAge: Readonly<Record<Age, Big>>
}

/** Returns credit invoices (PPD). Without a status, returns all unpaid ones. */
export async function receivables(
  workspace: Workspace,
  { status, age }: { readonly status?: ReceivableStatus | undefined; readonly age?: Age | undefined },
): Promise<Receivables> {
  const found: Receivable[] = []
  const byAge: Record<Age, Big> = { '0-30': ZERO, '31-60': ZERO, '61-90': ZERO, '90+': ZERO }
  let total = ZERO
  const credits = await creditsOfInvoices(workspace)
  for await (const invoice of creditInvoices(workspace, ALL_TIME)) {
    const each = receivableOf(workspace, invoice, credits)
    if (status === undefined ? each.status === 'paid' : each.status !== status) continue
    if (age !== undefined && each.age !== age) continue
    found.push(each)
    total = total.plus(each.balanceInPesos)
    byAge[each.age] = byAge[each.age].plus(each.balanceInPesos)
  }
  return { found, total, byAge }
}

// ---------------------------------------------------------------- cancellations

export interface CancelledInvoice {
  readonly invoice: Invoice
  readonly cancellation: Cancellation
}

/** The number of rows per query. */
const BATCH_SIZE = 100

const nextCancellations = query((orm) =>
  orm
    .select({ rowid: sql<number>`${cancellations}.rowid`, cancellation: cancellations, invoice: invoices })
    .from(cancellations)
    .innerJoin(
      invoices,
      and(
        sql`${invoices.workspace} = ${cancellations.workspace}`,
        sql`${invoices.id} = ${cancellations.invoiceId}`,
      ),
    )
    .where(
      and(
        ofWorkspace(cancellations),
        sql`${cancellations}.rowid > ${sql.placeholder('rowid')}`,
        sql`${cancellations.requestedAt} >= ${sql.placeholder('start')}`,
        sql`${cancellations.requestedAt} < ${sql.placeholder('end')}`,
      ),
    )
    .orderBy(asc(sql`${cancellations}.rowid`))
    .limit(BATCH_SIZE),
)

/** Returns the cancellation requests of a period, oldest first. */
export async function cancellationsIn(
  workspace: Workspace,
  { start, end }: Period,
): Promise<CancelledInvoice[]> {
  const slices = new Slices()
  const all: CancelledInvoice[] = []
  for (let rowid = 0; ;) {
    const found = nextCancellations.all(workspace, { rowid, start, end })
    all.push(...found)
    const last = found.at(-1)
    if (!last || found.length < BATCH_SIZE) {
      return all.sort((one, other) => one.cancellation.requestedAt - other.cancellation.requestedAt)
    }
    rowid = last.rowid
    if (slices.isOver) await slices.turn()
  }
}
