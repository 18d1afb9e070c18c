/** Schedules: what is shown where and when. Specification part 1, "Other signage records". */
import { Type } from '@sinclair/typebox'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { numbered } from '../listing.ts'
import { ofWorkspace, query } from '../query.ts'
import { parts, record } from '../record.ts'
import { refuse, refuseProperty } from '../refusal.ts'
import { oneOf, text, whole } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import { appendSignageEvent } from './events.ts'
import { groups } from './groups.ts'
import type { Rule, ScheduleInFull } from './inFull.ts'
import { layouts } from './layouts.ts'
import { playlists } from './playlists.ts'
import { screens } from './screenRecords.ts'
import {
  scheduleGroups as groupTable,
  scheduleRules as ruleTable,
  schedules as table,
  scheduleScreens as screenTable,
  screens as screensTable,
  WEEKDAYS,
} from './tables.ts'

export type Schedule = typeof table.$inferSelect

/** A rule as it is sent, with one of the two ids. */
export type SentRule = Pick<Rule, 'days' | 'startMinute' | 'endMinute' | 'playlistId' | 'layoutId'>

type SentField = 'name' | 'priority' | 'active' | 'startDate' | 'endDate'

export type ScheduleFields = Partial<Pick<Schedule, SentField>> & {
  /** All of them, in their order. */
  readonly rules?: readonly SentRule[]
  readonly screenIds?: readonly string[]
  readonly groupIds?: readonly string[]
}

export type NewSchedule = ScheduleFields & Required<Pick<ScheduleFields, 'name' | 'rules'>>

/** Whether the schedule names the screen, or the group that it is in. */
const isOfScreen = (screenId: unknown) => sql`${table.id} in (
  select ${screenTable.scheduleId} from ${screenTable} where ${ofWorkspace(screenTable)} and ${screenTable.screenId} = ${screenId}
  union
  select ${groupTable.scheduleId} from ${screensTable} cross join ${groupTable}
    on ${groupTable.workspace} = ${screensTable.workspace} and ${groupTable.groupId} = ${screensTable.groupId}
    where ${ofWorkspace(screensTable)} and ${screensTable.id} = ${screenId}
)`

/** Whether it names the group, or a screen of it. */
const isOfGroup = (groupId: unknown) => sql`${table.id} in (
  select ${groupTable.scheduleId} from ${groupTable} where ${ofWorkspace(groupTable)} and ${groupTable.groupId} = ${groupId}
  union
  select ${screenTable.scheduleId} from ${screensTable} cross join ${screenTable}
    on ${screenTable.workspace} = ${screensTable.workspace} and ${screenTable.screenId} = ${screensTable.id}
    where ${ofWorkspace(screensTable)} and ${screensTable.groupId} = ${groupId}
)`

/** Schedules with every filter of GET /schedules; `from` and `to` are days, and what of it lies between them counts. */
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
  snapshot: {
    section: 'signage',
    name: 'schedules',
    instants: ['createdAt', 'updatedAt'],
    shapes: () => ({
      name: text(200),
      priority: whole(0, HIGHEST_PRIORITY),
      startDate: Type.Unsafe({ type: 'string', format: 'date' }),
      endDate: Type.Unsafe({ type: 'string', format: 'date' }),
    }),
  },
})

export const HIGHEST_PRIORITY = 1000
export const MINUTES_OF_DAY = 1440

