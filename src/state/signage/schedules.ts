/** Schedules define what screens show and when. Specification part 1, "Other signage records". */
import { and, asc, eq, sql } from 'drizzle-orm'
import type { recordKey, withTimes } from '../storage/columns.ts'
import { numbered } from '../storage/queries/listing.ts'
import { isAmong, ofWorkspace, query, queryOfEach } from '../storage/queries/query.ts'
import { parts, record } from '../storage/records/record.ts'
import { refuse, refuseProperty } from '../model/refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { appendSignageEvent } from './events.ts'
import { groups } from './groups.ts'
import { layouts } from './layouts.ts'
import { playlists } from './playlists.ts'
import { screens } from './screenRecords.ts'
import {
  scheduleGroups as groupTable,
  scheduleRules as ruleTable,
  schedules as table,
  scheduleScreens as screenTable,
  screens as screensTable,
} from './tables.ts'
import { isChange, mustDiffer, unlessSame } from '../storage/unchanged.ts'

export type Schedule = typeof table.$inferSelect
export type Rule = typeof ruleTable.$inferSelect

/** A rule in a request body, with exactly one of the two ids. */
export type SentRule = Pick<Rule, 'days' | 'startMinute' | 'endMinute' | 'playlistId' | 'layoutId'>

export type ScheduleFields = Partial<Omit<Schedule, keyof typeof recordKey | keyof typeof withTimes>> & {
  /** The complete list, in order. */
  readonly rules?: readonly SentRule[]
  readonly screenIds?: readonly string[]
  readonly groupIds?: readonly string[]
}

export type NewSchedule = ScheduleFields & Required<Pick<ScheduleFields, 'name' | 'rules'>>

/** Filters schedules that name the screen or its group. */
const isOfScreen = (screenId: unknown) => sql`${table.id} in (
  select ${screenTable.scheduleId} from ${screenTable} where ${ofWorkspace(screenTable)} and ${screenTable.screenId} = ${screenId}
  union
  select ${groupTable.scheduleId} from ${screensTable} cross join ${groupTable}
    on ${groupTable.workspace} = ${screensTable.workspace} and ${groupTable.groupId} = ${screensTable.groupId}
    where ${ofWorkspace(screensTable)} and ${screensTable.id} = ${screenId}
)`

/** Filters schedules that name the group or one of its screens. */
const isOfGroup = (groupId: unknown) => sql`${table.id} in (
  select ${groupTable.scheduleId} from ${groupTable} where ${ofWorkspace(groupTable)} and ${groupTable.groupId} = ${groupId}
  union
  select ${screenTable.scheduleId} from ${screensTable} cross join ${screenTable}
    on ${screenTable.workspace} = ${screensTable.workspace} and ${screenTable.screenId} = ${screensTable.id}
    where ${ofWorkspace(screensTable)} and ${screensTable.groupId} = ${groupId}
)`

/** Schedules with every filter of GET /schedules. `from` and `to` are dates; a schedule matches if it overlaps the range. */
export const schedules = record(table, {
  noun: 'schedule',
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: {
      screen_id: isOfScreen,
      group_id: isOfGroup,
      active: (value) => sql`${table.active} = ${value}`,
      from: (value) => sql`coalesce(${table.endDate}, '9999') >= ${value}`,
      to: (value) => sql`coalesce(${table.startDate}, '') <= ${value}`,
    },
  }),
  snapshot: { section: 'signage', name: 'schedules' },
})

export const scheduleRules = record(ruleTable, {
  noun: 'rule',
  snapshot: {
    section: 'signage',
    name: 'scheduleRules',
    check({ playlistId, layoutId }) {
      if ((playlistId === null) === (layoutId === null)) {
        refuse('invalid', 'A rule of a schedule must have either a playlistId or a layoutId.')
      }
    },
  },
})

export const scheduleScreens = parts(screenTable, {
  snapshot: { section: 'signage', name: 'scheduleScreens' },
})

