/** Wire shapes of the CRM's webhooks. Specification part 1, "CRM", "Events". */
import { Type } from '@sinclair/typebox'
import { Assumed, named, OneOf } from '../../../http/schemas/schemas.ts'
import {
  SentSecret,
  WebhookActive,
  WebhookEvents,
  WebhookIdentifier,
  webhookShapes,
  WebhookUrl,
} from '../../../http/schemas/webhookShapes.ts'
import { publishedEvents } from '../events.ts'

/** The example is a webhook of the demo workspace, so that it can be sent unchanged. */
const id = WebhookIdentifier('demowebhook0000000000001')

const webhookFields = {
  url: WebhookUrl('https://receiver.example.com/crm', { isShown: false }),
  events: WebhookEvents(
    Assumed(
      'The specification shows deal.won, deal.lost, deal.created and contact.created. The other names are assumed.',
      OneOf(publishedEvents.map(({ name }) => name)),
    ),
    ['deal.won', 'contact.created'],
  ),
}

const active = WebhookActive('An inactive webhook receives nothing. Defaults to true.')

export const WebhookCreate = named(
  'WebhookCreate',
  Type.Object({
    ...webhookFields,
    secret: SentSecret,
    active: Type.Optional(active),
  }),
)

export const { Webhook, CreatedWebhook } = webhookShapes(
  { id, ...webhookFields, active },
  'The specification shows no response; the simulator returns the request without its secret, an id and a time.',
)

export const WebhookId = Type.Object({ webhook_id: id })
