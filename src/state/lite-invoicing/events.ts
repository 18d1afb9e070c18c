/** The events of lite invoices. The specification names no events of this interface: both are assumed. */
import type { Workspace } from '../workspace/workspace.ts'
import type { invoices } from './tables.ts'

interface InvoiceEvent {
  readonly invoice: typeof invoices.$inferSelect
}

/** The data of each event: the current record. */
export interface LiteInvoicingEvents {
  'invoice.issued': InvoiceEvent
  'invoice.canceled': InvoiceEvent
}

export type LiteInvoicingEvent = keyof LiteInvoicingEvents

/** Appends an event of the invoice. Call it inside a `write`. */
export function appendInvoiceEvent(
  workspace: Workspace,
  name: LiteInvoicingEvent,
  invoice: InvoiceEvent['invoice'],
): void {
  workspace.append({ interface: 'lite-invoicing', name, record: invoice.id, data: { invoice } })
}
