/** The schemas of the event data of payments; all are assumed. */
import { Type, type TProperties } from '@sinclair/typebox'
import { Assumed, named, Nullable, OneOf } from '../../http/schemas/schemas.ts'
import { FAILURES } from '@suite-sim/kit/calls/testCards'
import { PaidLink } from './shapes/links.ts'
import { Settlement } from './shapes/reports.ts'
import { Refund, Transaction } from './shapes/transactions.ts'

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
  transaction: Transaction.item,
  payment_link: Nullable(PaidLink.item),
}

export const PaymentCompleted = data('PaymentCompleted', paymentFields)
export const PaymentFailed = data('PaymentFailed', { ...paymentFields, failure_reason: OneOf(FAILURES) })
export const PaymentRefunded = data('PaymentRefunded', { refund: Refund.item, ...paymentFields })
export const SettlementCompleted = data('SettlementCompleted', { settlement: Settlement.item })
