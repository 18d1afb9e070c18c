/** Wire shapes of the webhooks of payments. Specification part 2, "Payments v1": "Webhook subscription", "Events". */
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
const id = WebhookIdentifier('demowebhook0000000000002')

const url = WebhookUrl('https://receiver.example.com/payments', { isShown: false })

const events = WebhookEvents(
  Assumed(
    'The full list of names is not shown: the four that are.',
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

/** What a body without any of the fields breaks; one with unknown fields alone is such a body too. */
export const SOMETHING_TO_CHANGE = 'must have at least one of events and active'

export const WebhookUpdate = named(
  'WebhookUpdate',
  Type.Partial(Type.Object({ events, active }), {
    minProperties: 1,
    'x-wording': SOMETHING_TO_CHANGE,
    description: 'At least one of events and active; the url and the secret stay as they are.',
  }),
)

export const { Webhook, CreatedWebhook } = webhookShapes(
  { id, url, events, active },
  'The fields of the record are not shown: what was sent, without its secret, an id and a time.',
)

export const WebhookId = Type.Object({ webhook_id: id })
