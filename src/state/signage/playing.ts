/**
 * Finds what a screen plays: the applicable schedule with the highest priority, then one that names the screen itself,
 * then the newest (assumed). Rules use local time (assumed): the hour that the end of daylight saving time repeats plays
 * twice, and the hour that its start skips does not play.
 */
import { and, asc, desc, getTableColumns, sql } from 'drizzle-orm'
import { isAmong, ofWorkspace, query, queryOfEach } from '../storage/queries/query.ts'
import { aheadAt, wallAt } from '@suite-sim/kit/time/wallTime'
import { iso } from '@suite-sim/kit/time/instants'
import type { Workspace } from '../workspace/workspace.ts'
import type { Rule } from './schedules.ts'
import type { Screen } from './screenRecords.ts'
import {
  layoutZones,
  MINUTES_OF_DAY,
  scheduleGroups,
  scheduleRules,
  schedules,
  scheduleScreens,
  WEEKDAYS,
  type Weekday,
} from './tables.ts'

const MINUTE = 60_000
const DAY = MINUTES_OF_DAY * MINUTE

/** A rule with the dates of its schedule. */
interface Candidate extends Rule {
  readonly startDate: string | null
  readonly endDate: string | null
}

/** Selects the rules of the active schedules of screens, in descending precedence. `place` is that of the screen. */
const candidatesOfEach = query((orm) => {
  const workspace = sql.placeholder('workspace')
  const wanted = sql`json_each(${sql.placeholder('screens')}) as wanted`
  const named = sql`(
    select wanted.key as place, ${scheduleScreens.scheduleId} as schedule, 1 as direct from ${wanted} cross join ${scheduleScreens}
      where ${scheduleScreens.workspace} = ${workspace} and ${scheduleScreens.screenId} = wanted.value ->> 0
    union all
    select wanted.key, ${scheduleGroups.scheduleId}, 0 from ${wanted} cross join ${scheduleGroups}
      where ${scheduleGroups.workspace} = ${workspace} and ${scheduleGroups.groupId} = wanted.value ->> 1
  ) named`
  return (
    orm
      .select({
        ...getTableColumns(scheduleRules),
        startDate: schedules.startDate,
        endDate: schedules.endDate,
        place: sql<number>`named.place`,
      })
      .from(named)
      // SQLite keeps the order of cross joins, starting at the screens. Other joins read the rules of all schedules.
      .crossJoin(schedules)
      .crossJoin(scheduleRules)
      .where(
        and(
          sql`${schedules.workspace} = ${workspace} and ${schedules.id} = named.schedule and ${schedules.active} = 1`,
          sql`${scheduleRules.workspace} = ${workspace} and ${scheduleRules.scheduleId} = named.schedule`,
        ),
      )
      .orderBy(
        desc(schedules.priority),
        desc(sql`named.direct`),
        desc(schedules.createdAt),
        desc(sql`${schedules}.rowid`),
        asc(scheduleRules.position),
      )
  )
})

/** Converts a number of days since the epoch to a date: "2026-12-01". */
const dateOf = (day: number): string => iso(day * DAY).slice(0, 'yyyy-mm-dd'.length)

/** Returns the weekday of a number of days since the epoch, which was a Thursday. */
const weekdayOf = (day: number): Weekday => WEEKDAYS[(((day + 3) % 7) + 7) % 7] ?? 'monday'

const startsOn = ({ days, startDate, endDate }: Candidate, day: number): boolean =>
  days.includes(weekdayOf(day)) &&
  (startDate === null || startDate <= dateOf(day)) &&
  (endDate === null || dateOf(day) <= endDate)

const crossesMidnight = ({ startMinute, endMinute }: Candidate): boolean => endMinute <= startMinute

/** The last minute of a day. A rule that ends at 23:59 ends at midnight (assumed). */
const LAST_MINUTE = MINUTES_OF_DAY - 1

/** Returns the minute of the day at which the rule ends, excluded. */
const endOf = ({ endMinute }: Candidate): number => (endMinute === LAST_MINUTE ? MINUTES_OF_DAY : endMinute)

/** Checks if the rule applies at a minute of a day. A rule that crosses midnight belongs to the day on which it starts. */
const appliesAt = (rule: Candidate, day: number, minute: number): boolean =>
  crossesMidnight(rule)
    ? (minute >= rule.startMinute && startsOn(rule, day)) || (minute < endOf(rule) && startsOn(rule, day - 1))
    : minute >= rule.startMinute && minute < endOf(rule) && startsOn(rule, day)

/** Returns the rule that applies at the local time `wall`, or undefined if none does. */
function ruleAt(rules: readonly Candidate[], wall: number): Candidate | undefined {
  const day = Math.floor(wall / DAY)
  const minute = Math.floor((wall - day * DAY) / MINUTE)
  return rules.find((rule) => appliesAt(rule, day, minute))
}

type ScreenRef = Pick<Screen, 'id' | 'groupId'>

