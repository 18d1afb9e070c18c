/** Wire shapes of webhook subscriptions. Specification part 2, "Point-of-sale webhook", "Endpoints". */
import { Type } from '@sinclair/typebox'
import { Instant, named, OneOf } from '../../http/schemas.ts'
import { POS_EVENTS } from '../../state/pos/events.ts'

/** Far beyond honest use, and short enough to be kept. */
const LONGEST_URL = 2048

/** The fields of a webhook that a caller sends. */
const webhookFields = {
  url: Type.String({
    format: 'uri',
    maxLength: LONGEST_URL,
    description: 'HTTPS; plain http for loopback hosts and those that --webhook-http-hosts names.',
    examples: ['https://receiver.example.com/pos'],
  }),
  events: Type.Array(OneOf(POS_EVENTS), {
    minItems: 1,
    description: 'A name that is sent twice counts once.',
    examples: [['sale.completed', 'stock.low']],
  }),
}

const isActive = Type.Boolean({ description: 'An inactive webhook is sent nothing.' })

export const WebhookCreate = named('WebhookCreate', Type.Object(webhookFields))

/** What a body without any of the fields breaks; one with unknown fields alone is such a body too. */
export const SOMETHING_TO_CHANGE = 'must have at least one of url, events and isActive'

export const WebhookUpdate = named(
  'WebhookUpdate',
  Type.Partial(Type.Object({ ...webhookFields, isActive }), {
    minProperties: 1,
    'x-wording': SOMETHING_TO_CHANGE,
    description: 'At least one of url, events and isActive.',
  }),
)

export const Webhook = named(
  'Webhook',
  Type.Object({
    id: Type.String({ description: 'Unique identifier (cuid2).', examples: ['tz4a98xxat96iws9zmbrgj3a'] }),
    ...webhookFields,
    isActive,
    createdAt: Instant(),
    updatedAt: Instant(),
  }),
)

export const WebhookId = Type.Object({ id: Type.String() })

export const CreatedWebhook = Type.Object({
  webhook: Webhook,
  secret: Type.String({
    description: 'Keys the signature of every delivery; told here and never again.',
    examples: ['whsec_4kQ2nC8vT1sYx0ZbRj7mLwPdEu5HfGaV'],
  }),
})

export const OneWebhook = Type.Object({ webhook: Webhook })

export const WebhookList = Type.Object({ webhooks: Type.Array(Webhook) })
