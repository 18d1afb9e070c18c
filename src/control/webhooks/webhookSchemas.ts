/** Wire schemas of subscriptions and deliveries. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import { FreeObject, Instant, Int, named, Nullable, OneOf, SentInstant } from '../../http/schemas/schemas.ts'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { MAX_URL_LENGTH } from '@suite-sim/kit/text/parseUrl'
import { MAX_ENTRIES } from '../../webhooks/deliveries/inbox.ts'
import { deliveryMachine } from '../../webhooks/deliveries/machine.ts'
import { strict, waitQuery, WorkspaceId } from '../shared/schemas.ts'

export const SubscriptionCreate = named(
  'SubscriptionCreate',
  Type.Object(
    {
      interface: OneOf(INTERFACE_NAMES),
      url: Type.String({ minLength: 1, maxLength: MAX_URL_LENGTH, examples: ['https://example.com/hooks'] }),
      events: Type.Optional(
        Type.Array(Type.String({ minLength: 1 }), {
          minItems: 1,
          default: ['*'],
          description: 'The events to receive. "*" means all events of the interface.',
        }),
      ),
      secret: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'The signing secret. Defaults to a random secret.',
        }),
      ),
    },
    strict,
  ),
)

const subscription = {
  id: Type.String({ examples: ['demowebhook0000000000001'] }),
  interface: OneOf(INTERFACE_NAMES),
  url: Type.String(),
  events: Type.Array(Type.String()),
  active: Type.Boolean(),
  createdAt: Instant(),
  updatedAt: Instant(),
}

const count = (status: string) =>
  Type.Integer({
    minimum: 0,
    description: `The number of its ${status} deliveries, counted up to 10,000 in the workspace.`,
  })

export const Subscription = named(
  'Subscription',
  Type.Object({ ...subscription, pending: count('pending'), dead: count('dead') }),
)

export const CreatedSubscription = named(
  'CreatedSubscription',
  Type.Object({
    ...subscription,
    secret: Type.String({ description: 'The signing secret. Only this response contains it.' }),
  }),
)

export const SubscriptionParameters = Type.Object({
  ...WorkspaceId.properties,
  subscriptionId: subscription.id,
})

export const Delivery = named(
  'Delivery',
  Type.Object({
    id: Type.String(),
    subscriptionId: Type.String({ description: 'The subscription, which may have been deleted since.' }),
    interface: Type.String(),
    event: Type.String(),
    url: Type.String(),
    createdAt: Instant(),
    status: OneOf(deliveryMachine.states),
    attempts: Type.Array(
      Type.Object({
        at: Instant(),
        status: Nullable(
          Type.Integer({ description: 'The response status of the receiver; null if it did not respond.' }),
        ),
        durationMs: Type.Number(),
        error: Nullable(Type.String()),
      }),
    ),
    nextAttemptAt: Nullable(Instant()),
    payload: FreeObject(),
  }),
)

export const SampleEvent = named(
  'SampleEvent',
  Type.Object(
    {
      interface: OneOf(INTERFACE_NAMES, { examples: ['pos'] }),
      event: Type.String({ minLength: 1, examples: ['sale.completed'] }),
      data: Type.Optional(
        FreeObject({
          description: 'The data in the body. Defaults to the published example of the event. Not checked.',
        }),
      ),
      at: Type.Optional(
        SentInstant({ description: 'The time in the body. Defaults to now, on the clock of the workspace.' }),
      ),
    },
    strict,
  ),
)

export const SentSample = named(
  'SentSample',
  Type.Object({
    eventId: Type.String({ description: 'The id in the body.' }),
    deliveries: Type.Array(Type.String(), {
      description: 'The ids of its deliveries: one for each active subscription to the event.',
    }),
  }),
)

export const Redelivery = named(
  'Redelivery',
  Type.Object(
    {
      status: Type.Optional(OneOf(deliveryMachine.states, { default: 'dead' })),
      interface: Type.Optional(OneOf(INTERFACE_NAMES, { examples: ['pos'] })),
      event: Type.Optional(Type.String({ minLength: 1, examples: ['sale.completed'] })),
      since: Type.Optional(
        SentInstant({
          description:
            'Only deliveries of events from this instant on, on the clock of the workspace. Defaults to all.',
        }),
      ),
    },
    strict,
  ),
)

export const Redelivered = named(
  'Redelivered',
  Type.Object({
    count: Type.Integer({ minimum: 0, description: 'The number of deliveries that are sent again.' }),
  }),
)

export const DeliveryParameters = Type.Object({
  ...WorkspaceId.properties,
  deliveryId: Type.String({ description: 'The id of the delivery, from GET /workspaces/{id}/deliveries.' }),
})

const SubscriptionFilter = Type.String({
  description: 'The id of a subscription.',
  examples: ['demowebhook0000000000001'],
})

export const DeliveryQuery = Type.Object({
  interface: Type.Optional(OneOf(INTERFACE_NAMES)),
  event: Type.Optional(Type.String()),
  status: Type.Optional(OneOf(deliveryMachine.states)),
  subscription: Type.Optional(SubscriptionFilter),
  ...waitQuery,
})

export const InboxEntry = named(
  'InboxEntry',
  Type.Object({
    id: Type.String({ examples: ['inb_1'] }),
    at: Instant(),
    interface: OneOf(INTERFACE_NAMES),
    event: Type.String(),
    deliveryId: Type.String(),
    attempt: Type.Integer({ minimum: 1 }),
    subscriptionId: Type.String({ description: 'The subscription, which may have been deleted since.' }),
    verified: Type.Boolean({
      description: 'Whether the signature is that of the body with the secret of the subscription.',
    }),
    problem: Nullable(Type.String({ description: 'Why it is not verified.' })),
    secret: Type.String({ description: 'The secret of the subscription, for your own check.' }),
    headers: Type.Record(Type.String(), Type.String(), { description: 'The headers as received.' }),
    body: Type.String({ description: 'The body as received, before any parsing.' }),
  }),
)

export const InboxQuery = Type.Object({
  event: Type.Optional(Type.String()),
  subscription: Type.Optional(SubscriptionFilter),
  ...waitQuery,
  count: Type.Optional(
    Int({
      minimum: 1,
      maximum: MAX_ENTRIES,
      description: 'The number of matching entries to wait for. Defaults to 1.',
    }),
  ),
})

export const ReceivedWebhook = Type.Object({
  received: Type.Boolean(),
  kept: Type.Boolean({ description: 'Whether it is in the inbox of a workspace.' }),
  reason: Type.Optional(Type.String({ description: 'Why it was not kept.' })),
})
