/**
 * The revenue report. Specification part 2, "Payments v1", shows its fields but not what they sum. Assumed: revenue is a
 * payment less its refunds, at its completion time; a refunded payment is not counted. So all views have the same sums.
 */
import { and, eq, gte, lt, sql } from 'drizzle-orm'
import { DateTime } from 'luxon'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { refuse } from '../model/refusal.ts'
import { withoutEmptyInstant } from '../shared/periods.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { transactionMachine } from './machines.ts'
import { CURRENCIES, defaultCurrency, type Currency } from './amounts.ts'
import { PAYMENT_METHODS, transactions, type PaymentMethod } from './tables.ts'

export const GROUPINGS = ['day', 'week', 'month'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** The most periods of a report: about ten years of days. */
export const MAX_PERIODS = 3700

/** Instants in ms since the epoch, both inclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

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

function revenueByCurrency(workspace: Workspace, { from, to }: Span, methods: readonly PaymentMethod[]) {
  const found = methods.flatMap((method) =>
    takingsByCurrency.all(workspace, { method, start: from, end: to + 1 }),
  )
  const sums = CURRENCIES.map(
    (currency) =>
      [currency, found.filter((each) => each.currency === currency).reduce(plus, NOTHING)] as const,
  )
  return new Map(sums.filter(([, { transactions: count }]) => count > 0))
}

/** Returns the report. Periods follow the time zone of the workspace, so a day may have 23 or 25 hours. */
export function revenueReport(workspace: Workspace, span: Span, grouping: Grouping): RevenueReport {
  // Runs some thousand times for a report of years.
  const between = (method: PaymentMethod, start: number, end: number): Takings => {
    const [revenue = 0, count = 0] = (takingsOf.firstCells(workspace, { method, start, end }) ??
      []) as number[]
    return { revenue, transactions: count }
  }
  const periods = periodsOf(workspace, span, grouping)
  const byMethod = new Map(
    PAYMENT_METHODS.map((method) => [method, between(method, span.from, span.to + 1)] as const).filter(
      ([, { transactions: count }]) => count > 0,
    ),
  )
  const methods = [...byMethod.keys()]
  const all = periods.map(({ date, start, end }) => ({
    date,
    start,
    ...methods.map((method) => between(method, start, end)).reduce(plus, NOTHING),
  }))
  return {
    total: [...byMethod.values()].reduce(plus, NOTHING),
    currency: defaultCurrency(workspace),
    byPeriod: withoutEmptyInstant(all, span.to, ({ transactions: count }) => count === 0),
    byMethod,
    byCurrency: revenueByCurrency(workspace, span, methods),
  }
}

const NOTHING: Takings = { revenue: 0, transactions: 0 }

const plus = (one: Takings, other: Takings): Takings => ({
  revenue: one.revenue + other.revenue,
  transactions: one.transactions + other.transactions,
})

interface Period {
  readonly date: string
  /** The part of the period inside the span: from `start` to `end` (exclusive). */
  readonly start: number
  readonly end: number
}

/** Returns all periods that overlap the span, in the time zone of the workspace. Weeks start on Monday. */
function periodsOf({ timezone }: Workspace, { from, to }: Span, grouping: Grouping): Period[] {
  const periods: Period[] = []
  let day: DateTime = DateTime.fromMillis(from, { zone: timezone }).startOf(grouping)
  while (day.toMillis() <= to) {
    if (periods.length === MAX_PERIODS) {
      refuse('invalid_query', `Query: from and to must enclose at most ${String(MAX_PERIODS)} periods`, {
        details: [{ field: 'to', code: 'too_large', message: 'to must be closer to from' }],
      })
    }
    const next = nextOf(day, grouping)
    periods.push({
      date: day.toISODate() ?? '',
      start: Math.max(from, day.toMillis()),
      end: Math.min(to + 1, next.toMillis()),
    })
    day = next
  }
  return periods
}

const DAY = 86_400_000
const REGULAR_LENGTH = { day: DAY, week: 7 * DAY, month: null } as const

/** Returns the start of the next period. */
function nextOf(start: DateTime, grouping: Grouping): DateTime {
  const length = REGULAR_LENGTH[grouping]
  if (length !== null) {
    // Without a daylight saving change, adding the length is correct and ten times faster than calendar arithmetic.
    const next = DateTime.fromMillis(start.toMillis() + length, { zone: start.zone })
    if (next.offset === start.offset && next.hour === 0 && next.minute === 0) return next
  }
  return start.plus({ [grouping]: 1 }).startOf(grouping)
}
