/** Wire shapes of the CRM's activities. Specification part 1, "CRM records", "CRM". */
import { Type } from '@sinclair/typebox'
import { Assumed, OneOf } from '../../../http/schemas/schemas.ts'
import { made, shape } from '../../../http/shapes/shape.ts'
import { CRM_ACTIVITY_TYPES, crmActivities } from '../../../state/crm/tables.ts'
import { assumedPageQuery, Id, notBlank, OwnerId, spanQuery } from './common.ts'

const tasks = 'The specification does not show this field; the tasks that automations create need it.'

export const Activity = shape(
  { item: 'Activity', create: 'ActivityCreate', update: 'ActivityUpdate' },
  crmActivities,
  {
    assumed:
      'The specification shows no response; the simulator returns the fields of a new activity, its id and its times.',
    fields: () => ({
      id: { schema: Id('act_') },
      type: { sent: 'both', required: true },
      contact_id: { sent: 'both', schema: Id('con_', { description: 'A contact of the workspace.' }) },
      deal_id: { sent: 'both', schema: Id('deal_', { description: 'A deal of the workspace.' }) },
      owner_id: { sent: 'both', schema: OwnerId(), assumed: tasks },
      subject: {
        sent: 'both',
        required: true,
        bounded: true,
        words: notBlank('Call about the offer'),
      },
      description: { sent: 'both', words: { description: 'Free text.' } },
      duration_minutes: {
        sent: 'both',
        schema: Type.Integer({
          exclusiveMinimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'A whole number, as for activities of the catalog (assumed).',
          examples: [30],
        }),
      },
      due_at: { sent: 'both', assumed: tasks },
      // The handler moves the activity.
      completed: {
        ...made(
          Type.Boolean({ description: 'Default is false (assumed).' }),
          [crmActivities.status],
          ([status]) => status === 'completed',
        ),
        sent: 'both',
      },
      completed_at: { words: { description: 'null until the activity is completed.' } },
      created_at: {},
      updated_at: {},
    }),
    update: Assumed(
      'The specification shows no request body; the simulator takes the fields of a new activity, each optional.',
      {},
    ),
  },
)

export const ActivityId = Type.Object({ activity_id: Id('act_') })

export const ActivityQuery = Type.Object({
  ...assumedPageQuery,
  contact_id: Type.Optional(
    Id('con_', { description: 'Activities of the contact and of its deals (assumed).' }),
  ),
  deal_id: Type.Optional(Id('deal_')),
  type: Type.Optional(OneOf(CRM_ACTIVITY_TYPES)),
  ...spanQuery('Activities'),
})
