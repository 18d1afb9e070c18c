/** The wire format of payments. Specification part 2, "Payments v1". */
import type { Wire } from '../../http/definition/definition.ts'
import { publish } from '../../http/definition/events.ts'
import { paymentsDialect } from './dialect.ts'
import { events } from './events.ts'
import { links } from './links.ts'
import { payPages } from './payPages.ts'
import * as payloads from './payloads.ts'
import { reports } from './reports.ts'
import { transactions } from './transactions.ts'
import { paymentTriggers } from './triggers.ts'
import { webhooks } from './webhooks.ts'

export const wire: Wire = {
  dialect: paymentsDialect,
  resources: [links, transactions, reports, webhooks],
  pages: payPages,
  events: publish(events, payloads),
  triggers: paymentTriggers,
}
