/** Subscriptions to webhooks: all that the interface has. */
import { rowsOf, subscription, type Loader } from './loader.ts'

export const pos: Loader = (readings) => {
  const webhooks = rowsOf(readings, 'listWebhooks')
  return {
    snapshot: {
      webhooks: {
        subscriptions: webhooks.rows.map(({ row }) => ({
          ...subscription('pos', row),
          active: row['isActive'],
        })),
      },
    },
    isComplete: webhooks.isComplete,
  }
}
