/** The wire format of integration payments. Specification part 2, "Integration payments". */
import type { Wire } from '../../http/definition/definition.ts'
import { publish } from '../../http/definition/events.ts'
import { checkoutPages } from './checkoutPages.ts'
import { collections } from './collections.ts'
import { customers } from './customers.ts'
import { integrationPaymentsDialect } from './dialect.ts'
import { events } from './events.ts'
import * as payloads from './payloads.ts'
import { paymentLinks } from './paymentLinks.ts'
import { products } from './products.ts'
import { integrationPaymentTriggers } from './triggers.ts'

export const wire: Wire = {
  dialect: integrationPaymentsDialect,
  resources: [products, customers, collections, paymentLinks],
  pages: checkoutPages,
  events: publish(events, payloads),
  triggers: integrationPaymentTriggers,
}
