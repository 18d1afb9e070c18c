/** The schemas of the event data of tax invoicing; all are assumed. */
import { Type, type TProperties } from '@sinclair/typebox'
import { Assumed, Instant, named } from '../../http/schemas/schemas.ts'
import { Invoice } from './shapes/invoices.ts'
import { PaymentReceipt } from './shapes/receipts.ts'

const data = <Fields extends TProperties>(name: string, fields: Fields) =>
  named(
    `${name}EventData`,
    Assumed(
      'The specification shows no payloads. The simulator sends the record as the GET operation returns it.',
      Type.Object(fields),
    ),
  )

export const InvoiceData = data('Invoice', { invoice: Invoice.item })

export const CertificateData = data('Certificate', {
  certificate: Type.Object({
    number: Type.String({ description: 'Twenty digits.' }),
    valid_from: Instant(),
    expires_at: Instant(),
    days_left: Type.Integer({ minimum: 0 }),
  }),
})

export const PaymentReceiptData = data('PaymentReceipt', { payment_receipt: PaymentReceipt })
