/** Webhooks of the CRM. Specification part 1, "CRM", "Events"; routes in the order of operations.tsv. */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../../http/definition.ts'
import { NO_CONTENT, noContent, operationsOf } from '../../http/operation.ts'
import { pageOf } from '../../http/pages.ts'
import { pageMeta, PageOf, pageQuery } from '../../http/wireShapes.ts'
import { assumed, documentedBut } from '../../state/fidelity.ts'
import { OfferedWebhooks } from '../../webhooks/offered.ts'
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
        description: 'The newest first, never with a secret.',
        fidelity: documentedBut(
          'Assumed: any key may read them, in pages like every list, the newest first.',
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
          'A secret that was sent is never shown; one that had to be made up is told here and never again.',
        scope: 'crm:admin',
        fidelity: documentedBut(
          `Assumed: the answer, that url and events are required, and that deliveries are made and signed as those of the point of sale; a workspace holds at most ${String(MAX_SUBSCRIPTIONS)} of them.`,
        ),
        answers: { 201: CreatedWebhook },
      }),
    },
    ({ body, workspace }, reply) => {
      const made = offered.create(app.subscriptions, workspace, body)
      reply.code(201)
      return made
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
        scope: 'crm:admin',
        fidelity: assumed(
          'The specification names the operation; what becomes of deliveries still owed is assumed.',
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
