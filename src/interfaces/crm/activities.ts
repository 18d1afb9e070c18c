/** Activities of the CRM. Specification part 1, "CRM"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import { fieldRendering } from '../../http/fields.ts'
import type { Resource } from '../../http/definition.ts'
import { before, operationsOf } from '../../http/operation.ts'
import { numberedPage } from '../../http/pages.ts'
import { everyCallerIn } from '../../http/responseCache.ts'
import { pageMeta, PageOf } from '../../http/wireShapes.ts'
import { instantOf } from '../../state/clock.ts'
import {
  createCrmActivity,
  updateCrmActivity,
  type CrmActivityFields,
  type NewCrmActivity,
} from '../../state/crm/activities.ts'
import { crmActivities as activityRecords } from '../../state/crm/activityRecords.ts'
import { contacts } from '../../state/crm/contacts.ts'
import { deals } from '../../state/crm/dealRecords.ts'
import { spanOf } from '../../state/crm/periods.ts'
import { crmActivities } from '../../state/crm/tables.ts'
import { documentedBut } from '../../state/fidelity.ts'
import type { Workspace } from '../../state/workspace.ts'
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
        description: 'The newest first.',
        fidelity: documentedBut(
          'Assumed: it is a list of its own, without the activities of the catalog interface; any key may read them; contact_id finds the activities of the deals of a contact as well; from and to are about when an activity was created, a date is a whole day in the time zone of the workspace, and to is part of the period.',
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
          'Assumed: type and subject are required; it belongs to the user of the key unless an owner is named; a contact, a deal and an owner must exist when they are named, and none of them has to be.',
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
        fidelity: documentedBut('Assumed: any key may read it, and it is answered bare, as a deal is.'),
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
        description: 'Only the fields that are sent change.',
        fidelity: documentedBut(
          'Assumed: the body; any key may change it; completed completes an activity and opens it again, null clears a field that may be null, and an update without a field changes nothing.',
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

/** That the activity exists is asked before the body is judged. */
const mustExist = before<{ activity_id: string }>(({ workspace }, params) =>
  activityRecords.get(workspace, params.activity_id),
)

/** The fields as the state calls them; those that were not sent stay out. */
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
