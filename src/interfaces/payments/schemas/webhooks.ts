/** Wire shapes of the webhooks of payments. Specification part 2, "Payments v1": "Webhook subscription", "Events". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, OneOf } from '../../../http/schemas.ts'
import { PAYMENT_EVENTS } from '../../../state/payments/events.ts'

/** Far beyond honest use, and short enough to be kept. */
const LONGEST_URL = 2048

const url = Type.String({
  format: 'uri',
  maxLength: LONGEST_URL,
  description: 'HTTPS; plain http for loopback hosts and those that --webhook-http-hosts names (assumed).',
  examples: ['https://receiver.example.com/payments'],
})

const events = Type.Array(
  Assumed('The full list of names is not shown: the four that are.', OneOf(PAYMENT_EVENTS)),
  {
    minItems: 1,
    description: 'A name that is sent twice counts once.',
    examples: [['payment.completed', 'payment.refunded']],
  },
)

const active = Type.Boolean({ description: 'An inactive webhook is sent nothing.' })

export const WebhookCreate = named(
  'WebhookCreate',
  Type.Object({
    url,
    events,
    secret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        writeOnly: true,
        description: 'Keys the signature of every delivery; made up unless sent.',
        examples: ['a-secret-of-your-own'],
      }),
    ),
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
  id: Type.String({ description: 'Unique identifier (cuid2).', examples: ['tz4a98xxat96iws9zmbrgj3a'] }),
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
  Assumed(
    notShown,
    Type.Object({
      ...webhook,
      secret: Type.Optional(
        Assumed(
          'Told when it was made up, for otherwise nobody would know it.',
          Type.String({
            description: 'Only when none was sent; told here and never again.',
            examples: ['whsec_4kQ2nC8vT1sYx0ZbRj7mLwPdEu5HfGaV'],
          }),
        ),
      ),
    }),
  ),
)

export const WebhookId = Type.Object({ webhook_id: Type.String() })
