/** What tax invoicing says and takes. Specification part 2, "Tax invoicing". */
import type { Wire } from '../entry.ts'
import { clients } from './clients.ts'
import { taxInvoicingDialect } from './dialect.ts'
import { publishedEvents } from './events.ts'
import { invoices } from './invoices.ts'
import { products } from './products.ts'
import { reports } from './reports.ts'
import { receipts } from './receipts.ts'
import { satCatalogs } from './satCatalogs.ts'
import { taxInvoicingTriggers } from './triggers.ts'

export const wire: Wire = {
  dialect: taxInvoicingDialect,
  resources: [invoices, receipts, clients, products, satCatalogs, reports],
  events: publishedEvents,
  triggers: taxInvoicingTriggers,
}
