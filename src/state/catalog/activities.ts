/**
 * Activities, what can be done to them, and what they are linked to. Specification part 1, "Activity (catalog
 * interface)", "Activity status".
 */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { byCursor } from '../listing.ts'
import { mustMove, take } from '../machine.ts'
import { ofWorkspace, query } from '../query.ts'
import { parts, record } from '../record.ts'
import { refuse, refuseProperty } from '../refusal.ts'
import { folded, searchedIn } from '../searching.ts'
import { filled, freeObject, text, url, whole } from '../shapes.ts'
import type { User } from '../users.ts'
import type { Workspace } from '../workspace.ts'
import { appendCatalogEvent } from './events.ts'
import { activityMachine } from './machines.ts'
import { mustBeUser } from './owners.ts'
import { activities as table, activityEntities as entityTable, type ENTITY_TYPES } from './tables.ts'

export type Activity = typeof table.$inferSelect

export interface EntityLink {
  readonly entityType: (typeof ENTITY_TYPES)[number]
  readonly entityId: string
}

/** The fields of an activity that a caller may send. */
type SentField =
  | 'title'
  | 'type'
  | 'description'
  | 'priority'
  | 'ownerId'
  | 'entityType'
  | 'entityId'
  | 'dueDate'
  | 'durationMinutes'
  | 'location'
  | 'meetingUrl'
  | 'notes'
  | 'customData'

export type ActivityFields = { readonly [Field in SentField]?: Activity[Field] }
export type NewActivity = ActivityFields & Pick<Activity, 'title' | 'type'>

const isLinkedTo = (entity: SQL): SQL =>
  sql`exists (select 1 from ${entityTable} where ${entityTable.workspace} = ${table.workspace} and ${entityTable.activityId} = ${table.id} and ${entity})`

/** Sorts activities without a due date before all others. */
const NEVER_DUE = Number.MIN_SAFE_INTEGER

/**
 * Activities that are not deleted; listed in every order and with every filter of GET /activities. A pending one becomes
 * overdue when its workspace's clock reaches its due date.
 */
export const activities = record(table, {
  noun: 'activity',
  live: sql`${table.deletedAt} is null`,
  derived: {
    titleKey: folded(({ title }) => [title]),
    searchKey: folded(({ title, description }) => [title, description]),
    dueKey: ({ dueDate }) => dueDate ?? NEVER_DUE,
  },
  list: byCursor({
    sorts: { created_at: table.createdAt, due_date: table.dueKey, title: table.titleKey },
    filters: {
      type: (value) => sql`${table.type} = ${value}`,
      status: (value) => sql`${table.status} = ${value}`,
      owner_id: (value) => sql`${table.ownerId} = ${value}`,
      /** Whose activities the key may see, beside the owner it asks for. */
      visible_to: (value) => sql`${table.ownerId} = ${value}`,
      entity_type: (value) => isLinkedTo(sql`${entityTable.entityType} = ${value}`),
      entity: (value) =>
        sql`${table.id} in (select ${entityTable.activityId} from ${entityTable} where ${ofWorkspace(entityTable)} and ${entityTable.entityKey} = ${value})`,
      search: searchedIn(table.searchKey),
    },
    indexes: {
      due_date: [table.dueKey],
      title: [table.titleKey],
      type: [table.type, table.createdAt],
      status: [table.status, table.createdAt],
      owner_id: [table.ownerId, table.createdAt],
      visible_to: [table.ownerId, table.createdAt],
    },
  }),
  due: {
    at: 'dueDate',
    when: { status: 'pending', deletedAt: null },
    job: 'catalog.activity.overdue',
    run(workspace, activity, instant) {
      // One that was due before it was made, or before its date was changed, falls due no earlier than that.
      workspace.at(Math.max(instant, activity.updatedAt), () => {
        const { state, event } = take(activityMachine, activity.status, 'fall_due')
        appendCatalogEvent(workspace, event, activities.update(workspace, activity, { status: state }))
      })
    },
  },
  snapshot: {
    section: 'catalog',
    name: 'activities',
    instants: ['dueDate', 'completedAt', 'createdAt', 'updatedAt', 'deletedAt'],
    shapes: () => ({
      title: text(200),
      // What other products call it is theirs: it has no bound on the wire either.
      entityId: filled(),
      durationMinutes: whole(1),
      meetingUrl: url(),
      customData: freeObject(),
    }),
    check: mustHaveComeAbout,
  },
})

/** Refuses an activity of a snapshot that fits none of its states, or is linked to half an entity. */
function mustHaveComeAbout({ id, status, dueDate, completedAt, entityType, entityId }: Activity): void {
  const problem =
    (status === 'completed') !== (completedAt !== null)
      ? `is ${status}, and ${completedAt === null ? 'has no' : 'has a'} completedAt`
      : status === 'overdue' && dueDate === null
        ? 'is overdue, and has no dueDate'
        : (entityType === null) !== (entityId === null)
          ? 'names half of an entity'
          : null
  if (problem !== null) refuse('invalid', `The snapshot does not fit: the activity ${id} ${problem}.`)
}

/** The value of the `entity` filter: a type and an id in one text, for they are looked up together. */
export const entityKey = (entityType: string, entityId: string): string => `${entityType}:${entityId}`

