/**
 * The revenue report. Specification part 2, "Payments v1": its fields are shown, what they add up is not. Revenue is
 * what was paid less what was refunded of it since, at the time when it was paid; a payment that was refunded as a
 * whole is no transaction of the report (assumed). So the three views of it have the same sums.
 */
import { and, eq, sql } from 'drizzle-orm'
import { DateTime } from 'luxon'
import { statement } from '../database.ts'
import { refuse } from '../refusal.ts'
import type { Workspace } from '../workspaces.ts'
import { defaultCurrency, type Currency } from './amounts.ts'
import { PAYMENT_METHODS, transactions, type PaymentMethod } from './tables.ts'

export const GROUPINGS = ['day', 'week', 'month'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** Ten years of days. */
export const MOST_PERIODS = 3700

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
  /** Both currencies are added up as they are: the balboa is worth a dollar by law. */
  readonly currency: Currency
  /** One after the other without a gap; `date` is the first day of the period: "2026-11-23". */
  readonly byPeriod: readonly (Takings & { readonly date: string })[]
  /** Methods that were paid with, in the order of the specification. */
  readonly byMethod: ReadonlyMap<PaymentMethod, Takings>
}

const takingsByMethod = statement((orm) =>
  orm
    .select({
      method: transactions.paymentMethod,
      revenue: sql<number>`sum(${transactions.amount} - ${transactions.refundedAmount})`,
      transactions: sql<number>`count(*) filter (where ${transactions.refundedAmount} < ${transactions.amount})`,
    })
    .from(transactions)
    .where(
      and(
        eq(transactions.workspace, sql.placeholder('workspace')),
        sql`${transactions.completedAt} >= ${sql.placeholder('start')} and ${transactions.completedAt} < ${sql.placeholder('end')}`,
      ),
    )
    .groupBy(transactions.paymentMethod)
    .prepare(),
)

/** Adds up period by period, each by the index alone: a day is as long as the time zone makes it. */
export function revenueReport(workspace: Workspace, span: Span, grouping: Grouping): RevenueReport {
  const sums = new Map<PaymentMethod, Takings>()
  const byPeriod = periodsOf(workspace, span, grouping).map(({ date, start, end }) => {
    const rows = takingsByMethod(workspace.database).all({ workspace: workspace.number, start, end })
    for (const row of rows) sums.set(row.method, plus(sums.get(row.method) ?? NOTHING, row))
    return { date, ...rows.reduce(plus, NOTHING) }
  })
  return {
    total: byPeriod.reduce(plus, NOTHING),
    currency: defaultCurrency(workspace),
    byPeriod,
    byMethod: new Map(
      PAYMENT_METHODS.flatMap((method) => {
        const takings = sums.get(method)
        return takings && takings.transactions > 0 ? [[method, takings]] : []
      }),
    ),
  }
}

const NOTHING: Takings = { revenue: 0, transactions: 0 }

const plus = (one: Takings, other: Takings): Takings => ({
  revenue: one.revenue + other.revenue,
  transactions: one.transactions + other.transactions,
})

interface Period {
  readonly date: string
  /** What of it lies in the span: from `start` to just before `end`. */
  readonly start: number
  readonly end: number
}

/** Every period that the span touches, in the time zone of the workspace; weeks begin on Monday. */
function periodsOf({ timezone }: Workspace, { from, to }: Span, grouping: Grouping): Period[] {
  const periods: Period[] = []
  let day = DateTime.fromMillis(from, { zone: timezone }).startOf(grouping)
  while (day.toMillis() <= to) {
    if (periods.length === MOST_PERIODS) {
      refuse('invalid_query', `Query: from and to must enclose at most ${String(MOST_PERIODS)} periods`, {
        details: [{ field: 'to', code: 'too_large', message: 'to must be nearer to from' }],
      })
    }
    const next = day.plus({ [grouping]: 1 }).startOf(grouping)
    periods.push({
      date: day.toISODate() ?? '',
      start: Math.max(from, day.toMillis()),
      end: Math.min(to + 1, next.toMillis()),
    })
    day = next
  }
  return periods
}
