/** Pieces of wire shapes that the webhooks of several interfaces share. Specification part 2, "Authentication", "Events". */
import { Type, type TSchema } from '@sinclair/typebox'
import { LONGEST_URL } from '../state/urlTexts.ts'
import { Assumed, Instant, named } from './schemas.ts'

const WHICH_URLS =
  'HTTPS; plain http for loopback hosts and those that --webhook-http-hosts names; never this server itself'

/** Where deliveries go; `isShown` is whether the specification of the interface asks for HTTPS. */
export const WebhookUrl = (example: string, { isShown = true } = {}) =>
  Type.String({
    format: 'uri',
    maxLength: LONGEST_URL,
    description: `${WHICH_URLS}${isShown ? '' : ' (assumed)'}.`,
    examples: [example],
  })

/** The names of events that a webhook asks for. */
export const WebhookEvents = <Name extends TSchema>(name: Name, example: readonly string[]) =>
  Type.Array(name, {
    minItems: 1,
    description: 'A name that is sent twice counts once.',
    examples: [[...example]],
  })

export const WebhookActive = (description = 'An inactive webhook is sent nothing.') =>
  Type.Boolean({ description })

export const WebhookIdentifier = (example: string) =>
  Type.String({ description: 'Unique identifier (cuid2).', examples: [example] })

/** A secret that the caller may choose. */
export const SentSecret = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    writeOnly: true,
    description: 'Keys the signature of every delivery; made up unless sent.',
    examples: ['a-secret-of-your-own'],
  }),
)

export const SECRET_EXAMPLE = 'whsec_4kQ2nC8vT1sYx0ZbRj7mLwPdEu5HfGaV'

/** The secret of a webhook that came without one. */
export const ShownSecret = Type.Optional(
  Assumed(
    'Told when it was made up, for otherwise nobody would know it.',
    Type.String({
      description: 'Only when none was sent; told here and never again.',
      examples: [SECRET_EXAMPLE],
    }),
  ),
)

interface WebhookFields<Events extends TSchema> {
  readonly id: ReturnType<typeof WebhookIdentifier>
  readonly url: ReturnType<typeof WebhookUrl>
  readonly events: Events
  readonly active: ReturnType<typeof WebhookActive>
}

/** A webhook as it is shown, and as it is shown when it has just been made; `notShown` says what of it is assumed. */
export function webhookShapes<Events extends TSchema>(
  { id, url, events, active }: WebhookFields<Events>,
  notShown: string,
) {
  const webhook = { id, url, events, active, created_at: Instant() }
  return {
    Webhook: named('Webhook', Assumed(notShown, Type.Object(webhook))),
    CreatedWebhook: named(
      'CreatedWebhook',
      Assumed(notShown, Type.Object({ ...webhook, secret: ShownSecret })),
    ),
  }
}
