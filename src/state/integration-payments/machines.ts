/** Specification part 2, "Integration payment links", "Customer and product status". */
import { assumed, documented, documentedBut } from '../model/fidelity.ts'
import { machine } from '../model/machine.ts'

export const linkMachine = machine({
  name: 'integration-payments.link',
  title: 'Hosted link',
  states: ['pending', 'processing', 'completed', 'expired', 'cancelled'],
  initial: ['pending'],
  moves: {
    process: {
      from: ['pending'],
      to: 'processing',
      by: 'the trigger integration-payments.link.process, or a checkout with a card whose payment stays pending',
      fidelity: assumed('The specification shows the state processing.'),
    },
    complete: {
      from: ['pending', 'processing'],
      to: 'completed',
      by: 'the hosted checkout, or the trigger integration-payments.link.complete',
      emits: 'customer.created',
      // A one_time link creates no customer.
      orEmits: 'payment.success',
      fidelity: documentedBut(
        'The specification shows the move from pending. Assumed: it is allowed from processing too. A collection link is listed as completed, although its checkout sends the status collected.',
      ),
    },
    expire: {
      can: 'expire',
      from: ['pending'],
      to: 'expired',
      by: 'the clock, at expiresAt',
      fidelity: assumed(
        'The specification shows the state expired and expiresAt. A link that is processing does not expire.',
      ),
    },
    cancel: {
      from: ['pending', 'processing', 'expired'],
      to: 'cancelled',
      by: 'PATCH /v1/payment-links/{hashUrl}/cancel',
      emits: 'payment_link.cancelled',
      fidelity: documented,
    },
  },
})

export const integrationPaymentMachines = [linkMachine]
