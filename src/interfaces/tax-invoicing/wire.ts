/** The wire of tax invoicing: its dialect, routes, pages, events and triggers. Specification part 2, "Tax invoicing". */
import type { Wire } from '../../http/definition/definition.ts'
import { publish } from '../../http/definition/events.ts'
import { batches } from './batches.ts'
import { clients } from './clients.ts'
import { taxInvoicingDialect } from './dialect.ts'
import { events } from './events.ts'
import { invoices } from './invoices.ts'
import * as payloads from './payloads.ts'
import { products } from './products.ts'
import { recipientPages } from './recipientPages.ts'
import { reports } from './reports.ts'
import { receipts } from './receipts.ts'
import { satCatalogs } from './satCatalogs.ts'
import { sending } from './sending.ts'
import { taxInvoicingTriggers } from './triggers.ts'
import { webhooks } from './webhooks.ts'

export const wire: Wire = {
  dialect: taxInvoicingDialect,
  resources: [invoices, sending, batches, receipts, clients, products, satCatalogs, reports, webhooks],
  pages: recipientPages,
  events: publish(events, payloads),
  triggers: taxInvoicingTriggers,
}
