/** Activities on the wire. Specification part 1, "Activity (catalog interface)", "Endpoints", "Limits". */
import { Type } from '@sinclair/typebox'
import { documentedLimits, OneOf, SearchText } from '../../../http/schemas/schemas.ts'
import { bodyOnly, shape } from '../../../http/shapes/shape.ts'
import { activityMachine } from '../../../state/catalog/machines.ts'
import { activities, ACTIVITY_TYPES, ENTITY_TYPES } from '../../../state/catalog/tables.ts'
import {
  ACTIVITY,
  Id,
  IdParameter,
  notBlank,
  order,
  ownerName,
  pageQuery,
  pick,
  PRODUCT,
  USER,
} from './common.ts'

const entityType = OneOf(ENTITY_TYPES, { examples: ['product'] })

export const Activity = shape(
  { item: 'Activity', create: 'ActivityCreate', update: 'ActivityUpdate' },
  activities,
  {
    fields: () => ({
      id: { schema: Id(ACTIVITY) },
      title: { sent: 'both', required: true, bounded: true, words: notBlank('Call about the quote') },
      type: { sent: 'both', required: true },
      description: { sent: 'both', words: { description: 'Free text.' } },
      priority: { sent: 'both' },
      status: {},
      ownerId: {
        sent: 'both',
        schema: Type.String({ description: 'Defaults to the user of the API key.', examples: [USER] }),
      },
      ownerName: ownerName(activities.ownerId),
      entityType: {
        sent: 'both',
        words: {
          description: 'Type of the main entity. Must be sent together with entityId.',
          examples: ['product'],
        },
      },
      entityId: { sent: 'both', bounded: true, words: { examples: [PRODUCT] } },
      dueDate: { sent: 'both', words: { examples: ['2026-12-01T15:00:00Z'] } },
      durationMinutes: {
        sent: 'both',
        schema: Type.Integer({
          exclusiveMinimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          ...documentedLimits('exclusiveMinimum'),
        }),
      },
      location: { sent: 'both', words: { description: 'Physical location.' } },
      meetingUrl: { sent: 'both', words: { examples: ['https://meet.example.com/abc'] } },
      notes: { sent: 'both', words: { description: 'Internal notes.' } },
      completedAt: { words: { description: 'null until the activity is completed.' } },
      customData: { sent: 'both', words: { description: 'Free key-value data.' } },
      entities: bodyOnly(
        'both',
        Type.Array(
          Type.Object({ entityType, entityId: Type.String({ minLength: 1, examples: [PRODUCT] }) }),
          {
            maxItems: 10,
            ...documentedLimits('maxItems'),
            writeOnly: true,
            description: 'More entities to attach the activity to, in addition to its main one.',
          },
        ),
      ),
      createdAt: {},
      updatedAt: {},
    }),
  },
)

export const ActivityEvent = shape({ item: 'ActivityEventData' }, activities, {
  assumed:
    'The specification shows no events of the catalog; the simulator sends the main fields of the activity.',
  fields: () =>
    pick(Activity.fields(), [
      'id',
      'title',
      'type',
      'status',
      'priority',
      'ownerId',
      'entityType',
      'entityId',
      'dueDate',
      'completedAt',
      'createdAt',
      'updatedAt',
    ]),
})

export const ActivityId = IdParameter(ACTIVITY)

export const ActivityQuery = Type.Object({
  ...pageQuery,
  sort: OneOf(['created_at', 'due_date', 'title'], { default: 'created_at' }),
  order,
  search: Type.Optional(SearchText({ description: 'Searches title and description.' })),
  type: Type.Optional(OneOf(ACTIVITY_TYPES)),
  status: Type.Optional(OneOf(activityMachine.states)),
  owner_id: Type.Optional(Type.String({ examples: [USER] })),
  entity_type: Type.Optional(entityType),
  entity_id: Type.Optional(Type.String({ description: 'Requires entity_type.', examples: [PRODUCT] })),
})