export const scheduleGroups = parts(groupTable, {
  snapshot: { section: 'signage', name: 'scheduleGroups' },
})

/** The rules of schedules by position: the first rule that applies wins. */
export const rulesOf = queryOfEach<Rule>('scheduleId', (orm) =>
  orm
    .select()
    .from(ruleTable)
    .where(and(ofWorkspace(ruleTable), isAmong(ruleTable.scheduleId)))
    .orderBy(asc(ruleTable.position)),
)

/** The screens that schedules name. */
export const namedScreens = queryOfEach('scheduleId', (orm) =>
  orm
    .select({ scheduleId: screenTable.scheduleId, id: screenTable.screenId })
    .from(screenTable)
    .where(and(ofWorkspace(screenTable), isAmong(screenTable.scheduleId)))
    .orderBy(asc(sql`rowid`)),
)

/** The groups that schedules name. */
export const namedGroups = queryOfEach('scheduleId', (orm) =>
  orm
    .select({ scheduleId: groupTable.scheduleId, id: groupTable.groupId })
    .from(groupTable)
    .where(and(ofWorkspace(groupTable), isAmong(groupTable.scheduleId)))
    .orderBy(asc(sql`rowid`)),
)

export function createSchedule(workspace: Workspace, fields: NewSchedule): Schedule {
  const { rules, screenIds = [], groupIds = [], ...own } = fields
  return workspace.write(() => {
    const now = workspace.now()
    const schedule = schedules.insert(workspace, {
      priority: 0,
      active: true,
      ...own,
      id: workspace.ids.prefixed('sched_'),
      createdAt: now,
      updatedAt: now,
    })
    mustBeRange(schedule)
    insertRules(workspace, schedule.id, rules)
    insertScreens(workspace, schedule.id, screenIds)
    insertGroups(workspace, schedule.id, groupIds)
    appendSignageEvent(workspace, 'schedule.created', schedule)
    return schedule
  })
}

/** Changes the given fields; a list replaces the whole list. Without a change, does nothing. */
export function updateSchedule(workspace: Workspace, schedule: Schedule, fields: ScheduleFields): Schedule {
  const { rules, screenIds, groupIds, ...own } = fields
  const { id } = schedule
  const partsOf = (): object[] => [
    ...rulesOf.of(workspace, id),
    ...namedScreens.of(workspace, id).map((screen) => ({ screen: screen.id })),
    ...namedGroups.of(workspace, id).map((group) => ({ group: group.id })),
  ]
  return unlessSame(schedule, () =>
    workspace.write(() => {
      const before = partsOf()
      const updated = schedules.update(workspace, schedule, { ...own, updatedAt: workspace.now() })
      mustBeRange(updated)
      if (rules) {
        for (const rule of rulesOf.of(workspace, id)) scheduleRules.remove(workspace, rule.id)
        insertRules(workspace, id, rules)
      }
      if (screenIds) {
        removeScreens(workspace, { id })
        insertScreens(workspace, id, screenIds)
      }
      if (groupIds) {
        removeGroups(workspace, { id })
        insertGroups(workspace, id, groupIds)
      }
      if (!isChange(schedule, own)) mustDiffer(before, partsOf())
      appendSignageEvent(workspace, 'schedule.updated', updated)
      return updated
    }),
  )
}

/** Deletes a schedule permanently. */
export const deleteSchedule = (workspace: Workspace, schedule: Schedule): void => {
  workspace.write(() => {
    removeSchedule(workspace, schedule)
  })
}

/** Removes a schedule and records the event. Call only inside a `write`. */
export function removeSchedule(workspace: Workspace, { id, name }: Schedule): void {
  schedules.remove(workspace, id)
  appendSignageEvent(workspace, 'schedule.deleted', { id, name })
}