export const scheduleRules = record(ruleTable, {
  noun: 'rule',
  snapshot: {
    section: 'signage',
    name: 'scheduleRules',
    shapes: () => ({
      position: whole(1),
      days: Type.Array(oneOf(WEEKDAYS), { minItems: 1, uniqueItems: true }),
      startMinute: whole(0, MINUTES_OF_DAY - 1),
      endMinute: whole(0, MINUTES_OF_DAY),
    }),
    check({ playlistId, layoutId }) {
      if ((playlistId === null) === (layoutId === null)) {
        refuse('invalid', 'A rule of a schedule shows a playlist or a layout, and not both.')
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

const idIsOneOf = (column: SQLiteColumn) =>
  sql`${column} in (select value from json_each(${sql.placeholder('ids')}))`

const rulesOf = query((orm) =>
  orm
    .select()
    .from(ruleTable)
    .where(and(ofWorkspace(ruleTable), idIsOneOf(ruleTable.scheduleId)))
    .orderBy(asc(ruleTable.scheduleId), asc(ruleTable.position)),
)

const screensOf = query((orm) =>
  orm
    .select({ scheduleId: screenTable.scheduleId, id: screenTable.screenId })
    .from(screenTable)
    .where(and(ofWorkspace(screenTable), idIsOneOf(screenTable.scheduleId)))
    .orderBy(asc(sql`rowid`)),
)

const groupsOf = query((orm) =>
  orm
    .select({ scheduleId: groupTable.scheduleId, id: groupTable.groupId })
    .from(groupTable)
    .where(and(ofWorkspace(groupTable), idIsOneOf(groupTable.scheduleId)))
    .orderBy(asc(sql`rowid`)),
)

/** Those that exist, in the order of their ids. */
export function schedulesInFull(workspace: Workspace, ids: readonly string[]): ScheduleInFull[] {
  const found = new Map(schedules.findAll(workspace, ids).map((schedule) => [schedule.id, schedule]))
  const of = { ids: JSON.stringify(ids) }
  const rules = rulesOf.all(workspace, of)
  const screenIds = idsBySchedule(screensOf.all(workspace, of))
  const groupIds = idsBySchedule(groupsOf.all(workspace, of))
  return ids.flatMap((id) => {
    const schedule = found.get(id)
    if (!schedule) return []
    const own = rules.filter(({ scheduleId }) => scheduleId === id)
    return [{ ...schedule, rules: own, screenIds: screenIds.get(id) ?? [], groupIds: groupIds.get(id) ?? [] }]
  })
}

function idsBySchedule(named: readonly { scheduleId: string; id: string }[]): Map<string, string[]> {
  const ids = new Map<string, string[]>()
  for (const { scheduleId, id } of named) {
    const known = ids.get(scheduleId)
    if (known) known.push(id)
    else ids.set(scheduleId, [id])
  }
  return ids
}

/** A schedule with its rules and with whom it names, or a refusal. */
export const findSchedule = (workspace: Workspace, id: string): ScheduleInFull =>
  schedulesInFull(workspace, [id])[0] ?? schedules.noSuch(id)

export function createSchedule(workspace: Workspace, fields: NewSchedule): ScheduleInFull {
  const { rules, screenIds = [], groupIds = [], ...own } = fields
  return workspace.write(() => {
    const now = workspace.now()
    const { id, startDate, endDate } = schedules.insert(workspace, {
      priority: 0,
      active: true,
      startDate: null,
      endDate: null,
      ...own,
      id: workspace.ids.prefixed('sched_'),
      createdAt: now,
      updatedAt: now,
    })
    mustBeRange(startDate, endDate)
    insertRules(workspace, id, rules)
    nameScreens(workspace, id, screenIds)
    nameGroups(workspace, id, groupIds)
    const made = findSchedule(workspace, id)
    appendSignageEvent(workspace, 'schedule.created', made)
    return made
  })
}

/** Changes the fields that were sent; nothing at all when none was. Lists take the place of all that there was. */
export function updateSchedule(
  workspace: Workspace,
  before: ScheduleInFull,
  fields: ScheduleFields,
): ScheduleInFull {
  if (Object.keys(fields).length === 0) return before
  const { rules, screenIds, groupIds, ...own } = fields
  const { id } = before
  return workspace.write(() => {
    const schedule = schedules.get(workspace, id)
    const updated = schedules.update(workspace, schedule, { ...own, updatedAt: workspace.now() })
    mustBeRange(updated.startDate, updated.endDate)
    if (rules) {
      for (const rule of before.rules) scheduleRules.remove(workspace, rule.id)
      insertRules(workspace, id, rules)
    }
    if (screenIds) {
      forgetScreens(workspace, { id })
      nameScreens(workspace, id, screenIds)
    }
    if (groupIds) {
      forgetGroups(workspace, { id })
      nameGroups(workspace, id, groupIds)
    }
    const made = findSchedule(workspace, id)
    appendSignageEvent(workspace, 'schedule.updated', made)
    return made
  })
}

/** For good. */
export const deleteSchedule = (workspace: Workspace, schedule: Schedule): void => {
  workspace.write(() => {
    removeSchedule(workspace, schedule)
  })
}

/** Only inside a `write`. */
export function removeSchedule(workspace: Workspace, { id, name }: Schedule): void {
  schedules.remove(workspace, id)
  appendSignageEvent(workspace, 'schedule.deleted', { id, name })
}

const forgetScreens = scheduleScreens.removeAll(eq(screenTable.scheduleId, sql.placeholder('id')))
const forgetGroups = scheduleGroups.removeAll(eq(groupTable.scheduleId, sql.placeholder('id')))

function mustBeRange(start: string | null, end: string | null): void {
  if (start === null || end === null || start <= end) return
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
        `{${field}.playlistId} is required, or {${field}.layoutId} in its place`,
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

/** Schedules that may name a screen or a group (assumed): all of them are asked for what it shows now. */
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

function nameScreens(workspace: Workspace, scheduleId: string, sent: readonly string[]): void {
  const ids = [...new Set(sent)]
  const known = new Set(screens.findAll(workspace, ids).map(({ id }) => id))
  ids.forEach((screenId) => {
    const field = `screenIds.${String(sent.indexOf(screenId))}`
    if (!known.has(screenId)) refuseProperty(field, 'unknown', `{${field}}: there is no screen ${screenId}`)
    if (Number(countOfScreen.firstCells(workspace, { id: screenId })?.[0]) >= MAX_SCHEDULES) {
      refuse(
        'conflict',
        `The screen ${screenId} has ${String(MAX_SCHEDULES)} schedules, and may have no more.`,
      )
    }
    scheduleScreens.insert(workspace, { scheduleId, screenId })
  })
}

function nameGroups(workspace: Workspace, scheduleId: string, sent: readonly string[]): void {
  const ids = [...new Set(sent)]
  const known = new Set(groups.findAll(workspace, ids).map(({ id }) => id))
  ids.forEach((groupId) => {
    const field = `groupIds.${String(sent.indexOf(groupId))}`
    if (!known.has(groupId)) refuseProperty(field, 'unknown', `{${field}}: there is no group ${groupId}`)
    if (Number(countOfGroup.firstCells(workspace, { id: groupId })?.[0]) >= MAX_SCHEDULES) {
      refuse('conflict', `The group ${groupId} has ${String(MAX_SCHEDULES)} schedules, and may have no more.`)
    }
    scheduleGroups.insert(workspace, { scheduleId, groupId })
  })
}
