/** The wire of lite invoicing: its dialect, routes, pages, events and triggers. Specification part 2, "Lite invoicing". */
import type { Wire } from '../../http/definition/definition.ts'
import { publish } from '../../http/definition/events.ts'
import { liteInvoicingDialect } from './dialect.ts'
import { events } from './events.ts'
import { invoicePages } from './invoicePages.ts'
import { invoices } from './invoices.ts'
import * as payloads from './payloads.ts'
import { taxpayers } from './taxpayers.ts'
import { liteInvoicingTriggers } from './triggers.ts'

export const wire: Wire = {
  dialect: liteInvoicingDialect,
  resources: [taxpayers, invoices],
  pages: invoicePages,
  events: publish(events, payloads),
  triggers: liteInvoicingTriggers,
}
