/** The states of payments. Specification part 2, "States and transitions", "Payments v1", does not show most of the moves. */
import { assumed, documentedBut } from '../model/fidelity.ts'
import { machine, statesWhere } from '../model/machine.ts'
import { callStep, triggerStep, inState, type SentFields, type Step } from '../model/ways.ts'

const pay = (more: SentFields = {}, needs: Step = {}) =>
  triggerStep('payments.link.pay', { link_id: '{link.data.id}', ...more }, needs)

export const linkMachine = machine({
  name: 'payments.link',
  title: 'Payment link',
  states: ['active', 'paid', 'expired', 'disabled'],
  initial: ['active'],
  reach: {
    made: { active: callStep('POST /payment-links', { amount: 1000 }) },
    get: 'GET /payment-links/{link.data.id}',
  },
  moves: {
    pay: {
      // A payment that was pending when the link expired can still complete.
      from: ['active', 'expired'],
      to: 'paid',
      by: 'the payment that reaches max_payments',
      way: pay(),
      fidelity: assumed(
        'The specification shows the state paid, paid_at and max_payments. The default of max_payments is one payment. A pending payment that completes after the link has expired counts, too.',
      ),
    },
    expire: {
      can: 'expire',
      from: ['active'],
      to: 'expired',
      by: 'the clock, at expires_at',
      way: { made: { expires_at: '{clock.now+PT1M}' }, clock: 'PT1M' },
      fidelity: assumed('The specification shows the state expired and expires_at.'),
    },
    disable: {
      from: ['active'],
      to: 'disabled',
      settledIn: ['disabled'],
      by: 'DELETE /payment-links/{link_id}',
      way: callStep('DELETE /payment-links/{link.data.id}'),
      fidelity: documentedBut(
        'Assumed: a repeated call changes nothing. Returns 409 if the link is paid or expired, because it accepts no payments in either state.',
      ),
    },
  },
})

const ended = (move: string) => triggerStep(`payments.refund.${move}`, { refund_id: '{refund.data.id}' })
const ofLink = { needs: { link: inState(linkMachine, 'active') } }
const REFUND = 'POST /transactions/{transaction.transaction_id}/refund'

export const transactionMachine = machine({
  name: 'payments.transaction',
  title: 'Transaction',
  states: ['completed', 'pending', 'failed', 'refunded'],
  initial: ['completed', 'pending', 'failed'],
  reach: {
    made: {
      completed: pay({}, ofLink),
      pending: pay({ outcome: 'pending' }, ofLink),
      failed: pay({ outcome: 'failed' }, ofLink),
    },
    get: 'GET /transactions/{transaction.transaction_id}',
  },
  moves: {
    complete: {
      from: ['pending'],
      to: 'completed',
      by: 'the trigger payments.transaction.settle with outcome completed',
      emits: 'payment.completed',
      fidelity: assumed('The specification shows the states pending and completed, and completed_at.'),
    },
    fail: {
      can: 'fail',
      from: ['pending'],
      to: 'failed',
      by: 'the trigger payments.transaction.settle with outcome failed',
      emits: 'payment.failed',
      fidelity: assumed('The specification shows the states pending and failed.'),
    },
    refund_in_part: {
      from: ['completed'],
      to: 'completed',
      by: 'the trigger payments.refund.complete, or POST /transactions/{transaction_id}/refund, of a part of the amount',
      emits: 'payment.refunded',
      fidelity: assumed(
        'The specification allows partial refunds but does not show their effect on the transaction; it stays completed.',
      ),
    },
    restore: {
      from: ['refunded', 'completed'],
      to: 'completed',
      by: 'the trigger payments.refund.fail',
      fidelity: assumed(
        'The specification does not show the effect of a failed refund; the transaction is completed again.',
      ),
    },
    refund: {
      from: ['completed'],
      to: 'refunded',
      by: 'the trigger payments.refund.complete, or POST /transactions/{transaction_id}/refund, of the last part of the amount',
      way: [callStep(REFUND, {}, { as: 'refund' }), ended('complete')],
      emits: 'payment.refunded',
      fidelity: assumed(
        'The specification shows the state refunded but not when it is reached. The reading payments.refund_event decides: when the last refund is completed, or when it is requested.',
      ),
    },
  },
})

/** The states of payments that were made, also if they were refunded later. */
export const PAID = statesWhere(transactionMachine, {
  completed: true,
  refunded: true,
  pending: false,
  failed: false,
})

/** The states of payments that count towards the maximum of their link. */
export const COUNTED = statesWhere(transactionMachine, {
  completed: true,
  refunded: true,
  pending: true,
  failed: false,
})

const paid = { needs: { transaction: inState(transactionMachine, 'completed') } }

export const refundMachine = machine({
  name: 'payments.refund',
  title: 'Refund',
  states: ['processing', 'completed', 'failed'],
  initial: ['processing'],
  reach: {
    made: { processing: callStep(REFUND, {}, paid) },
  },
  moves: {
    fail: {
      can: 'fail',
      from: ['processing'],
      to: 'failed',
      by: 'the trigger payments.refund.fail',
      way: ended('fail'),
      fidelity: assumed(
        'The specification shows only processing; banks return refunds, for example if the account is closed.',
      ),
    },
    complete: {
      from: ['processing'],
      to: 'completed',
      by: 'the trigger payments.refund.complete',
      way: ended('complete'),
      fidelity: assumed(
        'The specification shows only processing; a processed refund must be able to complete.',
      ),
    },
  },
})

/** The states of refunds that take money back. */
export const REFUNDING = statesWhere(refundMachine, { processing: true, completed: true, failed: false })

export const settlementMachine = machine({
  name: 'payments.settlement',
  title: 'Settlement',
  states: ['processing', 'deposited'],
  initial: ['processing'],
  reach: {
    made: {
      // Only of its own payment.
      processing: triggerStep('payments.settlement.create', { period_from: '{clock.now}' }, paid),
    },
  },
  moves: {
    deposit: {
      from: ['processing'],
      to: 'deposited',
      by: 'the trigger payments.settlement.deposit',
      way: triggerStep('payments.settlement.deposit', { settlement_id: '{settlement.settlement_id}' }),
      emits: 'settlement.completed',
      fidelity: assumed(
        'The specification shows the two states and the event settlement.completed, but not the transition. A trigger deposits a settlement.',
      ),
    },
  },
})

export const paymentMachines = [linkMachine, transactionMachine, refundMachine, settlementMachine]
