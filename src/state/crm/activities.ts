/**
 * What can be done to the activities of the CRM. Specification part 1, "CRM records", "CRM". The events and all but
 * the fields of a new activity are assumed.
 */
import { mustMove } from '../machine.ts'
import { refuseProperty } from '../refusal.ts'
import type { User } from '../users.ts'
import type { Workspace } from '../workspace.ts'
import { crmActivities, type CrmActivity } from './activityRecords.ts'
import { contacts } from './contacts.ts'
import { deals } from './dealRecords.ts'
import { appendCrmEvent, type CrmEventRecorder } from './events.ts'
import { crmActivityMachine } from './machines.ts'

/** The fields of an activity that a caller may send. */
type SentField =
  | 'type'
  | 'contactId'
  | 'dealId'
  | 'subject'
  | 'description'
  | 'durationMinutes'
  | 'ownerId'
  | 'dueAt'

export type CrmActivityFields = { readonly [Field in SentField]?: CrmActivity[Field] } & {
  readonly completed?: boolean
}
export type NewCrmActivity = CrmActivityFields & Pick<CrmActivity, 'type' | 'subject'>

/** The event of an activity that is completed, by a move or from its beginning. */
const { emits: COMPLETED } = crmActivityMachine.moves.complete

/** What an activity is about, and who is to do it, has to be there. */
function mustExist(workspace: Workspace, fields: CrmActivityFields): void {
  const { contactId = null, dealId = null, ownerId = null } = fields
  if (contactId !== null && !contacts.head(workspace, contactId)) {
    refuseProperty('contactId', 'unknown', '{contactId} must be a contact of this workspace')
  }
  if (dealId !== null && !deals.head(workspace, dealId)) {
    refuseProperty('dealId', 'unknown', '{dealId} must be a deal of this workspace')
  }
  if (ownerId !== null && !workspace.user(ownerId)) {
    refuseProperty('ownerId', 'unknown', '{ownerId} must be a user of this workspace')
  }
}

/** Adds an activity, planned or completed at once; it is the author's unless an owner is named. */
export function createCrmActivity(
  workspace: Workspace,
  author: Pick<User, 'id'> | null,
  fields: NewCrmActivity,
): CrmActivity {
  return workspace.write(() => {
    const { completed = false, ...rest } = fields
    mustExist(workspace, rest)
    const now = workspace.now()
    const activity = crmActivities.insert(workspace, {
      contactId: null,
      dealId: null,
      ownerId: author?.id ?? null,
      description: null,
      durationMinutes: null,
      dueAt: null,
      ...rest,
      id: workspace.ids.prefixed('act_'),
      status: completed ? 'completed' : 'planned',
      completedAt: completed ? now : null,
      createdAt: now,
      updatedAt: now,
    })
    tell(workspace, 'activity.created', activity)
    if (completed) tell(workspace, COMPLETED, activity)
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
    const updated = crmActivities.update(workspace, activity, {
      ...rest,
      status,
      completedAt: !moves ? activity.completedAt : status === 'completed' ? now : null,
      updatedAt: now,
    })
    const completes = moves && status === 'completed'
    if (changes || !completes) tell(workspace, 'activity.updated', updated)
    if (completes) tell(workspace, COMPLETED, updated)
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
  name: CrmEventRecorder<{ activity: CrmActivity }>,
  activity: CrmActivity,
): void {
  appendCrmEvent(workspace, name, activity.id, { activity })
}
