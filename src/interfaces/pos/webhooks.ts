/** Webhook subscriptions. Specification part 2, "Point-of-sale webhooks", "Endpoints". */
import { documentedBut } from '../../state/model/fidelity.ts'
import { POS_EVENTS } from '../../state/pos/eventNames.ts'
import { MAX_SUBSCRIPTIONS } from '../../webhooks/subscriptions/subscriptions.ts'
import { offeredWebhooks } from '../offeredWebhooks.ts'

export const webhooks = offeredWebhooks({
  interface: 'pos',
  events: POS_EVENTS,
  examples: {
    id: 'demowebhook0000000000003',
    url: 'https://receiver.example.com/pos',
    events: ['sale.completed', 'stock.low'],
  },
  optional: [],
  names: {
    id: 'id',
    active: 'isActive',
    createdAt: 'createdAt',
    updatedAt: 'updatedAt',
    one: 'webhook',
    all: 'webhooks',
  },
  operations: [
    {
      does: 'create',
      description: 'The response contains the secret that signs the deliveries. No later call returns it.',
      fidelity: documentedBut(`Assumed: a workspace has at most ${String(MAX_SUBSCRIPTIONS)} webhooks.`),
    },
    {
      does: 'listAll',
      description: 'Returns all webhooks, newest first, without their secrets.',
      fidelity: documentedBut('Assumed: the newest webhooks come first.'),
      whyUnpaged: 'The specification shows no paging parameters. The response has all webhooks.',
    },
    {
      does: 'update',
      method: 'PUT',
      fields: ['url', 'events', 'isActive'],
      body: 'At least one of url, events and isActive.',
      description:
        'Updates only the fields in the request body, which must have at least one. The secret does not change.',
      fidelity: documentedBut(
        'Assumed: pending deliveries of an inactive webhook and of removed events are not sent; a new url receives the others.',
      ),
    },
    {
      does: 'delete',
      description: 'Deletes the webhook. It receives no more deliveries, not even pending ones.',
      fidelity: documentedBut('Assumed: pending deliveries are not sent.'),
    },
  ],
})
