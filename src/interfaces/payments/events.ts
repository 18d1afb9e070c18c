/** The published events of payments. Specification part 2, "Events", shows the four names but not the event data. */
import { Type } from '@sinclair/typebox'
import type { PublishedEvent } from '../../http/definition/definition.ts'
import { Assumed, named, Nullable, OneOf } from '../../http/schemas/schemas.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import type { PaymentEventName } from '../../state/payments/events.ts'
import { FAILURES } from '../../state/shared/cards.ts'
import { PaidLink } from './shapes/links.ts'
import { Settlement } from './shapes/reports.ts'
import { Refund, Transaction } from './shapes/transactions.ts'

const Data = (name: string, properties: Parameters<typeof Type.Object>[0]) =>
  named(
    `${name}EventData`,
    Assumed(
      'The specification does not show the event data; the simulator sends the records of the event by name, as the operations return them.',
      Type.Object(properties),
    ),
  )

/** The transaction and its link, whose reference and metadata identify an order of the receiver. */
const paymentFields = {
  transaction: Transaction.item,
  payment_link: Nullable(PaidLink.item),
}

const PAYLOADS = {
  'payment.completed': ['A payment was completed', Data('PaymentCompleted', paymentFields)],
  'payment.failed': [
    'A payment failed',
    Data('PaymentFailed', { ...paymentFields, failure_reason: OneOf(FAILURES) }),
  ],
  'payment.refunded': [
    'A payment was refunded in full or in part',
    Data('PaymentRefunded', { refund: Refund.item, ...paymentFields }),
  ],
  'settlement.completed': [
    'A settlement was deposited',
    Data('SettlementCompleted', { settlement: Settlement.item }),
  ],
} as const satisfies Record<PaymentEventName, unknown>

/** In the order in which they occur for a payment. */
export const publishedEvents: readonly PublishedEvent[] = Object.entries(PAYLOADS).map(
  ([name, [title, payload]]) => ({
    name,
    title,
    payload,
    fidelity: documentedBut('The specification shows the name; the event data is assumed.'),
  }),
)
