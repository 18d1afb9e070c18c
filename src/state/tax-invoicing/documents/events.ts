/** The events of tax invoicing. Specification part 2, "Events": the six of its subscription example. */
import { appenderOf } from '../../workspace/events.ts'
import type { cancellations, certificates, invoices, receipts } from '../tables.ts'

interface InvoiceEvent {
  readonly invoice: typeof invoices.$inferSelect
}

interface CancellationEvent extends InvoiceEvent {
  readonly cancellation: typeof cancellations.$inferSelect
}

export interface TaxInvoicingEvents {
  'invoice.created': InvoiceEvent
  'invoice.cancelled': InvoiceEvent
  'invoice.cancellation_accepted': CancellationEvent
  'invoice.cancellation_rejected': CancellationEvent
  'payment_receipt.created': { readonly receipt: typeof receipts.$inferSelect }
  'certificate.expiring': { readonly certificate: typeof certificates.$inferSelect; readonly at: number }
}

export const appendTaxInvoicingEvent = appenderOf<TaxInvoicingEvents>('tax-invoicing')
