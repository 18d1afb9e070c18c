/** Specification part 2, "Lite invoice": an issued invoice is canceled once, and stays so. */
import { documentedBut } from '../fidelity.ts'
import { machine } from '../machine.ts'

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
        'That it happens once and irreversibly is shown; the name of the other state, and that an event tells of it, are assumed.',
      ),
    },
  },
})

export const liteInvoicingMachines = [invoiceMachine]
