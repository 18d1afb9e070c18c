/** Activities. Specification part 1, "Catalog interface"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import { before, operationsOf } from '../../http/operation.ts'
import { users, type NamedKind } from '../../http/namedRecords.ts'
import { cursorPage } from '../../http/pages.ts'
import { fieldRendering } from '../../http/fields.ts'
import type { Resource } from '../../http/definition.ts'
import {
  activities as activityRecords,
  completeActivity,
  createActivity,
  deleteActivity,
  entityKey,
  updateActivity,
  type Activity as ActivityRow,
} from '../../state/catalog/activities.ts'
import { activities as activityTable } from '../../state/catalog/tables.ts'
import { instantOf } from '../../state/clock.ts'
import { documented, documentedBut } from '../../state/fidelity.ts'
import { contacts } from '../../state/crm/contacts.ts'
import { deals } from '../../state/crm/dealRecords.ts'
import type { Caller } from '../../state/keys.ts'
import { refuseField } from '../../state/refusal.ts'
import type { Workspace } from '../../state/workspace.ts'
import { One, one, PageOf, Success } from './dialect.ts'
import { Activity, ActivityCreate, ActivityId, ActivityQuery, ActivityUpdate } from './schemas.ts'
import { activityFields } from './views.ts'

const READ = 'activities:read'
const READ_OWN = 'activities:read:own'

const activityText = fieldRendering(activityTable, activityRecords, activityFields)

const activityOperation = operationsOf({ tag: 'Activities' })

/** The kinds of entities that an interface of the suite keeps. Nothing says which of the others exist. */
const KNOWN_ENTITIES = new Map<unknown, NamedKind>([
  ['contact', contacts],
  ['deal', deals],
])

export const activities: Resource = async (app) => {
  app.get(
    '/activities',
    {
      schema: { querystring: ActivityQuery },
      config: activityOperation({
        id: 'listActivities',
        summary: 'List activities',
        description: `A key with ${READ_OWN} sees the activities assigned to its user.`,
        scope: READ,
        orScope: READ_OWN,
        fidelity: documentedBut(
          'Assumed: it is a list of its own, without the activities of the CRM; the entity filters find main and attached entities alike; titles sort and search compares without case and accents (N finds Ñ), activities without a due date sort before all others, and ties keep the order of creation.',
        ),
        names: { owner_id: users, entity_id: ({ entity_type: type }) => KNOWN_ENTITIES.get(type) },
        answers: { 200: PageOf(Activity) },
      }),
    },
    ({ query, caller }) => {
      const { type, status, owner_id, search, entity_type, entity_id } = query
      if (entity_id !== undefined && entity_type === undefined) {
        refuseField('entity_type', 'required', 'entity_id needs entity_type beside it')
      }
      return cursorPage('activities', activityRecords.list, activityText, caller, query, {
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
  )

  app.get(
    '/activities/:id',
    {
      schema: { params: ActivityId },
      config: activityOperation({
        id: 'getActivity',
        summary: 'Get an activity',
        scope: READ,
        orScope: READ_OWN,
        fidelity: documentedBut(
          'Assumed: what activities:read:own does not show is a 404, and it limits a key that has activities:read as well.',
        ),
        answers: { 200: One(Activity) },
      }),
    },
    ({ params, caller }) => one(activityText.one(caller.workspace, visibleActivity(caller, params.id))),
  )

  app.post(
    '/activities',
    {
      schema: { body: ActivityCreate },
      config: activityOperation({
        id: 'createActivity',
        summary: 'Create an activity',
        scope: 'activities:create',
        fidelity: documentedBut(
          'Assumed: an owner must be a user of the workspace; entities are not looked up, for they may belong to any part of the suite; a due date without a time is the beginning of its day in the time zone of the workspace, and one that has passed makes the new activity overdue at once.',
        ),
        answers: { 201: One(Activity) },
      }),
    },
    ({ body, workspace, caller }, reply) => {
      const { entities = [], ...fields } = body
      const activity = createActivity(workspace, caller.user, withInstants(workspace, fields), entities)
      reply.code(201)
      return one(activityText.one(workspace, activity))
    },
  )

  app.put(
    '/activities/:id',
    {
      preValidation: mustExist,
      schema: { params: ActivityId, body: ActivityUpdate },
      config: activityOperation({
        id: 'updateActivity',
        summary: 'Update an activity',
        description: 'Only the fields that are sent change.',
        scope: 'activities:update',
        fidelity: documentedBut(
          'Assumed: null clears a field that may be null, the entity pair is sent whole, entities replaces the attached ones, customData is replaced as a whole, and an update without a field changes nothing.',
        ),
        answers: { 200: One(Activity) },
      }),
    },
    ({ params, body, workspace, caller }) => {
      const { entities, ...fields } = body
      const activity = visibleActivity(caller, params.id)
      return one(
        activityText.one(
          workspace,
          updateActivity(workspace, activity, withInstants(workspace, fields), entities),
        ),
      )
    },
  )

  app.delete(
    '/activities/:id',
    {
      schema: { params: ActivityId },
      config: activityOperation({
        id: 'deleteActivity',
        summary: 'Delete an activity',
        description: 'Soft: listings and timelines omit it from now on.',
        scope: 'activities:delete',
        fidelity: documented,
        answers: { 200: Success },
      }),
    },
    ({ params, workspace, caller }) => {
      deleteActivity(workspace, visibleActivity(caller, params.id))
      return { success: true }
    },
  )

  app.patch(
    '/activities/:id/complete',
    {
      schema: { params: ActivityId },
      config: activityOperation({
        id: 'completeActivity',
        summary: 'Complete an activity',
        scope: 'activities:update',
        fidelity: documentedBut(
          'Assumed: an overdue activity can be completed, and a second call changes nothing.',
        ),
        answers: { 200: One(Activity) },
      }),
    },
    ({ params, workspace, caller }) =>
      one(activityText.one(workspace, completeActivity(workspace, visibleActivity(caller, params.id)))),
  )
}

/** That the activity exists is asked before the body is judged. */
const mustExist = before<{ id: string }>(({ caller }, { id }) => visibleActivity(caller, id))

const seesOwnOnly = ({ scopes }: Caller): boolean => scopes?.has(READ_OWN) ?? false

/** The activity, unless the key may see its user's own only and this is another's: then there is none for it. */
function visibleActivity(caller: Caller, id: string): ActivityRow {
  const activity = activityRecords.get(caller.workspace, id)
  if (seesOwnOnly(caller) && activity.ownerId !== caller.user.id) {
    activityRecords.noSuch(id)
  }
  return activity
}

type SentFields = Omit<Static<typeof ActivityUpdate>, 'entities'>

/** Timestamps are text on the wire and milliseconds in the state. */
function withInstants<Fields extends SentFields>(
  workspace: Workspace,
  fields: Fields,
): Omit<Fields, 'dueDate'> & { dueDate?: number | null } {
  const { dueDate, ...rest } = fields
  return dueDate === undefined
    ? rest
    : { ...rest, dueDate: dueDate === null ? null : instantOf(dueDate, workspace) }
}
