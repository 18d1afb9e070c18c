/** Wire shapes of the reports. Specification part 2, "Payments v1": "Revenue report", "Settlement". */
import { Type } from '@sinclair/typebox'
import {
  Assumed,
  CalendarDate,
  Instant,
  named,
  Nullable,
  OneOf,
  SentEnd,
  SentInstant,
} from '../../../http/schemas.ts'
import { settlementMachine } from '../../../state/payments/machines.ts'
import { GROUPINGS } from '../../../state/payments/revenue.ts'
import { CURRENCIES, PAYMENT_METHODS } from '../../../state/payments/tables.ts'
import { Cents, Id, PaymentCurrency, spanQuery, pageQuery } from './common.ts'

export const RevenueQuery = Type.Object({
  from: SentInstant({
    description: 'Payments completed at this moment or later.',
    examples: ['2026-11-01T00:00:00Z'],
  }),
  to: SentEnd({
    description: 'Payments completed up to this moment, which is part of it.',
    examples: ['2026-11-30T23:59:59Z'],
  }),
  group_by: OneOf(GROUPINGS, { default: 'day' }),
})

const Revenue = (description: string) => Cents({ description, examples: [48200] })

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [4] })

const takings = {
  revenue: Revenue('In cents.'),
  transactions: Count('Payments that were not refunded as a whole (assumed).'),
}

const Takings = named('Takings', Type.Object(takings))

export const RevenueReport = named(
  'RevenueReport',
  Type.Object({
    total_revenue: Revenue(
      'In cents: what was paid, less what was refunded of it since; in both currencies together (assumed).',
    ),
    total_transactions: Count('Payments that were not refunded as a whole (assumed).'),
    average_amount: Cents({
      description: 'total_revenue for each transaction, rounded; 0 where there is none (assumed).',
      examples: [12050],
    }),
    currency: PaymentCurrency({
      description: 'That of the workspace where it is one of them, else USD (assumed).',
    }),
    by_period: Type.Array(
      Type.Object({
        date: CalendarDate({
          description:
            'The first day of the period, in the time zone of the workspace; weeks begin on Monday (assumed).',
        }),
        ...takings,
      }),
      { description: 'Every period that from and to enclose, those without a payment too (assumed).' },
    ),
    by_payment_method: Type.Object(
      Object.fromEntries(PAYMENT_METHODS.map((method) => [method, Type.Optional(Takings)])),
      { description: 'Only methods that were paid with (assumed).' },
    ),
    by_currency: Assumed(
      'Not shown: the sums are of both currencies, for the balboa is worth a dollar by law; this tells them apart.',
      Type.Object(Object.fromEntries(CURRENCIES.map((currency) => [currency, Type.Optional(Takings)])), {
        description: 'Only currencies that were paid in.',
      }),
    ),
  }),
)

export const Settlement = named(
  'Settlement',
  Type.Object({
    id: Id('stl_'),
    amount: Cents({
      description: 'In cents: the payments, less what was refunded of them and of payments settled before.',
      examples: [48200],
    }),
    fees: Cents({ examples: [1518] }),
    net_amount: Cents({ description: 'amount less fees.', examples: [46682] }),
    currency: PaymentCurrency(),
    transactions_count: Count('Payments, those that were refunded as a whole left out (assumed).'),
    status: OneOf(settlementMachine.states),
    bank_account_last_four: Type.String({ examples: ['6789'] }),
    deposited_at: Nullable(Instant({ description: 'null until it is deposited.' })),
    period_from: Instant(),
    period_to: Instant(),
  }),
)

export const SettlementQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(OneOf(settlementMachine.states)),
  ...spanQuery,
})
