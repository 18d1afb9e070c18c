/** Wire shapes of invoices that are sent by e-mail. Specification part 2, "Tax invoicing". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable } from '../../../http/schemas.ts'
import { Id, Text } from '../../../http/wireShapes.ts'
import { Email } from './common.ts'
import { Uuid } from './invoices.ts'

export const SendBody = named(
  'InvoiceSend',
  Type.Object({
    email: Type.Optional(
      Nullable(
        Email('cuentas@ure.example', {
          description: 'Unless it is sent, that of the client with this tax id (assumed).',
        }),
      ),
    ),
    include_xml: Type.Boolean({ default: true }),
    include_pdf: Type.Boolean({ default: true }),
    message: Type.Optional(
      Nullable(Text(5000, 'Adjuntamos su factura.', { description: 'Usual words unless it is sent.' })),
    ),
  }),
)

export const SentInvoice = named(
  'SentInvoice',
  Assumed(
    'The answer is not shown: to whom what was sent.',
    Type.Object({
      invoice_id: Id('inv_'),
      uuid: Uuid(),
      sent_to: Email('cuentas@ure.example'),
      include_xml: Type.Boolean(),
      include_pdf: Type.Boolean(),
      sent_at: Instant(),
    }),
  ),
)