/** Every entity that activities are linked to. */
export const activityEntities = parts(entityTable, {
  derived: { entityKey: ({ entityType, entityId }) => entityKey(entityType, entityId) },
  snapshot: {
    section: 'catalog',
    name: 'activityEntities',
    shapes: () => ({ entityId: filled() }),
  },
})

/** Adds an activity. It is pending, also when its due date has passed: the clock then makes it overdue at once. */
export function createActivity(
  workspace: Workspace,
  author: User,
  fields: NewActivity,
  entities: readonly EntityLink[],
): Activity {
  return workspace.write(() => {
    const now = workspace.now()
    const { ownerId = author.id, entityType = null, entityId = null } = fields
    mustBeUser(workspace, ownerId)
    mustBePaired({ entityType, entityId })
    const activity = activities.insert(workspace, {
      description: null,
      priority: 'medium',
      dueDate: null,
      durationMinutes: null,
      location: null,
      meetingUrl: null,
      notes: null,
      customData: {},
      ...fields,
      ownerId,
      entityType,
      entityId,
      id: workspace.ids.nano('activity'),
      status: activityMachine.initial[0],
      completedAt: null,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    })
    linkEntities(workspace, activity, entities)
    appendCatalogEvent(workspace, 'activity.created', activity)
    return activity
  })
}

/**
 * Changes the fields that were sent. The entity pair is sent whole or not at all; `entities` replaces the entities
 * attached beside the main one. A due date ahead of the clock makes an overdue activity pending again.
 */
export function updateActivity(
  workspace: Workspace,
  activity: Activity,
  fields: ActivityFields,
  entities: readonly EntityLink[] | undefined,
): Activity {
  if (Object.keys(fields).length === 0 && entities === undefined) return activity
  return workspace.write(() => {
    mustBeSentTogether(fields)
    if (fields.ownerId !== undefined) mustBeUser(workspace, fields.ownerId)
    const { entityType = activity.entityType, entityId = activity.entityId } = fields
    mustBePaired({ entityType, entityId })
    const now = workspace.now()
    const { dueDate = activity.dueDate } = fields
    const isAhead = dueDate === null || dueDate > now
    const status =
      activity.status === 'overdue' && isAhead
        ? mustMove(activityMachine, activity.status, 'reschedule')
        : activity.status
    const updated = activities.update(workspace, activity, { ...fields, status, updatedAt: now })
    if (entities !== undefined || fields.entityType !== undefined) {
      linkEntities(workspace, updated, entities ?? attachedEntities(workspace, activity))
    }
    appendCatalogEvent(workspace, 'activity.updated', updated)
    return updated
  })
}

/** Completes a pending or overdue activity; a completed one stays as it is. */
export function completeActivity(workspace: Workspace, activity: Activity): Activity {
  const { state, event } = take(activityMachine, activity.status, 'complete')
  if (state === activity.status) return activity
  return workspace.write(() => {
    const now = workspace.now()
    const completed = activities.update(workspace, activity, {
      status: state,
      completedAt: now,
      updatedAt: now,
    })
    appendCatalogEvent(workspace, event, completed)
    return completed
  })
}

/** Soft: listings and timelines omit it from now on. */
export function deleteActivity(workspace: Workspace, activity: Activity): void {
  workspace.write(() => {
    const deletedAt = workspace.now()
    appendCatalogEvent(workspace, 'activity.deleted', activities.update(workspace, activity, { deletedAt }))
  })
}

function mustBeSentTogether({ entityType, entityId }: ActivityFields): void {
  if ((entityType === undefined) !== (entityId === undefined)) refuseHalfPair(entityType === undefined)
}

function mustBePaired({ entityType, entityId }: Pick<Activity, 'entityType' | 'entityId'>): void {
  if ((entityType === null) !== (entityId === null)) refuseHalfPair(entityType === null)
}

function refuseHalfPair(lacksType: boolean): never {
  const missing = lacksType ? 'entityType' : 'entityId'
  refuseProperty(missing, 'required', '{entityType} and {entityId} must be sent together')
}

const unlink = activityEntities.removeAll(eq(entityTable.activityId, sql.placeholder('activityId')))

/** Puts these in the place of what the activity was linked to; one that is named twice counts once, the main one first. */
function linkEntities(workspace: Workspace, activity: Activity, attached: readonly EntityLink[]): void {
  const { id: activityId, entityType, entityId } = activity
  unlink(workspace, { activityId })
  const main = entityType !== null && entityId !== null ? [{ entityType, entityId, main: true }] : []
  const linked = new Set<string>()
  for (const link of [...main, ...attached.map((each) => ({ ...each, main: false }))]) {
    const key = entityKey(link.entityType, link.entityId)
    if (linked.has(key)) continue
    linked.add(key)
    activityEntities.insert(workspace, { activityId, ...link })
  }
}

const entitiesBesideMain = query((orm) =>
  orm
    .select({ entityType: entityTable.entityType, entityId: entityTable.entityId })
    .from(entityTable)
    .where(
      and(
        ofWorkspace(entityTable),
        eq(entityTable.activityId, sql.placeholder('activityId')),
        eq(entityTable.main, false),
      ),
    ),
)

/** The entities linked to an activity beside its main one. */
export const attachedEntities = (workspace: Workspace, activity: Activity): EntityLink[] =>
  entitiesBesideMain.all(workspace, { activityId: activity.id })
