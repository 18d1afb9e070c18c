/**
 * Settlements: what was paid goes to the bank account of the one who is paid. Specification part 2, "Payments v1",
 * which shows their fields and states, and not how one comes about; a trigger makes one.
 *
 * A settlement takes in the completed payments that no other has taken in, less what was refunded of them. A payment
 * that is refunded after its settlement is deducted from the next one. Fees are for what was left of each payment, and
 * are not given back.
 */
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { iso, isoOrNull } from '../clock.ts'
import { NEXT_REVISION, statement } from '../database.ts'
import { numberedList } from '../listing.ts'
import { mustMove } from '../machine.ts'
import { refuse, refuseField } from '../refusal.ts'
import { rows } from '../rows.ts'
import type { Workspace } from '../workspace.ts'
import { defaultCurrency, type Currency } from './amounts.ts'
import { appendPaymentEvent } from './events.ts'
import { feeOf } from './fees.ts'
import { settlementMachine } from './machines.ts'
import { refunds, settlements, transactions } from './tables.ts'

export type Settlement = typeof settlements.$inferSelect

export interface NewSettlement {
  readonly currency?: Currency | undefined
  /** Payments completed at this instant or later; from the first one unless given. */
  readonly periodFrom?: number | undefined
  /** Payments completed up to this instant, which is part of it; all so far unless given. */
  readonly periodTo?: number | undefined
}

/** Of the account that the money goes to; nothing tells of another (assumed). */
const BANK_ACCOUNT_LAST_FOUR = '6789'

export const settlementRows = rows(settlements)

/** Settlements with every filter of GET /reports/settlements; `from` and `to` are instants, both inclusive. */
export const listSettlements = numberedList({
  table: settlements,
  sorts: { created_at: settlements.createdAt },
  filters: {
    status: (value) => sql`${settlements.status} = ${value}`,
    from: (value) => sql`${settlements.createdAt} >= ${value}`,
    to: (value) => sql`${settlements.createdAt} <= ${value}`,
  },
  indexes: { status: [settlements.status, settlements.createdAt] },
})

/** The settlement, or a refusal. */
export const findSettlement = (workspace: Workspace, id: string): Settlement =>
  settlementRows.find(workspace, id) ?? refuse('not_found', `There is no settlement ${id}.`)

// ---------------------------------------------------------------- making one

const ofWorkspace = eq(transactions.workspace, sql.placeholder('workspace'))
const ofCurrency = eq(transactions.currency, sql.placeholder('currency'))

const unsettledInPeriod = and(
  ofWorkspace,
  isNotNull(transactions.completedAt),
  isNull(transactions.settlementId),
  ofCurrency,
  sql`${transactions.completedAt} >= ${sql.placeholder('from')} and ${transactions.completedAt} <= ${sql.placeholder('to')}`,
)

const remaining = sql<number>`${transactions.amount} - ${transactions.refundedAmount}`

/** Payments that are alike in all that a fee depends on. */
const unsettledAlike = statement((orm) =>
  orm
    .select({
      method: transactions.paymentMethod,
      remaining,
      count: sql<number>`count(*)`,
      first: sql<number>`min(${transactions.completedAt})`,
      last: sql<number>`max(${transactions.completedAt})`,
    })
    .from(transactions)
    .where(and(unsettledInPeriod, sql`${transactions.refundedAmount} < ${transactions.amount}`))
    .groupBy(transactions.paymentMethod, remaining)
    .prepare(),
)

const takeIn = statement((orm) =>
  orm
    .update(transactions)
    .set({ settlementId: sql`${sql.placeholder('settlementId')}`, revision: NEXT_REVISION })
    .where(unsettledInPeriod)
    .prepare(),
)

/** Refunds that no settlement knows of, of payments that one has taken in. */
const refundsToDeduct = sql`${refunds.settlementId} is null and exists (
  select 1 from ${transactions} where ${transactions.workspace} = ${refunds.workspace}
  and ${transactions.id} = ${refunds.transactionId} and ${transactions.settlementId} is not null
  and ${ofCurrency})`

