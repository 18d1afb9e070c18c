/**
 * Pipelines and their stages. Specification part 1, "CRM records". What a stage shows of its deals is added up from
 * an index each time, so that it can't differ from the deals.
 */
import { and, asc, eq, sql } from 'drizzle-orm'
import { statement } from '../database.ts'
import { numberedList, type Head } from '../listing.ts'
import { refuse, refuseField } from '../refusal.ts'
import { rows } from '../rows.ts'
import type { Workspace } from '../workspace.ts'
import { pipelineVerticalChanged, type Stage } from './deals.ts'
import { deals, pipelines, stages } from './tables.ts'

export type Pipeline = typeof pipelines.$inferSelect

/** A stage with its open deals: how many they are and, in hundredths, what they are worth. */
export type StageInFull = Stage & { readonly dealsCount: number; readonly totalValue: number }

/** A pipeline with its stages in their order. */
export type PipelineInFull = Pipeline & { readonly stages: readonly StageInFull[] }

/** A stage as it is sent; with an id it is the one that is there already. */
export interface SentStage {
  readonly id?: string
  readonly name: string
  readonly probability: number
}

export interface NewPipeline {
  readonly name: string
  readonly vertical?: Pipeline['vertical']
  readonly stages: readonly Omit<SentStage, 'id'>[]
}

export interface PipelineFields {
  readonly name?: string
  readonly vertical?: Pipeline['vertical']
  /** All of them, in their new order: one that is there and not sent is removed. */
  readonly stages?: readonly SentStage[]
}

const pipelineRows = rows(pipelines)
const stageRows = rows(stages)

export const listPipelines = numberedList({
  table: pipelines,
  sorts: { created_at: pipelines.createdAt },
  filters: {},
})

const stagesOfPipelines = statement((orm) =>
  orm
    .select({
      workspace: stages.workspace,
      id: stages.id,
      pipelineId: stages.pipelineId,
      name: stages.name,
      probability: stages.probability,
      position: stages.position,
      dealsCount: sql<number>`count(${deals.value})`,
      totalValue: sql<number>`coalesce(sum(${deals.value}), 0)`,
    })
    .from(stages)
    .leftJoin(
      deals,
      and(
        eq(deals.workspace, stages.workspace),
        eq(deals.stageId, stages.id),
        // The plus keeps it from being looked up by status, of which there are few.
        sql`+${deals.status} = 'open'`,
      ),
    )
    .where(
      and(
        eq(stages.workspace, sql.placeholder('workspace')),
        sql`${stages.pipelineId} in (select value from json_each(${sql.placeholder('ids')}))`,
      ),
    )
    .groupBy(stages.id)
    .orderBy(asc(stages.position))
    .prepare(),
)

/** Those of the pipelines that exist, in the order of their ids. */
export function pipelinesInFull(workspace: Workspace, ids: readonly string[]): PipelineInFull[] {
  const found = new Map(pipelineRows.findAll(workspace, ids).map((pipeline) => [pipeline.id, pipeline]))
  const theirs = stagesOfPipelines(workspace.database).all({
    workspace: workspace.number,
    ids: JSON.stringify(ids),
  })
  return ids.flatMap((id) => {
    const pipeline = found.get(id)
    return pipeline ? [{ ...pipeline, stages: theirs.filter((stage) => stage.pipelineId === id) }] : []
  })
}

const noPipeline = (id: string): never => refuse('not_found', `There is no pipeline ${id}.`)

/** A pipeline with its stages, or a refusal. */
export const findPipeline = (workspace: Workspace, id: string): PipelineInFull =>
  pipelinesInFull(workspace, [id])[0] ?? noPipeline(id)

/** Id and revision of a pipeline, or a refusal. */
export const findPipelineHead = (workspace: Workspace, id: string): Head =>
  pipelineRows.head(workspace, id) ?? noPipeline(id)

export function createPipeline(workspace: Workspace, fields: NewPipeline): PipelineInFull {
  return workspace.write(() => {
    const now = workspace.now()
    const id = workspace.ids.prefixed('pipe_')
    pipelineRows.insert(workspace.database, {
      workspace: workspace.number,
      id,
      name: fields.name,
      vertical: fields.vertical ?? null,
      createdAt: now,
      updatedAt: now,
      revision: workspace.database.nextRevision(),
    })
    fields.stages.forEach((stage, index) => {
      insertStage(workspace, id, stage, index + 1)
    })
    return findPipeline(workspace, id)
  })
}

