/** Webhooks of payments. Specification part 2, "Payments v1"; routes in the order of operations.tsv. */
import { Type, type Static } from '@sinclair/typebox'
import type { Resource } from '../../http/mount.ts'
import { before, operation, type Operation } from '../../http/operation.ts'
import { pageOf } from '../../http/pages.ts'
import { iso } from '../../state/clock.ts'
import { assumed, documentedBut } from '../../state/fidelity.ts'
import { PAYMENT_EVENTS } from '../../state/payments/events.ts'
import { refuse, refuseField } from '../../state/refusal.ts'
import type { Workspace } from '../../state/workspace.ts'
import {
  createSubscription,
  eventNames,
  findSubscription,
  listSubscriptions,
  removeSubscription,
  updateSubscription,
  type Subscription,
} from '../../webhooks/subscriptions.ts'
import { One, PageOf, pageMeta } from './dialect.ts'
import { pageQuery } from './schemas/common.ts'
import {
  CreatedWebhook,
  SOMETHING_TO_CHANGE,
  Webhook,
  WebhookCreate,
  WebhookId,
  WebhookUpdate,
} from './schemas/webhooks.ts'

const webhookOperation = (described: Omit<Operation, 'tag'>) => operation({ ...described, tag: 'Webhooks' })

export const webhooks: Resource = async (app) => {
  app.get(
    '/webhooks',
    {
      schema: { querystring: Type.Object(pageQuery) },
      config: webhookOperation({
        id: 'listWebhooks',
        summary: 'List webhooks',
        description: 'The newest first, never with a secret.',
        fidelity: documentedBut('The answer is not shown: pages like every list, the newest first.'),
        answers: { 200: PageOf(Webhook) },
      }),
    },
    ({ query: { page, per_page: perPage }, workspace }) => {
      const { items, facts } = pageOf(listSubscriptions(workspace, 'payments'), page, perPage)
      return { data: items.map(webhookView), meta: pageMeta(facts) }
    },
  )

  app.post(
    '/webhooks',
    {
      schema: { body: WebhookCreate },
      config: webhookOperation({
        id: 'createWebhook',
        summary: 'Subscribe to events',
        description:
          'A secret that was sent is never shown; one that had to be made up is told here and never again.',
        fidelity: documentedBut('Assumed: status and answer, and that url and events are required.'),
        answers: { 201: One(CreatedWebhook) },
      }),
    },
    ({ body, workspace }, reply) => {
      app.mustBeWebhookUrl(body.url)
      const subscription = createSubscription(workspace, { ...body, interface: 'payments' })
      reply.code(201)
      return {
        data: {
          ...webhookView(subscription),
          ...(body.secret === undefined && { secret: subscription.secret }),
        },
      }
    },
  )

  app.get(
    '/webhooks/:webhook_id',
    {
      schema: { params: WebhookId },
      config: webhookOperation({
        id: 'getWebhook',
        summary: 'Get a webhook',
        fidelity: documentedBut('The answer is not shown: {data: webhook}, without its secret.'),
        answers: { 200: One(Webhook) },
      }),
    },
    ({ params, workspace }) => ({ data: webhookView(findWebhook(workspace, params.webhook_id)) }),
  )

  app.patch(
    '/webhooks/:webhook_id',
    {
      preValidation: mustExist,
      schema: { params: WebhookId, body: WebhookUpdate },
      config: webhookOperation({
        id: 'updateWebhook',
        summary: 'Update a webhook',
        description: 'One that becomes inactive is sent nothing more, not even what was still owed.',
        fidelity: documentedBut(
          'The answer is not shown: {data: webhook}. Assumed: at least one field is sent, and events are replaced as a whole.',
        ),
        answers: { 200: One(Webhook) },
      }),
    },
    ({ params, body, workspace }) => {
      // The schema lets a body of unknown fields alone through; they are ignored, and then nothing is left.
      if (Object.keys(body).length === 0) refuseField('', 'too_few', `the body ${SOMETHING_TO_CHANGE}`)
      const subscription = findWebhook(workspace, params.webhook_id)
      return { data: webhookView(updateSubscription(workspace, subscription, body)) }
    },
  )

  app.delete(
    '/webhooks/:webhook_id',
    {
      schema: { params: WebhookId },
      config: webhookOperation({
        id: 'deleteWebhook',
        summary: 'Delete a webhook',
        description: 'Nothing more is sent to it, not even what was still owed.',
        fidelity: assumed(
          'The specification shows neither status nor answer; what becomes of deliveries still owed is assumed.',
        ),
        answers: { 204: null },
      }),
    },
    ({ params, workspace }, reply) => {
      removeSubscription(workspace, findWebhook(workspace, params.webhook_id))
      reply.code(204).removeHeader('content-type').send()
    },
  )
}

/** A subscription of this interface; one of another is none here. */
const findWebhook = (workspace: Workspace, id: string): Subscription =>
  findSubscription(workspace, id, 'payments') ?? refuse('not_found', `There is no webhook ${id}.`)

/** That the webhook exists is asked before the body is judged. */
const mustExist = before<{ webhook_id: string }>(({ workspace }, params) =>
  findWebhook(workspace, params.webhook_id),
)

/** The subscription without its secret. */
const webhookView = (subscription: Subscription): Static<typeof Webhook> => ({
  id: subscription.id,
  url: subscription.url,
  events: eventNames(subscription, PAYMENT_EVENTS),
  active: subscription.active,
  created_at: iso(subscription.createdAt),
})
