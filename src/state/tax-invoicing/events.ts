/** The events of tax invoicing. Specification part 2, "Events": the six of its subscription example. */
import type { Workspace } from '../workspace/workspace.ts'
import type { cancellations, certificates, invoices, receipts } from './tables.ts'

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

export type TaxInvoicingEventName = keyof TaxInvoicingEvents

/** Appends an event of the record with this id. Call it inside a `write`. */
export function appendTaxInvoicingEvent<Name extends TaxInvoicingEventName>(
  workspace: Workspace,
  name: Name,
  record: string,
  data: TaxInvoicingEvents[Name],
): void {
  workspace.append({ interface: 'tax-invoicing', name, record, data: { ...data } })
}
