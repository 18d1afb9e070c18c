/** Webhooks of payments. Specification part 2, "Payments v1"; routes in the order of operations.tsv. */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { NO_CONTENT, checkFirst, noContent, operationsOf } from '../../http/definition/operation.ts'
import { pageOf } from '../../http/lists/pages.ts'
import { assumed, documentedBut } from '../../state/model/fidelity.ts'
import { refuseField } from '../../state/model/refusal.ts'
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
} from './shapes/webhooks.ts'
import { pageQuery } from './shapes/common.ts'

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
        description: 'Returns webhooks without their secrets, the newest first.',
        fidelity: documentedBut(
          'The specification does not show the response; the simulator returns pages like other lists, the newest first.',
        ),
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
        description: 'A sent secret is never returned. A generated secret is returned only in this response.',
        fidelity: documentedBut(
          `Assumed: the status and the response. url and events are required. A workspace has at most ${String(MAX_SUBSCRIPTIONS)} webhooks.`,
        ),
        answers: { 201: One(CreatedWebhook) },
      }),
    },
    ({ body, workspace }, reply) => {
      const created = offered.create(app.subscriptions, workspace, body)
      reply.code(201)
      return { data: created }
    },
  )

  app.get(
    '/webhooks/:webhook_id',
    {
      schema: { params: WebhookId },
      config: webhookOperation({
        id: 'getWebhook',
        summary: 'Get a webhook',
        fidelity: documentedBut(
          'The specification does not show the response; the simulator returns {data: webhook} without the secret.',
        ),
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
        description: 'An inactive webhook receives nothing more; its pending deliveries are dropped.',
        fidelity: documentedBut(
          'The specification does not show the response; the simulator returns {data: webhook}. Assumed: at least one field is required. events replaces all events.',
        ),
        answers: { 200: One(Webhook) },
      }),
    },
    ({ params, body, workspace }) => {
      // The schema accepts a body with only unknown fields. They are ignored, so no field remains.
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
        description: 'The webhook receives nothing more; its pending deliveries are dropped.',
        fidelity: assumed(
          'The specification shows neither the status nor the response, nor what happens to pending deliveries.',
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

/** Refuses an unknown webhook before an invalid body. */
const mustExist = checkFirst<{ webhook_id: string }>(({ workspace }, params) =>
  offered.find(workspace, params.webhook_id),
)
