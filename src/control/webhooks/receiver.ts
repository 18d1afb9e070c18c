/** A built-in webhook receiver that accepts everything. The list of deliveries shows what it received. */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { controlOperation } from '../shared/dialect.ts'

/** Stores nothing, so it needs no token; webhook deliveries have none. */
export const receiver: Resource = async (app) => {
  app.post(
    '/receiver',
    {
      config: controlOperation('Webhooks', {
        id: 'receiveWebhook',
        summary: 'Receive and discard a webhook',
        description:
          'Subscribe this URL if you have no receiver yet. To make its deliveries fail, create a fault.',
        open: true,
        answers: { 200: Type.Object({ received: Type.Boolean() }) },
      }),
    },
    () => ({ received: true }),
  )
}
