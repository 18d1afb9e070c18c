/** Pipelines. Specification part 1, "CRM"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { NO_CONTENT } from '../../http/definition/operation.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { viewRendering } from '../../http/shapes/renderings.ts'
import { Assumed } from '../../http/schemas/schemas.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { WeightedSum } from '../../state/crm/amounts.ts'
import {
  createPipeline,
  deletePipeline,
  findPipeline,
  pipelines as pipelineRecords,
  findPipelines,
  updatePipeline,
  type PipelineDetails,
  type StageDetails,
} from '../../state/crm/sales/pipelines.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { AssumedRecord } from './shapes/common.ts'
import { Pipeline, PipelineCreate, PipelineId, PipelineQuery, PipelineUpdate } from './shapes/pipelines.ts'
import { amountOf } from './shapes/deals.ts'

const countOf = (stages: readonly StageDetails[]): number =>
  stages.flatMap(({ sums }) => sums).reduce((sum, { dealsCount }) => sum + dealsCount, 0)

/** In hundredths. */
const worthOf = ({ sums }: StageDetails, currency: string): number =>
  sums.find((sum) => sum.currency === currency)?.totalValue ?? 0

/** Returns the view in the currency of the workspace, and one for each other currency of open deals. */
function inCurrencies<Money>(
  { currency }: Workspace,
  stages: readonly StageDetails[],
  view: (currency: string) => Money,
) {
  const all = new Set(stages.flatMap(({ sums }) => sums.map((sum) => sum.currency)))
  all.delete(currency)
  return {
    ...view(currency),
    other_currencies: [...all].sort().map((other) => ({ currency: other, ...view(other) })),
  }
}

const stageView = (workspace: Workspace, stage: StageDetails) => ({
  id: stage.id,
  name: stage.name,
  probability: stage.probability,
  position: stage.position,
  deals_count: countOf([stage]),
  ...inCurrencies(workspace, [stage], (currency) => ({ total_value: amountOf(worthOf(stage, currency)) })),
})

function pipelineView(workspace: Workspace, { id, name, vertical, stages }: PipelineDetails) {
  return {
    id,
    name,
    vertical,
    stages: stages.map((stage) => stageView(workspace, stage)),
    total_deals: countOf(stages),
    ...inCurrencies(workspace, stages, (currency) => {
      const weighted = new WeightedSum()
      for (const stage of stages) weighted.add(worthOf(stage, currency), stage.probability)
      const total = stages.reduce((sum, stage) => sum + worthOf(stage, currency), 0)
      return { total_value: amountOf(total), weighted_value: amountOf(weighted.hundredths) }
    }),
  } satisfies Static<typeof Pipeline>
}

const collection = numberedCollection({
  records: { list: pipelineRecords.list, get: findPipeline },
  rendering: viewRendering(findPipelines, (all, workspace) =>
    all.map((pipeline) => pipelineView(workspace, pipeline)),
  ),
  sort: 'created_at',
  order: 'asc',
  meta: pageMeta,
})

export const pipelines: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Pipelines' })
  const list = at('/pipelines')
  const item = at('/pipelines/:pipeline_id', { params: PipelineId, record: pipelineRecords })

  list.get({
    id: 'listPipelines',
    order: collection.order,
    summary: 'List pipelines',
    fidelity: documentedBut('Assumed: the oldest pipelines come first.'),
    query: PipelineQuery,
    answers: {
      200: PageOf(
        Assumed(
          'The specification does not show the fields of the items; the simulator returns the whole pipelines.',
          Pipeline,
        ),
      ),
    },
    run: ({ query, caller }) => collection.page(caller, query, {}),
  })

  item.get({
    id: 'getPipeline',
    summary: 'Get a pipeline',
    fidelity: documentedBut('Assumed: its counts and values include open deals only.'),
    answers: { 200: Pipeline },
    run: ({ params, workspace }) => collection.get(workspace, params.pipeline_id),
  })

  list.post({
    id: 'createPipeline',
    summary: 'Create a pipeline',
    scope: 'crm:admin',
    fidelity: documentedBut(
      'Assumed: name and stages are required. Each stage requires name and probability. Positions start at 1.',
    ),
    body: PipelineCreate,
    answers: { 201: AssumedRecord(Pipeline) },
    run({ body, workspace }) {
      const pipeline = createPipeline(workspace, body)
      return collection.text(workspace, pipeline)
    },
  })

  item.patch({
    id: 'updatePipeline',
    summary: 'Update a pipeline',
    description: 'Changes only the fields in the request body.',
    fidelity: documentedBut(
      'Assumed: stages has all stages; existing ones keep their ids. Returns 409 when a stage with deals, open or closed, is left out.',
    ),
    body: PipelineUpdate,
    answers: { 200: AssumedRecord(Pipeline) },
    refuses: ['conflict'],
    run: ({ params, body, workspace }) =>
      collection.text(
        workspace,
        updatePipeline(workspace, findPipeline(workspace, params.pipeline_id), body),
      ),
  })

  item.delete({
    id: 'deletePipeline',
    summary: 'Delete a pipeline',
    scope: 'crm:admin',
    fidelity: documentedBut('Assumed: returns 409 when the pipeline has deals, open or closed.'),
    answers: NO_CONTENT,
    refuses: ['conflict'],
    run: ({ params, workspace }) => {
      deletePipeline(workspace, pipelineRecords.getHead(workspace, params.pipeline_id))
    },
  })
}
