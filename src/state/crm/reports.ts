/**
 * Reports. Specification part 1, "CRM": what the pipeline report holds is shown; the team and forecast reports are
 * not, and neither is what is counted how. Everything is added up by the database from indexes, in hundredths and
 * milliseconds; what is left to do here is a handful of sums for each report.
 */
import { and, asc, eq, sql, type SQL } from 'drizzle-orm'
import { statement } from '../database.ts'
import type { Workspace } from '../workspaces.ts'
import { meanOf, WeightedSum } from './amounts.ts'
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

  add({ status, count, value, msToClose }: Counted): void {
    this.dealsCount += count
    this.totalValue += value
    if (status === 'open') {
      this.openDeals += count
      this.openValue += value
    } else if (status === 'won') {
      this.wonDeals += count
      this.wonValue += value
      this.#msToWin += msToClose
    } else this.lostDeals += count
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

/** Deals of one status as the database has added them up. */
interface Counted {
  readonly status: 'open' | 'won' | 'lost'
  readonly count: number
  readonly value: number
  /** From creation to closing, all together. */
  readonly msToClose: number
}

const counted = {
  status: deals.status,
  count: sql<number>`count(*)`,
  value: sql<number>`sum(${deals.value})`,
  msToClose: sql<number>`coalesce(sum(max(0, ${deals.closedAt} - ${deals.createdAt})), 0)`,
}

/** Ms of `count` things all together as days for each, with two decimals. */
const daysOf = (ms: number, count: number): number =>
  count === 0 ? 0 : Math.round((ms * 100) / (DAY * count)) / 100

function tallied<Key>(rows: readonly (Counted & { readonly key: Key })[]): Map<Key, Tally> {
  const tallies = new Map<Key, Tally>()
  for (const row of rows) {
    let tally = tallies.get(row.key)
    if (!tally) tallies.set(row.key, (tally = new Tally()))
    tally.add(row)
  }
  return tallies
}

const ofWorkspace = eq(deals.workspace, sql.placeholder('workspace'))
const ofPipeline = eq(deals.pipelineId, sql.placeholder('pipelineId'))
const createdInSpan = sql`${deals.createdAt} >= ${sql.placeholder('start')} and ${deals.createdAt} < ${sql.placeholder('end')}`

/** Deals of a pipeline by one of their columns, and by status. */
const dealsBy = (column: typeof deals.stageId | typeof deals.ownerId | typeof deals.vertical) =>
  statement((orm) =>
    orm
      .select({ key: sql<string | null>`${column}`, ...counted })
      .from(deals)
      .where(and(ofWorkspace, ofPipeline, createdInSpan))
      .groupBy(column, deals.status)
      .prepare(),
  )

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

const dealsByStage = dealsBy(deals.stageId)

const stagesOf = statement((orm) =>
  orm
    .select({ id: stages.id, name: stages.name })
    .from(stages)
    .where(
      and(
        eq(stages.workspace, sql.placeholder('workspace')),
        eq(stages.pipelineId, sql.placeholder('pipelineId')),
      ),
    )
    .orderBy(asc(stages.position))
    .prepare(),
)

const staysByStage = statement((orm) =>
  orm
    .select({
      stageId: stageStays.stageId,
      count: sql<number>`count(*)`,
      ms: sql<number>`sum(max(0, coalesce(${stageStays.leftAt}, ${sql.placeholder('now')}) - ${stageStays.enteredAt}))`,
    })
    .from(stageStays)
    .where(
      and(
        eq(stageStays.workspace, sql.placeholder('workspace')),
        sql`${stageStays.stageId} in (select value from json_each(${sql.placeholder('stageIds')}))`,
        sql`${stageStays.dealCreatedAt} >= ${sql.placeholder('start')} and ${stageStays.dealCreatedAt} < ${sql.placeholder('end')}`,
      ),
    )
    .groupBy(stageStays.stageId)
    .prepare(),
)

/** What became of the deals of a pipeline that were created in the span. */
export function pipelineReport(workspace: Workspace, pipelineId: string, span: Span): PipelineReport {
  const { database, number } = workspace
  const scope = { workspace: number, pipelineId, ...span }
  const ofStages = stagesOf(database).all(scope)
  const counts = dealsByStage(database).all(scope)
  const tallies = tallied(counts)
  const stays = new Map(
    staysByStage(database)
      .all({ ...scope, now: workspace.now(), stageIds: JSON.stringify(ofStages.map(({ id }) => id)) })
      .map((stay) => [stay.stageId, stay]),
  )
  const summary = new Tally()
  for (const each of counts) summary.add(each)
  return {
    summary,
    stages: ofStages.map(({ id, name }) => {
      const { ms, count } = stays.get(id) ?? { ms: 0, count: 0 }
      return { id, name, tally: tallies.get(id) ?? new Tally(), averageDays: daysOf(ms, count) }
    }),
  }
}

const dealsByOwner = dealsBy(deals.ownerId)
const dealsByVertical = dealsBy(deals.vertical)

/** The same deals by owner or vertical, those without one last. */
export function pipelineReportBy(
  workspace: Workspace,
  pipelineId: string,
  span: Span,
  grouping: 'owner' | 'vertical',
): [key: string | null, tally: Tally][] {
  const statementOf = grouping === 'owner' ? dealsByOwner : dealsByVertical
  const found = statementOf(workspace.database).all({ workspace: workspace.number, pipelineId, ...span })
  const tallies = tallied(found)
  const nobody = tallies.get(null)
  tallies.delete(null)
  return nobody ? [...tallies, [null, nobody]] : [...tallies]
}

const firstAndLastCreated = statement((orm) => {
  const one = (of: 'min' | 'max'): SQL<number | null> =>
    sql`(select ${sql.raw(of)}(${deals.createdAt}) from ${deals} where ${ofWorkspace} and ${ofPipeline} and ${createdInSpan})`
  return orm
    .select({ first: one('min'), last: one('max') })
    .from(sql`(select 1)`)
    .prepare()
})

/** Periods go in as [label, start, end], so that each is a stretch of the index. */
const dealsByMonth = statement((orm) =>
  orm
    .select({ key: sql<string>`periods.value ->> 0`, ...counted })
    .from(sql`json_each(${sql.placeholder('periods')}) as periods`)
    .crossJoin(deals)
    .where(
      and(
        ofWorkspace,
        ofPipeline,
        createdInSpan,
        sql`${deals.createdAt} >= periods.value ->> 1 and ${deals.createdAt} < periods.value ->> 2`,
      ),
    )
    .groupBy(sql`periods.key`, deals.status)
    .prepare(),
)

/** The same deals by the month of their creation, from the first month with a deal to the last. */
export function pipelineReportByMonth(
  workspace: Workspace,
  pipelineId: string,
  span: Span,
): [month: string, tally: Tally][] {
  const { database, number } = workspace
  const scope = { workspace: number, pipelineId, ...span }
  const bounds = firstAndLastCreated(database).get(scope)
  if (typeof bounds?.first !== 'number' || typeof bounds.last !== 'number') return []
  const months = periodsBetween(workspace, bounds.first, bounds.last, 'monthly')
  const found = dealsByMonth(database).all({ ...scope, periods: asRows(months) })
  const tallies = tallied(found)
  return months.map(({ label }) => [label, tallies.get(label) ?? new Tally()])
}

const asRows = (periods: readonly Period[]): string =>
  JSON.stringify(periods.map(({ label, start, end }) => [label, start, end]))

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

const dealsOfTeam = (where: SQL | undefined) =>
  statement((orm) =>
    orm
      .select({ key: deals.ownerId, ...counted })
      .from(deals)
      .where(and(ofWorkspace, where, createdInSpan))
      .groupBy(deals.ownerId, deals.status)
      .prepare(),
  )
const dealsByMember = dealsOfTeam(undefined)
const dealsByMemberInPipeline = dealsOfTeam(ofPipeline)

const activitiesOfTeam = (where: SQL | undefined) =>
  statement((orm) =>
    orm
      .select({ ownerId: crmActivities.ownerId, count: sql<number>`count(*)` })
      .from(crmActivities)
      .where(
        and(
          eq(crmActivities.workspace, sql.placeholder('workspace')),
          sql`${crmActivities.createdAt} >= ${sql.placeholder('start')} and ${crmActivities.createdAt} < ${sql.placeholder('end')}`,
          where,
        ),
      )
      .groupBy(crmActivities.ownerId)
      .prepare(),
  )
const activitiesByMember = activitiesOfTeam(undefined)
const activitiesByMemberInPipeline = activitiesOfTeam(
  sql`exists (select 1 from ${deals} where ${deals.workspace} = ${crmActivities.workspace} and ${deals.id} = ${crmActivities.dealId} and ${ofPipeline})`,
)

/** What became of each user's deals that were created in the span, and how many activities they had in it. */
export function teamReport(workspace: Workspace, pipelineId: string | null, span: Span): TeamReport {
  const { database } = workspace
  const scope = { workspace: workspace.number, pipelineId, ...span }
  const counts = (pipelineId === null ? dealsByMember : dealsByMemberInPipeline)(database).all(scope)
  const tallies = tallied(counts)
  const activities = new Map(
    (pipelineId === null ? activitiesByMember : activitiesByMemberInPipeline)(database)
      .all(scope)
      .map(({ ownerId, count }) => [ownerId, count]),
  )
  const users = workspace.users().map(({ id }) => id)
  const others = [...tallies.keys(), ...activities.keys()].filter((id) => id === null || !users.includes(id))
  const all = new Tally()
  for (const each of counts) all.add(each)
  return {
    members: [...new Set([...users, ...others])].map((ownerId) => ({
      ownerId,
      tally: tallies.get(ownerId) ?? new Tally(),
      activitiesCount: activities.get(ownerId) ?? 0,
    })),
    totals: { tally: all, activitiesCount: [...activities.values()].reduce((sum, count) => sum + count, 0) },
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

export interface Forecast {
  readonly periods: readonly { readonly period: Period; readonly outlook: Outlook }[]
  /** Open deals without an expected date. */
  readonly unscheduled: Outlook
}

/** Months are what text can be cut to; longer periods are made of them. */
const month = sql<string | null>`substr(${deals.expectedCloseDate}, 1, 7)`

const openByMonth = (where: SQL | undefined) =>
  statement((orm) =>
    orm
      .select({
        month,
        stageId: deals.stageId,
        count: sql<number>`count(*)`,
        value: sql<number>`sum(${deals.value})`,
      })
      .from(deals)
      .where(and(ofWorkspace, eq(deals.status, 'open'), where))
      .groupBy(month, deals.stageId)
      .prepare(),
  )
const openInAll = openByMonth(undefined)
const openInPipeline = openByMonth(sql`+${ofPipeline}`)

const wonByPeriod = (where: SQL | undefined) =>
  statement((orm) =>
    orm
      .select({ label: sql<string>`periods.value ->> 0`, value: sql<number>`sum(${deals.value})` })
      .from(sql`json_each(${sql.placeholder('periods')}) as periods`)
      .crossJoin(deals)
      .where(
        and(
          ofWorkspace,
          eq(deals.status, 'won'),
          sql`${deals.closedAt} >= periods.value ->> 1 and ${deals.closedAt} < periods.value ->> 2`,
          where,
        ),
      )
      .groupBy(sql`periods.key`)
      .prepare(),
  )
const wonInAll = wonByPeriod(undefined)
const wonInPipeline = wonByPeriod(sql`+${ofPipeline}`)

const probabilities = statement((orm) =>
  orm
    .select({ id: stages.id, probability: stages.probability })
    .from(stages)
    .where(eq(stages.workspace, sql.placeholder('workspace')))
    .prepare(),
)

/**
 * Open deals by the period in which they are expected to close, and won ones by that in which they were. The current
 * period and those right after it are always told, any other when an open deal is expected in it.
 */
export function forecast(workspace: Workspace, pipelineId: string | null, length: PeriodLength): Forecast {
  const { database } = workspace
  const scope = { workspace: workspace.number, pipelineId }
  const probabilityOf = new Map(
    probabilities(database)
      .all(scope)
      .map(({ id, probability }) => [id, probability]),
  )
  const periods = new Map(periodsAhead(workspace, length).map((period) => [period.label, period]))
  const outlooks = new Map<string, Outlook>()
  const unscheduled = new Outlook()
  for (const open of (pipelineId === null ? openInAll : openInPipeline)(database).all(scope)) {
    let outlook = unscheduled
    if (open.month !== null) {
      const period = periodOfDay(workspace, `${open.month}-01`, length)
      periods.set(period.label, period)
      outlook = outlookOf(outlooks, period.label)
    }
    outlook.addOpen(open.count, open.value, probabilityOf.get(open.stageId) ?? 0)
  }
  const told = [...periods.values()].sort((a, b) => a.start - b.start)
  const won = (pipelineId === null ? wonInAll : wonInPipeline)(database)
  for (const { label, value } of won.all({ ...scope, periods: asRows(told) })) {
    outlookOf(outlooks, label).wonValue = value
  }
  return {
    periods: told.map((period) => ({ period, outlook: outlookOf(outlooks, period.label) })),
    unscheduled,
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

function outlookOf(outlooks: Map<string, Outlook>, label: string): Outlook {
  let outlook = outlooks.get(label)
  if (!outlook) outlooks.set(label, (outlook = new Outlook()))
  return outlook
}

// ---------------------------------------------------------------- pipelines by name

const pipelineNames = statement((orm) =>
  orm
    .select({ id: pipelines.id, name: pipelines.name })
    .from(pipelines)
    .where(
      and(
        eq(pipelines.workspace, sql.placeholder('workspace')),
        eq(pipelines.id, sql.placeholder('pipelineId')),
      ),
    )
    .prepare(),
)

/** Id and name of the pipeline that a report is about. */
export const reportedPipeline = (
  { database, number }: Workspace,
  pipelineId: string,
): { id: string; name: string } | undefined => pipelineNames(database).get({ workspace: number, pipelineId })
