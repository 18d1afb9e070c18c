/** Webhooks of payments. Specification part 2, "Payments v1": "Webhook subscription", "Events". */
import { assumedPage } from '../../http/schemas/wireShapes.ts'
import { assumed, documented, documentedBut } from '../../state/model/fidelity.ts'
import { MAX_SUBSCRIPTIONS } from '../../webhooks/subscriptions/subscriptions.ts'
import { offeredWebhooks } from '../offeredWebhooks.ts'
import { PageOf, pageMeta } from './dialect.ts'
import { events } from './events.ts'
import { pageQuery } from './shapes/common.ts'

export const webhooks = offeredWebhooks({
  interface: 'payments',
  events: Object.keys(events),
  examples: {
    id: 'demowebhook0000000000002',
    url: 'https://receiver.example.com/payments',
    events: ['payment.completed', 'payment.refunded'],
  },
  assumed: {
    webhook:
      'The specification does not show the fields; the simulator returns the sent fields without the secret, an id and a time.',
  },
  optional: ['secret'],
  names: { one: 'data' },
  operations: [
    {
      does: 'list',
      description: 'Returns webhooks without their secrets, the newest first.',
      fidelity: documented,
      assumedResponse:
        'The specification does not show the response; the simulator returns pages like other lists, the newest first.',
      pages: {
        query: assumedPage(
          'The specification shows no parameters of this list; it has those of all.',
          pageQuery,
        ),
        PageOf,
        meta: pageMeta,
      },
    },
    {
      does: 'create',
      description: 'A sent secret is never returned. A generated secret is returned only in this response.',
      fidelity: documentedBut(
        `Assumed: url and events are required. The event names are the four that the specification shows. A workspace has at most ${String(MAX_SUBSCRIPTIONS)} webhooks.`,
      ),
      assumedStatus:
        'The specification does not show the status; the simulator returns 201, as for payment links.',
      assumedResponse:
        'The specification does not show the response; the simulator returns {data: webhook}, with the secret if it generated it.',
    },
    {
      does: 'get',
      fidelity: documented,
      assumedResponse:
        'The specification does not show the response; the simulator returns {data: webhook} without the secret.',
    },
    {
      does: 'update',
      method: 'PATCH',
      fields: ['events', 'active'],
      body: 'At least one of events and active is required. The url and the secret do not change.',
      description:
        'An inactive webhook receives nothing more; its pending deliveries and those of removed events are dropped.',
      fidelity: documentedBut(
        'Assumed: at least one field is required. events replaces all events. Pending deliveries that are no longer wanted are dropped.',
      ),
      assumedResponse:
        'The specification does not show the response; the simulator returns {data: webhook} without the secret.',
    },
    {
      does: 'delete',
      description: 'The webhook receives nothing more; its pending deliveries are dropped.',
      fidelity: assumed(
        'The specification shows neither the status nor the response, nor what happens to pending deliveries.',
      ),
    },
  ],
})
