/**
 * Creates and updates activities of the CRM. Specification part 1, "CRM records", "CRM", shows only the fields of a
 * new activity; the events and the rest are assumed.
 */
import { mustMove } from '../../model/machine.ts'
import { refuseProperty } from '../../model/refusal.ts'
import type { recordKey, withTimes } from '../../storage/columns.ts'
import type { User } from '../../workspace/users.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { crmActivities, type CrmActivity } from './activityRecords.ts'
import { contacts } from './contacts.ts'
import { deals } from './dealRecords.ts'
import { appendCrmEvent, type CrmEventRecorder } from '../events.ts'
import { crmActivityMachine } from '../machines.ts'
import { isChange } from '../../storage/unchanged.ts'

/** The fields of an activity that a caller may send. `completed` is a separate parameter. */
export type CrmActivityFields = Partial<
  Omit<CrmActivity, keyof typeof recordKey | keyof typeof withTimes | 'status' | 'completedAt'>
>
export type NewCrmActivity = CrmActivityFields & Pick<CrmActivity, 'type' | 'subject'>

/** The event of an activity that is completed, when it is created or later. */
const { emits: COMPLETED } = crmActivityMachine.moves.complete

/** Throws unless the contact, the deal and the owner exist. */
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

/** Creates an activity, planned or completed. It belongs to the author unless the fields name an owner. */
export function createCrmActivity(
  workspace: Workspace,
  author: Pick<User, 'id'> | null,
  fields: NewCrmActivity,
  completed = false,
): CrmActivity {
  return workspace.write(() => {
    mustExist(workspace, fields)
    const now = workspace.now()
    const activity = crmActivities.insert(workspace, {
      ownerId: author?.id ?? null,
      ...fields,
      id: workspace.ids.prefixed('act_'),
      status: completed ? 'completed' : 'planned',
      completedAt: completed ? now : null,
      createdAt: now,
      updatedAt: now,
    })
    recordEvent(workspace, 'activity.created', activity)
    if (completed) recordEvent(workspace, COMPLETED, activity)
    return activity
  })
}

/**
 * Updates the given fields; without a change, does nothing. `completed` moves the activity. If only `completed` is
 * set to true, it appends activity.completed and no activity.updated.
 */
export function updateCrmActivity(
  workspace: Workspace,
  activity: CrmActivity,
  fields: CrmActivityFields,
  completed?: boolean,
): CrmActivity {
  const status = statusAfter(activity, completed)
  const moves = status !== activity.status
  return workspace.write(() => {
    mustExist(workspace, fields)
    const changes = isChange(activity, fields)
    if (!moves && !changes) return activity
    const now = workspace.now()
    const updated = crmActivities.update(workspace, activity, {
      ...fields,
      status,
      completedAt: !moves ? activity.completedAt : status === 'completed' ? now : null,
      updatedAt: now,
    })
    const completes = moves && status === 'completed'
    if (changes || !completes) recordEvent(workspace, 'activity.updated', updated)
    if (completes) recordEvent(workspace, COMPLETED, updated)
    return updated
  })
}

/** Returns the state that `completed` asks for; the current value changes nothing. */
function statusAfter({ status }: CrmActivity, completed: boolean | undefined): CrmActivity['status'] {
  if (completed === undefined || completed === (status === 'completed')) return status
  return mustMove(crmActivityMachine, status, completed ? 'complete' : 'reopen')
}

function recordEvent(
  workspace: Workspace,
  name: CrmEventRecorder<{ activity: CrmActivity }>,
  activity: CrmActivity,
): void {
  appendCrmEvent(workspace, name, activity.id, { activity })
}
