/**
 * Refunds. Specification part 2, "Payments v1": a refund begins as processing, is of the full amount unless it says
 * less, and a second one of what is refunded already is a conflict.
 */
import { mustMove, take } from '../machine.ts'
import { record } from '../record.ts'
import { refuseProperty } from '../refusal.ts'
import { whole } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import { LARGEST_AMOUNT } from './amounts.ts'
import { appendPaymentEvent } from './events.ts'
import { refundMachine, transactionMachine } from './machines.ts'
import { refunds as table } from './tables.ts'
import { linkOf, transactions, type Transaction } from './transactions.ts'

export type Refund = typeof table.$inferSelect

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
    shapes: () => ({ amount: whole(1, LARGEST_AMOUNT) }),
  },
})

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
      settlementId: null,
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
    return refunds.update(workspace, refund, { status, completedAt: workspace.now() })
  })
}
