/**
 * Settlements of payments to the bank account. Specification part 2, "Payments v1", shows their fields and states but not
 * their creation; a trigger creates them. A settlement includes the completed payments that no other includes, less their
 * refunds.
 */
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { numbered } from '../storage/queries/listing.ts'
import { take } from '../model/machine.ts'
import { isOneOf } from '../storage/columns.ts'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { record } from '../storage/records/record.ts'
import { refuse, refuseProperty } from '../model/refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { defaultCurrency, type Currency } from './amounts.ts'
import { appendPaymentEvent } from './events.ts'
import { feeOf } from './fees.ts'
import { REFUNDING, settlementMachine } from './machines.ts'
import { refunds as refundRecords } from './refunds.ts'
import { refunds, settlements as table, transactions } from './tables.ts'
import { transactions as transactionRecords } from './transactions.ts'

export type Settlement = typeof table.$inferSelect

export interface NewSettlement {
  readonly currency?: Currency | undefined
  /** Includes payments completed at this instant or later. Default is no bound. */
  readonly periodFrom?: number | undefined
  /** Includes payments completed at this instant or earlier. Default is no bound. */
  readonly periodTo?: number | undefined
}

/** The bank account of all settlements (assumed). */
const BANK_ACCOUNT_LAST_FOUR = '6789'

/** Settlements with the filters of GET /reports/settlements; `from` and `to` are inclusive instants. */
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
    check: mustAddUp,
  },
})

/** Checks a settlement of a snapshot: its amounts and times must be consistent. */
function mustAddUp({ id, amount, fees, netAmount, status, depositedAt }: Settlement): void {
  const problem =
    netAmount !== amount - fees
      ? `netAmount must be amount less fees, ${String(amount - fees)}`
      : (status === 'deposited') !== (depositedAt !== null)
        ? `is ${status} and ${depositedAt === null ? 'must have a' : 'must not have a'} depositedAt`
        : null
  if (problem !== null) refuse('invalid', `The snapshot does not fit: the settlement ${id}: ${problem}.`)
}

// ---------------------------------------------------------------- creating a settlement

const ofCurrency = eq(transactions.currency, sql.placeholder('currency'))

const unsettledInPeriod = and(
  isNotNull(transactions.completedAt),
  isNull(transactions.settlementId),
  ofCurrency,
  sql`${transactions.completedAt} >= ${sql.placeholder('from')} and ${transactions.completedAt} <= ${sql.placeholder('to')}`,
)

const remaining = sql<number>`${transactions.amount} - ${transactions.refundedAmount}`

/** Unsettled payments, grouped by method and remaining amount, on which the fee depends. */
const unsettledByFee = query((orm) =>
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

const includePayments = transactionRecords.updateAll(
  { settlementId: sql`${sql.placeholder('settlementId')}` },
  unsettledInPeriod,
)

/** Refunds of settled payments that no settlement has deducted yet. */
const refundsToDeduct = sql`${refunds.settlementId} is null and +${isOneOf(refunds.status, REFUNDING)} and exists (
  select 1 from ${transactions} where ${transactions.workspace} = ${refunds.workspace}
  and ${transactions.id} = ${refunds.transactionId} and ${transactions.settlementId} is not null
  and ${ofCurrency})`

const deductions = query((orm) =>
  orm
    .select({ sum: sql<number>`coalesce(sum(${refunds.amount}), 0)` })
    .from(refunds)
    .where(and(ofWorkspace(refunds), refundsToDeduct)),
)

const markDeducted = refundRecords.updateAll(
  { settlementId: sql`${sql.placeholder('settlementId')}` },
  refundsToDeduct,
)

/** Deducted refunds that failed later. A settlement adds them back. */
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

const markReturned = refundRecords.updateAll(
  { returnedSettlementId: sql`${sql.placeholder('settlementId')}` },
  refundsToReturn,
)

/**
 * Creates a settlement. Deducts refunds of payments settled earlier and adds back those that failed. Fees apply to the
 * remaining amounts and are never refunded. Refuses a period without payments, and a negative net amount.
 */
export function createSettlement(workspace: Workspace, fields: NewSettlement): Settlement {
  const { periodFrom = Number.MIN_SAFE_INTEGER, periodTo = Number.MAX_SAFE_INTEGER } = fields
  if (periodFrom > periodTo) {
    refuseProperty('periodTo', 'before_from', '{periodTo} must not be before {periodFrom}')
  }
  return workspace.write(() => {
    const currency = fields.currency ?? defaultCurrency(workspace)
    const scope = { currency, from: periodFrom, to: periodTo }
    const groups = unsettledByFee.all(workspace, scope)
    const count = sumOf(groups, (group) => group.count)
    if (count === 0) refuse('conflict', `There is no completed payment in ${currency} to settle.`)
    const deducted = deductions.first(workspace, scope)?.sum ?? 0
    const returned = returns.first(workspace, scope)?.sum ?? 0
    const amount = sumOf(groups, (group) => group.count * group.remaining) - deducted + returned
    const fees = sumOf(groups, (group) => group.count * feeOf(group.method, group.remaining))
    if (amount < fees) {
      refuse('conflict', `Refunds of settled payments (${String(deducted)}) exceed the amount to settle.`)
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
      periodFrom: fields.periodFrom ?? Math.min(...groups.map(({ first }) => first)),
      periodTo: fields.periodTo ?? Math.max(now, ...groups.map(({ last }) => last)),
      createdAt: now,
    })
    markReturned(workspace, { ...scope, settlementId: settlement.id })
    includePayments(workspace, { ...scope, settlementId: settlement.id })
    // Also marks the refunds of the payments just included, whose remaining amounts exclude them.
    markDeducted(workspace, { ...scope, settlementId: settlement.id })
    return settlement
  })
}

const sumOf = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0)

/** Deposits a settlement in the bank account. */
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
