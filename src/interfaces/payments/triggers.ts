/** What payers, their banks and card processors do outside the payments interface. Specification part 2, "Payments v1". */
import { Type } from '@sinclair/typebox'
import { Nullable, OneOf, SentEnd, SentInstant } from '../../http/schemas.ts'
import { instantOf, lastInstantOf } from '../../state/clock.ts'
import { assumed } from '../../state/fidelity.ts'
import { LARGEST_AMOUNT } from '../../state/payments/amounts.ts'
import { links } from '../../state/payments/links.ts'
import {
  linkMachine,
  refundMachine,
  settlementMachine,
  transactionMachine,
} from '../../state/payments/machines.ts'
import { completeRefund, failRefund, LONGEST_REASON } from '../../state/payments/refunds.ts'
import { createSettlement, depositSettlement, type Settlement } from '../../state/payments/settlements.ts'
import { CURRENCIES, PAYMENT_METHODS } from '../../state/payments/tables.ts'
import { payLink, settleTransaction } from '../../state/payments/transactions.ts'
import { trigger } from '../../http/trigger.ts'

const SettlementResult = Type.Object({
  settlement_id: Type.String(),
  status: OneOf(settlementMachine.states),
  amount: Type.Integer({ description: 'In cents.' }),
  fees: Type.Integer(),
  net_amount: Type.Integer(),
  currency: OneOf(CURRENCIES),
  transactions_count: Type.Integer(),
})

const settlementResult = (settlement: Settlement) => ({
  settlement_id: settlement.id,
  status: settlement.status,
  amount: settlement.amount,
  fees: settlement.fees,
  net_amount: settlement.netAmount,
  currency: settlement.currency,
  transactions_count: settlement.transactionsCount,
})

export const paymentTriggers = [
  trigger({
    name: 'payments.link.pay',
    summary: 'Somebody pays a link, or tries to, as on its page.',
    body: Type.Object({
      link_id: Type.String(),
      payment_method: Type.Optional(
        OneOf(PAYMENT_METHODS, { description: "One of the link's; its first unless given." }),
      ),
      outcome: Type.Optional(OneOf(transactionMachine.initial, { description: 'Default is completed.' })),
      amount: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: LARGEST_AMOUNT,
          description: 'In cents; needed where the amount of the link is open.',
        }),
      ),
      customer: Type.Optional(
        Type.Object({
          name: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
          email: Type.Optional(Nullable(Type.String({ format: 'email' }))),
        }),
      ),
    }),
    result: Type.Object({
      transaction_id: Type.String(),
      status: OneOf(transactionMachine.states),
      link_status: OneOf(linkMachine.states),
    }),
    fidelity: assumed('People pay on the page of the link; the specification shows nothing of how.'),
    run(workspace, { link_id: linkId, payment_method: paymentMethod, outcome = 'completed', ...more }) {
      const { amount, customer } = more
      const { id, status } = payLink(workspace, linkId, { paymentMethod, outcome, amount, customer })
      return { transaction_id: id, status, link_status: links.get(workspace, linkId).status }
    },
  }),
  trigger({
    name: 'payments.transaction.settle',
    summary: 'A pending payment is completed, or fails.',
    body: Type.Object({ transaction_id: Type.String(), outcome: OneOf(['completed', 'failed']) }),
    result: Type.Object({ transaction_id: Type.String(), status: OneOf(transactionMachine.states) }),
    fidelity: assumed('The state pending is shown, and not what ends it.'),
    run(workspace, { transaction_id: transactionId, outcome }) {
      const { id, status } = settleTransaction(workspace, transactionId, outcome)
      return { transaction_id: id, status }
    },
  }),
  trigger({
    name: 'payments.refund.complete',
    summary: 'A refund has come back to the payer.',
    body: Type.Object({ refund_id: Type.String() }),
    result: Type.Object({
      refund_id: Type.String(),
      transaction_id: Type.String(),
      status: OneOf(refundMachine.states),
    }),
    fidelity: assumed('The state processing is shown, and not what ends it.'),
    run(workspace, { refund_id: refundId }) {
      const { id, transactionId, status } = completeRefund(workspace, refundId)
      return { refund_id: id, transaction_id: transactionId, status }
    },
  }),
  trigger({
    name: 'payments.refund.fail',
    summary: 'A refund could not be paid out: what was refunded counts as paid again.',
    body: Type.Object({
      refund_id: Type.String(),
      reason: Type.Optional(
        Nullable(Type.String({ maxLength: LONGEST_REASON, examples: ['The account is closed'] })),
      ),
    }),
    result: Type.Object({
      refund_id: Type.String(),
      transaction_id: Type.String(),
      status: OneOf(refundMachine.states),
    }),
    fidelity: assumed('The state processing is shown, and not what ends it; no event of it is.'),
    run(workspace, { refund_id: refundId, reason = null }) {
      const { id, transactionId, status } = failRefund(workspace, refundId, reason)
      return { refund_id: id, transaction_id: transactionId, status }
    },
  }),
  trigger({
    name: 'payments.settlement.create',
    summary: 'Completed payments that are not settled yet are put together for the bank account.',
    body: Type.Object({
      currency: Type.Optional(
        OneOf(CURRENCIES, { description: "The workspace's where that is one of them, else USD." }),
      ),
      period_from: Type.Optional(SentInstant({ description: 'Payments completed from here on.' })),
      period_to: Type.Optional(SentEnd({ description: 'Payments completed up to here.' })),
    }),
    result: SettlementResult,
    fidelity: assumed('The fields of a settlement are shown, and not how it comes about.'),
    run: (workspace, { currency, period_from: from, period_to: to }) =>
      settlementResult(
        createSettlement(workspace, {
          currency,
          ...(from !== undefined && { periodFrom: instantOf(from, workspace) }),
          ...(to !== undefined && { periodTo: lastInstantOf(to, workspace) }),
        }),
      ),
  }),
  trigger({
    name: 'payments.settlement.deposit',
    summary: 'A settlement has come to the bank account.',
    body: Type.Object({ settlement_id: Type.String() }),
    result: SettlementResult,
    fidelity: assumed('The states processing and deposited are shown, and not what moves one to the other.'),
    run: (workspace, { settlement_id: id }) => settlementResult(depositSettlement(workspace, id)),
  }),
]
