/** The events of lite invoicing as they are published: the specification names none. */
import { Type } from '@sinclair/typebox'
import type { PublishedEvent } from '../../http/definition.ts'
import { Assumed, named } from '../../http/schemas.ts'
import { assumed } from '../../state/fidelity.ts'
import type { LiteInvoicingEvent } from '../../state/lite-invoicing/events.ts'
import { InvoiceEventData } from './schemas.ts'

const InvoiceData = named(
  'InvoiceData',
  Assumed(
    'No event of this interface is shown: the invoice as it now is.',
    Type.Object({ invoice: InvoiceEventData }),
  ),
)

interface Described extends PublishedEvent {
  readonly name: LiteInvoicingEvent
}

const NONE_SHOWN =
  'The specification shows no events of this interface; subscriptions to them are made over the control plane.'

export const publishedEvents: readonly Described[] = [
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
