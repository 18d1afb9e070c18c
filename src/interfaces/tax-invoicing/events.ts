/** The events of tax invoicing. Specification part 2, "Events": it shows six names, but no payloads. */
import type { EventsOf } from '../../http/definition/events.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import type { TaxInvoicingEvents } from '../../state/tax-invoicing/documents/events.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type * as payloads from './payloads.ts'
import { Invoice } from './shapes/invoices.ts'
import { certificateView, receiptView } from './views.ts'

const fidelity = documentedBut('The specification shows the name, but not the payload.')

const ofInvoice = {
  fidelity,
  payload: 'InvoiceData',
  view: ({ invoice }: TaxInvoicingEvents['invoice.created'], workspace: Workspace) => ({
    invoice: Invoice.view(invoice, workspace),
  }),
} as const

/** In the order of the specification. */
export const events: EventsOf<TaxInvoicingEvents, typeof payloads> = {
  'invoice.created': { title: 'An invoice was stamped', ...ofInvoice },
  'invoice.cancelled': { title: 'An invoice was cancelled', ...ofInvoice },
  'invoice.cancellation_accepted': {
    title: 'A cancellation was accepted, or its deadline passed',
    ...ofInvoice,
  },
  'invoice.cancellation_rejected': { title: 'A cancellation was rejected', ...ofInvoice },
  'payment_receipt.created': {
    title: 'A payment receipt was stamped',
    fidelity,
    payload: 'PaymentReceiptData',
    view: ({ receipt }, workspace) => ({ payment_receipt: receiptView(receipt, workspace) }),
  },
  'certificate.expiring': {
    title: 'The certificate of the issuer is about to expire',
    fidelity,
    payload: 'CertificateData',
    view: ({ certificate, at }) => ({ certificate: certificateView(certificate, at) }),
  },
}
