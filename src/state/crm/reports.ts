/**
 * Reports. Specification part 1, "CRM": what the pipeline report holds is shown; the team and forecast reports are
 * not, and neither is what is counted how. Everything is added up by the database, in hundredths and milliseconds, and
 * in pieces of a span: others have their turn between them, and a deal that they change meanwhile counts as it was or
 * as it is.
 */
import { and, asc, eq, sql, type SQL } from 'drizzle-orm'
import { ofWorkspace, query } from '../query.ts'
import { Slices } from '../slices.ts'
import type { Workspace } from '../workspace.ts'
import { meanOf, WeightedSum } from './amounts.ts'
import { deals as dealRecords } from './dealRecords.ts'
import {
  periodAfter,
  periodAt,
  periodOfDay,
  periodsBetween,
  type Period,
  type PeriodLength,
  type Span,
} from './periods.ts'
import { crmActivities, deals, pipelines, stages, stageStays } from './tables.ts'

export const GROUPINGS = ['stage', 'owner', 'vertical', 'month'] as const
export type Grouping = (typeof GROUPINGS)[number]

export const FORECAST_TYPES = ['weighted', 'best_case', 'committed'] as const
export type ForecastType = (typeof FORECAST_TYPES)[number]

/** A day in ms, for durations that are told in days. */
const DAY = 86_400_000

/** What deals add up to; values in hundredths. */
export class Tally {
  dealsCount = 0
  totalValue = 0
  openDeals = 0
  openValue = 0
  wonDeals = 0
  wonValue = 0
  lostDeals = 0
  #msToWin = 0

  add(counted: Counted): void {
    this.dealsCount += counted.deals
    this.totalValue += counted.value
    this.openDeals += counted.openDeals
    this.openValue += counted.openValue
    this.wonDeals += counted.wonDeals
    this.wonValue += counted.wonValue
    this.lostDeals += counted.deals - counted.openDeals - counted.wonDeals
    this.#msToWin += counted.msToWin
  }

  /** The share of the closed deals that was won, in percent with one decimal. */
  get conversionRate(): number {
    const closed = this.wonDeals + this.lostDeals
    return closed === 0 ? 0 : Math.round((this.wonDeals * 1000) / closed) / 10
  }

  /** In hundredths. */
  get averageValue(): number {
    return meanOf(this.totalValue, this.dealsCount)
  }