/** Returns the rules of each screen. */
function rulesOfEach(workspace: Workspace, screens: readonly ScreenRef[]): Candidate[][] {
  const wanted = JSON.stringify(screens.map(({ id, groupId }) => [id, groupId]))
  const rules = screens.map((): Candidate[] => [])
  for (const { place, ...rule } of candidatesOfEach.all(workspace, { screens: wanted }))
    rules[place]?.push(rule)
  return rules
}

/** The playlists of layouts, by the position of their zones. */
const playlistsOf = queryOfEach('layoutId', (orm) =>
  orm
    .select({ layoutId: layoutZones.layoutId, id: layoutZones.playlistId })
    .from(layoutZones)
    .where(
      and(
        ofWorkspace(layoutZones),
        isAmong(layoutZones.layoutId),
        sql`${layoutZones.playlistId} is not null`,
      ),
    )
    .orderBy(asc(layoutZones.position)),
)

/** The start of the current minute, because the content of screens changes at full minutes. */
export const minuteOf = (workspace: Workspace): number =>
  startOfMinute(workspace.clock.nowUntil((now) => startOfMinute(now) + MINUTE))

const startOfMinute = (at: number): number => Math.floor(at / MINUTE) * MINUTE

/** Returns the id of the playlist that each screen plays now; for a layout, of the first zone that has one (assumed). */
export function currentPlaylists(workspace: Workspace, screens: readonly ScreenRef[]): (string | null)[] {
  const wall = wallAt(minuteOf(workspace), workspace.timezone)
  const playing = rulesOfEach(workspace, screens).map((rules) => ruleAt(rules, wall))
  const layouts = playlistsOf.ofEach(
    workspace,
    playing.flatMap((rule) => rule?.layoutId ?? []),
  )
  return playing.map((rule) => {
    const { playlistId = null, layoutId = null } = rule ?? {}
    return layoutId === null ? playlistId : (layouts.get(layoutId)?.[0]?.id ?? null)
  })
}

/** The number of days in which the next change is searched. */
const DAYS_AHEAD = 8

export interface Programme {
  readonly playing: Candidate | undefined
  /** The time of the next change; null if none is within the searched days. */
  readonly changesAt: number | null
}

/** Returns what the screen plays and when that changes. */
export function programmeOf(workspace: Workspace, screen: ScreenRef): Programme {
  const [rules = []] = rulesOfEach(workspace, [screen])
  const { timezone } = workspace
  const now = workspace.now()
  const playing = ruleAt(rules, wallAt(now, timezone))
  // Each iteration continues after a clock change, of which a week has at most one.
  for (let from = now, turn = 0; turn < 3; turn += 1) {
    const wait = nextChange(rules, wallAt(from, timezone), playing)
    const end = from + (wait ?? DAYS_AHEAD * DAY)
    const jump = findClockChange(from, end, timezone)
    if (jump === null) return { playing, changesAt: wait === null ? null : end }
    if (ruleAt(rules, wallAt(jump, timezone)) !== playing) return { playing, changesAt: jump }
    from = jump
  }
  return { playing, changesAt: null }
}

/** Returns the milliseconds until another rule applies, ignoring clock changes; null if none does. */
function nextChange(
  rules: readonly Candidate[],
  wall: number,
  playing: Candidate | undefined,
): number | null {
  const first = Math.floor(wall / DAY)
  const minutes = new Int32Array((DAYS_AHEAD + 2) * MINUTES_OF_DAY).fill(-1)
  // Rules with higher precedence overwrite the others. The day before can reach into the first day.
  for (let index = rules.length - 1; index >= 0; index -= 1) {
    const rule = rules[index]
    if (!rule) continue
    const length = endOf(rule) - rule.startMinute + (crossesMidnight(rule) ? MINUTES_OF_DAY : 0)
    for (let day = -1; day <= DAYS_AHEAD; day += 1) {
      if (!startsOn(rule, first + day)) continue
      const begins = day * MINUTES_OF_DAY + rule.startMinute
      if (begins + length > 0) minutes.fill(index, Math.max(0, begins), begins + length)
    }
  }
  const current = playing === undefined ? -1 : rules.indexOf(playing)
  const from = Math.floor((wall - first * DAY) / MINUTE)
  for (let minute = from + 1; minute < (DAYS_AHEAD + 1) * MINUTES_OF_DAY; minute += 1) {
    if (minutes[minute] !== current) return first * DAY + minute * MINUTE - wall
  }
  return null
}

/** Returns the first instant after `from` with another UTC offset; null if `to` has the same offset. */
function findClockChange(from: number, to: number, timezone: string): number | null {
  const ahead = aheadAt(from, timezone)
  if (aheadAt(to, timezone) === ahead) return null
  let [before, after] = [from, to]
  while (after - before > 1) {
    const between = Math.floor((before + after) / 2)
    if (aheadAt(between, timezone) === ahead) before = between
    else after = between
  }
  return after
}
