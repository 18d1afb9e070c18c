/** Webhooks of tax invoicing. Specification part 2, "Tax invoicing", "Events". */
import type { Resource } from '../../http/definition.ts'
import { operationsOf } from '../../http/operation.ts'
import { documentedBut } from '../../state/fidelity.ts'
import { OfferedWebhooks } from '../../webhooks/offered.ts'
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
          'A secret that was sent is never shown; one that had to be made up is told here and never again. No call lists or removes webhooks: the control plane does.',
        fidelity: documentedBut(
          `Assumed: status and answer, that any key may, and that url and events are required; a workspace holds at most ${String(MAX_SUBSCRIPTIONS)} of them.`,
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
}
