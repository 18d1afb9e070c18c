/**
 * Pipelines and their stages. Specification part 1, "CRM records". The counts and values of stages are summed from
 * an index each time, so that they always match the deals.
 */
import { and, asc, eq, sql } from 'drizzle-orm'
import { numbered, type Head } from '../../storage/queries/listing.ts'
import { isAmong, ofWorkspace, query } from '../../storage/queries/query.ts'
import type { recordKey, withTimes } from '../../storage/columns.ts'
import { record } from '../../storage/records/record.ts'
import { refuse, refuseProperty } from '../../model/refusal.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { deals, pipelines as table, stages as stageTable } from '../tables.ts'
import { pipelineVerticalChanged } from './verticals.ts'
import { isChange, mustDiffer, unlessSame } from '../../storage/unchanged.ts'

export type Pipeline = typeof table.$inferSelect
export type Stage = typeof stageTable.$inferSelect

/** The number and the total value (in hundredths) of the open deals of a stage in one currency. */
export interface StageSum {
  readonly stageId: string
  readonly currency: string
  readonly dealsCount: number
  readonly totalValue: number
}

/** A stage with the sums of its open deals. */
export type StageDetails = Stage & { readonly sums: readonly StageSum[] }

/** A pipeline with its stages in order. */
export type PipelineDetails = Pipeline & { readonly stages: readonly StageDetails[] }

type NewStage = Pick<Stage, 'name' | 'probability'>

/** A stage in a request; an id means an existing stage. */
export type SentStage = NewStage & Partial<Pick<Stage, 'id'>>

type OwnFields = Omit<Pipeline, keyof typeof recordKey | keyof typeof withTimes>

export type NewPipeline = Pick<OwnFields, 'name'> &
  Partial<OwnFields> & { readonly stages: readonly NewStage[] }

export type PipelineFields = Partial<OwnFields> & {
  /** All stages in their new order. A stage that is left out is removed. */
  readonly stages?: readonly SentStage[]
}

export const pipelines = record(table, {
  noun: 'pipeline',
  list: numbered({ sorts: { created_at: table.createdAt }, filters: {} }),
  snapshot: { section: 'crm', name: 'pipelines' },
})

export const stages = record(stageTable, {
  noun: 'stage',
  snapshot: { section: 'crm', name: 'stages' },
})

const ofTheirPipelines = isAmong(stageTable.pipelineId)

const stagesOfPipelines = query((orm) =>
  orm
    .select()
    .from(stageTable)
    .where(and(ofWorkspace(stageTable), ofTheirPipelines))
    .orderBy(asc(stageTable.position)),
)

const sumsOfStages = query((orm) =>
  orm
    .select({
      stageId: stageTable.id,
      currency: deals.currency,
      dealsCount: sql<number>`count(*)`,
      totalValue: sql<number>`sum(${deals.value})`,
    })
    .from(stageTable)
    .innerJoin(
      deals,
      and(
        eq(deals.workspace, stageTable.workspace),
        eq(deals.stageId, stageTable.id),
        // The plus prevents a lookup by status, which has few values.
        sql`+${deals.status} = 'open'`,
      ),
    )
    .where(and(ofWorkspace(stageTable), ofTheirPipelines))
    .groupBy(stageTable.id, sql`+${deals.currency}`)
    .orderBy(asc(deals.currency)),
)

/** Returns the pipelines that exist, in the order of their ids. */
export function findPipelines(workspace: Workspace, ids: readonly string[]): PipelineDetails[] {
  const found = pipelines.byId(workspace, ids)
  const parameters = { ids: JSON.stringify(ids) }
  const sums = sumsOfStages.all(workspace, parameters)
  const stagesWithSums = stagesOfPipelines
    .all(workspace, parameters)
    .map((stage) => ({ ...stage, sums: sums.filter(({ stageId }) => stageId === stage.id) }))
  return ids.flatMap((id) => {
    const pipeline = found.get(id)
    return pipeline
      ? [{ ...pipeline, stages: stagesWithSums.filter((stage) => stage.pipelineId === id) }]
      : []
  })
}

/** Returns a pipeline with its stages. Throws if it does not exist. */
export const findPipeline = (workspace: Workspace, id: string): PipelineDetails =>
  findPipelines(workspace, [id])[0] ?? pipelines.noSuch(id)

