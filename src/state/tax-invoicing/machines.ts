/** Specification part 2, "Tax invoice cancellation". */
import { assumed, documented, documentedBut } from '../fidelity.ts'
import { machine } from '../machine.ts'

const CANCEL_CALL = 'POST /invoices/{invoice_id}/cancel'

const inTime = assumed(
  'As the authority has it: a recipient who says nothing for three business days has accepted.',
)

/** Of whatever is stamped, payment receipts included. */
export const invoiceMachine = machine({
  name: 'tax-invoicing.invoice',
  title: 'Invoice',
  states: ['active', 'cancellation_pending', 'cancelled'],
  initial: ['active'],
  moves: {
    request_cancellation: {
      from: ['active'],
      to: 'cancellation_pending',
      by: CANCEL_CALL,
      fidelity: documented,
    },
    cancel: {
      from: ['active'],
      to: 'cancelled',
      by: `${CANCEL_CALL}, under 1,000 in MXN`,
      emits: 'invoice.cancelled',
      fidelity: documentedBut(
        'Under 1,000 in MXN is shown; assumed is the same for payment receipts, which the recipient is not asked about either, and the event.',
      ),
    },
    accept_cancellation: {
      from: ['cancellation_pending'],
      to: 'cancelled',
      by: 'the trigger tax-invoicing.cancellation.accept, or the page of the recipient',
      emits: 'invoice.cancelled',
      fidelity: documentedBut('The move is shown; that the event of a cancelled invoice follows is assumed.'),
    },
    reject_cancellation: {
      from: ['cancellation_pending'],
      to: 'active',
      by: 'the trigger tax-invoicing.cancellation.reject, or the page of the recipient',
      fidelity: documentedBut('The cancellation is rejected; that the invoice stays active is assumed.'),
    },
    lapse: {
      from: ['cancellation_pending'],
      to: 'cancelled',
      by: 'the clock, after three business days',
      emits: 'invoice.cancelled',
      fidelity: inTime,
    },
  },
})

export type InvoiceStatus = (typeof invoiceMachine.states)[number]

/** Of a request to cancel; an invoice shows its last one. */
export const cancellationMachine = machine({
  name: 'tax-invoicing.cancellation',
  title: 'Cancellation',
  states: ['pending_acceptance', 'cancelled', 'rejected'],
  initial: ['pending_acceptance', 'cancelled'],
  moves: {
    accept: {
      from: ['pending_acceptance'],
      to: 'cancelled',
      by: 'the trigger tax-invoicing.cancellation.accept, or the page of the recipient',
      emits: 'invoice.cancellation_accepted',
      fidelity: documented,
    },
    reject: {
      from: ['pending_acceptance'],
      to: 'rejected',
      by: 'the trigger tax-invoicing.cancellation.reject, or the page of the recipient',
      emits: 'invoice.cancellation_rejected',
      fidelity: documented,
    },
    lapse: {
      from: ['pending_acceptance'],
      to: 'cancelled',
      by: 'the clock, after three business days',
      emits: 'invoice.cancellation_accepted',
      fidelity: inTime,
    },
  },
})

export const taxInvoicingMachines = [invoiceMachine, cancellationMachine]
