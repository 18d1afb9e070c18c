/** Webhooks of payments. Specification part 2, "Payments v1"; routes in the order of operations.tsv. */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../../http/definition.ts'
import { NO_CONTENT, checkFirst, noContent, operationsOf } from '../../http/operation.ts'
import { pageOf } from '../../http/pages.ts'
import { assumed, documentedBut } from '../../state/fidelity.ts'
import { refuseField } from '../../state/refusal.ts'
import { OfferedWebhooks } from '../../webhooks/interfaceWebhooks.ts'
import { MAX_SUBSCRIPTIONS } from '../../webhooks/subscriptions.ts'
import { One, PageOf, pageMeta } from './dialect.ts'
import { publishedEvents } from './events.ts'
import {
  CreatedWebhook,
  SOMETHING_TO_CHANGE,
  Webhook,
  WebhookCreate,
  WebhookId,
  WebhookUpdate,
} from './schemas/webhooks.ts'
import { pageQuery } from './schemas/common.ts'

const webhookOperation = operationsOf({ tag: 'Webhooks' })

const offered = new OfferedWebhooks('payments', publishedEvents)

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
      const { items, facts } = pageOf(offered.list(workspace), page, perPage)
      return { data: items.map(offered.view), meta: pageMeta(facts) }
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
        fidelity: documentedBut(
          `Assumed: status and answer, and that url and events are required; a workspace holds at most ${String(MAX_SUBSCRIPTIONS)} of them.`,
        ),
        answers: { 201: One(CreatedWebhook) },
      }),
    },
    ({ body, workspace }, reply) => {
      const made = offered.create(app.subscriptions, workspace, body)
      reply.code(201)
      return { data: made }
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
    ({ params, workspace }) => ({ data: offered.view(offered.find(workspace, params.webhook_id)) }),
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
      const subscription = offered.find(workspace, params.webhook_id)
      return { data: offered.view(app.subscriptions.update(workspace, subscription, body)) }
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
        answers: NO_CONTENT,
      }),
    },
    ({ params, workspace }, reply) => {
      app.subscriptions.remove(workspace, offered.find(workspace, params.webhook_id))
      noContent(reply)
    },
  )
}

/** That the webhook exists is asked before the body is judged. */
const mustExist = checkFirst<{ webhook_id: string }>(({ workspace }, params) =>
  offered.find(workspace, params.webhook_id),
)
