/** Groups of screens. Each screen stores its only group, so the screens of a group are derived from `groupId`. */
import { and, asc, count, eq, sql } from 'drizzle-orm'
import type { recordKey, withTimes } from '../storage/columns.ts'
import { numbered } from '../storage/queries/listing.ts'
import { isAmong, ofWorkspace, query, queryOfEach } from '../storage/queries/query.ts'
import { record } from '../storage/records/record.ts'
import { refuse, refuseProperty } from '../model/refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { appendSignageEvent } from './events.ts'
import { screens } from './screenRecords.ts'
import { groups as table, scheduleGroups, schedules, screens as screenTable } from './tables.ts'
import { mustBeUnused, NAMED_USERS } from './usage.ts'
import { isDeepStrictEqual } from 'node:util'
import { isChange } from '../storage/unchanged.ts'

export type Group = typeof table.$inferSelect

/** The maximum number of screens in a group (assumed), because a change of the group affects each of them. */
export const MAX_GROUP_SCREENS = 1000

export type GroupFields = Partial<Omit<Group, keyof typeof recordKey | keyof typeof withTimes>> & {
  /** The complete list. */
  readonly screenIds?: readonly string[]
}

export type NewGroup = GroupFields & Pick<Group, 'name'>

export const groups = record(table, {
  noun: 'group',
  list: numbered({ sorts: { created_at: table.createdAt }, filters: {} }),
  snapshot: { section: 'signage', name: 'groups' },
})

/** The screens of groups, in the order in which they were paired. */
export const screensOf = queryOfEach('groupId', (orm) =>
  orm
    .select({ groupId: screenTable.groupId, id: screenTable.id })
    .from(screenTable)
    .where(and(ofWorkspace(screenTable), isAmong(screenTable.groupId)))
    .orderBy(asc(screenTable.createdAt), asc(sql`rowid`)),
)

const countOfScreens = query((orm) =>
  orm
    .select({ count: count() })
    .from(screenTable)
    .where(and(ofWorkspace(screenTable), eq(screenTable.groupId, sql.placeholder('id')))),
)

const countScreensOf = (workspace: Workspace, id: string): number =>
  Number(countOfScreens.firstCells(workspace, { id })?.[0])

/** Refuses an unknown group and a group that has the maximum number of screens. */
export function mustTakeScreen(workspace: Workspace, id: string): void {
  if (!groups.find(workspace, id)) refuseProperty('groupId', 'unknown', `{groupId}: there is no group ${id}`)
  if (countScreensOf(workspace, id) >= MAX_GROUP_SCREENS) {
    refuse(
      'conflict',
      `The group ${id} already has the maximum of ${String(MAX_GROUP_SCREENS)} screens. Remove a screen from it first.`,
      { assumed: 'It gives no such limit.' },
    )
  }
}

export function createGroup(workspace: Workspace, { screenIds, ...fields }: NewGroup): Group {
  return workspace.write(() => {
    const now = workspace.now()
    const group = groups.insert(workspace, {
      ...fields,
      id: workspace.ids.prefixed('grp_'),
      createdAt: now,
      updatedAt: now,
    })
    if (screenIds) setScreens(workspace, group.id, screenIds)
    appendSignageEvent(workspace, 'group.created', group)
    return group
  })
}

/** Changes the given fields. Without a change, does nothing. */
export function updateGroup(workspace: Workspace, group: Group, sent: GroupFields): Group {
  const { screenIds, ...fields } = sent
  const current = (): string[] => screensOf.of(workspace, group.id).map(({ id }) => id)
  const isSame = !screenIds || isDeepStrictEqual([...new Set(screenIds)].sort(), current().sort())
  if (isSame && !isChange(group, fields)) return group
  return workspace.write(() => {
    const updated = groups.update(workspace, group, { ...fields, updatedAt: workspace.now() })
    if (screenIds) setScreens(workspace, group.id, screenIds)
    appendSignageEvent(workspace, 'group.updated', updated)
    return updated
  })
}

const schedulesWith = query((orm) =>
  orm
    .select({ id: schedules.id, name: schedules.name })
    .from(scheduleGroups)
    .innerJoin(
      schedules,
      and(eq(schedules.workspace, scheduleGroups.workspace), eq(schedules.id, scheduleGroups.scheduleId)),
    )
    .where(and(ofWorkspace(scheduleGroups), eq(scheduleGroups.groupId, sql.placeholder('id'))))
    .limit(NAMED_USERS),
)

/** Deletes a group that no schedule uses. Its screens stay, without a group. */
export function deleteGroup(workspace: Workspace, { id, name }: Group): void {
  mustBeUnused('group', { schedules: schedulesWith.all(workspace, { id }) })
  workspace.write(() => {
    const screenIds = screensOf.of(workspace, id).map((screen) => screen.id)
    leaveGroup(workspace, { id, updatedAt: workspace.now() })
    recordScreenUpdates(workspace, screenIds)
    groups.remove(workspace, id)
    appendSignageEvent(workspace, 'group.deleted', { id, name })
  })
}

const placeholder = <T>(name: string) => sql<T>`${sql.placeholder(name)}`

const leaveGroup = screens.updateAll(
  { groupId: sql`null`, updatedAt: placeholder('updatedAt') },
  eq(screenTable.groupId, sql.placeholder('id')),
)

const joinGroup = screens.updateAll(
  { groupId: placeholder('id'), updatedAt: placeholder('updatedAt') },
  isAmong(screenTable.id, 'joining'),
)

const removeScreens = screens.updateAll(
  { groupId: sql`null`, updatedAt: placeholder('updatedAt') },
  and(eq(screenTable.groupId, sql.placeholder('id')), isAmong(screenTable.id, 'leaving')),
)

/** Replaces the screens of a group. A screen in another group moves to this one. */
function setScreens(workspace: Workspace, id: string, screenIds: readonly string[]): void {
  const known = new Set(screens.findAll(workspace, screenIds).map((screen) => screen.id))
  screenIds.forEach((screenId, index) => {
    const field = `screenIds.${String(index)}`
    if (!known.has(screenId)) refuseProperty(field, 'unknown', `{${field}}: there is no screen ${screenId}`)
  })
  const before = new Set(screensOf.of(workspace, id).map((screen) => screen.id))
  const updatedAt = workspace.now()
  const leaving = [...before].filter((screenId) => !known.has(screenId))
  const joining = [...known].filter((screenId) => !before.has(screenId))
  if (leaving.length > 0) removeScreens(workspace, { id, leaving: JSON.stringify(leaving), updatedAt })
  if (joining.length > 0) joinGroup(workspace, { id, joining: JSON.stringify(joining), updatedAt })
  recordScreenUpdates(workspace, [...leaving, ...joining])
}

/** Records an update of each screen that joins or leaves a group, because `group_id` is part of the screen. */
function recordScreenUpdates(workspace: Workspace, ids: readonly string[]): void {
  for (const screen of screens.findAll(workspace, ids))
    appendSignageEvent(workspace, 'screen.updated', screen)
}
