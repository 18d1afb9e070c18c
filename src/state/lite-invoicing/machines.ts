/** The state machine of an invoice. Specification part 2, "Lite invoice": a cancellation happens once and is final. */
import { documentedBut } from '../model/fidelity.ts'
import { machine } from '../model/machine.ts'

export const invoiceMachine = machine({
  name: 'lite-invoicing.invoice',
  title: 'Lite invoice',
  states: ['authorized', 'canceled'],
  initial: ['authorized'],
  moves: {
    cancel: {
      from: ['authorized'],
      to: 'canceled',
      by: 'POST /invoicing/lite/cancel',
      emits: 'invoice.canceled',
      fidelity: documentedBut(
        'The specification shows that it happens once and is irreversible. The name of the other state and the event are assumed.',
      ),
    },
  },
})

export const liteInvoicingMachines = [invoiceMachine]
