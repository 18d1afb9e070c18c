/** Computes the forecast: the expected and won values of deals by period. */
import { and, sql, type SQL } from 'drizzle-orm'
import { ofWorkspace, query } from '../../storage/queries/query.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { WeightedSum } from '../amounts.ts'
import { instantOf } from '@suite-sim/kit/time/instants'
import { ALL_TIME, periodAt, type Period } from '../../shared/periods.ts'
import {
  afterPieceOfClosed,
  afterPieceOfCreated,
  inPieces,
  inWorkspace,
  ofPipeline,
  within,
} from './reportPieces.ts'
import { deals, stages } from '../tables.ts'
import { ByCurrency } from './tally.ts'

export const FORECAST_PERIODS = ['monthly', 'quarterly', 'yearly'] as const
export type PeriodLength = (typeof FORECAST_PERIODS)[number]

const UNIT = { monthly: 'month', quarterly: 'quarter', yearly: 'year' } as const

export const FORECAST_TYPES = ['weighted', 'best_case', 'committed'] as const
export type ForecastType = (typeof FORECAST_TYPES)[number]

/** The expected values of deals in one currency and period, in hundredths. */
export class Expected {
  total = 0
  won = 0
  #committedOpen = 0
  readonly #weighted = new WeightedSum()

  addOpen(value: number, probability: number): void {
    this.total += value
    this.#weighted.add(value, probability)
    if (probability >= COMMITTED_FROM) this.#committedOpen += value
  }

  /** The weighted value of open deals. Won deals are certain and not included. */
  get weighted(): number {
    return this.#weighted.hundredths
  }

  /** The value if every open deal is won, with the won deals. */
  get bestCase(): number {
    return this.total + this.won
  }

  /** The value of open deals that are nearly certain, with the won deals. */
  get committed(): number {
    return this.#committedOpen + this.won
  }

  of(type: ForecastType): number {
    return { weighted: this.weighted, best_case: this.bestCase, committed: this.committed }[type]
  }
}

/** The expected deals of a period. */
export class Outlook {
  dealsCount = 0
  readonly expected = new ByCurrency(() => new Expected())
}

/** The lowest probability of a committed deal, in percent. */
export const COMMITTED_FROM = 90

/** The number of periods that are always listed, starting with the current one. */
const PERIODS_AHEAD = { monthly: 12, quarterly: 4, yearly: 3 } as const

export interface PeriodOutlook {
  readonly period: Period
  readonly outlook: Outlook
}

export interface Forecast {
  readonly periods: readonly PeriodOutlook[]
  /** Open deals without an expected date. */
  readonly unscheduled: Outlook
}

/** Sums open deals by day and stage; days fit into periods of every length. */
const openByDay = (where: SQL | undefined) =>
  query((orm) =>
    orm
      .select({
        day: deals.expectedCloseDate,
        stageId: deals.stageId,
        currency: deals.currency,
        count: sql<number>`count(*)`,
        value: sql<number>`sum(${deals.value})`,
      })
      .from(deals)
      .where(and(inWorkspace, within(deals.createdAt), sql`+${deals.status} = 'open'`, where))
      .groupBy(sql`+${deals.expectedCloseDate}`, sql`+${deals.stageId}`, sql`+${deals.currency}`),
  )
const openInAll = openByDay(undefined)
const openInPipeline = openByDay(ofPipeline)

const wonIn = (where: SQL | undefined) =>
  query((orm) =>
    orm
      .select({ currency: deals.currency, value: sql<number>`sum(${deals.value})` })
      .from(deals)
      .where(and(inWorkspace, within(deals.closedAt), sql`+${deals.status} = 'won'`, where))
      .groupBy(sql`+${deals.currency}`),
  )
const wonInAll = wonIn(undefined)
const wonInPipeline = wonIn(ofPipeline)

const probabilities = query((orm) =>
  orm.select({ id: stages.id, probability: stages.probability }).from(stages).where(ofWorkspace(stages)),
)

/**
 * Returns open deals by their expected period, and the won deals of the current year by the period in which they were won,
 * so that the sums of months, quarters and years are equal. The current period and the next ones are always listed; another
 * period only if it has such deals.
 */
export async function forecast(
  workspace: Workspace,
  pipelineId: string | null,
  length: PeriodLength,
): Promise<Forecast> {
  const openDeals = pipelineId === null ? openInAll : openInPipeline
  const wonDeals = pipelineId === null ? wonInAll : wonInPipeline
  const probabilityOf = new Map(probabilities.all(workspace).map(({ id, probability }) => [id, probability]))
  const outlooks = new Map<string, PeriodOutlook>()
  const outlookIn = (period: Period): Outlook => {
    let found = outlooks.get(period.label)
    if (!found) outlooks.set(period.label, (found = { period, outlook: new Outlook() }))
    return found.outlook
  }
  const unscheduled = new Outlook()
  const periodOf = memoize((month) => periodAt(workspace, instantOf(`${month}-01`, workspace), UNIT[length]))
  const ahead = periodsAhead(workspace, length)
  for (const period of ahead) outlookIn(period)
  await inPieces(workspace, ALL_TIME, afterPieceOfCreated, (piece) => {
    for (const { day, stageId, currency, count, value } of openDeals.all(workspace, {
      pipelineId,
      ...piece,
    })) {
      const outlook = day === null ? unscheduled : outlookIn(periodOf(day.slice(0, 'yyyy-MM'.length)))
      outlook.dealsCount += count
      outlook.expected.of(currency).addOpen(value, probabilityOf.get(stageId) ?? 0)
    }
  })
  for (const period of [...periodsBehind(workspace, length), ...ahead]) {
    await inPieces(workspace, period, afterPieceOfClosed, (piece) => {
      for (const { currency, value } of wonDeals.all(workspace, { pipelineId, ...piece })) {
        outlookIn(period).expected.of(currency).won += value
      }
    })
  }
  const listed = [...outlooks.values()].sort((a, b) => a.period.start - b.period.start)
  return { periods: listed, unscheduled }
}

/** Caches results by key, because calendar functions are slow and many days share a month. */
function memoize<T>(find: (key: string) => T): (key: string) => T {
  const cache = new Map<string, T>()
  return (key) => {
    let found = cache.get(key)
    if (found === undefined) cache.set(key, (found = find(key)))
    return found
  }
}

function periodsAhead(workspace: Workspace, length: PeriodLength): Period[] {
  const periods = [periodAt(workspace, workspace.now(), UNIT[length])]
  while (periods.length < PERIODS_AHEAD[length]) {
    const last = periods.at(-1)
    if (last) periods.push(last.next)
  }
  return periods
}

/** Returns the periods of the current year before the current one. */
function periodsBehind(workspace: Workspace, length: PeriodLength): Period[] {
  const current = periodAt(workspace, workspace.now(), UNIT[length])
  const year = periodAt(workspace, workspace.now(), 'year')
  const periods: Period[] = []
  let period = periodAt(workspace, year.start, UNIT[length])
  for (; period.start < current.start; period = period.next) periods.push(period)
  return periods
}
