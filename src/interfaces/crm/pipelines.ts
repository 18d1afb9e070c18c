/** Pipelines. Specification part 1, "CRM"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition.ts'
import { NO_CONTENT, before, noContent, operationsOf } from '../../http/operation.ts'
import { numberedPage } from '../../http/pages.ts'
import type { Rendering } from '../../http/renderings.ts'
import { everybodyIn, remembered } from '../../http/responseCache.ts'
import { WeightedSum } from '../../state/crm/amounts.ts'
import {
  createPipeline,
  deletePipeline,
  findPipeline,
  pipelines as pipelineRecords,
  pipelinesInFull,
  updatePipeline,
  type PipelineInFull,
  type StageInFull,
} from '../../state/crm/pipelines.ts'
import { documentedBut } from '../../state/fidelity.ts'
import { PageOf, pageMeta } from './dialect.ts'
import { Pipeline, PipelineCreate, PipelineId, PipelineQuery, PipelineUpdate } from './schemas/pipelines.ts'
import { amountOf } from './views.ts'

const stageView = (stage: StageInFull) => ({
  id: stage.id,
  name: stage.name,
  probability: stage.probability,
  position: stage.position,
  deals_count: stage.dealsCount,
  total_value: amountOf(stage.totalValue),
})

function pipelineView(pipeline: PipelineInFull): Static<typeof Pipeline> {
  const weighted = new WeightedSum()
  for (const { totalValue, probability } of pipeline.stages) weighted.add(totalValue, probability)
  const sumOf = (count: (stage: StageInFull) => number): number =>
    pipeline.stages.reduce((sum, stage) => sum + count(stage), 0)
  return {
    id: pipeline.id,
    name: pipeline.name,
    vertical: pipeline.vertical,
    stages: pipeline.stages.map(stageView),
    total_deals: sumOf((stage) => stage.dealsCount),
    total_value: amountOf(sumOf((stage) => stage.totalValue)),
    weighted_value: amountOf(weighted.hundredths),
  }
}

/** What a pipeline shows follows from its deals, so no text of it outlives the answer that it was made for. */
const pipelineText: Rendering<PipelineInFull> = {
  one: (_workspace, pipeline) => JSON.stringify(pipelineView(pipeline)),
  many(workspace, heads) {
    const ids = heads.map(({ id }) => id)
    const found = pipelinesInFull(workspace, ids)
    return found.map((pipeline) => pipelineText.one(workspace, pipeline)).join(',')
  },
}

const pipelineOperation = operationsOf({ tag: 'Pipelines' })

export const pipelines: Resource = async (app) => {
  app.get(
    '/pipelines',
    {
      schema: { querystring: PipelineQuery },
      config: pipelineOperation({
        id: 'listPipelines',
        summary: 'List pipelines',
        fidelity: documentedBut(
          'Assumed: any key may read them; each is shown whole, as a single one is; the oldest comes first.',
        ),
        answers: { 200: PageOf(Pipeline) },
      }),
    },
    ({ query, workspace }) => {
      const where = { page: query.page, perPage: query.per_page, sort: 'created_at', order: 'asc' } as const
      return numberedPage(
        'crm pipelines',
        pipelineRecords.list,
        pipelineText,
        everybodyIn(workspace),
        where,
        {},
        pageMeta,
      )
    },
  )

  app.get(
    '/pipelines/:pipeline_id',
    {
      schema: { params: PipelineId },
      config: pipelineOperation({
        id: 'getPipeline',
        summary: 'Get a pipeline',
        fidelity: documentedBut(
          'Assumed: any key may read it; its counts and values are those of open deals.',
        ),
        answers: { 200: Pipeline },
      }),
    },
    ({ params, workspace }) =>
      remembered(everybodyIn(workspace), `pipeline ${params.pipeline_id}`, () =>
        pipelineText.one(workspace, findPipeline(workspace, params.pipeline_id)),
      ),
  )

  app.post(
    '/pipelines',
    {
      schema: { body: PipelineCreate },
      config: pipelineOperation({
        id: 'createPipeline',
        summary: 'Create a pipeline',
        scope: 'crm:admin',
        fidelity: documentedBut(
          'Assumed: name and stages are required, and of each stage its name and its probability; positions count from 1.',
        ),
        answers: { 201: Pipeline },
      }),
    },
    ({ body, workspace }, reply) => {
      const pipeline = createPipeline(workspace, body)
      reply.code(201)
      return pipelineText.one(workspace, pipeline)
    },
  )

  app.patch(
    '/pipelines/:pipeline_id',
    {
      preValidation: mustExist,
      schema: { params: PipelineId, body: PipelineUpdate },
      config: pipelineOperation({
        id: 'updatePipeline',
        summary: 'Update a pipeline',
        description: 'Only the fields that are sent change.',
        fidelity: documentedBut(
          'Assumed: the body; any key may change it; stages are sent all together, those that stay with their ids, and one with deals, open or closed, cannot be left out.',
        ),
        answers: { 200: Pipeline },
        refuses: ['conflict'],
      }),
    },
    ({ params, body, workspace }) =>
      pipelineText.one(
        workspace,
        updatePipeline(workspace, findPipeline(workspace, params.pipeline_id), body),
      ),
  )

  app.delete(
    '/pipelines/:pipeline_id',
    {
      schema: { params: PipelineId },
      config: pipelineOperation({
        id: 'deletePipeline',
        summary: 'Delete a pipeline',
        scope: 'crm:admin',
        fidelity: documentedBut('Assumed: a pipeline with deals, open or closed, is a conflict.'),
        answers: NO_CONTENT,
        refuses: ['conflict'],
      }),
    },
    ({ params, workspace }, reply) => {
      deletePipeline(workspace, pipelineRecords.getHead(workspace, params.pipeline_id))
      noContent(reply)
    },
  )
}

/** That the pipeline exists is asked before the body is judged. */
const mustExist = before<{ pipeline_id: string }>(({ workspace }, params) =>
  pipelineRecords.getHead(workspace, params.pipeline_id),
)