const deductions = statement((orm) =>
  orm
    .select({ sum: sql<number>`coalesce(sum(${refunds.amount}), 0)` })
    .from(refunds)
    .where(and(eq(refunds.workspace, sql.placeholder('workspace')), refundsToDeduct))
    .prepare(),
)

const deduct = statement((orm) =>
  orm
    .update(refunds)
    .set({ settlementId: sql`${sql.placeholder('settlementId')}` })
    .where(and(eq(refunds.workspace, sql.placeholder('workspace')), refundsToDeduct))
    .prepare(),
)

/** Refuses a period without payments, and one that would pay less than nothing. */
export function createSettlement(workspace: Workspace, wanted: NewSettlement): Settlement {
  const { database } = workspace
  const { periodFrom = Number.MIN_SAFE_INTEGER, periodTo = Number.MAX_SAFE_INTEGER } = wanted
  if (periodFrom > periodTo) {
    refuseField('period_to', 'before_from', 'period_to must not be before period_from')
  }
  return workspace.write(() => {
    const currency = wanted.currency ?? defaultCurrency(workspace)
    const scope = { workspace: workspace.number, currency, from: periodFrom, to: periodTo }
    const taken = unsettledAlike(database).all(scope)
    const count = sumOf(taken, (alike) => alike.count)
    if (count === 0) refuse('conflict', `There is no completed payment in ${currency} to settle.`)
    const deducted = deductions(database).get(scope)?.sum ?? 0
    const amount = sumOf(taken, (alike) => alike.count * alike.remaining) - deducted
    const fees = sumOf(taken, (alike) => alike.count * feeOf(alike.method, alike.remaining))
    if (amount < fees) {
      refuse(
        'conflict',
        `Refunds of settled payments (${String(deducted)}) are more than there is to settle.`,
      )
    }
    const now = workspace.now()
    const settlement: Settlement = {
      workspace: workspace.number,
      id: workspace.ids.prefixed('stl_'),
      amount,
      fees,
      netAmount: amount - fees,
      currency,
      transactionsCount: count,
      status: settlementMachine.initial[0],
      bankAccountLastFour: BANK_ACCOUNT_LAST_FOUR,
      depositedAt: null,
      periodFrom: wanted.periodFrom ?? Math.min(...taken.map(({ first }) => first)),
      periodTo: wanted.periodTo ?? Math.max(now, ...taken.map(({ last }) => last)),
      createdAt: now,
      revision: database.nextRevision(),
    }
    settlementRows.insert(database, settlement)
    takeIn(database).run({ ...scope, settlementId: settlement.id })
    // Those of the payments just taken in too, which were counted without them.
    deduct(database).run({ ...scope, settlementId: settlement.id })
    return settlement
  })
}

const sumOf = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0)

/** The money has come to the bank account. */
export function depositSettlement(workspace: Workspace, id: string): Settlement {
  return workspace.write(() => {
    const settlement = findSettlement(workspace, id)
    const deposited: Settlement = {
      ...settlement,
      status: mustMove(settlementMachine, settlement.status, 'deposit'),
      depositedAt: workspace.now(),
      revision: workspace.database.nextRevision(),
    }
    settlementRows.update(workspace.database, deposited)
    appendPaymentEvent(workspace, 'settlement.completed', { settlement: settlementFacts(deposited) })
    return deposited
  })
}

/** The settlement as it goes over the wire. */
export const settlementFacts = (settlement: Settlement) => ({
  id: settlement.id,
  amount: settlement.amount,
  fees: settlement.fees,
  net_amount: settlement.netAmount,
  currency: settlement.currency,
  transactions_count: settlement.transactionsCount,
  status: settlement.status,
  bank_account_last_four: settlement.bankAccountLastFour,
  deposited_at: isoOrNull(settlement.depositedAt),
  period_from: iso(settlement.periodFrom),
  period_to: iso(settlement.periodTo),
})
