/** What is still to be paid, and what was cancelled. Specification part 2, "Tax invoicing", which shows neither report. */
import { and, asc, sql } from 'drizzle-orm'
import type { Big } from 'big.js'
import { ofWorkspace, query } from '../query.ts'
import { Slices } from '../slices.ts'
import type { Workspace } from '../workspace.ts'
import { decimal, ZERO } from './amounts.ts'
import type { Cancellation } from './cancellations.ts'
import { creditsOfInvoices, type Credits } from './credits.ts'
import { inPesos } from './documents.ts'
import type { Invoice } from './invoices.ts'
import { ALL_TIME, onCredit } from './reportedInvoices.ts'
import { daysBetween, type Period } from './reportPeriods.ts'
import { cancellations, invoices } from './tables.ts'

export const RECEIVABLE_STATUSES = ['pending', 'partial', 'paid'] as const
export type ReceivableStatus = (typeof RECEIVABLE_STATUSES)[number]

export const AGES = ['0-30', '31-60', '61-90', '90+'] as const
export type Age = (typeof AGES)[number]

export interface Receivable {
  readonly invoice: Invoice
  readonly status: ReceivableStatus
  /** What live credit notes take off it. */
  readonly credited: Big
  readonly balance: Big
  /** The same in pesos. */
  readonly balanceInPesos: Big
  /** Days since it was issued, which is when it is due, for no terms are kept. */
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
    balanceInPesos: inPesos(balance, moneda, tipoCambio),
    days,
    age: ageOf(days),
  }
}

export interface Receivables {
  /** The oldest first. */
  readonly found: readonly Receivable[]
  /** What is still to be paid of these, in pesos. */
  readonly total: Big
  readonly byAge: Readonly<Record<Age, Big>>
}

/** Invoices on credit: of one status, or all that are not paid, and of one age where that is named. */
export async function receivables(
  workspace: Workspace,
  { status, age }: { readonly status?: ReceivableStatus | undefined; readonly age?: Age | undefined },
): Promise<Receivables> {
  const found: Receivable[] = []
  const byAge: Record<Age, Big> = { '0-30': ZERO, '31-60': ZERO, '61-90': ZERO, '90+': ZERO }
  let total = ZERO
  const credits = await creditsOfInvoices(workspace)
  for await (const invoice of onCredit(workspace, ALL_TIME)) {
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

/** Read at a time. */
const PIECE = 100

const requested = query((orm) =>
  orm
    .select({ place: sql<number>`${cancellations}.rowid`, cancellation: cancellations, invoice: invoices })
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
        sql`${cancellations}.rowid > ${sql.placeholder('place')}`,
        sql`${cancellations.requestedAt} >= ${sql.placeholder('start')}`,
        sql`${cancellations.requestedAt} < ${sql.placeholder('end')}`,
      ),
    )
    .orderBy(asc(sql`${cancellations}.rowid`))
    .limit(PIECE),
)

/** Requests to cancel that were made in a period, in the order in which they were made. */
export async function cancellationsIn(
  workspace: Workspace,
  { start, end }: Period,
): Promise<CancelledInvoice[]> {
  const slices = new Slices()
  const all: CancelledInvoice[] = []
  for (let place = 0; ;) {
    const found = requested.all(workspace, { place, start, end })
    all.push(...found)
    const last = found.at(-1)
    if (!last || found.length < PIECE) {
      return all.sort((one, other) => one.cancellation.requestedAt - other.cancellation.requestedAt)
    }
    place = last.place
    if (slices.isOver) await slices.turn()
  }
}
