/** Subscriptions. */
import { NO_RECEIVER, type Scenarios } from '../scenario.ts'

const WEBHOOK = { id: '{webhook}' }

export const posScenarios: Scenarios = {
  interface: 'pos',
  scenarios: [
    {
      resource: 'webhooks',
      steps: [
        {
          operation: 'createWebhook',
          body: { url: `${NO_RECEIVER}/{run}`, events: ['cash_session.closed'] },
          save: { webhook: 'webhook.id' },
          creates: {
            id: 'webhook',
            undo: { operation: 'deleteWebhook', path: WEBHOOK },
            find: { operation: 'listWebhooks' },
          },
        },
        { operation: 'updateWebhook', path: WEBHOOK, body: { isActive: false } },
        { operation: 'listWebhooks', rows: '{webhook}' },
        { operation: 'updateWebhook', path: WEBHOOK, body: { events: ['sale.forgotten'] }, refused: 400 },
        { operation: 'deleteWebhook', path: WEBHOOK },
        { operation: 'deleteWebhook', path: WEBHOOK, refused: 404 },
      ],
    },
  ],
  uncovered: {},
}
