/** The schema of the event data of lite invoicing, which is assumed. */
import { Type } from '@sinclair/typebox'
import { Assumed, named } from '../../http/schemas/schemas.ts'
import { InvoiceOfEvent } from './shapes/invoices.ts'

export const InvoiceData = named(
  'InvoiceData',
  Assumed(
    'The specification shows no events of this interface. The data is the current invoice.',
    Type.Object({ invoice: InvoiceOfEvent.item }),
  ),
)
