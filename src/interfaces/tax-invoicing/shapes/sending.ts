/** Wire shapes of e-mails with invoices. Specification part 2, "Tax invoicing". */
import { Type } from '@sinclair/typebox'
import { Assumed, assumedDefault, Instant, named, Nullable } from '../../../http/schemas/schemas.ts'
import { Id, Text } from '../../../http/schemas/wireShapes.ts'
import { Email } from './common.ts'
import { Uuid } from './invoices.ts'

export const SendBody = named(
  'InvoiceSend',
  Type.Object({
    email: Type.Optional(
      Nullable(
        Email('cuentas@ure.example', {
          description: 'Default is the e-mail address of the client with this tax id (assumed).',
        }),
      ),
    ),
    include_xml: Type.Boolean(assumedDefault(true)),
    include_pdf: Type.Boolean(assumedDefault(true)),
    message: Type.Optional(
      Nullable(Text(5000, 'Adjuntamos su factura.', { description: 'Default is a short standard text.' })),
    ),
  }),
)

export const SentInvoice = named(
  'SentInvoice',
  Assumed(
    'The specification does not show the response. It has the recipient and the attached files.',
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