export function createPipeline(
  workspace: Workspace,
  { stages: sent, ...fields }: NewPipeline,
): PipelineDetails {
  return workspace.write(() => {
    const now = workspace.now()
    const id = workspace.ids.prefixed('pipe_')
    pipelines.insert(workspace, { ...fields, id, createdAt: now, updatedAt: now })
    sent.forEach((stage, index) => {
      insertStage(workspace, id, stage, index + 1)
    })
    return findPipeline(workspace, id)
  })
}

/** Updates the given fields; without a change, does nothing. */
export function updatePipeline(
  workspace: Workspace,
  pipeline: PipelineDetails,
  { stages: sent, ...fields }: PipelineFields,
): PipelineDetails {
  const isSame = !isChange(pipeline, fields)
  if (sent === undefined && isSame) return pipeline
  return unlessSame(pipeline, () =>
    workspace.write(() => {
      const updated = pipelines.update(workspace, pipeline, { ...fields, updatedAt: workspace.now() })
      pipelineVerticalChanged(workspace, pipeline, updated)
      if (sent) replaceStages(workspace, pipeline, sent)
      const changed = findPipeline(workspace, pipeline.id)
      if (isSame) mustDiffer(pipeline.stages, changed.stages)
      return changed
    }),
  )
}

/** Deletes a pipeline. Throws a conflict if it has deals, open or closed. */
export function deletePipeline(workspace: Workspace, { id }: Head): void {
  if (dealInPipeline.first(workspace, { id }))
    refuse('conflict', 'The pipeline has deals; it can only be deleted when it has none.')
  workspace.write(() => {
    pipelines.remove(workspace, id)
  })
}

const dealInPipeline = query((orm) =>
  orm
    .select({ one: sql`1` })
    .from(deals)
    .where(and(ofWorkspace(deals), eq(deals.pipelineId, sql.placeholder('id'))))
    .limit(1),
)

const dealInStage = query((orm) =>
  orm
    .select({ one: sql`1` })
    .from(deals)
    .where(and(ofWorkspace(deals), eq(deals.stageId, sql.placeholder('id'))))
    .limit(1),
)

function replaceStages(workspace: Workspace, pipeline: PipelineDetails, sent: readonly SentStage[]): void {
  const sentIds = mustBeOwnStages(pipeline, sent)
  for (const stage of pipeline.stages) if (!sentIds.has(stage.id)) removeStage(workspace, stage)
  sent.forEach(({ id, ...fields }, index) => {
    if (id === undefined) insertStage(workspace, pipeline.id, fields, index + 1)
    else updateStage(workspace, id, fields, index + 1)
  })
}

/** Returns the sent ids. Throws if one is not a stage of the pipeline or occurs twice. */
function mustBeOwnStages(pipeline: PipelineDetails, sent: readonly SentStage[]): ReadonlySet<string> {
  const own = new Set(pipeline.stages.map((stage) => stage.id))
  const seen = new Set<string>()
  sent.forEach(({ id }, index) => {
    if (id === undefined) return
    const field = `stages.${String(index)}.id`
    if (!own.has(id)) refuseProperty(field, 'unknown', `{${field}} must be a stage of this pipeline`)
    if (seen.has(id))
      refuseProperty(
        field,
        'duplicate',
        `{${field}} must be unique; another stage in the request has the same id`,
      )
    seen.add(id)
  })
  return seen
}

function insertStage(
  workspace: Workspace,
  pipelineId: string,
  { name, probability }: NewStage,
  position: number,
): void {
  const id = workspace.ids.prefixed('stage_')
  stages.insert(workspace, { id, pipelineId, name, probability, position })
}

function updateStage(
  workspace: Workspace,
  id: string,
  { name, probability }: NewStage,
  position: number,
): void {
  stages.update(workspace, stages.get(workspace, id), { name, probability, position })
}

function removeStage(workspace: Workspace, { id, name }: Stage): void {
  if (dealInStage.first(workspace, { id })) {
    refuse('conflict', `The stage ${name} has deals; it can only be removed when it has none.`, {
      facts: { stage_id: id },
    })
  }
  stages.remove(workspace, id)
}
