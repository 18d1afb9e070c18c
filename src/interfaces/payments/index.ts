/** Payment links, transactions, refunds, reports, webhooks. Specification part 2, "Payments v1". */
import type { InterfaceDefinition } from '../../http/mount.ts'
import { paymentsDialect } from './dialect.ts'
import { publishedEvents } from './events.ts'
import { links } from './links.ts'
import { payPages } from './payPages.ts'
import { paymentsProfile } from './profile.ts'
import { reports } from './reports.ts'
import { transactions } from './transactions.ts'
import { webhooks } from './webhooks.ts'

export const payments: InterfaceDefinition = {
  name: 'payments',
  title: 'Payments',
  description:
    'Payment links, transactions, refunds, reports and webhooks; amounts are integer cents. No permission is documented and none is asked for; no value of a rate limit is shown and none is enforced.',
  basePath: '/pay/v1',
  dialect: paymentsDialect,
  resources: [links, transactions, reports, webhooks],
  pages: payPages,
  events: publishedEvents,
  eventTime: paymentsProfile.eventTime,
}
