/**
 * What can be done to the activities of the CRM. Specification part 1, "CRM records", "CRM". The events and all but
 * the fields of a new activity are assumed.
 */
import { sql } from 'drizzle-orm'
import { iso, isoOrNull } from '../clock.ts'
import { numberedList } from '../listing.ts'
import { mustMove } from '../machine.ts'
import { refuse, refuseField } from '../refusal.ts'
import { rows } from '../rows.ts'
import type { Workspace } from '../workspace.ts'
import { contactRows } from './contacts.ts'
import { appendCrmEvent } from './events.ts'
import { crmActivityMachine } from './machines.ts'
import { crmActivities, deals } from './tables.ts'

export type CrmActivity = typeof crmActivities.$inferSelect

/** The fields of an activity that a caller may send. */
type SentField =
  'type' | 'contactId' | 'dealId' | 'subject' | 'description' | 'durationMinutes' | 'ownerId' | 'dueAt'

export type CrmActivityFields = { readonly [Field in SentField]?: CrmActivity[Field] } & {
  readonly completed?: boolean
}
export type NewCrmActivity = CrmActivityFields & Pick<CrmActivity, 'type' | 'subject'>

export const crmActivityRows = rows(crmActivities)

/** Activities with every filter of GET /activities, the newest first. */
export const listCrmActivities = numberedList({
  table: crmActivities,
  sorts: { created_at: crmActivities.createdAt },
  filters: {
    contact_id: (value) => sql`${crmActivities.contactId} = ${value}`,
    deal_id: (value) => sql`${crmActivities.dealId} = ${value}`,
    type: (value) => sql`${crmActivities.type} = ${value}`,
    from: (value) => sql`${crmActivities.createdAt} >= ${value}`,
    before: (value) => sql`${crmActivities.createdAt} < ${value}`,
  },
  indexes: { type: [crmActivities.type, crmActivities.createdAt] },
})

export const noCrmActivity = (id: string): never => refuse('not_found', `There is no activity ${id}.`)

/** The activity, or a refusal. */
export const findCrmActivity = (workspace: Workspace, id: string): CrmActivity =>
  crmActivityRows.find(workspace, id) ?? noCrmActivity(id)

const dealRows = rows(deals)

/** What an activity is about, and who is to do it, has to be there. */
function mustExist(workspace: Workspace, fields: CrmActivityFields): void {
  const { contactId = null, dealId = null, ownerId = null } = fields
  if (contactId !== null && !contactRows.head(workspace, contactId)) {
    refuseField('contact_id', 'unknown', 'contact_id must be a contact of this workspace')
  }
  if (dealId !== null && !dealRows.head(workspace, dealId)) {
    refuseField('deal_id', 'unknown', 'deal_id must be a deal of this workspace')
  }
  if (ownerId !== null && !workspace.user(ownerId)) {
    refuseField('owner_id', 'unknown', 'owner_id must be a user of this workspace')
  }
}

/** Adds an activity, planned or completed at once. */
export function createCrmActivity(workspace: Workspace, fields: NewCrmActivity): CrmActivity {
  return workspace.write(() => {
    const { completed = false, ...rest } = fields
    mustExist(workspace, rest)
    const now = workspace.now()
    const activity: CrmActivity = {
      contactId: null,
      dealId: null,
      ownerId: null,
      description: null,
      durationMinutes: null,
      dueAt: null,
      ...rest,
      workspace: workspace.number,
      id: workspace.ids.prefixed('act_'),
      status: completed ? 'completed' : 'planned',
      completedAt: completed ? now : null,
      createdAt: now,
      updatedAt: now,
      revision: workspace.database.nextRevision(),
    }
    crmActivityRows.insert(workspace.database, activity)
    tell(workspace, 'activity.created', activity)
    if (completed) tell(workspace, 'activity.completed', activity)
    return activity
  })
}

/**
 * Changes the fields that were sent; nothing at all when none was. `completed` moves the activity; one that is
 * completed by this change is told of as such and not as updated, unless other fields change with it.
 */
export function updateCrmActivity(
  workspace: Workspace,
  activity: CrmActivity,
  fields: CrmActivityFields,
): CrmActivity {
  const { completed, ...rest } = fields
  const status = statusAfter(activity, completed)
  const moves = status !== activity.status
  const changes = Object.keys(rest).length > 0
  if (!moves && !changes) return activity
  return workspace.write(() => {
    mustExist(workspace, rest)
    const now = workspace.now()
    const updated: CrmActivity = {
      ...activity,
      ...rest,
      status,
      completedAt: !moves ? activity.completedAt : status === 'completed' ? now : null,
      updatedAt: now,
      revision: workspace.database.nextRevision(),
    }
    crmActivityRows.update(workspace.database, updated)
    const completes = moves && status === 'completed'
    if (changes || !completes) tell(workspace, 'activity.updated', updated)
    if (completes) tell(workspace, 'activity.completed', updated)
    return updated
  })
}

/** The state that the flag asks for; a flag that says what is so already changes nothing. */
function statusAfter({ status }: CrmActivity, completed: boolean | undefined): CrmActivity['status'] {
  if (completed === undefined || completed === (status === 'completed')) return status
  return mustMove(crmActivityMachine, status, completed ? 'complete' : 'reopen')
}

function tell(
  workspace: Workspace,
  name: 'activity.created' | 'activity.updated' | 'activity.completed',
  activity: CrmActivity,
): void {
  appendCrmEvent(workspace, name, { activity: crmActivityFacts(activity) })
}

/** The activity as it goes over the wire. */
export const crmActivityFacts = (activity: CrmActivity) => ({
  id: activity.id,
  type: activity.type,
  contact_id: activity.contactId,
  deal_id: activity.dealId,
  owner_id: activity.ownerId,
  subject: activity.subject,
  description: activity.description,
  duration_minutes: activity.durationMinutes,
  due_at: isoOrNull(activity.dueAt),
  completed: activity.status === 'completed',
  completed_at: isoOrNull(activity.completedAt),
  created_at: iso(activity.createdAt),
  updated_at: iso(activity.updatedAt),
})
