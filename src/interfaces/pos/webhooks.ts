/** Webhook subscriptions. Specification part 2, "Point-of-sale webhooks"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition.ts'
import { NO_CONTENT, before, noContent, operationsOf } from '../../http/operation.ts'
import { unpaged } from '../../http/paging.ts'
import { documented } from '../../state/fidelity.ts'
import { refuse, refuseField } from '../../state/refusal.ts'
import type { Workspace } from '../../state/workspace.ts'
import {
  findSubscription,
  listSubscriptions,
  MAX_SUBSCRIPTIONS,
  type Subscription,
} from '../../webhooks/subscriptions.ts'
import {
  CreatedWebhook,
  OneWebhook,
  SOMETHING_TO_CHANGE,
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
        description: `The secret that keys the signatures is told here and never again. A workspace holds at most ${String(MAX_SUBSCRIPTIONS)} webhooks (assumed).`,
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
        description: 'All of them, the newest first (assumed), never with a secret.',
        answers: { 200: WebhookList },
        paging: unpaged('The specification shows no parameters: all of them are told at once.'),
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
        description: 'Only the fields that are sent change, at least one; the secret stays as it is.',
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
        description: 'Nothing more is sent to it, not even what was still owed.',
        answers: NO_CONTENT,
      }),
    },
    ({ params, workspace }, reply) => {
      app.subscriptions.remove(workspace, findWebhook(workspace, params.id))
      noContent(reply)
    },
  )
}

/** A subscription of this interface; one of another is none here. */
const findWebhook = (workspace: Workspace, id: string): Subscription =>
  findSubscription(workspace, id, 'pos') ?? refuse('not_found', `There is no webhook ${id}.`)

/** That the webhook exists is asked before the body is judged. */
const mustExist = before<{ id: string }>(({ workspace }, { id }) => findWebhook(workspace, id))

/** The schema lets a body of unknown fields alone through; they are ignored, and then nothing is left. */
function mustChangeSomething(body: object): void {
  if (Object.keys(body).length === 0) refuseField('', 'too_few', `the body ${SOMETHING_TO_CHANGE}`)
}
