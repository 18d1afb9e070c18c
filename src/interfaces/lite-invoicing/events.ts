/** The published events of lite invoicing. The specification names none. */
import { Type } from '@sinclair/typebox'
import type { PublishedEvent } from '../../http/definition/definition.ts'
import { Assumed, named } from '../../http/schemas/schemas.ts'
import { assumed } from '../../state/model/fidelity.ts'
import type { LiteInvoicingEvent } from '../../state/lite-invoicing/events.ts'
import { InvoiceOfEvent } from './shapes/invoices.ts'

const InvoiceData = named(
  'InvoiceData',
  Assumed(
    'The specification shows no events of this interface. The data is the current invoice.',
    Type.Object({ invoice: InvoiceOfEvent.item }),
  ),
)

interface LiteEvent extends PublishedEvent {
  readonly name: LiteInvoicingEvent
}

const NONE_SHOWN =
  'The specification shows no events of this interface. Use the control plane to subscribe to them.'

export const publishedEvents: readonly LiteEvent[] = [
  {
    name: 'invoice.issued',
    title: 'An invoice was issued',
    payload: InvoiceData,
    fidelity: assumed(NONE_SHOWN),
  },
  {
    name: 'invoice.canceled',
    title: 'An invoice was canceled',
    payload: InvoiceData,
    fidelity: assumed(NONE_SHOWN),
  },
]
