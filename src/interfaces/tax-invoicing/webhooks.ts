/** Webhooks of tax invoicing. Specification part 2, "Tax invoicing", "Events". */
import type { Resource } from '../../http/definition/definition.ts'
import { operationsOf } from '../../http/definition/operation.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import { OfferedWebhooks } from '../../webhooks/interfaceWebhooks.ts'
import { MAX_SUBSCRIPTIONS } from '../../webhooks/subscriptions.ts'
import { publishedEvents } from './events.ts'
import { CreatedWebhook, WebhookCreate } from './schemas/webhooks.ts'

const webhookOperation = operationsOf({ tag: 'Webhooks' })

const offered = new OfferedWebhooks('tax-invoicing', publishedEvents)

export const webhooks: Resource = async (app) => {
  app.post(
    '/webhooks',
    {
      schema: { body: WebhookCreate },
      config: webhookOperation({
        id: 'createWebhook',
        summary: 'Subscribe to events',
        description:
          'The response contains the secret only if the server generated it, and no later call returns it. To list or delete webhooks, use the control plane.',
        fidelity: documentedBut(
          `Assumed: the status and the response. The call needs no scope. url and events are required. A workspace has at most ${String(MAX_SUBSCRIPTIONS)} webhooks.`,
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
}