const removeScreens = scheduleScreens.removeAll(eq(screenTable.scheduleId, sql.placeholder('id')))
const removeGroups = scheduleGroups.removeAll(eq(groupTable.scheduleId, sql.placeholder('id')))

function mustBeRange({ startDate, endDate }: Schedule): void {
  if (startDate === null || endDate === null || startDate <= endDate) return
  refuseProperty('dateRange.end', 'out_of_order', '{dateRange.end} must not be before {dateRange.start}')
}

function insertRules(workspace: Workspace, scheduleId: string, rules: readonly SentRule[]): void {
  rules.forEach((rule, index) => {
    const field = `rules.${String(index)}`
    const { playlistId, layoutId } = rule
    if ((playlistId === null) === (layoutId === null)) {
      refuseProperty(
        `${field}.playlistId`,
        playlistId === null ? 'required' : 'not_allowed',
        `exactly one of {${field}.playlistId} and {${field}.layoutId} is required`,
      )
    }
    if (playlistId !== null && !playlists.find(workspace, playlistId)) {
      refuseProperty(
        `${field}.playlistId`,
        'unknown',
        `{${field}.playlistId}: there is no playlist ${playlistId}`,
      )
    }
    if (layoutId !== null && !layouts.find(workspace, layoutId)) {
      refuseProperty(`${field}.layoutId`, 'unknown', `{${field}.layoutId}: there is no layout ${layoutId}`)
    }
    scheduleRules.insert(workspace, {
      ...rule,
      id: workspace.ids.prefixed('rule_'),
      scheduleId,
      position: index + 1,
    })
  })
}

/** The maximum number of schedules that name a screen or a group (assumed), because all of them are read at once. */
export const MAX_SCHEDULES = 100

const countOfScreen = query((orm) =>
  orm
    .select({ count: sql<number>`count(*)` })
    .from(screenTable)
    .where(and(ofWorkspace(screenTable), eq(screenTable.screenId, sql.placeholder('id')))),
)

const countOfGroup = query((orm) =>
  orm
    .select({ count: sql<number>`count(*)` })
    .from(groupTable)
    .where(and(ofWorkspace(groupTable), eq(groupTable.groupId, sql.placeholder('id')))),
)

function insertScreens(workspace: Workspace, scheduleId: string, sent: readonly string[]): void {
  const ids = [...new Set(sent)]
  const known = new Set(screens.findAll(workspace, ids).map(({ id }) => id))
  ids.forEach((screenId) => {
    const field = `screenIds.${String(sent.indexOf(screenId))}`
    if (!known.has(screenId)) refuseProperty(field, 'unknown', `{${field}}: there is no screen ${screenId}`)
    if (Number(countOfScreen.firstCells(workspace, { id: screenId })?.[0]) >= MAX_SCHEDULES) {
      refuse(
        'conflict',
        `The screen ${screenId} already has the maximum of ${String(MAX_SCHEDULES)} schedules. Delete a schedule first.`,
        { assumed: 'It gives no such limit.' },
      )
    }
    scheduleScreens.insert(workspace, { scheduleId, screenId })
  })
}

function insertGroups(workspace: Workspace, scheduleId: string, sent: readonly string[]): void {
  const ids = [...new Set(sent)]
  const known = new Set(groups.findAll(workspace, ids).map(({ id }) => id))
  ids.forEach((groupId) => {
    const field = `groupIds.${String(sent.indexOf(groupId))}`
    if (!known.has(groupId)) refuseProperty(field, 'unknown', `{${field}}: there is no group ${groupId}`)
    if (Number(countOfGroup.firstCells(workspace, { id: groupId })?.[0]) >= MAX_SCHEDULES) {
      refuse(
        'conflict',
        `The group ${groupId} already has the maximum of ${String(MAX_SCHEDULES)} schedules. Delete a schedule first.`,
        { assumed: 'It gives no such limit.' },
      )
    }
    scheduleGroups.insert(workspace, { scheduleId, groupId })
  })
}
