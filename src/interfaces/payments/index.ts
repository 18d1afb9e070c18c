/** Payment links, transactions, refunds, reports, webhooks. Specification part 2, "Payments v1". */
import type { InterfaceDefinition } from '../../http/mount.ts'
import { paymentsDialect } from './dialect.ts'
import { links } from './links.ts'
import { transactions } from './transactions.ts'

export const payments: InterfaceDefinition = {
  name: 'payments',
  title: 'Payments',
  description: 'Payment links, transactions, refunds, reports and webhooks; amounts are integer cents.',
  basePath: '/pay/v1',
  dialect: paymentsDialect,
  resources: [links, transactions],
}
