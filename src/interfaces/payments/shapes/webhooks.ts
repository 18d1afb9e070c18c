/** Schemas of the webhooks of payments. Specification part 2, "Payments v1": "Webhook subscription", "Events". */
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

/** The example is a webhook of the demo workspace, so that the example works unchanged. */
const id = WebhookIdentifier('demowebhook0000000000002')

const url = WebhookUrl('https://receiver.example.com/payments', { isShown: false })

const events = WebhookEvents(
  Assumed(
    'The specification does not show the full list of names; the simulator accepts the four that it shows.',
    OneOf(publishedEvents.map(({ name }) => name)),
  ),
  ['payment.completed', 'payment.refunded'],
)

const active = WebhookActive()

export const WebhookCreate = named(
  'WebhookCreate',
  Type.Object({
    url,
    events,
    secret: SentSecret,
  }),
)

/** The rule for a body without any of the fields, including a body with only unknown fields. */
export const SOMETHING_TO_CHANGE = 'must have at least one of events and active'

export const WebhookUpdate = named(
  'WebhookUpdate',
  Type.Partial(Type.Object({ events, active }), {
    minProperties: 1,
    'x-wording': SOMETHING_TO_CHANGE,
    description: 'At least one of events and active is required. The url and the secret do not change.',
  }),
)

export const { Webhook, CreatedWebhook } = webhookShapes(
  { id, url, events, active },
  'The specification does not show the fields; the simulator returns the sent fields without the secret, an id and a time.',
)

export const WebhookId = Type.Object({ webhook_id: id })
