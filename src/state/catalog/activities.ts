/**
 * Creates, updates, completes and deletes activities and their entity links. Specification part 1, "Activity
 * (catalog interface)", "Activity status".
 */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { byCursor } from '../storage/queries/listing.ts'
import { mustMove, take } from '../model/machine.ts'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import type { recordKey, withTimes } from '../storage/columns.ts'
import { parts, record } from '../storage/records/record.ts'
import { refuse, refuseProperty } from '../model/refusal.ts'
import { folded, searchedIn } from '../storage/queries/searchColumns.ts'
import type { User } from '../workspace/users.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { appendCatalogEvent } from './events.ts'
import { activityMachine } from './machines.ts'
import { mustBeUser } from './owners.ts'
import { activities as table, activityEntities as entityTable, type ENTITY_TYPES } from './tables.ts'
import { isDeepStrictEqual } from 'node:util'
import { isChange } from '../storage/unchanged.ts'

export type Activity = typeof table.$inferSelect

export interface EntityLink {
  readonly entityType: (typeof ENTITY_TYPES)[number]
  readonly entityId: string
}

/** The fields of an activity that a request may have. */
export type ActivityFields = Partial<
  Omit<
    Activity,
    keyof typeof recordKey | keyof typeof withTimes | SetHere | 'titleKey' | 'searchKey' | 'dueKey'
  >
>
type SetHere = 'status' | 'completedAt' | 'deletedAt'
export type NewActivity = ActivityFields & Pick<Activity, 'title' | 'type'>

const isLinkedTo = (entity: SQL): SQL =>
  sql`exists (select 1 from ${entityTable} where ${entityTable.workspace} = ${table.workspace} and ${entityTable.activityId} = ${table.id} and ${entity})`

/** Sorts activities without a due date before all others. */
const NEVER_DUE = Number.MIN_SAFE_INTEGER

/**
 * Activities that are not deleted, with every order and filter of GET /activities. A pending activity becomes
 * overdue when the clock of its workspace reaches its due date.
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
      /** The user whose activities the key may read, in addition to owner_id. */
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
    when: { status: activityMachine.moves.fall_due.from, deletedAt: null },
    job: 'catalog.activity.overdue',
    run(workspace, activity, instant) {
      // A snapshot can have an activity that was changed after its due date.
      workspace.clock.at(Math.max(instant, activity.updatedAt), () => fallDue(workspace, activity))
    },
  },
  snapshot: {
    section: 'catalog',
    name: 'activities',
    check: mustBeConsistent,
  },
})

/** Makes an activity overdue. */
function fallDue(workspace: Workspace, activity: Activity): Activity {
  const { state, event } = take(activityMachine, activity.status, 'fall_due')
  const overdue = activities.update(workspace, activity, { status: state, updatedAt: workspace.now() })
  appendCatalogEvent(workspace, event, overdue)
  return overdue
}

/** Makes a pending activity overdue if its due date has passed, so that responses show what the next request reads. */
const fallDueIfPast = (workspace: Workspace, activity: Activity): Activity =>
  activity.status === 'pending' && activity.dueDate !== null && activity.dueDate <= workspace.now()
    ? fallDue(workspace, activity)
    : activity

/** Throws if an activity in a snapshot contradicts its status or has half of an entity pair. */
function mustBeConsistent({ id, status, dueDate, completedAt, entityType, entityId }: Activity): void {
  const problem =
    (status === 'completed') !== (completedAt !== null)
      ? `is ${status} but ${completedAt === null ? 'has no' : 'has a'} completedAt`
      : status === 'overdue' && dueDate === null
        ? 'is overdue but has no dueDate'
        : (entityType === null) !== (entityId === null)
          ? 'has only one of entityType and entityId'
          : null
  if (problem !== null) refuse('invalid', `The snapshot does not fit: the activity ${id} ${problem}.`)
}

/** Returns the value of the `entity` filter: type and id in one string, which one index finds. */
export const entityKey = (entityType: string, entityId: string): string => `${entityType}:${entityId}`

/** The links of activities to entities. */
export const activityEntities = parts(entityTable, {
  derived: { entityKey: ({ entityType, entityId }) => entityKey(entityType, entityId) },
  snapshot: { section: 'catalog', name: 'activityEntities' },
})

/** Creates a pending activity. If its due date has passed, it becomes overdue immediately. */
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
      customData: {},
      ...fields,
      ownerId,
      entityType,
      entityId,
      id: workspace.ids.nano('activity'),
      createdAt: now,
      updatedAt: now,
    })
    linkEntities(workspace, activity, entities)
    appendCatalogEvent(workspace, 'activity.created', activity)
    return fallDueIfPast(workspace, activity)
  })
}

/**
 * Updates the given fields. entityType and entityId must be sent together; `entities` replaces the attached
 * entities. A due date in the future makes an overdue activity pending again. Without a change, does nothing.
 */
export function updateActivity(
  workspace: Workspace,
  activity: Activity,
  fields: ActivityFields,
  entities: readonly EntityLink[] | undefined,
): Activity {
  return workspace.write(() => {
    mustBeSentTogether(fields)
    if (fields.ownerId !== undefined) mustBeUser(workspace, fields.ownerId)
    const { entityType = activity.entityType, entityId = activity.entityId } = fields
    mustBePaired({ entityType, entityId })
    const isSame = entities === undefined || isLinkedAs(workspace, activity, entities)
    if (isSame && !isChange(activity, fields)) return activity
    const now = workspace.now()
    const { dueDate = activity.dueDate } = fields
    const isInFuture = dueDate === null || dueDate > now
    const status =
      activity.status === 'overdue' && isInFuture
        ? mustMove(activityMachine, activity.status, 'reschedule')
        : activity.status
    const updated = activities.update(workspace, activity, { ...fields, status, updatedAt: now })
    if (entities !== undefined || fields.entityType !== undefined) {
      linkEntities(workspace, updated, entities ?? attachedEntities(workspace, activity))
    }
    appendCatalogEvent(workspace, 'activity.updated', updated)
    return fallDueIfPast(workspace, updated)
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

/** Soft-deletes an activity: lists no longer include it. */
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

/** Replaces the linked entities. A duplicate is dropped, and the main entity comes first. */
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

/** Checks whether an activity has just these links, apart from its main entity. */
function isLinkedAs(workspace: Workspace, activity: Activity, links: readonly EntityLink[]): boolean {
  const keysOf = (of: readonly EntityLink[]): string[] => [
    ...new Set(of.map((link) => entityKey(link.entityType, link.entityId))),
  ]
  const main = entityKey(activity.entityType ?? '', activity.entityId ?? '')
  const sent = keysOf(links).filter((key) => key !== main)
  return isDeepStrictEqual(sent.sort(), keysOf(attachedEntities(workspace, activity)).sort())
}

const selectAttached = query((orm) =>
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

/** Returns the entities attached to an activity, without its main one. */
export const attachedEntities = (workspace: Workspace, activity: Activity): EntityLink[] =>
  selectAttached.all(workspace, { activityId: activity.id })
