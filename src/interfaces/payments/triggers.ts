/** Triggers that simulate payers, banks and card processors. Specification part 2, "Payments v1". */
import { Type } from '@sinclair/typebox'
import { Nullable, OneOf, SentEnd, SentInstant } from '../../http/schemas/schemas.ts'
import { instantOf, lastInstantOf } from '@suite-sim/kit/time/instants'
import { assumed } from '../../state/model/fidelity.ts'
import { CURRENCIES, LARGEST_AMOUNT } from '../../state/payments/amounts.ts'
import { links } from '../../state/payments/links.ts'
import {
  linkMachine,
  refundMachine,
  settlementMachine,
  transactionMachine,
} from '../../state/payments/machines.ts'
import { completeRefund, failRefund } from '../../state/payments/refunds.ts'
import { createSettlement, depositSettlement, type Settlement } from '../../state/payments/settlements.ts'
import { PAYMENT_METHODS, refunds } from '../../state/payments/tables.ts'
import { payLink, settleTransaction } from '../../state/payments/transactions.ts'
import { trigger } from '../../http/definition/trigger.ts'
import { valueOf } from '../../http/shapes/shape.ts'

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

const { complete, fail } = transactionMachine.moves

export const paymentTriggers = [
  trigger({
    name: 'payments.link.pay',
    summary: 'Simulate a payment on the hosted payment page of a link.',
    body: Type.Object({
      link_id: Type.String(),
      payment_method: Type.Optional(
        OneOf(PAYMENT_METHODS, {
          description: 'One of the methods of the link. Default is the first one.',
        }),
      ),
      outcome: Type.Optional(OneOf(transactionMachine.initial, { description: 'Default is completed.' })),
      amount: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: LARGEST_AMOUNT,
          description: 'In cents. Required if the amount of the link is open.',
        }),
      ),
      customer: Type.Optional(
        Type.Object({
          name: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
          email: Type.Optional(Nullable(Type.String({ format: 'email' }))),
        }),
      ),
    }),
    records: { link_id: 'payments.links' },
    result: Type.Object({
      transaction_id: Type.String(),
      status: OneOf(transactionMachine.states),
      link_status: OneOf(linkMachine.states),
    }),
    fidelity: assumed('The specification does not show how a payer pays on the page of a link.'),
    run(workspace, { link_id: linkId, payment_method: paymentMethod, outcome = 'completed', ...more }) {
      const { amount, customer } = more
      const { id, status } = payLink(workspace, linkId, { paymentMethod, outcome, amount, customer })
      return { transaction_id: id, status, link_status: links.get(workspace, linkId).status }
    },
  }),
  trigger({
    name: 'payments.transaction.settle',
    summary: 'Complete or fail a pending payment.',
    body: Type.Object({ transaction_id: Type.String(), outcome: OneOf([complete.to, fail.to]) }),
    records: { transaction_id: 'payments.transactions' },
    result: Type.Object({ transaction_id: Type.String(), status: OneOf(transactionMachine.states) }),
    fidelity: assumed('The specification shows the state pending but not how it ends.'),
    run(workspace, { transaction_id: transactionId, outcome }) {
      const { id, status } = settleTransaction(workspace, transactionId, outcome)
      return { transaction_id: id, status }
    },
  }),
  trigger({
    name: 'payments.refund.complete',
    summary: 'Complete a refund: the payer has received the money.',
    body: Type.Object({ refund_id: Type.String() }),
    records: { refund_id: 'payments.refunds' },
    result: Type.Object({
      refund_id: Type.String(),
      transaction_id: Type.String(),
      status: OneOf(refundMachine.states),
    }),
    fidelity: assumed('The specification shows the state processing but not how it ends.'),
    run(workspace, { refund_id: refundId }) {
      const { id, transactionId, status } = completeRefund(workspace, refundId)
      return { refund_id: id, transaction_id: transactionId, status }
    },
  }),
  trigger({
    name: 'payments.refund.fail',
    summary: 'Fail a refund: its amount counts as paid again.',
    body: Type.Object({
      refund_id: Type.String(),
      reason: Type.Optional(
        Nullable(valueOf(refunds.failureReason, { examples: ['The account is closed'] })),
      ),
    }),
    records: { refund_id: 'payments.refunds' },
    result: Type.Object({
      refund_id: Type.String(),
      transaction_id: Type.String(),
      status: OneOf(refundMachine.states),
    }),
    fidelity: assumed(
      'The specification shows the state processing but not how it ends, and no event for a failed refund.',
    ),
    run(workspace, { refund_id: refundId, reason = null }) {
      const { id, transactionId, status } = failRefund(workspace, refundId, reason)
      return { refund_id: id, transaction_id: transactionId, status }
    },
  }),
  trigger({
    name: 'payments.settlement.create',
    summary: 'Create a settlement of the completed payments that are not settled yet.',
    body: Type.Object({
      currency: Type.Optional(
        OneOf(CURRENCIES, {
          description: 'Default is the currency of the workspace if it is one of these, otherwise USD.',
        }),
      ),
      period_from: Type.Optional(
        SentInstant({ description: 'Includes payments completed at this time or later.' }),
      ),
      period_to: Type.Optional(
        SentEnd({ description: 'Includes payments completed at this time or earlier.' }),
      ),
    }),
    result: SettlementResult,
    fidelity: assumed('The specification shows the fields of a settlement but not how it is created.'),
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
    summary: 'Deposit a settlement in the bank account.',
    body: Type.Object({ settlement_id: Type.String() }),
    records: { settlement_id: 'payments.settlements' },
    result: SettlementResult,
    fidelity: assumed(
      'The specification shows the states processing and deposited but not what causes the change.',
    ),
    run: (workspace, { settlement_id: id }) => settlementResult(depositSettlement(workspace, id)),
  }),
]
