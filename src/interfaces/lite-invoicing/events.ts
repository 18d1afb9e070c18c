/** The events of lite invoicing. The specification names none. */
import type { EventsOf } from '../../http/definition/events.ts'
import { assumed } from '../../state/model/fidelity.ts'
import type { LiteInvoicingEvents } from '../../state/lite-invoicing/events.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type * as payloads from './payloads.ts'
import { InvoiceOfEvent } from './shapes/invoices.ts'

const ofInvoice = {
  fidelity: assumed(
    'The specification shows no events of this interface. Use the control plane to subscribe to them.',
  ),
  payload: 'InvoiceData',
  view: ({ invoice }: LiteInvoicingEvents['invoice.issued'], workspace: Workspace) => ({
    invoice: InvoiceOfEvent.view(invoice, workspace),
  }),
} as const

export const events: EventsOf<LiteInvoicingEvents, typeof payloads> = {
  'invoice.issued': { title: 'An invoice was issued', ...ofInvoice },
  'invoice.canceled': { title: 'An invoice was canceled', ...ofInvoice },
}
