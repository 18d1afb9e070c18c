/** Wire shapes of the CRM's webhooks. Specification part 1, "CRM", "Events". */
import { Type } from '@sinclair/typebox'
import { Assumed, named, OneOf } from '../../../http/schemas.ts'
import {
  SentSecret,
  WebhookActive,
  WebhookEvents,
  WebhookIdentifier,
  webhookShapes,
  WebhookUrl,
} from '../../../http/webhookShapes.ts'
import { publishedEvents } from '../events.ts'

/** The example is a webhook of the demo workspace, so that it can be sent as it stands. */
const id = WebhookIdentifier('demowebhook0000000000001')

const webhookFields = {
  url: WebhookUrl('https://receiver.example.com/crm', { isShown: false }),
  events: WebhookEvents(
    Assumed(
      'deal.won, deal.lost, deal.created and contact.created are shown; the other names are assumed.',
      OneOf(publishedEvents.map(({ name }) => name)),
    ),
    ['deal.won', 'contact.created'],
  ),
}

const active = WebhookActive('An inactive webhook is sent nothing. Default is true.')

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
  'The specification shows no answer: what was sent, without its secret, an id and a time.',
)

export const WebhookId = Type.Object({ webhook_id: id })
