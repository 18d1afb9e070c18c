/** Schemas of transactions and refunds. Specification part 2, "Payments v1". */
import { Type } from '@sinclair/typebox'
import { Assumed, assumedValues, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { lookupBy } from '../../../http/shapes/fields.ts'
import { made, madeFrom, shape } from '../../../http/shapes/shape.ts'
import { LARGEST_AMOUNT } from '../../../state/payments/amounts.ts'
import { transactionMachine } from '../../../state/payments/machines.ts'
import { refundsOf } from '../../../state/payments/refunds.ts'
import { refunds, transactions } from '../../../state/payments/tables.ts'
import { receiptAddress } from '../addresses.ts'
import { Cents, demoId, Id, Method, SentAmount, spanQuery, pageQuery } from './common.ts'

export const Refund = shape({ item: 'Refund', create: 'RefundCreate' }, refunds, {
  fields: () => ({
    id: { schema: Id('ref_') },
    transaction_id: { schema: Id('txn_') },
    amount: {
      sent: 'create',
      schema: Cents({ examples: [2500] }),
      body: SentAmount({
        description: 'In cents. Default is the remaining amount of the transaction.',
        examples: [2500],
      }),
    },
    status: {
      words: assumedValues(
        'The specification shows only processing; the other states are its possible ends.',
        'completed',
        'failed',
      ),
    },
    reason: {
      sent: 'create',
      bounded: true,
      words: { examples: ['The desk came damaged'] },
    },
    created_at: {},
  }),
})

/** A refund in its transaction. */
const RefundOf = shape({}, refunds, {
  fields: () => ({
    ...Refund.fields(),
    completed_at: {},
    failure_reason: { shows: { description: 'Why the refund failed.' } },
  }),
})

const showsRefunds = 'The fields in the specification do not show partial refunds.'

export const Transaction = shape({ item: 'Transaction' }, transactions, {
  fields: () => ({
    id: { schema: Id('txn_') },
    link_id: {
      schema: Id('pl_', { description: 'null only if the fixture or snapshot of the workspace says so.' }),
    },
    amount: { schema: Cents({ description: 'In cents. Refunds do not change it.' }) },
    currency: { words: { examples: ['USD'] } },
    description: {
      words: { description: 'The description of the link (assumed).', examples: ['Invoice F-2031, desk'] },
    },
    status: {},
    payment_method: { words: { examples: ['network_1'] } },
    card_last_four: { words: { description: 'null if no card was used.', examples: ['4242'] } },
    customer: made(
      Type.Object({
        email: Nullable(Type.String({ examples: ['buyer@example.com'] })),
        name: Nullable(Type.String({ examples: ['Ana Castillo'] })),
      }),
      [transactions.customerEmail, transactions.customerName],
      ([email, name]) => ({ email, name }),
    ),
    receipt_url: made(
      Nullable(
        Type.String({
          format: 'uri',
          description: 'The receipt page; null until the payment is completed (assumed).',
          examples: [`https://sim.example.com/pay/links/demo/receipts/${demoId('txn_')}`],
        }),
      ),
      [transactions.id, transactions.completedAt],
      ([id, completedAt], workspace) => (completedAt === null ? null : receiptAddress(workspace, id)),
    ),
    created_at: {},
    completed_at: { shows: { description: 'null until the payment is completed.' } },
    refunded_amount: {
      assumed: showsRefunds,
      schema: Cents({
        description: 'In cents: the sum of its refunds, without failed ones.',
        examples: [2500],
      }),
    },
    refunds: madeFrom(
      Assumed(
        showsRefunds,
        Type.Array(RefundOf.item, { description: 'The newest refunds first, at most 100.' }),
      ),
      lookupBy(transactions.id, refundsOf.ofEach),
      (newest = [], workspace) => RefundOf.views(newest, workspace),
    ),
  }),
})

export const TransactionId = Type.Object({ transaction_id: Id('txn_') })

const Bound = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: LARGEST_AMOUNT, description }))

export const TransactionQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(OneOf(transactionMachine.states)),
  payment_method: Type.Optional(Method()),
  link_id: Type.Optional(Id('pl_', { description: 'An unknown link returns an empty list (assumed).' })),
  ...spanQuery,
  min_amount: Bound('In cents: at least this amount.'),
  max_amount: Bound('In cents: at most this amount.'),
})
