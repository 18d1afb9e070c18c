/** Wire shapes of the CRM's activities. Specification part 1, "CRM records", "CRM". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable, OneOf, SentInstant } from '../../../http/schemas/schemas.ts'
import { pageQuery } from '../../../http/schemas/wireShapes.ts'
import { CRM_ACTIVITY_TYPES } from '../../../state/crm/tables.ts'
import { Id, OwnerId, spanQuery, Text } from './common.ts'

const tasks = 'The specification does not show this field; the tasks that automations create need it.'

const activityType = OneOf(CRM_ACTIVITY_TYPES)
const activitySubject = Assumed('The specification shows no length.', Text(200, 'Call about the offer'))

/** The fields of an activity that a request and a response have in addition to type and subject. */
const activityFields = {
  contact_id: Nullable(Id('con_', { description: 'A contact of the workspace.' })),
  deal_id: Nullable(Id('deal_', { description: 'A deal of the workspace.' })),
  owner_id: Nullable(Assumed(tasks, OwnerId())),
  description: Nullable(Type.String({ description: 'Free text.' })),
  duration_minutes: Nullable(
    Assumed(
      'The specification shows no limits; the simulator requires a whole number above 0, as for activities of the catalog.',
      Type.Integer({ exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [30] }),
    ),
  ),
  due_at: Nullable(Assumed(tasks, SentInstant())),
  completed: Type.Boolean({ description: 'Defaults to false.' }),
}

export const ActivityCreate = named(
  'ActivityCreate',
  Type.Object({
    type: activityType,
    subject: activitySubject,
    ...Type.Partial(Type.Object(activityFields)).properties,
  }),
)

export const ActivityUpdate = named(
  'ActivityUpdate',
  Assumed(
    'The specification shows no request body; the simulator takes the fields of a new activity, each optional.',
    Type.Partial(Type.Object({ type: activityType, subject: activitySubject, ...activityFields })),
  ),
)

export const Activity = named(
  'Activity',
  Assumed(
    'The specification shows no response; the simulator returns the fields of a new activity, its id and its times.',
    Type.Object({
      id: Id('act_'),
      type: activityType,
      subject: activitySubject,
      ...activityFields,
      due_at: Nullable(Assumed(tasks, Instant())),
      completed_at: Nullable(Instant({ description: 'null until the activity is completed.' })),
      created_at: Instant(),
      updated_at: Instant(),
    }),
  ),
)

export const ActivityId = Type.Object({ activity_id: Id('act_') })

export const ActivityQuery = Type.Object({
  ...pageQuery,
  contact_id: Type.Optional(
    Id('con_', { description: 'Activities of the contact and of its deals (assumed).' }),
  ),
  deal_id: Type.Optional(Id('deal_')),
  type: Type.Optional(activityType),
  ...spanQuery('Activities'),
})
