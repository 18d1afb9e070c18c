/** What tax invoicing says and takes. Specification part 2, "Tax invoicing". */
import type { Wire } from '../entry.ts'
import { clients } from './clients.ts'
import { taxInvoicingDialect } from './dialect.ts'
import { publishedEvents } from './events.ts'
import { products } from './products.ts'
import { satCatalogs } from './satCatalogs.ts'

export const wire: Wire = {
  dialect: taxInvoicingDialect,
  resources: [clients, products, satCatalogs],
  events: publishedEvents,
}
