/** Activities of the CRM. Specification part 1, "CRM"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import { fieldRendering } from '../../http/shapes/fields.ts'
import type { Resource } from '../../http/definition/definition.ts'
import { checkFirst, operationsOf } from '../../http/definition/operation.ts'
import { numberedPage } from '../../http/lists/pages.ts'
import { everyCallerIn } from '../../http/lists/responseCache.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { instantOf } from '../../state/model/clock.ts'
import {
  createCrmActivity,
  updateCrmActivity,
  type CrmActivityFields,
  type NewCrmActivity,
} from '../../state/crm/sales/activities.ts'
import { crmActivities as activityRecords } from '../../state/crm/sales/activityRecords.ts'
import { contacts } from '../../state/crm/sales/contacts.ts'
import { deals } from '../../state/crm/sales/dealRecords.ts'
import { spanOf } from '../../state/crm/reports/periods.ts'
import { crmActivities } from '../../state/crm/tables.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { Activity, ActivityCreate, ActivityId, ActivityQuery, ActivityUpdate } from './schemas/activities.ts'
import { activityFields } from './views.ts'

const activityText = fieldRendering(crmActivities, activityRecords, activityFields)

const activityOperation = operationsOf({ tag: 'Activities' })

export const activities: Resource = async (app) => {
  app.get(
    '/activities',
    {
      schema: { querystring: ActivityQuery },
      config: activityOperation({
        id: 'listActivities',
        summary: 'List activities',
        description: 'Returns the newest activities first.',
        fidelity: documentedBut(
          'Assumed: the list is separate from the activities of the catalog interface. Any key may read it. contact_id also finds the activities of the deals of the contact. from and to filter by creation time and are both inclusive; a date means a whole day in the time zone of the workspace.',
        ),
        names: { contact_id: contacts, deal_id: deals },
        answers: { 200: PageOf(Activity) },
      }),
    },
    ({ query, workspace }) => {
      const { contact_id, deal_id, type, from, to, page, per_page: perPage } = query
      const span = spanOf(workspace, from, to)
      const filters = {
        contact_id,
        deal_id,
        type,
        from: from === undefined ? undefined : span.start,
        before: to === undefined ? undefined : span.end,
      }
      const where = { page, perPage, sort: 'created_at', order: 'desc' } as const
      return numberedPage(
        'crm activities',
        activityRecords.list,
        activityText,
        everyCallerIn(workspace),
        where,
        filters,
        pageMeta,
      )
    },
  )

  app.post(
    '/activities',
    {
      schema: { body: ActivityCreate },
      config: activityOperation({
        id: 'createActivity',
        summary: 'Create an activity',
        scope: 'crm:write',
        fidelity: documentedBut(
          'Assumed: type and subject are required. The activity belongs to the user of the key unless owner_id names another user. contact_id, deal_id and owner_id are optional; a record that one of them names must exist.',
        ),
        answers: { 201: Activity },
      }),
    },
    ({ body, workspace, caller }, reply) => {
      const fields = fromWire(workspace, body) as NewCrmActivity
      const activity = createCrmActivity(workspace, caller.user, fields)
      reply.code(201)
      return activityText.one(workspace, activity)
    },
  )

  app.get(
    '/activities/:activity_id',
    {
      schema: { params: ActivityId },
      config: activityOperation({
        id: 'getActivity',
        summary: 'Get an activity',
        fidelity: documentedBut(
          'Assumed: any key may read an activity. The response is the activity without an envelope, as for deals.',
        ),
        answers: { 200: Activity },
      }),
    },
    ({ params, workspace }) =>
      activityText.find(workspace, params.activity_id) ?? activityRecords.noSuch(params.activity_id),
  )

  app.patch(
    '/activities/:activity_id',
    {
      preValidation: mustExist,
      schema: { params: ActivityId, body: ActivityUpdate },
      config: activityOperation({
        id: 'updateActivity',
        summary: 'Update an activity',
        description: 'Changes only the fields in the request body.',
        fidelity: documentedBut(
          'Assumed: the request body. Any key may update an activity. completed: true completes it, and false opens it again. null clears a nullable field. A request without fields changes nothing.',
        ),
        answers: { 200: Activity },
      }),
    },
    ({ params, body, workspace }) => {
      const activity = activityRecords.get(workspace, params.activity_id)
      return activityText.one(workspace, updateCrmActivity(workspace, activity, fromWire(workspace, body)))
    },
  )
}

/** Refuses an unknown activity before the body is validated. */
const mustExist = checkFirst<{ activity_id: string }>(({ workspace }, params) =>
  activityRecords.get(workspace, params.activity_id),
)

/** Returns the fields under their names in the state. Fields that were not sent stay out. */
function fromWire(workspace: Workspace, sent: Static<typeof ActivityUpdate>): CrmActivityFields {
  const { contact_id, deal_id, owner_id, duration_minutes, due_at, ...rest } = sent
  return {
    ...rest,
    ...(contact_id !== undefined && { contactId: contact_id }),
    ...(deal_id !== undefined && { dealId: deal_id }),
    ...(owner_id !== undefined && { ownerId: owner_id }),
    ...(duration_minutes !== undefined && { durationMinutes: duration_minutes }),
    ...(due_at !== undefined && { dueAt: due_at === null ? null : instantOf(due_at, workspace) }),
  }
}
