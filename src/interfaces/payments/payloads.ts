/** The schemas of the event data of payments; all are assumed. */
import { Type, type TProperties } from '@sinclair/typebox'
import { Assumed, FreeObject, named, Nullable, OneOf } from '../../http/schemas/schemas.ts'
import { FAILURES } from '../../state/shared/cards.ts'
import { Id } from './schemas/common.ts'
import { Settlement } from './schemas/reports.ts'
import { Refund, Transaction } from './schemas/transactions.ts'

const data = <Fields extends TProperties>(name: string, fields: Fields) =>
  named(
    `${name}EventData`,
    Assumed(
      'The specification does not show the event data; the simulator sends the records of the event by name, as the operations return them.',
      Type.Object(fields),
    ),
  )

/** The transaction and its link, whose reference and metadata identify an order of the receiver. */
const paymentFields = {
  transaction: Transaction,
  payment_link: Nullable(
    Type.Object({
      id: Id('pl_'),
      reference: Nullable(Type.String({ examples: ['F-2031'] })),
      metadata: FreeObject(),
    }),
  ),
}

export const PaymentCompleted = data('PaymentCompleted', paymentFields)
export const PaymentFailed = data('PaymentFailed', { ...paymentFields, failure_reason: OneOf(FAILURES) })
export const PaymentRefunded = data('PaymentRefunded', { refund: Refund, ...paymentFields })
export const SettlementCompleted = data('SettlementCompleted', { settlement: Settlement })
