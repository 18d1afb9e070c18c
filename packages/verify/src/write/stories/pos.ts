/** Subscriptions. */
import { NO_RECEIVER, type Stories } from '../story.ts'

const WEBHOOK = { id: '{webhook}' }

export const posStories: Stories = {
  interface: 'pos',
  stories: [
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
