/**
 * Settlements: what was paid goes to the bank account of the one who is paid. Specification part 2, "Payments v1",
 * which shows their fields and states, and not how one comes about; a trigger makes one.
 *
 * A settlement takes in the completed payments that no other has taken in, less what was refunded of them. A payment
 * that is refunded after its settlement is deducted from the next one, and given back by the one after where it failed. Fees are for what was left of each payment, and
 * are not given back.
 */
import { Type } from '@sinclair/typebox'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { numbered } from '../listing.ts'
import { take } from '../machine.ts'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import { refuse, refuseProperty } from '../refusal.ts'
import { whole } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import { defaultCurrency, type Currency } from './amounts.ts'
import { appendPaymentEvent } from './events.ts'
import { feeOf } from './fees.ts'
import { settlementMachine } from './machines.ts'
import { refunds as refundRecords } from './refunds.ts'
import { refunds, settlements as table, transactions } from './tables.ts'
import { transactions as transactionRecords } from './transactions.ts'

export type Settlement = typeof table.$inferSelect

export interface NewSettlement {
  readonly currency?: Currency | undefined
  /** Payments completed at this instant or later; from the first one unless given. */
  readonly periodFrom?: number | undefined
  /** Payments completed up to this instant, which is part of it; all so far unless given. */
  readonly periodTo?: number | undefined
}

/** Of the account that the money goes to; nothing tells of another (assumed). */
const BANK_ACCOUNT_LAST_FOUR = '6789'

/** Settlements with every filter of GET /reports/settlements; `from` and `to` are instants, both inclusive. */
export const settlements = record(table, {
  noun: 'settlement',
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: {
      status: (value) => sql`${table.status} = ${value}`,
      from: (value) => sql`${table.createdAt} >= ${value}`,
      to: (value) => sql`${table.createdAt} <= ${value}`,
    },
    indexes: { status: [table.status, table.createdAt] },
  }),
  snapshot: {
    section: 'payments',
    name: 'settlements',
    instants: ['createdAt', 'depositedAt', 'periodFrom', 'periodTo'],
    shapes: () => ({
      amount: whole(0),
      fees: whole(0),
      netAmount: whole(0),
      transactionsCount: whole(0),
      bankAccountLastFour: Type.String({ pattern: '^\\d{4}$' }),
    }),
    check: mustAddUp,
  },
})

/** Refuses what no settlement can have come to. */
function mustAddUp({ id, amount, fees, netAmount, status, depositedAt }: Settlement): void {
  const problem =
    netAmount !== amount - fees
      ? `netAmount is not amount less fees, ${String(amount - fees)}`
      : (status === 'deposited') !== (depositedAt !== null)
        ? `is ${status}, and ${depositedAt === null ? 'has no' : 'has a'} depositedAt`
        : null
  if (problem !== null) refuse('invalid', `The snapshot does not fit: the settlement ${id}: ${problem}.`)
}

// ---------------------------------------------------------------- making one

const ofCurrency = eq(transactions.currency, sql.placeholder('currency'))

const unsettledInPeriod = and(
  isNotNull(transactions.completedAt),
  isNull(transactions.settlementId),
  ofCurrency,
  sql`${transactions.completedAt} >= ${sql.placeholder('from')} and ${transactions.completedAt} <= ${sql.placeholder('to')}`,
)

const remaining = sql<number>`${transactions.amount} - ${transactions.refundedAmount}`

/** Payments that are alike in all that a fee depends on. */
const unsettledAlike = query((orm) =>
  orm
    .select({
      method: transactions.paymentMethod,
      remaining,
      count: sql<number>`count(*)`,
      first: sql<number>`min(${transactions.completedAt})`,
      last: sql<number>`max(${transactions.completedAt})`,
    })
    .from(transactions)
    .where(
      and(
        ofWorkspace(transactions),
        unsettledInPeriod,
        sql`${transactions.refundedAmount} < ${transactions.amount}`,
      ),
    )
    .groupBy(transactions.paymentMethod, remaining),
)

