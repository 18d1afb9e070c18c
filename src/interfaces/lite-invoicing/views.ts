/** The data of the events of lite invoicing. */
import type { LiteInvoicingEvents } from '../../state/lite-invoicing/events.ts'
import type { EventViews } from '../../state/workspace/events.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { InvoiceOfEvent } from './shapes/invoices.ts'

const invoiceEventData = ({ invoice }: LiteInvoicingEvents['invoice.issued'], workspace: Workspace) => ({
  invoice: InvoiceOfEvent.view(invoice, workspace),
})

export const eventViews: EventViews<LiteInvoicingEvents> = {
  'invoice.issued': invoiceEventData,
  'invoice.canceled': invoiceEventData,
}
