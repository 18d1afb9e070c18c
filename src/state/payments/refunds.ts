/**
 * Refunds. Specification part 2, "Payments v1": a refund begins as processing, is of the full amount unless it says
 * less, and a second one of what is refunded already is a conflict.
 */
import { and, desc, eq, sql } from 'drizzle-orm'
import { mustMove, take } from '../machine.ts'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import { refuse, refuseProperty } from '../refusal.ts'
import { upTo, whole } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import { LARGEST_AMOUNT } from './amounts.ts'
import { appendPaymentEvent } from './events.ts'
import { refundMachine, transactionMachine } from './machines.ts'
import { refunds as table } from './tables.ts'
import { linkOf, transactions, type Transaction } from './transactions.ts'

export type Refund = typeof table.$inferSelect

/** Characters of why a refund was made, or failed. The specification shows no length. */
export const LONGEST_REASON = 500

export interface NewRefund {
  /** In cents; what is left of the transaction unless given. */
  readonly amount?: number | undefined
  readonly reason?: string | null | undefined
}

export const refunds = record(table, {
  noun: 'refund',
  snapshot: {
    section: 'payments',
    name: 'refunds',
    instants: ['createdAt', 'completedAt'],
    shapes: () => ({
      amount: whole(1, LARGEST_AMOUNT),
      reason: upTo(LONGEST_REASON),
      failureReason: upTo(LONGEST_REASON),
    }),
    check: mustAddUp,
  },
})

const refundedSoFar = query((orm) =>
  orm
    .select({ sum: sql<number>`coalesce(sum(${table.amount}), 0)` })
    .from(table)
    .where(
      and(
        ofWorkspace(table),
        eq(table.transactionId, sql.placeholder('transactionId')),
        sql`${table.status} <> 'failed'`,
      ),
    ),
)

/** Refuses refunds of a snapshot that come to more than their transaction says, and times that fit no state. */
function mustAddUp({ id, transactionId, amount, status, completedAt }: Refund, workspace: Workspace): void {
  const said = transactions.find(workspace, transactionId)?.refundedAmount ?? 0
  const sum = status === 'failed' ? 0 : (refundedSoFar.first(workspace, { transactionId })?.sum ?? 0) + amount
  const problem =
    (status === 'completed') !== (completedAt !== null)
      ? `is ${status}, and ${completedAt === null ? 'has no' : 'has a'} completedAt`
      : sum > said
        ? `makes ${String(sum)} that were refunded of ${transactionId}, whose refundedAmount is ${String(said)}`
        : null
  if (problem !== null) refuse('invalid', `The snapshot does not fit: the refund ${id} ${problem}.`)
}

/** Refunds of a transaction that are shown with it. */
export const MAX_SHOWN = 100

const ofTransaction = query((orm) =>
  orm
    .select()
    .from(table)
    .where(and(ofWorkspace(table), eq(table.transactionId, sql.placeholder('transactionId'))))
    .orderBy(desc(sql`rowid`))
    .limit(MAX_SHOWN),
)

/** The newest refunds of a transaction, the newest first. */
export const refundsOf = (workspace: Workspace, transactionId: string): Refund[] =>
  ofTransaction.all(workspace, { transactionId })

/** What may still be refunded, in cents. */
export const remainingOf = ({ amount, refundedAmount }: Transaction): number => amount - refundedAmount

/** Gives a payer money back. All that is refunded never comes to more than was paid. */
export function refundTransaction(workspace: Workspace, id: string, { amount, reason }: NewRefund): Refund {
  return workspace.write(() => {
    const transaction = transactions.get(workspace, id)
    const remaining = remainingOf(transaction)
    const wanted = amount ?? remaining
    const { state, event } = take(
      transactionMachine,
      transaction.status,
      wanted < remaining ? 'refund_in_part' : 'refund',
    )
    if (wanted > remaining) {
      refuseProperty(
        'amount',
        'exceeds_remaining',
        `{amount} must not be more than what is left of the transaction, ${String(remaining)}`,
      )
    }
    const refund = refunds.insert(workspace, {
      id: workspace.ids.prefixed('ref_'),
      transactionId: transaction.id,
      amount: wanted,
      status: refundMachine.initial[0],
      reason: reason ?? null,
      failureReason: null,
      settlementId: null,
      returnedSettlementId: null,
      createdAt: workspace.now(),
      completedAt: null,
    })
    const refunded = transactions.update(workspace, transaction, {
      status: state,
      refundedAmount: transaction.refundedAmount + wanted,
    })
    const link = linkOf(workspace, refunded)
    appendPaymentEvent(workspace, event, refunded.id, { refund, transaction: refunded, link })
    return refund
  })
}

/** The money has come back to the payer. */
export function completeRefund(workspace: Workspace, id: string): Refund {
  return workspace.write(() => {
    const refund = refunds.get(workspace, id)
    const status = mustMove(refundMachine, refund.status, 'complete')
    const completed = refunds.update(workspace, refund, { status, completedAt: workspace.now() })
    // It is shown with its refunds.
    transactions.update(workspace, transactions.get(workspace, refund.transactionId), {})
    return completed
  })
}

/** The money did not come to the payer: what was refunded counts as paid again. */
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