/** Changes the fields that were sent; nothing at all when none was. */
export function updatePipeline(
  workspace: Workspace,
  pipeline: PipelineInFull,
  { stages: sent, ...fields }: PipelineFields,
): PipelineInFull {
  if (sent === undefined && Object.keys(fields).length === 0) return pipeline
  return workspace.write(() => {
    pipelineRows.update(workspace.database, {
      ...pipeline,
      ...fields,
      updatedAt: workspace.now(),
      revision: workspace.database.nextRevision(),
    })
    if (fields.vertical !== undefined && fields.vertical !== pipeline.vertical) {
      pipelineVerticalChanged(workspace, pipeline.id)
    }
    if (sent) replaceStages(workspace, pipeline, sent)
    return findPipeline(workspace, pipeline.id)
  })
}

/** Only a pipeline without deals, open or closed, can be deleted. */
export function deletePipeline(workspace: Workspace, { id }: Head): void {
  const { length } = dealInPipeline(workspace.database).all({ workspace: workspace.number, id })
  if (length > 0) refuse('conflict', 'The pipeline has deals; it can only be deleted when it has none.')
  workspace.write(() => {
    pipelineRows.remove(workspace, id)
  })
}

const dealInPipeline = statement((orm) =>
  orm
    .select({ one: sql`1` })
    .from(deals)
    .where(
      and(eq(deals.workspace, sql.placeholder('workspace')), eq(deals.pipelineId, sql.placeholder('id'))),
    )
    .limit(1)
    .prepare(),
)

const dealInStage = statement((orm) =>
  orm
    .select({ one: sql`1` })
    .from(deals)
    .where(and(eq(deals.workspace, sql.placeholder('workspace')), eq(deals.stageId, sql.placeholder('id'))))
    .limit(1)
    .prepare(),
)

function replaceStages(workspace: Workspace, pipeline: PipelineInFull, sent: readonly SentStage[]): void {
  const isKept = mustBeOwnStages(pipeline, sent)
  for (const stage of pipeline.stages) if (!isKept.has(stage.id)) removeStage(workspace, stage)
  sent.forEach(({ id, ...fields }, index) => {
    if (id === undefined) insertStage(workspace, pipeline.id, fields, index + 1)
    else updateStage(workspace, id, fields, index + 1)
  })
}

/** Each id that is sent is one of the pipeline's stages, and is sent once; answers with these ids. */
function mustBeOwnStages(pipeline: PipelineInFull, sent: readonly SentStage[]): ReadonlySet<string> {
  const own = new Set(pipeline.stages.map((stage) => stage.id))
  const seen = new Set<string>()
  sent.forEach(({ id }, index) => {
    if (id === undefined) return
    const field = `stages.${String(index)}.id`
    if (!own.has(id)) refuseField(field, 'unknown', `${field} must be a stage of this pipeline`)
    if (seen.has(id)) refuseField(field, 'duplicate', `${field} is the id of another stage that was sent`)
    seen.add(id)
  })
  return seen
}

function insertStage(
  workspace: Workspace,
  pipelineId: string,
  { name, probability }: Omit<SentStage, 'id'>,
  position: number,
): void {
  const id = workspace.ids.prefixed('stage_')
  stageRows.insert(workspace.database, {
    workspace: workspace.number,
    id,
    pipelineId,
    name,
    probability,
    position,
  })
}

function updateStage(
  workspace: Workspace,
  id: string,
  { name, probability }: Omit<SentStage, 'id'>,
  position: number,
): void {
  const stage = stageRows.find(workspace, id)
  if (stage) stageRows.update(workspace.database, { ...stage, name, probability, position })
}

function removeStage(workspace: Workspace, { id, name }: Stage): void {
  const { length } = dealInStage(workspace.database).all({ workspace: workspace.number, id })
  if (length > 0) {
    refuse('conflict', `The stage ${name} has deals; it can only be removed when it has none.`, {
      facts: { stage_id: id },
    })
  }
  stageRows.remove(workspace, id)
}
