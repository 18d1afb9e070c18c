/** Products, customers with stored cards, hosted links. Specification part 2, "Integration payments". */
import type { InterfaceDefinition } from '../../http/mount.ts'
import { checkoutPages } from './checkoutPages.ts'
import { collections } from './collections.ts'
import { customers } from './customers.ts'
import { integrationPaymentsDialect } from './dialect.ts'
import { publishedEvents } from './events.ts'
import { paymentLinks } from './paymentLinks.ts'
import { products } from './products.ts'

export const integrationPayments: InterfaceDefinition = {
  name: 'integration-payments',
  title: 'Integration payments',
  description: 'Products of a project, customers with stored cards, hosted links that collect and charge.',
  basePath: '/integration-pay',
  dialect: integrationPaymentsDialect,
  resources: [products, customers, collections, paymentLinks],
  pages: checkoutPages,
  events: publishedEvents,
}
