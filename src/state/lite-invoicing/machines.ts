/** The state machine of an invoice. Specification part 2, "Lite invoice": a cancellation happens once and is final. */
import { documentedBut } from '../model/fidelity.ts'
import { machine } from '../model/machine.ts'
import { callStep } from '../model/ways.ts'

export const invoiceMachine = machine({
  name: 'lite-invoicing.invoice',
  title: 'Lite invoice',
  states: ['authorized', 'canceled'],
  initial: ['authorized'],
  reach: {
    made: {
      authorized: callStep('POST /invoicing/lite', {
        branchId: '0001',
        client: { taxReceiverType: '02', taxName: 'Ana Castillo' },
        items: [{ description: 'Office chair', qty: 1, price: 149.9 }],
        payments: [{ type: '02', amount: 149.9 }],
      }),
    },
  },
  moves: {
    cancel: {
      from: ['authorized'],
      to: 'canceled',
      by: 'POST /invoicing/lite/cancel',
      way: callStep('POST /invoicing/lite/cancel', { id: '{invoice.result.id}' }),
      emits: 'invoice.canceled',
      fidelity: documentedBut(
        'The specification shows that it happens once and is irreversible. The name of the other state and the event are assumed.',
      ),
    },
  },
})

export const liteInvoicingMachines = [invoiceMachine]
