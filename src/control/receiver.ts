/** A receiver of webhooks for whoever has none yet: what it was sent is on the list of deliveries. */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../http/definition.ts'
import { controlOperation } from './dialect.ts'

/** It keeps nothing, so it is open to the sender of webhooks, who has no token. */
export const receiver: Resource = async (app) => {
  app.post(
    '/receiver',
    {
      config: controlOperation('Webhooks', {
        id: 'receiveWebhook',
        summary: 'Take a webhook and do nothing with it',
        description:
          'An address to subscribe with where there is none yet; a fault has its deliveries go wrong.',
        open: true,
        answers: { 200: Type.Object({ received: Type.Boolean() }) },
      }),
    },
    () => ({ received: true }),
  )
}
