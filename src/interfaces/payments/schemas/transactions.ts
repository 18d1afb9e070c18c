/** Schemas of transactions and refunds. Specification part 2, "Payments v1". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { LARGEST_AMOUNT } from '../../../state/payments/amounts.ts'
import { LONGEST_REASON } from '../../../state/payments/refunds.ts'
import { refundMachine, transactionMachine } from '../../../state/payments/machines.ts'
import { Cents, demoId, Id, Method, PaymentCurrency, SentAmount, spanQuery, pageQuery } from './common.ts'

const reason = Assumed(
  'The specification shows no maximum length.',
  Type.String({ maxLength: LONGEST_REASON, examples: ['The desk came damaged'] }),
)

export const Refund = named(
  'Refund',
  Type.Object({
    id: Id('ref_'),
    transaction_id: Id('txn_'),
    amount: Cents({ examples: [2500] }),
    status: Assumed(
      'The specification shows only processing; the other states are its possible ends.',
      OneOf(refundMachine.states),
    ),
    reason: Nullable(reason),
    created_at: Instant(),
  }),
)

const showsRefunds = 'The fields in the specification do not show partial refunds.'

export const Transaction = named(
  'Transaction',
  Type.Object({
    id: Id('txn_'),
    link_id: Nullable(
      Id('pl_', { description: 'null only if the fixture or snapshot of the workspace says so.' }),
    ),
    amount: Cents({ description: 'In cents. Refunds do not change it.' }),
    currency: PaymentCurrency(),
    description: Nullable(
      Type.String({
        description: 'The description of the link (assumed).',
        examples: ['Invoice F-2031, desk'],
      }),
    ),
    status: OneOf(transactionMachine.states),
    payment_method: Method(),
    card_last_four: Nullable(Type.String({ description: 'null if no card was used.', examples: ['4242'] })),
    customer: Type.Object({
      email: Nullable(Type.String({ examples: ['buyer@example.com'] })),
      name: Nullable(Type.String({ examples: ['Ana Castillo'] })),
    }),
    receipt_url: Nullable(
      Type.String({
        format: 'uri',
        description: 'The receipt page; null until the payment is completed (assumed).',
        examples: [`https://sim.example.com/pay/links/demo/receipts/${demoId('txn_')}`],
      }),
    ),
    created_at: Instant(),
    completed_at: Nullable(Instant({ description: 'null until the payment is completed.' })),
    refunded_amount: Assumed(
      showsRefunds,
      Cents({ description: 'In cents: the sum of its refunds, without failed ones.', examples: [2500] }),
    ),
    refunds: Assumed(
      showsRefunds,
      Type.Array(
        Type.Object({
          ...Refund.properties,
          completed_at: Nullable(Instant()),
          failure_reason: Nullable(Type.String({ description: 'Why the refund failed.' })),
        }),
        { description: 'The newest refunds first, at most 100.' },
      ),
    ),
  }),
)

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

export const RefundCreate = named(
  'RefundCreate',
  Type.Object({
    amount: Type.Optional(
      SentAmount({
        description: 'In cents. Default is the remaining amount of the transaction.',
        examples: [2500],
      }),
    ),
    reason: Type.Optional(Nullable(reason)),
  }),
)
