/** Specification part 2, "Integration payment links", "Customer and product status". */
import { assumed, documented, documentedBut } from '../model/fidelity.ts'
import { machine } from '../model/machine.ts'
import { callStep, triggerStep } from '../model/ways.ts'

const pull = (move: string) =>
  triggerStep(`integration-payments.link.${move}`, { hashUrl: '{link.data.hashUrl}' })

export const linkMachine = machine({
  name: 'integration-payments.link',
  title: 'Hosted link',
  states: ['pending', 'processing', 'completed', 'expired', 'cancelled'],
  initial: ['pending'],
  reach: {
    made: {
      pending: callStep('POST /v1/collections/links', {
        customer: { name: 'Ana Castillo', email: 'ana@example.com' },
      }),
    },
  },
  moves: {
    process: {
      from: ['pending'],
      to: 'processing',
      by: 'the trigger integration-payments.link.process, or a checkout with a card whose payment stays pending',
      way: pull('process'),
      fidelity: assumed('The specification shows the state processing.'),
    },
    complete: {
      from: ['pending', 'processing'],
      to: 'completed',
      by: 'the hosted checkout, or the trigger integration-payments.link.complete',
      way: pull('complete'),
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
      way: { clock: 'PT24H' },
      fidelity: assumed(
        'The specification shows the state expired and expiresAt. A link that is processing does not expire.',
      ),
    },
    cancel: {
      from: ['pending', 'processing', 'expired'],
      to: 'cancelled',
      by: 'PATCH /v1/payment-links/{hashUrl}/cancel',
      way: callStep('PATCH /v1/payment-links/{link.data.hashUrl}/cancel'),
      emits: 'payment_link.cancelled',
      fidelity: documented,
    },
  },
})

export const integrationPaymentMachines = [linkMachine]
