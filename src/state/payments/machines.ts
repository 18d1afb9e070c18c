/** Specification part 2, "States and transitions", "Payments v1", which leaves most moves open. */
import { assumed, documented, documentedBut } from '../fidelity.ts'
import { machine } from '../machine.ts'

export const linkMachine = machine({
  name: 'payments.link',
  title: 'Payment link',
  states: ['active', 'paid', 'expired', 'disabled'],
  initial: ['active'],
  moves: {
    pay: {
      from: ['active'],
      to: 'paid',
      by: 'the payment that makes max_payments',
      fidelity: assumed(
        'Named by the state paid, paid_at and max_payments; one payment unless that says more.',
      ),
    },
    expire: {
      from: ['active'],
      to: 'expired',
      by: 'the clock, at expires_at',
      fidelity: assumed('Named by the state expired and by expires_at.'),
    },
    disable: {
      from: ['active'],
      to: 'disabled',
      settledIn: ['disabled'],
      by: 'DELETE /payment-links/{link_id}',
      fidelity: documentedBut(
        'Assumed: it may be repeated; a link that is paid or has expired takes no payments anyway, and to disable it is a conflict.',
      ),
    },
  },
})

export const transactionMachine = machine({
  name: 'payments.transaction',
  title: 'Transaction',
  states: ['completed', 'pending', 'failed', 'refunded'],
  initial: ['completed', 'pending', 'failed'],
  moves: {
    complete: {
      from: ['pending'],
      to: 'completed',
      by: 'the trigger payments.transaction.settle with outcome completed',
      emits: 'payment.completed',
      fidelity: assumed('Named by the states pending and completed and by completed_at.'),
    },
    fail: {
      from: ['pending'],
      to: 'failed',
      by: 'the trigger payments.transaction.settle with outcome failed',
      emits: 'payment.failed',
      fidelity: assumed('Named by the states pending and failed.'),
    },
    refund_in_part: {
      from: ['completed'],
      to: 'completed',
      by: 'POST /transactions/{transaction_id}/refund that leaves something',
      emits: 'payment.refunded',
      fidelity: assumed(
        'A refund may be of less than the amount; what becomes of the transaction is not shown.',
      ),
    },
    restore: {
      from: ['refunded', 'completed'],
      to: 'completed',
      by: 'the trigger payments.refund.fail',
      fidelity: assumed('What becomes of a refund that fails is not shown: the payer has paid after all.'),
    },
    refund: {
      from: ['completed'],
      to: 'refunded',
      by: 'POST /transactions/{transaction_id}/refund that leaves nothing',
      emits: 'payment.refunded',
      fidelity: documentedBut('Assumed: the transaction is refunded as soon as its last refund is taken on.'),
    },
  },
})

export const refundMachine = machine({
  name: 'payments.refund',
  title: 'Refund',
  states: ['processing', 'completed', 'failed'],
  initial: ['processing'],
  moves: {
    fail: {
      from: ['processing'],
      to: 'failed',
      by: 'the trigger payments.refund.fail',
      fidelity: assumed('Only processing is shown; banks send refunds back, for an account that is closed.'),
    },
    complete: {
      from: ['processing'],
      to: 'completed',
      by: 'the trigger payments.refund.complete',
      fidelity: assumed('Only processing is shown; a refund that is processed has to end.'),
    },
  },
})

export const settlementMachine = machine({
  name: 'payments.settlement',
  title: 'Settlement',
  states: ['processing', 'deposited'],
  initial: ['processing'],
  moves: {
    deposit: {
      from: ['processing'],
      to: 'deposited',
      by: 'the trigger payments.settlement.deposit',
      emits: 'settlement.completed',
      fidelity: documented,
    },
  },
})

export const paymentMachines = [linkMachine, transactionMachine, refundMachine, settlementMachine]
