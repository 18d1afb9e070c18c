/** Wire shapes of the CRM's activities. Specification part 1, "CRM records", "CRM". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable, OneOf, SentInstant } from '../../../http/schemas.ts'
import { pageQuery } from '../../../http/wireShapes.ts'
import { CRM_ACTIVITY_TYPES } from '../../../state/crm/tables.ts'
import { Id, OwnerId, spanQuery, Text } from './common.ts'

const tasks = 'Not among the fields that the specification shows; the tasks that automations create need it.'

const activityType = OneOf(CRM_ACTIVITY_TYPES)
const activitySubject = Assumed('The specification shows no length.', Text(200, 'Call about the offer'))

/** The fields of an activity that a caller sends and sees again, beside its type and subject. */
const activityFields = {
  contact_id: Nullable(Id('con_', { description: 'A contact of the workspace.' })),
  deal_id: Nullable(Id('deal_', { description: 'A deal of the workspace.' })),
  owner_id: Nullable(Assumed(tasks, OwnerId())),
  description: Nullable(Type.String({ description: 'Free text.' })),
  duration_minutes: Nullable(
    Assumed(
      'The specification shows no limits; that it is a whole number above 0, as that of a catalog activity is, is assumed.',
      Type.Integer({ exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [30] }),
    ),
  ),
  due_at: Nullable(Assumed(tasks, SentInstant())),
  completed: Type.Boolean({ description: 'Default is false.' }),
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
    'The specification shows no body of the update: the fields of a new activity, each optional.',
    Type.Partial(Type.Object({ type: activityType, subject: activitySubject, ...activityFields })),
  ),
)

export const Activity = named(
  'Activity',
  Assumed(
    'The specification shows no activity as it is answered: the fields of a new one, its id and its times.',
    Type.Object({
      id: Id('act_'),
      type: activityType,
      subject: activitySubject,
      ...activityFields,
      due_at: Nullable(Assumed(tasks, Instant())),
      completed_at: Nullable(Instant({ description: 'null while not completed.' })),
      created_at: Instant(),
      updated_at: Instant(),
    }),
  ),
)

export const ActivityId = Type.Object({ activity_id: Id('act_') })

export const ActivityQuery = Type.Object({
  ...pageQuery,
  contact_id: Type.Optional(
    Id('con_', { description: 'Activities of the contact, and of its deals (assumed).' }),
  ),
  deal_id: Type.Optional(Id('deal_')),
  type: Type.Optional(activityType),
  ...spanQuery('Activities'),
})
