/** The state machines of invoices and cancellations. Specification part 2, "Tax invoice cancellation". */
import { assumed, documented, documentedBut } from '../model/fidelity.ts'
import { machine, statesWhere } from '../model/machine.ts'
import { callStep, triggerStep, inState, type SentFields, type Step } from '../model/ways.ts'

const CANCEL_CALL = 'POST /invoices/{invoice_id}/cancel'

const cancel = (more: Step = {}) => callStep('POST /invoices/{invoice.id}/cancel', { motivo: '02' }, more)

const decide = (move: string) =>
  triggerStep(`tax-invoicing.cancellation.${move}`, { invoice_id: '{invoice.id}' })

const lines = (price: number): SentFields => ({
  conceptos: [
    {
      clave_prod_serv: '56101500',
      descripcion: 'Office chair',
      cantidad: 1,
      clave_unidad: 'H87',
      valor_unitario: price,
      objeto_imp: '01',
    },
  ],
})

const lapseFidelity = assumed(
  'The rule of the authority: if the recipient does not respond within three business days, the cancellation is accepted.',
)

/** The state machine of every stamped document, including payment receipts. */
export const invoiceMachine = machine({
  name: 'tax-invoicing.invoice',
  title: 'Invoice',
  states: ['active', 'cancellation_pending', 'cancelled'],
  initial: ['active'],
  reach: {
    made: {
      active: callStep('POST /invoices', {
        type: 'I',
        receptor: {
          rfc: 'XIA190128J61',
          nombre: 'XENON INDUSTRIAL ARTICLES',
          regimen_fiscal: '601',
          domicilio_fiscal: '76343',
          uso_cfdi: 'G03',
        },
        ...lines(1500),
        metodo_pago: 'PUE',
        forma_pago: '03',
      }),
    },
    get: 'GET /invoices/{invoice.id}',
  },
  moves: {
    request_cancellation: {
      can: 'have its cancellation requested',
      from: ['active'],
      to: 'cancellation_pending',
      by: CANCEL_CALL,
      way: cancel(),
      fidelity: documented,
    },
    cancel: {
      from: ['active'],
      to: 'cancelled',
      by: `${CANCEL_CALL}, under 1,000 in MXN`,
      way: cancel({ made: lines(500) }),
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
  reach: {
    made: { pending_acceptance: cancel({ needs: { invoice: inState(invoiceMachine, 'active') } }) },
  },
  moves: {
    accept: {
      from: ['pending_acceptance'],
      to: 'cancelled',
      by: 'the trigger tax-invoicing.cancellation.accept, or the page of the recipient',
      way: decide('accept'),
      emits: 'invoice.cancellation_accepted',
      fidelity: documented,
    },
    reject: {
      from: ['pending_acceptance'],
      to: 'rejected',
      by: 'the trigger tax-invoicing.cancellation.reject, or the page of the recipient',
      way: decide('reject'),
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
