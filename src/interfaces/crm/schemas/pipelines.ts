/** Wire shapes of pipelines. Specification part 1, "CRM records", "CRM". */
import { Type } from '@sinclair/typebox'
import { Assumed, named, Nullable } from '../../../http/schemas.ts'
import { pageQuery } from '../../../http/wireShapes.ts'
import { demoId, Id, Text, Vertical } from './common.ts'
import { money, Sum } from './deals.ts'

const pipelineName = Assumed('The specification shows no length.', Text(200, 'Fleet sales'))

const stageFields = {
  name: Assumed('The specification shows no length.', Text(200, 'Offer sent')),
  probability: Assumed(
    'The specification shows 0-100; that it is a whole number is assumed.',
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'How likely its deals are won, in percent.',
      examples: [60],
    }),
  ),
}

const stageList = { minItems: 1, maxItems: 50, description: 'In their order, 1 to 50.' }

export const PipelineCreate = named(
  'PipelineCreate',
  Type.Object({
    name: pipelineName,
    vertical: Type.Optional(Nullable(Vertical())),
    stages: Assumed(
      'The specification shows no limits; that there are 1 to 50 of them is assumed.',
      Type.Array(Type.Object(stageFields), stageList),
    ),
  }),
)

export const PipelineUpdate = named(
  'PipelineUpdate',
  Assumed(
    'The specification shows no body of the update: the fields of a new pipeline, each optional.',
    Type.Partial(
      Type.Object({
        name: pipelineName,
        vertical: Nullable(Vertical()),
        stages: Type.Array(
          Type.Object({
            id: Type.Optional(
              Id('stage_', { description: 'A stage that is there already; none makes one.' }),
            ),
            ...stageFields,
          }),
          {
            ...stageList,
            description:
              'All of them, in their order, 1 to 50: one that is there and not sent is removed, which is refused while it has deals.',
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
    deals_count: Type.Integer({ minimum: 0, description: 'Open deals in it.' }),
    ...money({ total_value: Sum('What its open deals are worth.') }),
  }),
)

export const Pipeline = named(
  'Pipeline',
  Type.Object({
    id: Id('pipe_'),
    name: pipelineName,
    vertical: Nullable(Vertical()),
    stages: Type.Array(Stage, { description: 'In the order of their positions.' }),
    total_deals: Type.Integer({ minimum: 0, description: 'Open deals in all of its stages.' }),
    ...money({
      total_value: Sum('What its open deals are worth.'),
      weighted_value: Sum(
        'What its open deals are worth times the probabilities of their stages, rounded once to two decimals.',
      ),
    }),
  }),
)

/** The example has no deals, so that it can be changed and deleted. */
export const PipelineId = Type.Object({ pipeline_id: Type.String({ examples: [demoId('pipe_', 3)] }) })

export const PipelineQuery = Type.Object(pageQuery)
