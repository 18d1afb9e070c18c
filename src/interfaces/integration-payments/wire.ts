/** The wire format of integration payments. Specification part 2, "Integration payments". */
import type { Wire } from '../../http/definition/definition.ts'
import { checkoutPages } from './checkoutPages.ts'
import { collections } from './collections.ts'
import { customers } from './customers.ts'
import { integrationPaymentsDialect } from './dialect.ts'
import { publishedEvents } from './events.ts'
import { paymentLinks } from './paymentLinks.ts'
import { products } from './products.ts'
import { integrationPaymentTriggers } from './triggers.ts'

export const wire: Wire = {
  dialect: integrationPaymentsDialect,
  resources: [products, customers, collections, paymentLinks],
  pages: checkoutPages,
  events: publishedEvents,
  triggers: integrationPaymentTriggers,
}
