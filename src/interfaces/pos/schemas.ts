/** Wire shapes of webhook subscriptions. Specification part 2, "Point-of-sale webhook", "Endpoints". */
import { Type } from '@sinclair/typebox'
import { Instant, named, OneOf } from '../../http/schemas/schemas.ts'
import {
  SECRET_EXAMPLE,
  WebhookActive,
  WebhookEvents,
  WebhookIdentifier,
  WebhookUrl,
} from '../../http/schemas/webhookShapes.ts'
import { POS_EVENTS } from '../../state/pos/events.ts'

/** The example is a webhook of the demo workspace, so that the example request succeeds. */
const id = WebhookIdentifier('demowebhook0000000000003')

/** The fields of a webhook in a request. */
const webhookFields = {
  url: WebhookUrl('https://receiver.example.com/pos'),
  events: WebhookEvents(OneOf(POS_EVENTS), ['sale.completed', 'stock.low']),
}

const isActive = WebhookActive()

export const WebhookCreate = named('WebhookCreate', Type.Object(webhookFields))

/** The rule for the body of an update. A body with only unknown fields breaks it too. */
export const AT_LEAST_ONE_FIELD = 'must have at least one of url, events and isActive'

export const WebhookUpdate = named(
  'WebhookUpdate',
  Type.Partial(Type.Object({ ...webhookFields, isActive }), {
    minProperties: 1,
    'x-wording': AT_LEAST_ONE_FIELD,
    description: 'At least one of url, events and isActive.',
  }),
)

export const Webhook = named(
  'Webhook',
  Type.Object({
    id,
    ...webhookFields,
    isActive,
    createdAt: Instant(),
    updatedAt: Instant(),
  }),
)

export const WebhookId = Type.Object({ id })

export const CreatedWebhook = Type.Object({
  webhook: Webhook,
  secret: Type.String({
    description: 'The key of the signature of every delivery. Only this response contains it.',
    examples: [SECRET_EXAMPLE],
  }),
})

export const OneWebhook = Type.Object({ webhook: Webhook })

export const WebhookList = Type.Object({ webhooks: Type.Array(Webhook) })
