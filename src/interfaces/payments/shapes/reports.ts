/** Schemas of the reports. Specification part 2, "Payments v1": "Revenue report", "Settlement". */
import { Type } from '@sinclair/typebox'
import { Assumed, CalendarDate, named, OneOf, SentEnd, SentInstant } from '../../../http/schemas/schemas.ts'
import { shape } from '../../../http/shapes/shape.ts'
import { settlementMachine } from '../../../state/payments/machines.ts'
import { SERIES_UNITS } from '../../../state/shared/periods.ts'
import { CURRENCIES } from '../../../state/payments/amounts.ts'
import { PAYMENT_METHODS, settlements } from '../../../state/payments/tables.ts'
import { Cents, Id, PaymentCurrency, spanQuery, pageQuery } from './common.ts'

export const RevenueQuery = Type.Object({
  from: SentInstant({
    description: 'Includes payments completed at this time or later.',
    examples: ['2026-11-01T00:00:00Z'],
  }),
  to: SentEnd({
    description: 'Includes payments completed at this time or earlier.',
    examples: ['2026-11-30T23:59:59Z'],
  }),
  group_by: OneOf(SERIES_UNITS, { default: 'day' }),
})

const Revenue = (description: string) => Cents({ description, examples: [48200] })

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [4] })

const takings = {
  revenue: Revenue('In cents.'),
  transactions: Count('The number of payments that are not refunded (assumed).'),
}

const Takings = named('Takings', Type.Object(takings))

export const RevenueReport = named(
  'RevenueReport',
  Type.Object({
    total_revenue: Revenue('In cents: payments less their refunds, in both currencies together (assumed).'),
    total_transactions: Count('The number of payments that are not refunded (assumed).'),
    average_amount: Cents({
      description: 'total_revenue divided by total_transactions, rounded; 0 without transactions (assumed).',
      examples: [12050],
    }),
    currency: PaymentCurrency({
      description: 'The currency of the workspace if it is one of these, otherwise USD (assumed).',
    }),
    by_period: Type.Array(
      Type.Object({
        date: CalendarDate({
          description:
            'The first day of the period, in the time zone of the workspace. Weeks start on Monday (assumed).',
        }),
        ...takings,
      }),
      {
        description:
          'All periods between from and to, including those without payments (assumed). A to at midnight adds a period only if a payment completed at that instant (assumed).',
      },
    ),
    by_payment_method: Type.Object(
      Object.fromEntries(PAYMENT_METHODS.map((method) => [method, Type.Optional(Takings)])),
      { description: 'Only methods with payments (assumed).' },
    ),
    by_currency: Assumed(
      'The specification does not show this field. The other sums combine both currencies, because the balboa equals one US dollar by law; this field separates them.',
      Type.Object(Object.fromEntries(CURRENCIES.map((currency) => [currency, Type.Optional(Takings)])), {
        description: 'Only currencies with payments.',
      }),
    ),
  }),
)

export const Settlement = shape({ item: 'Settlement' }, settlements, {
  fields: () => ({
    id: { schema: Id('stl_') },
    amount: {
      schema: Cents({
        description: 'In cents: the payments, less their refunds and refunds of payments settled earlier.',
        examples: [48200],
      }),
    },
    fees: { schema: Cents({ examples: [1518] }) },
    net_amount: { schema: Cents({ description: 'amount less fees.', examples: [46682] }) },
    currency: { words: { examples: ['USD'] } },
    transactions_count: {
      schema: Count('The number of payments, without fully refunded ones (assumed).'),
    },
    status: {},
    bank_account_last_four: { words: { examples: ['6789'] } },
    deposited_at: { words: { description: 'null until it is deposited.' } },
    period_from: {},
    period_to: {},
  }),
})

export const SettlementQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(OneOf(settlementMachine.states)),
  ...spanQuery,
})
