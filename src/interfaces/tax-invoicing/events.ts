/** The events of tax invoicing. Specification part 2, "Events": it shows six names, but no payloads. */
import { Type, type TSchema } from '@sinclair/typebox'
import type { PublishedEvent } from '../../http/definition/definition.ts'
import { Assumed, Instant, named } from '../../http/schemas/schemas.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import type { TaxInvoicingEventName } from '../../state/tax-invoicing/events.ts'
import { Invoice } from './schemas/invoices.ts'
import { PaymentReceipt } from './schemas/receipts.ts'

const Data = (name: string, properties: Parameters<typeof Type.Object>[0]) =>
  named(
    `${name}EventData`,
    Assumed(
      'The specification shows no payloads. The simulator sends the record as the GET operation returns it.',
      Type.Object(properties),
    ),
  )

const InvoiceData = Data('Invoice', { invoice: Invoice })

export const CertificateShape = Type.Object({
  number: Type.String({ description: 'Twenty digits.' }),
  valid_from: Instant(),
  expires_at: Instant(),
  days_left: Type.Integer({ minimum: 0 }),
})

const CertificateData = Data('Certificate', { certificate: CertificateShape })

const EVENTS: Readonly<Record<TaxInvoicingEventName, readonly [title: string, payload: TSchema]>> = {
  'invoice.created': ['An invoice was stamped', InvoiceData],
  'invoice.cancelled': ['An invoice was cancelled', InvoiceData],
  'invoice.cancellation_accepted': ['A cancellation was accepted, or its deadline passed', InvoiceData],
  'invoice.cancellation_rejected': ['A cancellation was rejected', InvoiceData],
  'payment_receipt.created': [
    'A payment receipt was stamped',
    Data('PaymentReceipt', { payment_receipt: PaymentReceipt }),
  ],
  'certificate.expiring': ['The certificate of the issuer is about to expire', CertificateData],
}

/** In the order of the specification. */
export const publishedEvents: readonly PublishedEvent[] = Object.entries(EVENTS).map(
  ([name, [title, payload]]) => ({
    name,
    title,
    payload,
    fidelity: documentedBut('The specification shows the name, but not the payload.'),
  }),
)