  /** Days from creation to winning, with two decimals. */
  get averageDaysToWin(): number {
    return daysOf(this.#msToWin, this.wonDeals)
  }
}

/** Deals as the database has added them up. */
interface Counted {
  readonly deals: number
  readonly value: number
  readonly openDeals: number
  readonly openValue: number
  readonly wonDeals: number
  readonly wonValue: number
  /** From creation to winning, all together. */
  readonly msToWin: number
}

const isOpen = sql`${deals.status} = 'open'`
const isWon = sql`${deals.status} = 'won'`

const counted = {
  deals: sql<number>`count(*)`,
  value: sql<number>`coalesce(sum(${deals.value}), 0)`,
  openDeals: sql<number>`count(*) filter (where ${isOpen})`,
  openValue: sql<number>`coalesce(sum(${deals.value}) filter (where ${isOpen}), 0)`,
  wonDeals: sql<number>`count(*) filter (where ${isWon})`,
  wonValue: sql<number>`coalesce(sum(${deals.value}) filter (where ${isWon}), 0)`,
  msToWin: sql<number>`coalesce(sum(max(0, ${deals.closedAt} - ${deals.createdAt})) filter (where ${isWon}), 0)`,
}

/** Ms of `count` things all together as days for each, with two decimals. */
const daysOf = (ms: number, count: number): number =>
  count === 0 ? 0 : Math.round((ms * 100) / (DAY * count)) / 100

const inWorkspace = ofWorkspace(deals)
const ofPipeline = eq(deals.pipelineId, sql.placeholder('pipelineId'))
const createdIn = (table: typeof deals | typeof crmActivities) =>
  sql`${table.createdAt} >= ${sql.placeholder('start')} and ${table.createdAt} < ${sql.placeholder('end')}`
const createdInSpan = createdIn(deals)

// ---------------------------------------------------------------- pieces

/** So many records are added up at a time. */
const PIECE = 4000

/** When the records of a span that come after the first piece begin. */
const afterPiece = (table: typeof deals | typeof crmActivities) =>
  query((orm) =>
    orm
      .select({ at: table.createdAt })
      .from(table)
      .where(and(ofWorkspace(table), createdIn(table)))
      .orderBy(asc(table.createdAt))
      .limit(1)
      .offset(PIECE),
  )
const afterPieceOfDeals = afterPiece(deals)
const afterPieceOfActivities = afterPiece(crmActivities)

/** Has each piece of the span added up. What was created at one instant is one piece. */
async function inPieces(
  workspace: Workspace,
  span: Span,
  after: typeof afterPieceOfDeals,
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

/** What belongs to each key, added up; null stands for what belongs to none. */
class Tallies extends Map<string | null, Tally> {
  of(key: string | null): Tally {
    let tally = this.get(key)
    if (!tally) this.set(key, (tally = new Tally()))
    return tally
  }

  /** By their keys, null last. */
  sorted(): [key: string | null, tally: Tally][] {
    return [...this].sort(([a], [b]) => (a === null ? 1 : b === null ? -1 : a < b ? -1 : 1))
  }
}

// ---------------------------------------------------------------- pipeline

export interface StageReport {
  readonly id: string
  readonly name: string
  readonly tally: Tally
  /** How long a stay in the stage has lasted on average, with two decimals. */
  readonly averageDays: number
}

export interface PipelineReport {
  readonly summary: Tally
  /** Every stage, in its order. A closed deal counts in the stage that it was closed in. */
  readonly stages: readonly StageReport[]
}

const dealsOfStage = query((orm) =>
  orm
    .select(counted)
    .from(deals)
    .where(and(inWorkspace, eq(deals.stageId, sql.placeholder('stageId')), createdInSpan)),
)

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

/** What became of the deals of a pipeline that were created in the span. */
export async function pipelineReport(
  workspace: Workspace,
  pipelineId: string,
  span: Span,
): Promise<PipelineReport> {
  const now = workspace.now()
  const summary = new Tally()
  const reported = stagesOf
    .all(workspace, { pipelineId })
    .map((stage) => ({ ...stage, tally: new Tally(), stays: { ms: 0, count: 0 } }))
  await inPieces(workspace, span, afterPieceOfDeals, (piece) => {
    for (const { id: stageId, tally, stays } of reported) {
      const count = dealsOfStage.first(workspace, { stageId, ...piece })
      if (count) for (const each of [tally, summary]) each.add(count)
      const { ms = 0, count: more = 0 } = staysInStage.first(workspace, { stageId, now, ...piece }) ?? {}
      stays.ms += ms
      stays.count += more
    }
  })
  return {
    summary,
    stages: reported.map(({ stays, ...stage }) => ({
      ...stage,
      averageDays: daysOf(stays.ms, stays.count),
    })),
  }
}

/** The deals of a pipeline in groups, of a piece of time: the plus keeps another index out. */
const dealsBy = (column: typeof deals.ownerId | typeof deals.vertical) =>
  query((orm) =>
    orm
      .select({ key: sql<string | null>`${column}`, ...counted })
      .from(deals)
      .where(and(inWorkspace, sql`+${ofPipeline}`, createdInSpan))
      .groupBy(column),
  )
const dealsByOwner = dealsBy(deals.ownerId)
const dealsByVertical = dealsBy(deals.vertical)

/** The same deals by owner or vertical, those without one last. */
export async function pipelineReportBy(
  workspace: Workspace,
  pipelineId: string,
  span: Span,
  grouping: 'owner' | 'vertical',
): Promise<[key: string | null, tally: Tally][]> {
  const grouped = grouping === 'owner' ? dealsByOwner : dealsByVertical
  const tallies = new Tallies()
  await inPieces(workspace, span, afterPieceOfDeals, (piece) => {
    for (const count of grouped.all(workspace, { pipelineId, ...piece })) tallies.of(count.key).add(count)
  })
  return tallies.sorted()
}

const firstAndLastCreated = query((orm) => {
  const one = (of: 'min' | 'max'): SQL<number | null> =>
    sql`(select ${sql.raw(of)}(${deals.createdAt}) from ${deals} where ${inWorkspace} and ${ofPipeline} and ${createdInSpan})`
  return orm.select({ first: one('min'), last: one('max') }).from(sql`(select 1)`)
})

const dealsOfPipeline = query((orm) =>
  orm
    .select(counted)
    .from(deals)
    .where(and(inWorkspace, ofPipeline, createdInSpan)),
)

/** The same deals by the month of their creation, from the first month with a deal to the last. */
export async function pipelineReportByMonth(
  workspace: Workspace,
  pipelineId: string,
  span: Span,
): Promise<[month: string, tally: Tally][]> {
  const asked = { pipelineId, ...span }
  const bounds = firstAndLastCreated.first(workspace, asked)
  if (typeof bounds?.first !== 'number' || typeof bounds.last !== 'number') return []
  const months: [string, Tally][] = []
  for (const { label, start, end } of periodsBetween(workspace, bounds.first, bounds.last, 'monthly')) {
    const within = { start: Math.max(start, span.start), end: Math.min(end, span.end) }
    const tally = new Tally()
    await inPieces(workspace, within, afterPieceOfDeals, (piece) => {
      const count = dealsOfPipeline.first(workspace, { pipelineId, ...piece })
      if (count) tally.add(count)
    })
    months.push([label, tally])
  }
  return months
}

// ---------------------------------------------------------------- team

export interface MemberReport {
  /** null stands for deals and activities without an owner. */
  readonly ownerId: string | null
  readonly tally: Tally
  readonly activitiesCount: number
}

export interface TeamReport {
  readonly members: readonly MemberReport[]
  readonly totals: Omit<MemberReport, 'ownerId'>
}

const dealsByOwnerInAll = query((orm) =>
  orm
    .select({ key: deals.ownerId, ...counted })
    .from(deals)
    .where(and(inWorkspace, createdInSpan))
    .groupBy(deals.ownerId),
)

const activitiesOfTeam = (where: SQL | undefined) =>
  query((orm) =>
    orm
      .select({ ownerId: crmActivities.ownerId, count: sql<number>`count(*)` })
      .from(crmActivities)
      .where(and(ofWorkspace(crmActivities), createdIn(crmActivities), where))
      .groupBy(crmActivities.ownerId),
  )
const activitiesByMember = activitiesOfTeam(undefined)
const activitiesByMemberInPipeline = activitiesOfTeam(
  sql`exists (select 1 from ${deals} where ${deals.workspace} = ${crmActivities.workspace} and ${deals.id} = ${crmActivities.dealId} and ${ofPipeline})`,
)

/** What became of each user's deals that were created in the span, and how many activities they had in it. */
export async function teamReport(
  workspace: Workspace,
  pipelineId: string | null,
  span: Span,
): Promise<TeamReport> {
  const dealsBySome = pipelineId === null ? dealsByOwnerInAll : dealsByOwner
  const activitiesBySome = pipelineId === null ? activitiesByMember : activitiesByMemberInPipeline
  const all = new Tally()
  const tallies = new Tallies()
  const activities = new Map<string | null, number>()
  await inPieces(workspace, span, afterPieceOfDeals, (piece) => {
    for (const count of dealsBySome.all(workspace, { pipelineId, ...piece })) {
      for (const each of [tallies.of(count.key), all]) each.add(count)
    }
  })
  await inPieces(workspace, span, afterPieceOfActivities, (piece) => {
    for (const { ownerId, count } of activitiesBySome.all(workspace, { pipelineId, ...piece })) {
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

/** What is expected of a period; values in hundredths. */
export class Outlook {
  dealsCount = 0
  totalValue = 0
  wonValue = 0
  #likely = 0
  readonly #weighted = new WeightedSum()

  addOpen(count: number, value: number, probability: number): void {
    this.dealsCount += count
    this.totalValue += value
    this.#weighted.add(value, probability)
    if (probability >= COMMITTED_FROM) this.#likely += value
  }

  get weighted(): number {
    return this.#weighted.hundredths
  }

  /** Every open deal is won, beside those that are already. */
  get bestCase(): number {
    return this.totalValue + this.wonValue
  }

  /** The open deals that are as good as won, beside those that are. */
  get committed(): number {
    return this.#likely + this.wonValue
  }

  of(type: ForecastType): number {
    return { weighted: this.weighted, best_case: this.bestCase, committed: this.committed }[type]
  }
}

/** The probability, in percent, from which on a deal counts as committed. */
export const COMMITTED_FROM = 90

/** Periods that are told also when nothing is expected in them, the current one first. */
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

/** By day and stage, in the order of the index; days are what periods of every length are made of. */
const openByDay = (where: SQL | undefined) =>
  query((orm) =>
    orm
      .select({
        day: deals.expectedCloseDate,
        stageId: deals.stageId,
        count: sql<number>`count(*)`,
        value: sql<number>`sum(${deals.value})`,
      })
      .from(deals)
      .where(and(inWorkspace, isOpen, where))
      .groupBy(deals.expectedCloseDate, deals.pipelineId, deals.stageId),
  )
const openInAll = openByDay(undefined)
const openInPipeline = openByDay(sql`+${ofPipeline}`)

const wonIn = (where: SQL | undefined) =>
  query((orm) =>
    orm
      .select({ value: sql<number>`coalesce(sum(${deals.value}), 0)` })
      .from(deals)
      .where(
        and(
          inWorkspace,
          isWon,
          sql`${deals.closedAt} >= ${sql.placeholder('start')} and ${deals.closedAt} < ${sql.placeholder('end')}`,
          where,
        ),
      ),
  )
const wonInAll = wonIn(undefined)
const wonInPipeline = wonIn(sql`+${ofPipeline}`)

const probabilities = query((orm) =>
  orm.select({ id: stages.id, probability: stages.probability }).from(stages).where(ofWorkspace(stages)),
)

/**
 * Open deals by the period in which they are expected to close, and won ones by that in which they were. The current
 * period and those right after it are always told, any other when an open deal is expected in it.
 */
export function forecast(workspace: Workspace, pipelineId: string | null, length: PeriodLength): Forecast {
  dealRecords.index(workspace, ['expected', 'closed'])
  const openDeals = (pipelineId === null ? openInAll : openInPipeline).all(workspace, { pipelineId })
  const wonDeals = pipelineId === null ? wonInAll : wonInPipeline
  const probabilityOf = new Map(probabilities.all(workspace).map(({ id, probability }) => [id, probability]))
  const outlooks = new Map<string, PeriodOutlook>()
  const outlookIn = (period: Period): Outlook => {
    let found = outlooks.get(period.label)
    if (!found) outlooks.set(period.label, (found = { period, outlook: new Outlook() }))
    return found.outlook
  }
  const unscheduled = new Outlook()
  const periodOf = remembering((month) => periodOfDay(workspace, `${month}-01`, length))
  for (const period of periodsAhead(workspace, length)) outlookIn(period)
  for (const { day, stageId, count, value } of openDeals) {
    const outlook = day === null ? unscheduled : outlookIn(periodOf(day.slice(0, 'yyyy-MM'.length)))
    outlook.addOpen(count, value, probabilityOf.get(stageId) ?? 0)
  }
  const told = [...outlooks.values()].sort((a, b) => a.period.start - b.period.start)
  for (const { period, outlook } of told) {
    const { start, end } = period
    outlook.wonValue = wonDeals.first(workspace, { pipelineId, start, end })?.value ?? 0
  }
  return { periods: told, unscheduled }
}

/** Calendars are slow, and many days lie in one month. */
function remembering<T>(find: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>()
  return (key) => {
    let found = known.get(key)
    if (found === undefined) known.set(key, (found = find(key)))
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

/** Id and name of the pipeline that a report is about. */
export const reportedPipeline = (
  workspace: Workspace,
  pipelineId: string,
): { id: string; name: string } | undefined => pipelineNames.first(workspace, { pipelineId })
