/** Activities. Specification part 1, "Catalog interface"; routes in the order of operations.tsv. */
import { under } from '../../state/model/reading.ts'
import { users, type NamedKind } from '../../http/lifecycle/namedRecords.ts'
import { cursorCollection } from '../../http/lists/collection.ts'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import {
  activities as activityRecords,
  completeActivity,
  createActivity,
  deleteActivity,
  entityKey,
  updateActivity,
  type Activity as ActivityRow,
} from '../../state/catalog/activities.ts'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import { productsModule } from '../../state/catalog/readings.ts'
import { contacts } from '../../state/crm/sales/contacts.ts'
import { deals } from '../../state/crm/sales/dealRecords.ts'
import type { Caller } from '../../state/workspace/keys.ts'
import { refuseField } from '../../state/model/refusal.ts'
import { One, one, PageOf, Success } from './dialect.ts'
import { Activity, ActivityId, ActivityQuery } from './shapes/activities.ts'

const READ = 'activities:read'
const READ_OWN = 'activities:read:own'

const collection = cursorCollection({
  name: 'activities',
  list: activityRecords.list,
  rendering: Activity.rendering(),
})

/** The entity types whose records the simulator has. Ids of other types cannot be looked up. */
const KNOWN_ENTITIES = new Map<unknown, NamedKind>([
  ['contact', contacts],
  ['deal', deals],
])

export const activities: Resource = async (app) => {
  const at = routesOf(app, {
    tag: 'Activities',
    module: 'products',
    moduleIf: under(productsModule, 'interface'),
  })
  const list = at('/activities')
  const item = at('/activities/:id', { params: ActivityId, record: visibleActivity })

  list.get({
    id: 'listActivities',
    summary: 'List activities',
    description: `A key with ${READ_OWN} sees only the activities of its user.`,
    scope: READ,
    orScope: READ_OWN,
    fidelity: documentedBut(
      'Assumed: the list is separate from the activities of the CRM. The entity filters find main and attached entities. Sorting and searching ignore case and accents (N finds Ñ). Activities without a due date sort before all others. Activities that are equal in the sort order keep the order of their creation.',
    ),
    names: { owner_id: users, entity_id: ({ entity_type: type }) => KNOWN_ENTITIES.get(type) },
    query: ActivityQuery,
    answers: { 200: PageOf(Activity.item) },
    run({ query, caller }) {
      const { type, status, owner_id, search, entity_type, entity_id } = query
      if (entity_id !== undefined && entity_type === undefined) {
        refuseField('entity_type', 'required', 'entity_type is required with entity_id')
      }
      return collection.page(caller, query, {
        type,
        status,
        owner_id,
        search,
        visible_to: seesOwnOnly(caller) ? caller.user.id : undefined,
        ...(entity_type !== undefined && entity_id !== undefined
          ? { entity: entityKey(entity_type, entity_id) }
          : { entity_type }),
      })
    },
  })

  item.get({
    id: 'getActivity',
    summary: 'Get an activity',
    scope: READ,
    orScope: READ_OWN,
    fidelity: documentedBut(
      'Assumed: with activities:read:own, returns 404 for activities of other users. activities:read:own limits a key even if it also has activities:read.',
    ),
    answers: { 200: One(Activity.item) },
    run: ({ record, workspace }) => one(collection.text(workspace, record)),
  })

  list.post({
    id: 'createActivity',
    summary: 'Create an activity',
    scope: 'activities:create',
    fidelity: documentedBut(
      'Assumed: an owner must be a user of the workspace. Entities are not looked up, because they may belong to any part of the suite. A due date without a time is the start of that day in the time zone of the workspace. A due date that has passed makes the new activity overdue immediately.',
    ),
    body: Activity.create,
    answers: { 201: One(Activity.item) },
    run({ body, workspace, caller }) {
      const { title, type, entities = [] } = body
      const fields = { ...Activity.parse(workspace, body), title, type }
      const activity = createActivity(workspace, caller.user, fields, entities)
      return one(collection.text(workspace, activity))
    },
  })

  item.put({
    id: 'updateActivity',
    summary: 'Update an activity',
    description: 'Changes only the fields in the request body.',
    scope: 'activities:update',
    fidelity: documentedBut(
      'Assumed: null clears a nullable field. entityType and entityId must be sent together. entities replaces the attached entities, and customData is replaced as a whole. A request that changes nothing keeps the time of the last change and sends no event.',
    ),
    body: Activity.update,
    answers: { 200: One(Activity.item) },
    run({ record, body, workspace }) {
      const updated = updateActivity(workspace, record, Activity.parse(workspace, body), body.entities)
      return one(collection.text(workspace, updated))
    },
  })

  item.delete({
    id: 'deleteActivity',
    summary: 'Delete an activity',
    description: 'Soft-deletes the activity: lists and timelines no longer include it.',
    scope: 'activities:delete',
    fidelity: documented,
    answers: { 200: Success },
    run({ record, workspace }) {
      deleteActivity(workspace, record)
      return { success: true }
    },
  })

  at('/activities/:id/complete', { params: ActivityId, record: visibleActivity }).patch({
    id: 'completeActivity',
    summary: 'Complete an activity',
    scope: 'activities:update',
    fidelity: documentedBut('Assumed: an overdue activity can be completed. A second call changes nothing.'),
    answers: { 200: One(Activity.item) },
    run: ({ record, workspace }) => one(collection.text(workspace, completeActivity(workspace, record))),
  })
}

const seesOwnOnly = ({ scopes }: Caller): boolean => scopes?.has(READ_OWN) ?? false

/** Returns the activity. Throws not_found if the key may read only activities of its user and this is not one. */
function visibleActivity({ caller }: { readonly caller: Caller }, id: string): ActivityRow {
  const activity = activityRecords.get(caller.workspace, id)
  if (seesOwnOnly(caller) && activity.ownerId !== caller.user.id) {
    activityRecords.noSuch(id)
  }
  return activity
}
