/**
 * Refunds. Specification part 2, "Payments v1": a refund begins as processing, is of the full amount unless it says
 * less, and a second one of what is refunded already is a conflict.
 */
import { iso } from '../clock.ts'
import { mustMove } from '../machine.ts'
import { refuse, refuseField } from '../refusal.ts'
import { rows } from '../rows.ts'
import type { Workspace } from '../workspace.ts'
import { refundMachine, transactionMachine } from './machines.ts'
import { refunds } from './tables.ts'
import {
  appendTransactionEvent,
  findTransaction,
  linkOf,
  updateTransaction,
  type Transaction,
} from './transactions.ts'

export type Refund = typeof refunds.$inferSelect

export interface NewRefund {
  /** In cents; what is left of the transaction unless given. */
  readonly amount?: number | undefined
  readonly reason?: string | null | undefined
}

const refundRows = rows(refunds)

/** The refund, or a refusal. */
export const findRefund = (workspace: Workspace, id: string): Refund =>
  refundRows.find(workspace, id) ?? refuse('not_found', `There is no refund ${id}.`)

/** What may still be refunded, in cents. */
export const remainingOf = ({ amount, refundedAmount }: Transaction): number => amount - refundedAmount

/** Gives a payer money back. All that is refunded never comes to more than was paid. */
export function refundTransaction(workspace: Workspace, id: string, { amount, reason }: NewRefund): Refund {
  return workspace.write(() => {
    const transaction = findTransaction(workspace, id)
    const remaining = remainingOf(transaction)
    const wanted = amount ?? remaining
    const status = mustMove(
      transactionMachine,
      transaction.status,
      wanted < remaining ? 'refund_in_part' : 'refund',
    )
    if (wanted > remaining) {
      refuseField(
        'amount',
        'exceeds_remaining',
        `amount must not be more than what is left of the transaction, ${String(remaining)}`,
      )
    }
    const refund: Refund = {
      workspace: workspace.number,
      id: workspace.ids.prefixed('ref_'),
      transactionId: transaction.id,
      amount: wanted,
      status: refundMachine.initial[0],
      reason: reason ?? null,
      settlementId: null,
      createdAt: workspace.now(),
      completedAt: null,
    }
    refundRows.insert(workspace.database, refund)
    const refunded = updateTransaction(workspace, {
      ...transaction,
      status,
      refundedAmount: transaction.refundedAmount + wanted,
    })
    appendTransactionEvent(workspace, 'payment.refunded', refunded, linkOf(workspace, refunded), {
      refund: refundFacts(refund),
    })
    return refund
  })
}

/** The money has come back to the payer. */
export function completeRefund(workspace: Workspace, id: string): Refund {
  return workspace.write(() => {
    const refund = findRefund(workspace, id)
    const status = mustMove(refundMachine, refund.status, 'complete')
    const completed = { ...refund, status, completedAt: workspace.now() }
    refundRows.update(workspace.database, completed)
    return completed
  })
}

/** The refund as it goes over the wire. */
export const refundFacts = (refund: Refund) => ({
  id: refund.id,
  transaction_id: refund.transactionId,
  amount: refund.amount,
  status: refund.status,
  reason: refund.reason,
  created_at: iso(refund.createdAt),
})
