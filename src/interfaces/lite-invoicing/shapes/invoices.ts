/** Invoices on the wire, and their cancellation. Specification part 2, "Lite invoicing", "Lite invoice". */
import { Type } from '@sinclair/typebox'
import { documentedLimits, Instant, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { made, shape, valueOf } from '../../../http/shapes/shape.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { invoices, RECEIVER_TYPES } from '../../../state/lite-invoicing/tables.ts'
import { documentAddress } from '../addresses.ts'

const invoiceId = valueOf(invoices.number, { examples: [3] })

/** Formats the number of an invoice with ten digits: "0000000003". */
export const printedNumber = (number: number): string => String(number).padStart(10, '0')

const money = (
  column: typeof invoices.subTotal | typeof invoices.taxTotal | typeof invoices.total,
  example: number,
) =>
  made(Type.Number({ minimum: 0, description: 'In balboas.', examples: [example] }), [column], ([amount]) =>
    Number(amount),
  )

export const IssuedInvoice = shape({ item: 'IssuedInvoice' }, invoices, {
  fields: () => ({
    id: made(invoiceId, [invoices.number], ([number]) => number),
    number: made(
      Type.String({ description: 'The fiscal number, with ten digits.', examples: ['0000000003'] }),
      [invoices.number],
      ([number]) => printedNumber(number),
    ),
    cufe: { schema: Type.String({ description: 'The code of the invoice at the tax authority.' }) },
    status: {},
    branchId: { words: { examples: ['0001'] } },
    subTotal: money(invoices.subTotal, 299.8),
    taxTotal: money(invoices.taxTotal, 20.99),
    total: money(invoices.total, 320.79),
    issuedAt: made(Instant(), [invoices.createdAt], ([createdAt]) => iso(createdAt)),
    documentUrl: made(
      Type.String({ description: 'The URL of the printable page of the invoice.' }),
      [invoices.cufe],
      ([cufe], workspace) => documentAddress(workspace, cufe),
    ),
  }),
})

/** An invoice in the data of events. */
export const InvoiceOfEvent = shape({}, invoices, {
  fields: () => ({
    ...IssuedInvoice.fields(),
    client: made(
      Type.Object({
        taxReceiverType: OneOf(RECEIVER_TYPES),
        taxName: Type.String(),
        taxId: Nullable(Type.String()),
        taxDv: Nullable(Type.Integer()),
        email: Nullable(Type.String()),
      }),
      [invoices.recipient],
      ([{ receiverType, name, taxId, taxDv, email }]) => ({
        taxReceiverType: receiverType,
        taxName: name,
        taxId,
        taxDv,
        email,
      }),
    ),
    canceledAt: {},
    reason: {},
  }),
})

export const InvoiceCancel = named(
  'InvoiceCancel',
  Type.Object({
    id: invoiceId,
    reason: Type.Optional(
      valueOf(invoices.reason, {
        'x-wording': 'must contain at least one non-blank character',
        description: 'Surrounding blanks count. At least one character is not blank (assumed).',
        examples: ['The customer returned the goods'],
        ...documentedLimits('minLength', 'maxLength'),
      }),
    ),
  }),
)

export const CanceledInvoice = named(
  'CanceledInvoice',
  Type.Object({ id: invoiceId, canceled: Type.Literal(true), canceledAt: Instant() }),
)
