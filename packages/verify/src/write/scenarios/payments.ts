/** Payment links and subscriptions. */
import { NAME, NO_RECEIVER, type Scenarios } from '../scenario.ts'

const LINK = { link_id: '{link}' }
const WEBHOOK = { webhook_id: '{webhook}' }

export const paymentsScenarios: Scenarios = {
  interface: 'payments',
  scenarios: [
    {
      resource: 'payment-links',
      sideEffect: 'A disabled link stays in the list. Payers can no longer use it.',
      steps: [
        {
          operation: 'createPaymentLink',
          body: {
            amount: 12500,
            currency: 'USD',
            description: NAME,
            payment_methods: ['network_1', 'ach'],
            expires_at: '2031-01-31T12:00:00Z',
            max_payments: 1,
            reference: '{run}',
            metadata: { run: '{run}' },
          },
          save: { link: 'data.id' },
          creates: {
            id: 'link',
            undo: { operation: 'disablePaymentLink', path: LINK, done: [409] },
            find: { operation: 'listPaymentLinks', query: { status: 'active' } },
          },
        },
        { operation: 'getPaymentLink', path: LINK },
        { operation: 'listPaymentLinks', query: { status: 'active', per_page: '100' }, rows: '{link}' },
        { operation: 'createPaymentLink', body: { amount: 0, description: NAME }, refused: 422 },
        {
          operation: 'createPaymentLink',
          body: { amount: 1, currency: 'EUR', description: NAME },
          refused: 422,
        },
        { operation: 'disablePaymentLink', path: LINK, moves: 'payments.link disable' },
        { operation: 'getPaymentLink', path: LINK },
        { operation: 'disablePaymentLink', path: LINK },
      ],
    },
    {
      resource: 'webhooks',
      steps: [
        {
          operation: 'createWebhook',
          body: { url: `${NO_RECEIVER}/{run}`, events: ['settlement.completed'] },
          save: { webhook: 'data.id' },
          creates: {
            id: 'webhook',
            undo: { operation: 'deleteWebhook', path: WEBHOOK },
            find: { operation: 'listWebhooks' },
          },
        },
        { operation: 'updateWebhook', path: WEBHOOK, body: { active: false } },
        { operation: 'getWebhook', path: WEBHOOK },
        { operation: 'listWebhooks', query: { per_page: '100' }, rows: '{webhook}' },
        { operation: 'updateWebhook', path: WEBHOOK, body: { events: ['payment.forgotten'] }, refused: 422 },
        { operation: 'deleteWebhook', path: WEBHOOK },
        { operation: 'getWebhook', path: WEBHOOK, refused: 404 },
      ],
    },
  ],
  uncovered: { refundTransaction: 'only a payment of a person can be refunded' },
}
