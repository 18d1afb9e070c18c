/** The schema of the event data of lite invoicing, which is assumed. */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable, OneOf } from '../../http/schemas/schemas.ts'
import { RECEIVER_TYPES } from '../../state/lite-invoicing/tables.ts'
import { IssuedInvoice } from './schemas.ts'

export const InvoiceData = named(
  'InvoiceData',
  Assumed(
    'The specification shows no events of this interface. The data is the current invoice.',
    Type.Object({
      invoice: Type.Object({
        ...IssuedInvoice.properties,
        client: Type.Object({
          taxReceiverType: OneOf(RECEIVER_TYPES),
          taxName: Type.String(),
          taxId: Nullable(Type.String()),
          taxDv: Nullable(Type.Integer()),
          email: Nullable(Type.String()),
        }),
        canceledAt: Nullable(Instant()),
        reason: Nullable(Type.String()),
      }),
    }),
  ),
)
