/**
 * The events of payments as they are published. Specification part 2, "Events": the four names are shown, and nothing
 * of what they carry.
 */
import { Type } from '@sinclair/typebox'
import type { PublishedEvent } from '../../http/definition.ts'
import { Assumed, FreeObject, named, Nullable, OneOf } from '../../http/schemas.ts'
import { documentedBut } from '../../state/fidelity.ts'
import type { PaymentEventName } from '../../state/payments/events.ts'
import { FAILURES } from '../../state/cards.ts'
import { Id } from './schemas/common.ts'
import { Settlement } from './schemas/reports.ts'
import { Refund, Transaction } from './schemas/transactions.ts'

const Data = (name: string, properties: Parameters<typeof Type.Object>[0]) =>
  named(
    `${name}EventData`,
    Assumed(
      'The specification shows nothing of what an event carries: the records that it is about, as they are answered, by name.',
      Type.Object(properties),
    ),
  )

/** What a receiver tells its own order by. */
const paidBy = {
  transaction: Transaction,
  payment_link: Nullable(
    Type.Object({
      id: Id('pl_'),
      reference: Nullable(Type.String({ examples: ['F-2031'] })),
      metadata: FreeObject(),
    }),
  ),
}

const PAYLOADS = {
  'payment.completed': ['A payment was completed', Data('PaymentCompleted', paidBy)],
  'payment.failed': [
    'A payment failed',
    Data('PaymentFailed', { ...paidBy, failure_reason: OneOf(FAILURES) }),
  ],
  'payment.refunded': [
    'A payment was refunded, as a whole or in part',
    Data('PaymentRefunded', { refund: Refund, ...paidBy }),
  ],
  'settlement.completed': [
    'A settlement was deposited',
    Data('SettlementCompleted', { settlement: Settlement }),
  ],
} as const satisfies Record<PaymentEventName, unknown>

/** In the order of a payment's life. */
export const publishedEvents: readonly PublishedEvent[] = Object.entries(PAYLOADS).map(
  ([name, [title, payload]]) => ({
    name,
    title,
    payload,
    fidelity: documentedBut('The name is shown; what the event carries is assumed.'),
  }),
)
