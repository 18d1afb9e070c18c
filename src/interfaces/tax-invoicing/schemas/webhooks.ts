/** Wire shapes of webhooks. Specification part 2, "Tax invoicing": url, events[], secret. */
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

const url = WebhookUrl('https://receiver.example.com/invoices', { isShown: false })

const events = WebhookEvents(
  Assumed(
    'The specification does not show the full list of names. The simulator has the six of the example.',
    OneOf(publishedEvents.map(({ name }) => name)),
  ),
  ['invoice.created', 'invoice.cancelled'],
)

export const WebhookCreate = named('WebhookCreate', Type.Object({ url, events, secret: SentSecret }))

export const { CreatedWebhook } = webhookShapes(
  { id: WebhookIdentifier('tz4a98xxat96iws9zmbrgj3a'), url, events, active: WebhookActive() },
  'The specification does not show the response. It has the fields of the request without the secret, an id and the time of creation.',
)
