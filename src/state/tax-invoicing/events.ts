/** What happens in tax invoicing. Specification part 2, "Events": the six that a subscription example shows. */
import type { Workspace } from '../workspace.ts'
import type { cancellations, certificates, invoices, receipts } from './tables.ts'

interface InvoiceTold {
  readonly invoice: typeof invoices.$inferSelect
}

interface CancellationTold extends InvoiceTold {
  readonly cancellation: typeof cancellations.$inferSelect
}

export interface TaxInvoicingEvents {
  'invoice.created': InvoiceTold
  'invoice.cancelled': InvoiceTold
  'invoice.cancellation_accepted': CancellationTold
  'invoice.cancellation_rejected': CancellationTold
  'payment_receipt.created': { readonly receipt: typeof receipts.$inferSelect }
  'certificate.expiring': { readonly certificate: typeof certificates.$inferSelect; readonly at: number }
}

export type TaxInvoicingEventName = keyof TaxInvoicingEvents

/** Appends an event that tells of the record with this id. Only inside a `write`. */
export function appendTaxInvoicingEvent<Name extends TaxInvoicingEventName>(
  workspace: Workspace,
  name: Name,
  record: string,
  data: TaxInvoicingEvents[Name],
): void {
  workspace.append({ interface: 'tax-invoicing', name, record, data: { ...data } })
}
