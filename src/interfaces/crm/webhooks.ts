/** Webhooks of the CRM. Specification part 1, "CRM", "Events"; routes in the order of operations.tsv. */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { NO_CONTENT, noContent, operationsOf } from '../../http/definition/operation.ts'
import { pageOf } from '../../http/lists/pages.ts'
import { pageMeta, PageOf, pageQuery } from '../../http/schemas/wireShapes.ts'
import { assumed, documentedBut } from '../../state/model/fidelity.ts'
import { OfferedWebhooks } from '../../webhooks/interfaceWebhooks.ts'
import { MAX_SUBSCRIPTIONS } from '../../webhooks/subscriptions.ts'
import { publishedEvents } from './events.ts'
import { CreatedWebhook, Webhook, WebhookCreate, WebhookId } from './schemas/webhooks.ts'

const webhookOperation = operationsOf({ tag: 'Webhooks' })

const offered = new OfferedWebhooks('crm', publishedEvents)

export const webhooks: Resource = async (app) => {
  app.get(
    '/webhooks',
    {
      schema: { querystring: Type.Object(pageQuery) },
      config: webhookOperation({
        id: 'listWebhooks',
        summary: 'List webhooks',
        description: 'Returns the newest webhooks first, without their secrets.',
        fidelity: documentedBut(
          'Assumed: any key may list webhooks. The list is paginated like every list, with the newest first.',
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
        description:
          'A secret in the request is never returned. A generated secret is returned once, in this response.',
        scope: 'crm:admin',
        fidelity: documentedBut(
          `Assumed: the response. url and events are required. Deliveries are sent and signed like those of the point of sale. A workspace has at most ${String(MAX_SUBSCRIPTIONS)} webhooks.`,
        ),
        answers: { 201: CreatedWebhook },
      }),
    },
    ({ body, workspace }, reply) => {
      const webhook = offered.create(app.subscriptions, workspace, body)
      reply.code(201)
      return webhook
    },
  )

  app.delete(
    '/webhooks/:webhook_id',
    {
      schema: { params: WebhookId },
      config: webhookOperation({
        id: 'deleteWebhook',
        summary: 'Delete a webhook',
        description: 'Sends nothing more to the webhook. Pending deliveries are not sent either.',
        scope: 'crm:admin',
        fidelity: assumed(
          'The specification names the operation; it does not show what happens to pending deliveries.',
        ),
        answers: NO_CONTENT,
      }),
    },
    ({ params: { webhook_id: id }, workspace }, reply) => {
      app.subscriptions.remove(workspace, offered.find(workspace, id))
      noContent(reply)
    },
  )
}
