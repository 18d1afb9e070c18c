/**
 * The revenue report. Specification part 2, "Payments v1", shows its fields but not what they sum. Assumed: revenue is a
 * payment less its refunds, at its completion time; a refunded payment is not counted. So all views have the same sums.
 */
import { and, eq, gte, lt, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { refuse } from '../model/refusal.ts'
import { periodsOf, withoutEmptyInstant, type SeriesUnit, type Span } from '../shared/periods.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { transactionMachine } from './machines.ts'
import { CURRENCIES, defaultCurrency, type Currency } from './amounts.ts'
import { PAYMENT_METHODS, transactions, type PaymentMethod } from './tables.ts'

/** The most periods of a report: about ten years of days. */
export const MAX_PERIODS = 3700

/** Revenue in cents. */
export interface Takings {
  readonly revenue: number
  readonly transactions: number
}

export interface RevenueReport {
  readonly total: Takings
  /** Sums combine both currencies, because the balboa equals one US dollar by law. `byCurrency` separates them. */
  readonly currency: Currency
  /** All periods without gaps. `date` is the first day of the period: "2026-11-23". */
  readonly byPeriod: readonly (Takings & { readonly date: string })[]
  /** Only methods with payments, in the order of the specification. */
  readonly byMethod: ReadonlyMap<PaymentMethod, Takings>
  /** Only currencies with payments, in the order of the specification. */
  readonly byCurrency: ReadonlyMap<Currency, Takings>
}

const { paymentMethod, completedAt, amount, refundedAmount, status } = transactions

/**
 * Counts payments until they are refunded, also while a refund of the whole amount is processing. Only the rows of
 * those need the status, which the index does not have.
 */
const counted = sql<number>`count(*) filter (where ${refundedAmount} < ${amount} or ${status} <> ${sql.raw(
  `'${transactionMachine.moves.refund.to}'`,
)})`

/** Sums the payments of a method that completed from `start` to `end` (exclusive). Uses only the index, without sorting. */
const takingsOf = query((orm) =>
  orm
    .select({
      revenue: sql<number>`coalesce(sum(${amount} - ${refundedAmount}), 0)`,
      transactions: counted,
    })
    .from(transactions)
    .where(
      and(
        ofWorkspace(transactions),
        eq(paymentMethod, sql.placeholder('method')),
        gte(completedAt, sql.placeholder('start')),
        lt(completedAt, sql.placeholder('end')),
      ),
    ),
)

const takingsByCurrency = query((orm) =>
  orm
    .select({
      currency: transactions.currency,
      revenue: sql<number>`sum(${amount} - ${refundedAmount})`,
      transactions: counted,
    })
    .from(transactions)
    .where(
      and(
        ofWorkspace(transactions),
        eq(paymentMethod, sql.placeholder('method')),
        gte(completedAt, sql.placeholder('start')),
        lt(completedAt, sql.placeholder('end')),
      ),
    )
    .groupBy(sql`+${transactions.currency}`),
)

function revenueByCurrency(workspace: Workspace, span: Span, methods: readonly PaymentMethod[]) {
  const found = methods.flatMap((method) => takingsByCurrency.all(workspace, { method, ...span }))
  const sums = CURRENCIES.map(
    (currency) =>
      [currency, found.filter((each) => each.currency === currency).reduce(plus, NOTHING)] as const,
  )
  return new Map(sums.filter(([, { transactions: count }]) => count > 0))
}

/** Returns the report. Periods follow the time zone of the workspace, so a day may have 23 or 25 hours. */
export function revenueReport(workspace: Workspace, span: Span, unit: SeriesUnit): RevenueReport {
  // Runs some thousand times for a report of years.
  const between = (method: PaymentMethod, start: number, end: number): Takings => {
    const [revenue = 0, count = 0] = (takingsOf.firstCells(workspace, { method, start, end }) ??
      []) as number[]
    return { revenue, transactions: count }
  }
  const periods = periodsOf(workspace, span, unit, MAX_PERIODS, () =>
    refuse('invalid_query', `Query: from and to must enclose at most ${String(MAX_PERIODS)} periods`, {
      details: [{ field: 'to', code: 'too_large', message: 'to must be closer to from' }],
    }),
  )
  const byMethod = new Map(
    PAYMENT_METHODS.map((method) => [method, between(method, span.start, span.end)] as const).filter(
      ([, { transactions: count }]) => count > 0,
    ),
  )
  const methods = [...byMethod.keys()]
  const all = periods.map(({ firstDay, start, end }) => ({
    date: firstDay,
    start: Math.max(start, span.start),
    ...methods
      .map((method) => between(method, Math.max(start, span.start), Math.min(end, span.end)))
      .reduce(plus, NOTHING),
  }))
  return {
    total: [...byMethod.values()].reduce(plus, NOTHING),
    currency: defaultCurrency(workspace),
    byPeriod: withoutEmptyInstant(all, span.end - 1, ({ transactions: count }) => count === 0),
    byMethod,
    byCurrency: revenueByCurrency(workspace, span, methods),
  }
}

const NOTHING: Takings = { revenue: 0, transactions: 0 }

const plus = (one: Takings, other: Takings): Takings => ({
  revenue: one.revenue + other.revenue,
  transactions: one.transactions + other.transactions,
})