const takeIn = transactionRecords.updateAll(
  { settlementId: sql`${sql.placeholder('settlementId')}` },
  unsettledInPeriod,
)

/** Refunds that no settlement knows of, of payments that one has taken in. */
const refundsToDeduct = sql`${refunds.settlementId} is null and ${refunds.status} <> 'failed' and exists (
  select 1 from ${transactions} where ${transactions.workspace} = ${refunds.workspace}
  and ${transactions.id} = ${refunds.transactionId} and ${transactions.settlementId} is not null
  and ${ofCurrency})`

const deductions = query((orm) =>
  orm
    .select({ sum: sql<number>`coalesce(sum(${refunds.amount}), 0)` })
    .from(refunds)
    .where(and(ofWorkspace(refunds), refundsToDeduct)),
)

const deduct = refundRecords.updateAll(
  { settlementId: sql`${sql.placeholder('settlementId')}` },
  refundsToDeduct,
)

/** Refunds that were deducted, and failed. */
const refundsToReturn = sql`${refunds.settlementId} is not null and ${refunds.status} = 'failed'
  and ${refunds.returnedSettlementId} is null and exists (
  select 1 from ${transactions} where ${transactions.workspace} = ${refunds.workspace}
  and ${transactions.id} = ${refunds.transactionId} and ${ofCurrency})`

const returns = query((orm) =>
  orm
    .select({ sum: sql<number>`coalesce(sum(${refunds.amount}), 0)` })
    .from(refunds)
    .where(and(ofWorkspace(refunds), refundsToReturn)),
)

const giveBack = refundRecords.updateAll(
  { returnedSettlementId: sql`${sql.placeholder('settlementId')}` },
  refundsToReturn,
)

/** Refuses a period without payments, and one that would pay less than nothing. */
export function createSettlement(workspace: Workspace, wanted: NewSettlement): Settlement {
  const { periodFrom = Number.MIN_SAFE_INTEGER, periodTo = Number.MAX_SAFE_INTEGER } = wanted
  if (periodFrom > periodTo) {
    refuseProperty('periodTo', 'before_from', '{periodTo} must not be before {periodFrom}')
  }
  return workspace.write(() => {
    const currency = wanted.currency ?? defaultCurrency(workspace)
    const scope = { currency, from: periodFrom, to: periodTo }
    const taken = unsettledAlike.all(workspace, scope)
    const count = sumOf(taken, (alike) => alike.count)
    if (count === 0) refuse('conflict', `There is no completed payment in ${currency} to settle.`)
    const deducted = deductions.first(workspace, scope)?.sum ?? 0
    const returned = returns.first(workspace, scope)?.sum ?? 0
    const amount = sumOf(taken, (alike) => alike.count * alike.remaining) - deducted + returned
    const fees = sumOf(taken, (alike) => alike.count * feeOf(alike.method, alike.remaining))
    if (amount < fees) {
      refuse(
        'conflict',
        `Refunds of settled payments (${String(deducted)}) are more than there is to settle.`,
      )
    }
    const now = workspace.now()
    const settlement = settlements.insert(workspace, {
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
    })
    giveBack(workspace, { ...scope, settlementId: settlement.id })
    takeIn(workspace, { ...scope, settlementId: settlement.id })
    // Those of the payments just taken in too, which were counted without them.
    deduct(workspace, { ...scope, settlementId: settlement.id })
    return settlement
  })
}

const sumOf = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0)

/** The money has come to the bank account. */
export function depositSettlement(workspace: Workspace, id: string): Settlement {
  return workspace.write(() => {
    const settlement = settlements.get(workspace, id)
    const { state, event } = take(settlementMachine, settlement.status, 'deposit')
    const deposited = settlements.update(workspace, settlement, {
      status: state,
      depositedAt: workspace.now(),
    })
    appendPaymentEvent(workspace, event, deposited.id, { settlement: deposited })
    return deposited
  })
}
