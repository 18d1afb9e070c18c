/** Webhooks of tax invoicing. Specification part 2, "Tax invoicing", "Events": url, events[], secret. */
import { documentedBut } from '../../state/model/fidelity.ts'
import { MAX_SUBSCRIPTIONS } from '../../webhooks/subscriptions/subscriptions.ts'
import { offeredWebhooks } from '../offeredWebhooks.ts'
import { events } from './events.ts'

export const webhooks = offeredWebhooks({
  interface: 'tax-invoicing',
  events: Object.keys(events),
  examples: {
    id: 'tz4a98xxat96iws9zmbrgj3a',
    url: 'https://receiver.example.com/invoices',
    events: ['invoice.created', 'invoice.cancelled'],
  },
  assumed: {
    webhook:
      'The specification does not show the response. It has the fields of the request without the secret, an id and the time of creation.',
  },
  optional: ['secret'],
  operations: [
    {
      does: 'create',
      description:
        'The response contains the secret only if the server generated it, and no later call returns it. To list or delete webhooks, use the control plane.',
      fidelity: documentedBut(
        `Assumed: url and events are required. A workspace has at most ${String(MAX_SUBSCRIPTIONS)} webhooks.`,
      ),
      assumedStatus:
        'The specification does not show the status. The simulator returns 201, as for invoices.',
    },
  ],
})
