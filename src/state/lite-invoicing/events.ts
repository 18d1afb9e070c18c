/** What happens to lite invoices. The specification names no events of this interface: both are assumed. */
import type { Workspace } from '../workspace.ts'
import type { invoices } from './tables.ts'

interface InvoiceEvent {
  readonly invoice: typeof invoices.$inferSelect
}

/** What each event tells of: records as they now are. */
export interface LiteInvoicingEvents {
  'invoice.issued': InvoiceEvent
  'invoice.canceled': InvoiceEvent
}

export type LiteInvoicingEvent = keyof LiteInvoicingEvents

/** Tells of the invoice. Only inside a `write`. */
export function appendInvoiceEvent(
  workspace: Workspace,
  name: LiteInvoicingEvent,
  invoice: InvoiceEvent['invoice'],
): void {
  workspace.append({ interface: 'lite-invoicing', name, record: invoice.id, data: { invoice } })
}
