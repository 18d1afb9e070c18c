/** Webhooks of the CRM. Specification part 1, "CRM", "Events". */
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import { MAX_SUBSCRIPTIONS } from '../../webhooks/subscriptions/subscriptions.ts'
import { offeredWebhooks } from '../offeredWebhooks.ts'
import { events } from './events.ts'
import { ASSUMED_EVENTS, assumedPageQuery } from './shapes/common.ts'

export const webhooks = offeredWebhooks({
  interface: 'crm',
  events: Object.keys(events),
  examples: {
    id: 'demowebhook0000000000001',
    url: 'https://receiver.example.com/crm',
    events: ['deal.won', 'contact.created'],
  },
  assumed: {
    events: ASSUMED_EVENTS,
    webhook:
      'The specification shows no response; the simulator returns the request without its secret, an id and a time.',
  },
  optional: ['secret', 'active'],
  operations: [
    {
      does: 'list',
      description: 'Returns the newest webhooks first, without their secrets.',
      fidelity: documentedBut('Assumed: the newest webhooks come first.'),
      pages: { query: assumedPageQuery, PageOf, meta: pageMeta },
    },
    {
      does: 'create',
      description:
        'A secret in the request is never returned. A generated secret is returned once, in this response.',
      scope: 'crm:admin',
      fidelity: documentedBut(
        `Assumed: url and events are required. Deliveries are sent and signed like those of the point of sale. A workspace has at most ${String(MAX_SUBSCRIPTIONS)} webhooks.`,
      ),
    },
    {
      does: 'delete',
      description: 'Sends nothing more to the webhook. Pending deliveries are not sent either.',
      scope: 'crm:admin',
      fidelity: documentedBut('Assumed: pending deliveries are not sent.'),
    },
  ],
})
