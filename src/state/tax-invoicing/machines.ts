/** The state machines of invoices and cancellations. Specification part 2, "Tax invoice cancellation". */
import { assumed, documented, documentedBut } from '../model/fidelity.ts'
import { machine, statesWhere } from '../model/machine.ts'

const CANCEL_CALL = 'POST /invoices/{invoice_id}/cancel'

const lapseFidelity = assumed(
  'The rule of the authority: if the recipient does not respond within three business days, the cancellation is accepted.',
)

/** The state machine of every stamped document, including payment receipts. */
export const invoiceMachine = machine({
  name: 'tax-invoicing.invoice',
  title: 'Invoice',
  states: ['active', 'cancellation_pending', 'cancelled'],
  initial: ['active'],
  moves: {
    request_cancellation: {
      can: 'have its cancellation requested',
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
        'The specification shows it for less than 1,000 in MXN. Assumed: payment receipts and transfers are also cancelled without acceptance, with a reading those that the authority exempts, too, and the event.',
      ),
    },
    accept_cancellation: {
      can: 'have its cancellation accepted',
      from: ['cancellation_pending'],
      to: 'cancelled',
      by: 'the trigger tax-invoicing.cancellation.accept, or the page of the recipient',
      emits: 'invoice.cancelled',
      fidelity: documentedBut('The specification shows the move. The event invoice.cancelled is assumed.'),
    },
    reject_cancellation: {
      can: 'have its cancellation rejected',
      from: ['cancellation_pending'],
      to: 'active',
      by: 'the trigger tax-invoicing.cancellation.reject, or the page of the recipient',
      fidelity: assumed(
        'The specification shows that the recipient rejects the cancellation, but not the status of the invoice then. It becomes active again. If a payment receipt or a credit note is active when the recipient did not respond in time, as in an edited snapshot, the clock rejects the cancellation.',
      ),
    },
    lapse: {
      can: 'have its cancellation lapse',
      from: ['cancellation_pending'],
      to: 'cancelled',
      by: 'the clock, after three business days',
      emits: 'invoice.cancelled',
      fidelity: lapseFidelity,
    },
  },
})

/** The statuses of invoices that are in force. */
export const IN_FORCE = statesWhere(invoiceMachine, {
  active: true,
  cancellation_pending: true,
  cancelled: false,
})

export type InvoiceStatus = (typeof invoiceMachine.states)[number]

/** The state machine of a cancellation request. An invoice shows its last request. */
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
      can: 'lapse',
      from: ['pending_acceptance'],
      to: 'cancelled',
      by: 'the clock, after three business days',
      emits: 'invoice.cancellation_accepted',
      fidelity: lapseFidelity,
    },
  },
})

export const taxInvoicingMachines = [invoiceMachine, cancellationMachine]
