/** Wire shapes of transactions and refunds. Specification part 2, "Payments v1". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable, OneOf } from '../../../http/schemas.ts'
import { LARGEST_AMOUNT } from '../../../state/payments/amounts.ts'
import { LONGEST_REASON } from '../../../state/payments/refunds.ts'
import { refundMachine, transactionMachine } from '../../../state/payments/machines.ts'
import { Cents, demoId, Id, Method, PaymentCurrency, SentAmount, spanQuery, pageQuery } from './common.ts'

const reason = Assumed(
  'The specification shows no length.',
  Type.String({ maxLength: LONGEST_REASON, examples: ['The desk came damaged'] }),
)

export const Refund = named(
  'Refund',
  Type.Object({
    id: Id('ref_'),
    transaction_id: Id('txn_'),
    amount: Cents({ examples: [2500] }),
    status: Assumed('Only processing is shown; a refund has to end.', OneOf(refundMachine.states)),
    reason: Nullable(reason),
    created_at: Instant(),
  }),
)

const seen = 'The fields that are shown do not tell what was refunded of it in part.'

export const Transaction = named(
  'Transaction',
  Type.Object({
    id: Id('txn_'),
    link_id: Nullable(
      Id('pl_', { description: 'null only where the data that the workspace was filled with says so.' }),
    ),
    amount: Cents({ description: 'In cents; refunds leave it as it is.' }),
    currency: PaymentCurrency(),
    description: Nullable(
      Type.String({ description: 'That of the link (assumed).', examples: ['Invoice F-2031, desk'] }),
    ),
    status: OneOf(transactionMachine.states),
    payment_method: Method(),
    card_last_four: Nullable(
      Type.String({ description: 'null where no card was used.', examples: ['4242'] }),
    ),
    customer: Type.Object({
      email: Nullable(Type.String({ examples: ['buyer@example.com'] })),
      name: Nullable(Type.String({ examples: ['Ana Castillo'] })),
    }),
    receipt_url: Nullable(
      Type.String({
        format: 'uri',
        description: 'A page; null until the payment is completed (assumed).',
        examples: [`https://sim.example.com/pay/links/demo/receipts/${demoId('txn_')}`],
      }),
    ),
    created_at: Instant(),
    completed_at: Nullable(Instant({ description: 'null until the payment is completed.' })),
    refunded_amount: Assumed(
      seen,
      Cents({ description: 'In cents: its refunds, those that failed left out.', examples: [2500] }),
    ),
    refunds: Assumed(
      seen,
      Type.Array(
        Type.Object({
          ...Refund.properties,
          completed_at: Nullable(Instant()),
          failure_reason: Nullable(Type.String({ description: 'Why it failed.' })),
        }),
        { description: 'The newest first, 100 at most.' },
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
  link_id: Type.Optional(
    Id('pl_', { description: 'Of a link that does not exist there are none (assumed).' }),
  ),
  ...spanQuery,
  min_amount: Bound('In cents; of this amount or more.'),
  max_amount: Bound('In cents; of this amount or less.'),
})

export const RefundCreate = named(
  'RefundCreate',
  Type.Object({
    amount: Type.Optional(
      SentAmount({
        description:
          'In cents. Default is what is left of the transaction: all of it where nothing was refunded.',
        examples: [2500],
      }),
    ),
    reason: Type.Optional(Nullable(reason)),
  }),
)
