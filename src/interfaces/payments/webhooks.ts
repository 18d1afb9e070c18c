/** Webhooks of payments. Specification part 2, "Payments v1": "Webhook subscription", "Events". */
import { assumed, documentedBut } from '../../state/model/fidelity.ts'
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
    events:
      'The specification does not show the full list of names; the simulator accepts the four that it shows.',
    webhook:
      'The specification does not show the fields; the simulator returns the sent fields without the secret, an id and a time.',
  },
  optional: ['secret'],
  names: { one: 'data' },
  operations: [
    {
      does: 'list',
      description: 'Returns webhooks without their secrets, the newest first.',
      fidelity: documentedBut(
        'The specification does not show the response; the simulator returns pages like other lists, the newest first.',
      ),
      pages: { query: pageQuery, PageOf, meta: pageMeta },
    },
    {
      does: 'create',
      description: 'A sent secret is never returned. A generated secret is returned only in this response.',
      fidelity: documentedBut(
        `Assumed: the status and the response. url and events are required. A workspace has at most ${String(MAX_SUBSCRIPTIONS)} webhooks.`,
      ),
    },
    {
      does: 'get',
      fidelity: documentedBut(
        'The specification does not show the response; the simulator returns {data: webhook} without the secret.',
      ),
    },
    {
      does: 'update',
      method: 'PATCH',
      fields: ['events', 'active'],
      body: 'At least one of events and active is required. The url and the secret do not change.',
      description: 'An inactive webhook receives nothing more; its pending deliveries are dropped.',
      fidelity: documentedBut(
        'The specification does not show the response; the simulator returns {data: webhook}. Assumed: at least one field is required. events replaces all events.',
      ),
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
