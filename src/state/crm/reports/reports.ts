/**
 * Computes the reports. Specification part 1, "CRM", shows the pipeline report but not how it counts, and not the
 * other reports. Deals count in the period of their creation, and won or lost deals in that of their closing. A
 * deal that changes during a report counts with its old or new values.
 */
import { and, asc, eq, isNotNull, sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { ofWorkspace, query } from '../../storage/queries/query.ts'
import { refuseProperty } from '../../model/refusal.ts'
import { Slices } from '../../model/slices.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { periodAt, type Span } from '../../shared/periods.ts'
import {
  afterPieceOfActivities,
  afterPieceOfCreated,
  grouped,
  inPieces,
  inWorkspace,
  ofPipeline,
  talliesOf,
  within,
} from './reportPieces.ts'
import { crmActivities, deals, pipelines, stages, stageStays } from '../tables.ts'
import { daysOf, Tally } from './tally.ts'

export const GROUPINGS = ['stage', 'owner', 'vertical', 'month'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** The maximum number of months of a report by month: fifty years. */
export const MAX_MONTHS = 600

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
    let month = periodAt(workspace, Math.min(...times), 'month');
    month.start <= last;
    month = month.next
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
