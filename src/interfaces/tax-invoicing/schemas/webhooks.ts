/** Wire shapes of webhooks. Specification part 2, "Tax invoicing": url, events[], secret. */
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

const url = WebhookUrl('https://receiver.example.com/invoices', { isShown: false })

const events = WebhookEvents(
  Assumed(
    'The full list of names is not shown: the six of the example.',
    OneOf(publishedEvents.map(({ name }) => name)),
  ),
  ['invoice.created', 'invoice.cancelled'],
)

export const WebhookCreate = named('WebhookCreate', Type.Object({ url, events, secret: SentSecret }))

export const { CreatedWebhook } = webhookShapes(
  { id: WebhookIdentifier('tz4a98xxat96iws9zmbrgj3a'), url, events, active: WebhookActive() },
  'The answer is not shown: what was sent, without its secret, an id and a time.',
)
