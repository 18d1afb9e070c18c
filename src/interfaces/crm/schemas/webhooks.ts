/** Wire shapes of the CRM's webhooks. Specification part 1, "CRM", "Events". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, OneOf } from '../../../http/schemas.ts'
import { CRM_EVENTS } from '../../../state/crm/events.ts'

/** Far beyond honest use, and short enough to be kept. */
const LONGEST_URL = 2048

const webhookFields = {
  url: Type.String({
    format: 'uri',
    maxLength: LONGEST_URL,
    description: 'HTTPS; plain http for loopback hosts and those that --webhook-http-hosts names.',
    examples: ['https://receiver.example.com/crm'],
  }),
  events: Type.Array(
    Assumed(
      'deal.won, deal.lost, deal.created and contact.created are shown; the other names are assumed.',
      OneOf(CRM_EVENTS),
    ),
    {
      minItems: 1,
      description: 'A name that is sent twice counts once.',
      examples: [['deal.won', 'contact.created']],
    },
  ),
}

const active = Type.Boolean({ description: 'An inactive webhook is sent nothing. Default is true.' })

export const WebhookCreate = named(
  'WebhookCreate',
  Type.Object({
    ...webhookFields,
    secret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        writeOnly: true,
        description: 'Keys the signature of every delivery; made up unless sent.',
        examples: ['a-secret-of-your-own'],
      }),
    ),
    active: Type.Optional(active),
  }),
)

const webhook = {
  id: Type.String({ description: 'Unique identifier (cuid2).', examples: ['tz4a98xxat96iws9zmbrgj3a'] }),
  ...webhookFields,
  active,
  created_at: Instant(),
}

const notShown = 'The specification shows no answer: what was sent, without its secret, an id and a time.'

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
