/** Wire shapes of the webhooks of payments. Specification part 2, "Payments v1": "Webhook subscription", "Events". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, OneOf } from '../../../http/schemas.ts'
import {
  SentSecret,
  ToldSecret,
  WebhookActive,
  WebhookEvents,
  WebhookIdentifier,
  WebhookUrl,
} from '../../../http/webhookShapes.ts'
import { PAYMENT_EVENTS } from '../../../state/payments/events.ts'

/** The example is a webhook of the demo workspace, so that it can be sent as it stands. */
const id = WebhookIdentifier('demowebhook0000000000002')

const url = WebhookUrl('https://receiver.example.com/payments', { isShown: false })

const events = WebhookEvents(
  Assumed('The full list of names is not shown: the four that are.', OneOf(PAYMENT_EVENTS)),
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

const webhook = {
  id,
  url,
  events,
  active,
  created_at: Instant(),
}

const notShown =
  'The fields of the record are not shown: what was sent, without its secret, an id and a time.'

export const Webhook = named('Webhook', Assumed(notShown, Type.Object(webhook)))

export const CreatedWebhook = named(
  'CreatedWebhook',
  Assumed(notShown, Type.Object({ ...webhook, secret: ToldSecret })),
)

export const WebhookId = Type.Object({ webhook_id: id })
