/**
 * Computes the reports. Specification part 1, "CRM", shows the pipeline report but not how it counts, and not the
 * other reports. Deals count in the period of their creation, and won or lost deals in that of their closing. A
 * deal that changes during a report counts with its old or new values.
 */
import { and, asc, eq, isNotNull, sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { refuseProperty } from '../model/refusal.ts'
import { Slices } from '../model/slices.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { meanOf, WeightedSum } from './amounts.ts'
import { periodAfter, periodAt, periodOfDay, type Period, type PeriodLength, type Span } from './periods.ts'
import { crmActivities, deals, pipelines, stages, stageStays } from './tables.ts'

export const GROUPINGS = ['stage', 'owner', 'vertical', 'month'] as const
export type Grouping = (typeof GROUPINGS)[number]

export const FORECAST_TYPES = ['weighted', 'best_case', 'committed'] as const
export type ForecastType = (typeof FORECAST_TYPES)[number]

/** The maximum number of months of a report by month: fifty years. */
export const MAX_MONTHS = 600

/** One day in ms. */
const DAY = 86_400_000

/** Sums by currency code. */
export class ByCurrency<Sums> extends Map<string, Sums> {
  readonly #none: () => Sums

  constructor(none: () => Sums) {
    super()
    this.#none = none
  }

  of(currency: string): Sums {
    let sums = this.get(currency)
    if (!sums) this.set(currency, (sums = this.#none()))
    return sums
  }

  /** Returns the sums of the other currencies, sorted by code. */
  others(currency: string): [currency: string, sums: Sums][] {
    return [...this].filter(([other]) => other !== currency).sort(([a], [b]) => (a < b ? -1 : 1))
  }
}

/** The values of deals in one currency, in hundredths. */
export class ValueSums {
  /** The number of deals. */
  deals = 0
  total = 0
  open = 0
  won = 0

  get average(): number {
    return meanOf(this.total, this.deals)
  }
}

/** The counts and values of a group of deals. */
export class Tally {
  dealsCount = 0
  openDeals = 0
  wonDeals = 0
  lostDeals = 0
  readonly worth = new ByCurrency(() => new ValueSums())
  #msToWin = 0

  addCreated({ currency, count, value, openCount, openValue }: Created): void {
    this.dealsCount += count
    this.openDeals += openCount
    const worth = this.worth.of(currency)
    worth.deals += count
    worth.total += value
    worth.open += openValue
  }

  addClosed({ currency, status, count, value, ms }: Closed): void {
    if (status === 'lost') this.lostDeals += count
    if (status !== 'won') return
    this.wonDeals += count
    this.worth.of(currency).won += value
    this.#msToWin += ms
  }

  add(other: Tally): void {
    this.dealsCount += other.dealsCount
    this.openDeals += other.openDeals
    this.wonDeals += other.wonDeals
    this.lostDeals += other.lostDeals
    this.#msToWin += other.#msToWin
    for (const [currency, { deals: count, total, open, won }] of other.worth) {
      const worth = this.worth.of(currency)
      worth.deals += count
      worth.total += total
      worth.open += open
      worth.won += won
    }
  }

  /** Returns the percentage of closed deals that were won, with one decimal. */
  get conversionRate(): number {
    const closed = this.wonDeals + this.lostDeals
    return closed === 0 ? 0 : Math.round((this.wonDeals * 1000) / closed) / 10
  }

  /** Returns the average days from creation to winning, with two decimals. */
  get averageDaysToWin(): number {
    return daysOf(this.#msToWin, this.wonDeals)
  }
}

/** The sums of deals created in a piece of a span. */
interface Created {
  readonly currency: string
  readonly count: number
  readonly value: number
  readonly openCount: number
  readonly openValue: number
}

/** The sums of deals closed in a piece of a span. */
interface Closed {
  readonly currency: string
  readonly status: string
  readonly count: number
  readonly value: number
  /** The total time from creation to closing. */
  readonly ms: number
}

const isOpen = sql`${deals.status} = 'open'`

/** Returns the average of `count` durations in days, with two decimals. */
const daysOf = (ms: number, count: number): number =>
  count === 0 ? 0 : Math.round((ms * 100) / (DAY * count)) / 100

const inWorkspace = ofWorkspace(deals)
/** The plus makes SQLite use the index by time, because pieces are spans. */
const ofPipeline = sql`+${deals.pipelineId} = ${sql.placeholder('pipelineId')}`

/** Selects rows with a time in the span. */
const within = (column: SQLiteColumn): SQL =>
  sql`${column} >= ${sql.placeholder('start')} and ${column} < ${sql.placeholder('end')}`

/** Builds the queries for deals created and closed in a span, grouped by a column and by currency. */
const grouped = (by: SQLiteColumn, which: SQL | undefined) => ({
  created: query((orm) =>
    orm
      .select({
        key: sql<string | null>`${by}`,
        currency: deals.currency,
        count: sql<number>`count(*)`,
        value: sql<number>`sum(${deals.value})`,
        openCount: sql<number>`count(*) filter (where ${isOpen})`,
        openValue: sql<number>`coalesce(sum(${deals.value}) filter (where ${isOpen}), 0)`,
      })
      .from(deals)
      .where(and(inWorkspace, within(deals.createdAt), which))
      .groupBy(sql`+${by}`, sql`+${deals.currency}`),
  ),
  closed: query((orm) =>
    orm
      .select({
        key: sql<string | null>`${by}`,
        currency: deals.currency,
        status: deals.status,
        count: sql<number>`count(*)`,
        value: sql<number>`sum(${deals.value})`,
        ms: sql<number>`sum(max(0, ${deals.closedAt} - ${deals.createdAt}))`,
      })
      .from(deals)
      .where(and(inWorkspace, within(deals.closedAt), which))
      .groupBy(sql`+${by}`, sql`+${deals.currency}`, sql`+${deals.status}`),
  ),
})
type Grouped = ReturnType<typeof grouped>

// ---------------------------------------------------------------- pieces

/** The number of records in one piece. */
const PIECE = 4000

/** Finds the time of the first record after the first piece of a span. */
const afterPiece = (table: typeof deals | typeof crmActivities, time: SQLiteColumn) =>
  query((orm) =>
    orm
      .select({ at: sql<number>`${time}` })
      .from(table)
      .where(and(ofWorkspace(table), within(time)))
      .orderBy(asc(time))
      .limit(1)
      .offset(PIECE),
  )
const afterPieceOfCreated = afterPiece(deals, deals.createdAt)
const afterPieceOfClosed = afterPiece(deals, deals.closedAt)
const afterPieceOfActivities = afterPiece(crmActivities, crmActivities.createdAt)

/** Calls `add` for each piece of the span. Records with the same time are in one piece. */
async function inPieces(
  workspace: Workspace,
  span: Span,
  after: typeof afterPieceOfCreated,
  add: (piece: Span) => void,
): Promise<void> {
  const slices = new Slices()
  for (let { start } = span; ;) {
    const next = after.first(workspace, { start, end: span.end })?.at
    const end = next === undefined ? span.end : Math.max(next, start + 1)
    add({ start, end })
    if (next === undefined) return
    start = end
    if (slices.isOver) await slices.turn()
  }
}

/** Tallies by key; null is the key of records without a value. */
class Tallies extends Map<string | null, Tally> {
  of(key: string | null): Tally {
    let tally = this.get(key)
    if (!tally) this.set(key, (tally = new Tally()))
    return tally
  }

  /** Returns the sum of all tallies. */
  total(): Tally {
    const all = new Tally()
    for (const tally of this.values()) all.add(tally)
    return all
  }

  /** Returns the tallies sorted by key, null last. */
  sorted(): [key: string | null, tally: Tally][] {
    return [...this].sort(([a], [b]) => (a === null ? 1 : b === null ? -1 : a < b ? -1 : 1))
  }
}

/** Returns the deals of a pipeline, or of all, tallied by a column. */
async function talliesOf(
  workspace: Workspace,
  { created, closed }: Grouped,
  span: Span,
  pipelineId: string | null,
): Promise<Tallies> {
  const tallies = new Tallies()
  await inPieces(workspace, span, afterPieceOfCreated, (piece) => {
    for (const counted of created.all(workspace, { pipelineId, ...piece })) {
      tallies.of(counted.key).addCreated(counted)
    }
  })
  await inPieces(workspace, span, afterPieceOfClosed, (piece) => {
    for (const counted of closed.all(workspace, { pipelineId, ...piece })) {
      tallies.of(counted.key).addClosed(counted)
    }
  })
  return tallies
}

// ---------------------------------------------------------------- pipeline

export interface StageReport {
  readonly id: string
  readonly name: string
  readonly tally: Tally
  /** The average days of a stay in the stage, with two decimals. */
  readonly averageDays: number
}

export interface PipelineReport {
  readonly summary: Tally
  /** Every stage, in order. A closed deal counts in the stage in which it was closed. */
  readonly stages: readonly StageReport[]
}

const byStage = grouped(deals.stageId, ofPipeline)
const byPipeline = grouped(deals.pipelineId, ofPipeline)

const stagesOf = query((orm) =>
  orm
    .select({ id: stages.id, name: stages.name })
    .from(stages)
    .where(and(ofWorkspace(stages), eq(stages.pipelineId, sql.placeholder('pipelineId'))))
    .orderBy(asc(stages.position)),
)

const staysInStage = query((orm) =>
  orm
    .select({
      count: sql<number>`count(*)`,
      ms: sql<number>`coalesce(sum(max(0, coalesce(${stageStays.leftAt}, ${sql.placeholder('now')}) - ${stageStays.enteredAt})), 0)`,
    })
    .from(stageStays)
    .where(
      and(
        ofWorkspace(stageStays),
        eq(stageStays.stageId, sql.placeholder('stageId')),
        sql`${stageStays.dealCreatedAt} >= ${sql.placeholder('start')} and ${stageStays.dealCreatedAt} < ${sql.placeholder('end')}`,
      ),
    ),
)

/** Returns the report on the deals of a pipeline that were created, won or lost in the span. */
export async function pipelineReport(
  workspace: Workspace,
  pipelineId: string,
  span: Span,
): Promise<PipelineReport> {
  const now = workspace.now()
  const reported = stagesOf.all(workspace, { pipelineId }).map((stage) => ({ ...stage, ms: 0, count: 0 }))
  const tallies = await talliesOf(workspace, byStage, span, pipelineId)
  await inPieces(workspace, span, afterPieceOfCreated, (piece) => {
    for (const stage of reported) {
      const stays = staysInStage.first(workspace, { stageId: stage.id, now, ...piece })
      stage.ms += stays?.ms ?? 0
      stage.count += stays?.count ?? 0
    }
  })
  return {
    summary: tallies.total(),
    stages: reported.map(({ id, name, ms, count }) => ({
      id,
      name,
      tally: tallies.of(id),
      averageDays: daysOf(ms, count),
    })),
  }
}

const byOwner = grouped(deals.ownerId, ofPipeline)
const byVertical = grouped(deals.vertical, ofPipeline)

/** Returns the same deals by owner or vertical; deals without one come last. */
export async function pipelineReportBy(
  workspace: Workspace,
  pipelineId: string,
  span: Span,
  grouping: 'owner' | 'vertical',
): Promise<[key: string | null, tally: Tally][]> {
  const by = grouping === 'owner' ? byOwner : byVertical
  return (await talliesOf(workspace, by, span, pipelineId)).sorted()
}

/** Finds the first and the last time in the span at which deals of the pipeline were created or closed. */
const extremes = (time: SQLiteColumn) =>
  query((orm) => {
    const one = (order: 'asc' | 'desc'): SQL<number | null> =>
      sql`(select ${time} from ${deals} where ${inWorkspace} and ${ofPipeline} and ${within(time)} and ${isNotNull(time)} order by ${time} ${sql.raw(order)} limit 1)`
    return orm.select({ first: one('asc'), last: one('desc') }).from(sql`(select 1)`)
  })
const extremesOfCreated = extremes(deals.createdAt)
const extremesOfClosed = extremes(deals.closedAt)

/** Returns the same deals by month, from the first month with a created or closed deal to the last. */
export async function pipelineReportByMonth(
  workspace: Workspace,
  pipelineId: string,
  span: Span,
): Promise<[month: string, tally: Tally][]> {
  const times = [extremesOfCreated, extremesOfClosed].flatMap((extreme) => {
    const { first, last } = extreme.first(workspace, { pipelineId, ...span }) ?? {}
    return [first, last].filter((at) => typeof at === 'number')
  })
  if (times.length === 0) return []
  const slices = new Slices()
  const months: [string, Tally][] = []
  const last = Math.max(...times)
  for (
    let month = periodAt(workspace, Math.min(...times), 'monthly');
    month.start <= last;
    month = periodAfter(workspace, month, 'monthly')
  ) {
    if (months.length === MAX_MONTHS) {
      refuseProperty('to', 'too_large', `{from} and {to} must span at most ${String(MAX_MONTHS)} months`)
    }
    const part = { start: Math.max(month.start, span.start), end: Math.min(month.end, span.end) }
    months.push([month.label, (await talliesOf(workspace, byPipeline, part, pipelineId)).of(pipelineId)])
    if (slices.isOver) await slices.turn()
  }
  return months
}

// ---------------------------------------------------------------- team

export interface MemberReport {
  /** null for deals and activities without an owner. */
  readonly ownerId: string | null
  readonly tally: Tally
  readonly activitiesCount: number
}

export interface TeamReport {
  readonly members: readonly MemberReport[]
  readonly totals: Omit<MemberReport, 'ownerId'>
}

const byOwnerInAll = grouped(deals.ownerId, undefined)

const activitiesOfTeam = (where: SQL | undefined) =>
  query((orm) =>
    orm
      .select({ ownerId: crmActivities.ownerId, count: sql<number>`count(*)` })
      .from(crmActivities)
      .where(and(ofWorkspace(crmActivities), within(crmActivities.createdAt), where))
      .groupBy(crmActivities.ownerId),
  )
const activitiesByMember = activitiesOfTeam(undefined)
const activitiesByMemberInPipeline = activitiesOfTeam(
  sql`exists (select 1 from ${deals} where ${deals.workspace} = ${crmActivities.workspace} and ${deals.id} = ${crmActivities.dealId} and ${ofPipeline})`,
)

/** Returns the deals of each user that were created, won or lost in the span, and the activities created in it. */
export async function teamReport(
  workspace: Workspace,
  pipelineId: string | null,
  span: Span,
): Promise<TeamReport> {
  const activitiesByOwner = pipelineId === null ? activitiesByMember : activitiesByMemberInPipeline
  const by = pipelineId === null ? byOwnerInAll : byOwner
  const tallies = await talliesOf(workspace, by, span, pipelineId)
  const all = tallies.total()
  const activities = new Map<string | null, number>()
  await inPieces(workspace, span, afterPieceOfActivities, (piece) => {
    for (const { ownerId, count } of activitiesByOwner.all(workspace, { pipelineId, ...piece })) {
      activities.set(ownerId, (activities.get(ownerId) ?? 0) + count)
    }
  })
  const users = workspace.users().map(({ id }) => id)
  const others = [...tallies.sorted().map(([id]) => id), ...activities.keys()].filter(
    (id) => id === null || !users.includes(id),
  )
  return {
    members: [...new Set([...users, ...others])].map((ownerId) => ({
      ownerId,
      tally: tallies.get(ownerId) ?? new Tally(),
      activitiesCount: activities.get(ownerId) ?? 0,
    })),
    totals: {
      tally: all,
      activitiesCount: [...activities.values()].reduce((sum, count) => sum + count, 0),
    },
  }
}

// ---------------------------------------------------------------- forecast

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

const ALL_TIME: Span = { start: Number.MIN_SAFE_INTEGER, end: Number.MAX_SAFE_INTEGER }

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
 * Returns open deals by their expected period, and won deals by the period in which they were won. The current
 * period and the next ones are always listed; another period only if an open deal is expected in it.
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
  const periodOf = memoize((month) => periodOfDay(workspace, `${month}-01`, length))
  for (const period of periodsAhead(workspace, length)) outlookIn(period)
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
  const listed = [...outlooks.values()].sort((a, b) => a.period.start - b.period.start)
  for (const { period, outlook } of listed) {
    await inPieces(workspace, period, afterPieceOfClosed, (piece) => {
      for (const { currency, value } of wonDeals.all(workspace, { pipelineId, ...piece })) {
        outlook.expected.of(currency).won += value
      }
    })
  }
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
  const periods = [periodAt(workspace, workspace.now(), length)]
  while (periods.length < PERIODS_AHEAD[length]) {
    const last = periods.at(-1)
    if (last) periods.push(periodAfter(workspace, last, length))
  }
  return periods
}

// ---------------------------------------------------------------- pipelines by name

const pipelineNames = query((orm) =>
  orm
    .select({ id: pipelines.id, name: pipelines.name })
    .from(pipelines)
    .where(and(ofWorkspace(pipelines), eq(pipelines.id, sql.placeholder('pipelineId')))),
)

/** Returns the id and name of the pipeline of a report. */
export const reportedPipeline = (
  workspace: Workspace,
  pipelineId: string,
): { id: string; name: string } | undefined => pipelineNames.first(workspace, { pipelineId })
