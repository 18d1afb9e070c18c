/** Wire shapes of pipelines. Specification part 1, "CRM records", "CRM". */
import { Type } from '@sinclair/typebox'
import { Assumed, documentedLimits, named, Nullable } from '../../../http/schemas/schemas.ts'
import { valueOf } from '../../../http/shapes/shape.ts'
import { pipelines, stages } from '../../../state/crm/tables.ts'
import { assumedPageQuery, demoId, Id, notBlank, Vertical } from './common.ts'
import { money, Sum } from './deals.ts'

const pipelineName = valueOf(pipelines.name, notBlank('Fleet sales'))

const stageFields = {
  name: valueOf(stages.name, notBlank('Offer sent')),
  probability: valueOf(stages.probability, {
    ...documentedLimits('minimum', 'maximum'),
    description: 'The probability that a deal in this stage is won: a whole percentage (assumed).',
    examples: [60],
  }),
}

const stageList = { minItems: 1, maxItems: 50, description: 'The stages in order, 1 to 50.' }

export const PipelineCreate = named(
  'PipelineCreate',
  Type.Object({
    name: pipelineName,
    vertical: Type.Optional(Nullable(Vertical())),
    stages: Type.Array(Type.Object(stageFields), stageList),
  }),
)

export const PipelineUpdate = named(
  'PipelineUpdate',
  Assumed(
    'The specification shows no request body; the simulator takes the fields of a new pipeline, each optional.',
    Type.Partial(
      Type.Object({
        name: pipelineName,
        vertical: Nullable(Vertical()),
        stages: Type.Array(
          Type.Object({
            id: Type.Optional(
              Id('stage_', {
                description: 'The id of an existing stage. Without an id, a new stage is created.',
              }),
            ),
            ...stageFields,
          }),
          {
            ...stageList,
            description:
              'All stages in order, 1 to 50. A stage that is left out is removed. Returns 409 when that stage has deals.',
            examples: [[{ name: 'Offer sent', probability: 60 }]],
          },
        ),
      }),
    ),
  ),
)

const Stage = named(
  'Stage',
  Type.Object({
    id: Id('stage_'),
    ...stageFields,
    position: Type.Integer({ minimum: 1 }),
    deals_count: Type.Integer({ minimum: 0, description: 'Open deals in the stage.' }),
    ...money({ total_value: Sum('The value of its open deals.') }),
  }),
)

export const Pipeline = named(
  'Pipeline',
  Type.Object({
    id: Id('pipe_'),
    name: pipelineName,
    vertical: Nullable(Vertical()),
    stages: Type.Array(Stage, { description: 'Sorted by position.' }),
    total_deals: Type.Integer({ minimum: 0, description: 'Open deals in all stages.' }),
    ...money({
      total_value: Sum('The value of its open deals.'),
      weighted_value: Sum(
        'The value of its open deals times the probabilities of their stages, rounded once to two decimals.',
      ),
    }),
  }),
)

/** The example has no deals, so that it can be changed and deleted. */
export const PipelineId = Type.Object({ pipeline_id: Type.String({ examples: [demoId('pipe_', 3)] }) })

export const PipelineQuery = Type.Object(assumedPageQuery)
