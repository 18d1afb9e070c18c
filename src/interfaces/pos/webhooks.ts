/** Webhook subscriptions. Specification part 2, "Point-of-sale webhooks"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { NO_CONTENT, checkFirst, noContent, operationsOf } from '../../http/definition/operation.ts'
import { unpaged } from '../../http/definition/paging.ts'
import { documented } from '../../state/model/fidelity.ts'
import { refuse, refuseField } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import {
  findSubscription,
  listSubscriptions,
  MAX_SUBSCRIPTIONS,
  type Subscription,
} from '../../webhooks/subscriptions.ts'
import {
  CreatedWebhook,
  OneWebhook,
  AT_LEAST_ONE_FIELD,
  WebhookCreate,
  WebhookId,
  WebhookList,
  WebhookUpdate,
} from './schemas.ts'
import { webhookView } from './views.ts'

const webhookOperation = operationsOf({ tag: 'Webhooks', fidelity: documented })

export const webhooks: Resource = async (app) => {
  app.post(
    '/webhooks',
    {
      schema: { body: WebhookCreate },
      config: webhookOperation({
        id: 'createWebhook',
        summary: 'Subscribe to events',
        description: `The response contains the secret that signs the deliveries. No later call returns it. A workspace has at most ${String(MAX_SUBSCRIPTIONS)} webhooks (assumed).`,
        answers: { 201: CreatedWebhook },
      }),
    },
    ({ body, workspace }, reply) => {
      const subscription = app.subscriptions.create(workspace, { ...body, interface: 'pos' })
      reply.code(201)
      return { webhook: webhookView(subscription), secret: subscription.secret }
    },
  )

  app.get(
    '/webhooks',
    {
      config: webhookOperation({
        id: 'listWebhooks',
        summary: 'List webhooks',
        description: 'Returns all webhooks, newest first (assumed), without their secrets.',
        answers: { 200: WebhookList },
        paging: unpaged('The specification shows no paging parameters. The response has all webhooks.'),
      }),
    },
    ({ workspace }) => ({ webhooks: listSubscriptions(workspace, 'pos').map(webhookView) }),
  )

  app.put(
    '/webhooks/:id',
    {
      preValidation: mustExist,
      schema: { params: WebhookId, body: WebhookUpdate },
      config: webhookOperation({
        id: 'updateWebhook',
        summary: 'Update a webhook',
        description:
          'Updates only the fields in the request body, which must have at least one. The secret does not change.',
        answers: { 200: OneWebhook },
      }),
    },
    ({ params, body, workspace }) => {
      mustChangeSomething(body)
      const { isActive, ...fields } = body
      const changes = { ...fields, ...(isActive !== undefined && { active: isActive }) }
      const subscription = findWebhook(workspace, params.id)
      return { webhook: webhookView(app.subscriptions.update(workspace, subscription, changes)) }
    },
  )

  app.delete(
    '/webhooks/:id',
    {
      schema: { params: WebhookId },
      config: webhookOperation({
        id: 'deleteWebhook',
        summary: 'Delete a webhook',
        description: 'Deletes the webhook. It receives no more deliveries, not even pending ones.',
        answers: NO_CONTENT,
      }),
    },
    ({ params, workspace }, reply) => {
      app.subscriptions.remove(workspace, findWebhook(workspace, params.id))
      noContent(reply)
    },
  )
}

/** Finds a subscription of this interface. Subscriptions of other interfaces return 404. */
const findWebhook = (workspace: Workspace, id: string): Subscription =>
  findSubscription(workspace, id, 'pos') ?? refuse('not_found', `There is no webhook ${id}.`)

/** Checks that the webhook exists before the body is validated, so that 404 comes before 400. */
const mustExist = checkFirst<{ id: string }>(({ workspace }, { id }) => findWebhook(workspace, id))

/** Refuses a body with only unknown fields. The schema accepts it, but the server drops the fields. */
function mustChangeSomething(body: object): void {
  if (Object.keys(body).length === 0) refuseField('', 'too_few', `the body ${AT_LEAST_ONE_FIELD}`)
}
