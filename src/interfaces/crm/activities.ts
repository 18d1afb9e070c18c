/** Activities of the CRM. Specification part 1, "CRM"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { createCrmActivity, updateCrmActivity } from '../../state/crm/sales/activities.ts'
import { crmActivities as activityRecords } from '../../state/crm/sales/activityRecords.ts'
import { contacts } from '../../state/crm/sales/contacts.ts'
import { deals } from '../../state/crm/sales/dealRecords.ts'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import { mustBeInOrder, spanOf } from '../../state/shared/periods.ts'
import { Activity, ActivityId, ActivityQuery } from './shapes/activities.ts'

const collection = numberedCollection({
  records: activityRecords,
  rendering: Activity.rendering(),
  sort: 'created_at',
  meta: pageMeta,
})

export const activities: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Activities' })
  const list = at('/activities')
  const item = at('/activities/:activity_id', { params: ActivityId, record: activityRecords })

  list.get({
    id: 'listActivities',
    order: collection.order,
    summary: 'List activities',
    description: 'Returns the newest activities first.',
    fidelity: documentedBut(
      'Assumed: the list is separate from the activities of the catalog interface. contact_id also finds the activities of the deals of the contact. from and to filter by creation time and are both inclusive; a date means a whole day in the time zone of the workspace.',
    ),
    names: { contact_id: contacts, deal_id: deals },
    query: ActivityQuery,
    answers: { 200: PageOf(Activity.item) },
    run({ query, caller, workspace }) {
      const { contact_id, deal_id, type, from, to } = query
      const span = mustBeInOrder(spanOf(workspace, from, to))
      return collection.page(caller, query, {
        contact_id,
        deal_id,
        type,
        from: from === undefined ? undefined : span.start,
        before: to === undefined ? undefined : span.end,
      })
    },
  })

  list.post({
    id: 'createActivity',
    summary: 'Create an activity',
    scope: 'crm:write',
    fidelity: documentedBut(
      'Assumed: type and subject are required. The activity belongs to the user of the key unless owner_id names another user. contact_id, deal_id and owner_id are optional; a record that one of them names must exist.',
    ),
    body: Activity.create,
    answers: { 201: Activity.item },
    run({ body, workspace, caller }) {
      const { type, subject, completed } = body
      const fields = { ...Activity.parse(workspace, body), type, subject }
      const activity = createCrmActivity(workspace, caller.user, fields, completed)
      return collection.text(workspace, activity)
    },
  })

  item.get({
    id: 'getActivity',
    summary: 'Get an activity',
    fidelity: documented,
    answers: { 200: Activity.item },
    run: ({ params, workspace }) => collection.get(workspace, params.activity_id),
  })

  item.patch({
    id: 'updateActivity',
    summary: 'Update an activity',
    description: 'Changes only the fields in the request body.',
    fidelity: documentedBut(
      'Assumed: completed: true completes it, and false opens it again. null clears a nullable field. A request that changes nothing keeps the time of the last change and sends no event.',
    ),
    body: Activity.update,
    answers: { 200: Activity.item },
    run({ record: activity, body, workspace }) {
      const fields = Activity.parse(workspace, body)
      return collection.text(workspace, updateCrmActivity(workspace, activity, fields, body.completed))
    },
  })
}
