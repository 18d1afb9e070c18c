/** Wire shapes of the CRM's webhooks. Specification part 1, "CRM", "Events". */
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
import { CRM_EVENTS } from '../../../state/crm/events.ts'

/** The example is a webhook of the demo workspace, so that it can be sent as it stands. */
const id = WebhookIdentifier('demowebhook0000000000001')

const webhookFields = {
  url: WebhookUrl('https://receiver.example.com/crm'),
  events: WebhookEvents(
    Assumed(
      'deal.won, deal.lost, deal.created and contact.created are shown; the other names are assumed.',
      OneOf(CRM_EVENTS),
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

const webhook = {
  id,
  ...webhookFields,
  active,
  created_at: Instant(),
}

const notShown = 'The specification shows no answer: what was sent, without its secret, an id and a time.'

export const Webhook = named('Webhook', Assumed(notShown, Type.Object(webhook)))

export const CreatedWebhook = named(
  'CreatedWebhook',
  Assumed(notShown, Type.Object({ ...webhook, secret: ToldSecret })),
)

export const WebhookId = Type.Object({ webhook_id: id })
