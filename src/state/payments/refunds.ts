/**
 * Refunds. Specification part 2, "Payments v1": a refund starts as processing and defaults to the full amount. A refund of a
 * refunded transaction is a conflict. The reading payments.refund_event decides when the transaction follows.
 */
import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { mustMove, take } from '../model/machine.ts'
import { isOneOf } from '../storage/columns.ts'
import { ofWorkspace, query, queryOfEach } from '../storage/queries/query.ts'
import { record } from '../storage/records/record.ts'
import { refuse, refuseProperty } from '../model/refusal.ts'
import { addHint } from '../timeline/causes.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { appendPaymentEvent } from './events.ts'
import { refundMachine, REFUNDING, transactionMachine } from './machines.ts'
import { refundEvent } from './readings.ts'
import { refunds as table } from './tables.ts'
import { linkOf, transactions, type Transaction } from './transactions.ts'

export type Refund = typeof table.$inferSelect

export interface NewRefund {
  /** In cents. Default is the remaining amount of the transaction. */
  readonly amount?: number | undefined
  readonly reason?: string | null | undefined
}

export const refunds = record(table, {
  noun: 'refund',
  snapshot: {
    section: 'payments',
    name: 'refunds',
    check: mustAddUp,
  },
})

const refundedSoFar = query((orm) =>
  orm
    .select({
      sum: sql<number>`coalesce(sum(${table.amount}), 0)`,
      announced: sql<number>`coalesce(sum(iif(${table.announced}, ${table.amount}, 0)), 0)`,
    })
    .from(table)
    .where(
      and(
        ofWorkspace(table),
        eq(table.transactionId, sql.placeholder('transactionId')),
        sql`+${isOneOf(table.status, REFUNDING)}`,
      ),
    ),
)

/** Checks a refund of a snapshot: the sum must not exceed refundedAmount, and completedAt must fit the status. */
function mustAddUp({ id, transactionId, amount, status, completedAt }: Refund, workspace: Workspace): void {
  const refunded = transactions.find(workspace, transactionId)?.refundedAmount ?? 0
  const sum = REFUNDING.includes(status)
    ? (refundedSoFar.first(workspace, { transactionId })?.sum ?? 0) + amount
    : 0
  const problem =
    (status === 'completed') !== (completedAt !== null)
      ? `is ${status} and ${completedAt === null ? 'must have a' : 'must not have a'} completedAt`
      : sum > refunded
        ? `increases the refunds of ${transactionId} to ${String(sum)}, but its refundedAmount is ${String(refunded)}`
        : null
  if (problem !== null) refuse('invalid', `The snapshot does not fit: the refund ${id} ${problem}.`)
}

/** The most refunds that a transaction includes. */
export const MAX_SHOWN = 100

/** The newest refunds of transactions, the newest first. */
export const refundsOf = queryOfEach<Refund>('transactionId', (orm) => {
  const newest = sql`select rowid from ${table}
    where ${ofWorkspace(table)} and ${table.transactionId} = wanted.value order by rowid desc limit ${sql.raw(String(MAX_SHOWN))}`
  return orm
    .select(getTableColumns(table))
    .from(sql`json_each(${sql.placeholder('ids')}) as wanted`)
    .crossJoin(table)
    .where(and(ofWorkspace(table), sql`${table}.rowid in (${newest})`))
    .orderBy(desc(sql`${table}.rowid`))
})

/** Returns the amount that can still be refunded, in cents. */
export const refundableAmount = ({ amount, refundedAmount }: Transaction): number => amount - refundedAmount

/** Refunds a transaction in full or in part. The sum of its refunds never exceeds the payment. */
export function refundTransaction(workspace: Workspace, id: string, { amount, reason }: NewRefund): Refund {
  return workspace.write(() => {
    const transaction = transactions.get(workspace, id)
    const remaining = refundableAmount(transaction)
    const refundAmount = amount ?? remaining
    mustMove(transactionMachine, transaction.status, 'refund')
    if (remaining === 0) {
      const message = 'The full amount of the transaction is being refunded already.'
      refuse('wrong_state', message, { facts: { state: 'refunded' }, reading: refundEvent })
    }
    if (refundAmount > remaining) {
      refuseProperty(
        'amount',
        'exceeds_remaining',
        `{amount} must be at most ${String(remaining)}, the remaining amount of the transaction`,
      )
    }
    const isAnnounced = workspace.reading(refundEvent) === 'requested'
    const refund = refunds.insert(workspace, {
      id: workspace.ids.prefixed('ref_'),
      transactionId: transaction.id,
      amount: refundAmount,
      status: refundMachine.initial[0],
      reason: reason ?? null,
      failureReason: null,
      settlementId: null,
      returnedSettlementId: null,
      announced: isAnnounced,
      createdAt: workspace.now(),
      completedAt: null,
    })
    const reserved = transactions.update(workspace, transaction, {
      refundedAmount: transaction.refundedAmount + refundAmount,
    })
    if (isAnnounced) announce(workspace, refund, reserved)
    else addHint('refund_in_progress', IN_PROGRESS)
    return refund
  })
}

const IN_PROGRESS =
  'The refund is processing. The transaction becomes refunded and payment.refunded is sent when the trigger payments.refund.complete completes it. The reading payments.refund_event = requested does both at once.'

/** Sends payment.refunded, and moves the transaction when its whole amount was announced. The refund must be stored as announced. */
function announce(workspace: Workspace, refund: Refund, before: Transaction): void {
  const { announced = 0 } = refundedSoFar.first(workspace, { transactionId: before.id }) ?? {}
  const move = announced < before.amount ? 'refund_in_part' : 'refund'
  const { state, event } = take(transactionMachine, before.status, move)
  const transaction = transactions.update(workspace, before, { status: state })
  const link = linkOf(workspace, transaction)
  appendPaymentEvent(workspace, event, transaction.id, { refund, transaction, link })
}

/** Completes a refund: the payer has received the money. */
export function completeRefund(workspace: Workspace, id: string): Refund {
  return workspace.write(() => {
    const refund = refunds.get(workspace, id)
    const status = mustMove(refundMachine, refund.status, 'complete')
    const change = { status, completedAt: workspace.now(), announced: true }
    const completed = refunds.update(workspace, refund, change)
    // The transaction includes its refunds, so its revision must change.
    const transaction = transactions.update(workspace, transactions.get(workspace, refund.transactionId), {})
    if (!refund.announced) announce(workspace, completed, transaction)
    return completed
  })
}

/** Fails a refund: its amount counts as paid again. */
export function failRefund(workspace: Workspace, id: string, reason: string | null): Refund {
  return workspace.write(() => {
    const refund = refunds.get(workspace, id)
    const status = mustMove(refundMachine, refund.status, 'fail')
    const transaction = transactions.get(workspace, refund.transactionId)
    transactions.update(workspace, transaction, {
      status: mustMove(transactionMachine, transaction.status, 'restore'),
      refundedAmount: transaction.refundedAmount - refund.amount,
    })
    return refunds.update(workspace, refund, { status, failureReason: reason })
  })
}
