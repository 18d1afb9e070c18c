/** Specification part 2, "Integration payment links", "Customer and product status". */
import { assumed, documented, documentedBut } from '../fidelity.ts'
import { machine } from '../machine.ts'

export const linkMachine = machine({
  name: 'integration-payments.link',
  title: 'Hosted link',
  states: ['pending', 'processing', 'completed', 'expired', 'cancelled'],
  initial: ['pending'],
  moves: {
    process: {
      from: ['pending'],
      to: 'processing',
      by: 'the trigger integration-payments.link.process, or a checkout whose card takes its time',
      fidelity: assumed('Named by the state processing.'),
    },
    complete: {
      from: ['pending', 'processing'],
      to: 'completed',
      by: 'the hosted checkout, or the trigger integration-payments.link.complete',
      emits: 'customer.created',
      // Of a link that is only paid no customer comes.
      orEmits: 'payment.success',
      fidelity: documentedBut(
        'From pending. Assumed: from processing too; a collection link, whose checkout sends the status collected, is listed as completed.',
      ),
    },
    expire: {
      from: ['pending'],
      to: 'expired',
      by: 'the clock, at expiresAt',
      fidelity: assumed(
        'Named by the state expired and by expiresAt; a payment that is being processed is let end.',
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
