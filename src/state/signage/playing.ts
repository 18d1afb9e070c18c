/**
 * What a screen plays: of the schedules that name it or its group and hold now, by the clocks on the walls of the
 * workspace, the one with the highest priority; among several of these one that names the screen itself, and then the
 * newest (assumed: the specification shows priorities and no more).
 *
 * Players compare times with the local clock (assumed). At the end of daylight saving time the clock shows one hour twice,
 * and a rule in that hour plays in both. The hour that the clock skips in spring is not played, nor made up for later.
 */
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../query.ts'
import { aheadAt, wallAt } from '../wallTime.ts'
import { iso } from '../clock.ts'
import type { Workspace } from '../workspace.ts'
import type { Rule } from './inFull.ts'
import { MINUTES_OF_DAY } from './schedules.ts'
import type { Screen } from './screenRecords.ts'
import {
  layoutZones,
  scheduleGroups,
  scheduleRules,
  schedules,
  scheduleScreens,
  WEEKDAYS,
  type Weekday,
} from './tables.ts'

const MINUTE = 60_000
const DAY = MINUTES_OF_DAY * MINUTE

/** A rule with as much of its schedule as tells when it holds. */
export interface Candidate extends Pick<
  Rule,
  'scheduleId' | 'days' | 'startMinute' | 'endMinute' | 'playlistId' | 'layoutId'
> {
  readonly startDate: string | null
  readonly endDate: string | null
}

/** The rules of the active schedules of a screen, those that win first. */
const candidatesOf = query((orm) => {
  const workspace = sql.placeholder('workspace')
  const named = sql`(
    select ${scheduleScreens.scheduleId} as schedule, 1 as direct from ${scheduleScreens}
      where ${scheduleScreens.workspace} = ${workspace} and ${scheduleScreens.screenId} = ${sql.placeholder('screenId')}
    union all
    select ${scheduleGroups.scheduleId}, 0 from ${scheduleGroups}
      where ${scheduleGroups.workspace} = ${workspace} and ${scheduleGroups.groupId} = ${sql.placeholder('groupId')}
  ) named`
  return (
    orm
      .select({
        scheduleId: scheduleRules.scheduleId,
        days: scheduleRules.days,
        startMinute: scheduleRules.startMinute,
        endMinute: scheduleRules.endMinute,
        playlistId: scheduleRules.playlistId,
        layoutId: scheduleRules.layoutId,
        startDate: schedules.startDate,
        endDate: schedules.endDate,
      })
      .from(named)
      // Cross joins are read in their order, from the screen: another one reads the rules of all schedules there are.
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

/** A day of the calendar by its number since the epoch: "2026-12-01". */
const dateOf = (day: number): string => iso(day * DAY).slice(0, 'yyyy-mm-dd'.length)

/** The epoch was a Thursday. */
const weekdayOf = (day: number): Weekday => WEEKDAYS[(((day + 3) % 7) + 7) % 7] ?? 'monday'

const beginsOn = ({ days, startDate, endDate }: Candidate, day: number): boolean =>
  days.includes(weekdayOf(day)) &&
  (startDate === null || startDate <= dateOf(day)) &&
  (endDate === null || dateOf(day) <= endDate)

const isOverMidnight = ({ startMinute, endMinute }: Candidate): boolean => endMinute <= startMinute

/** The last minute of a day: a rule that ends at 23:59 is meant to end with the day (assumed). */
const LAST_MINUTE = MINUTES_OF_DAY - 1

/** The first minute of the day at which the rule holds no more. */
const endOf = ({ endMinute }: Candidate): number => (endMinute === LAST_MINUTE ? MINUTES_OF_DAY : endMinute)

/** Whether the rule holds at a minute of a day; one that goes over midnight belongs to the day on which it begins. */
const holdsAt = (rule: Candidate, day: number, minute: number): boolean =>
  isOverMidnight(rule)
    ? (minute >= rule.startMinute && beginsOn(rule, day)) || (minute < endOf(rule) && beginsOn(rule, day - 1))
    : minute >= rule.startMinute && minute < endOf(rule) && beginsOn(rule, day)

/** The rule that holds when the clocks show `wall`; undefined where nothing is to be shown. */
function winnerAt(rules: readonly Candidate[], wall: number): Candidate | undefined {
  const day = Math.floor(wall / DAY)
  const minute = Math.floor((wall - day * DAY) / MINUTE)
  return rules.find((rule) => holdsAt(rule, day, minute))
}

type Which = Pick<Screen, 'id' | 'groupId'>

const rulesOf = (workspace: Workspace, { id, groupId }: Which): Candidate[] =>
  candidatesOf.all(workspace, { screenId: id, groupId })

/** What the screen plays at this moment. */
const playingOn = (workspace: Workspace, screen: Which): Candidate | undefined =>
  winnerAt(rulesOf(workspace, screen), wallAt(workspace.now(), workspace.timezone))

/** The playlists in the zones of a layout, in the order of the zones. */
const playlistsOfLayout = query((orm) =>
  orm
    .select({ id: layoutZones.playlistId })
    .from(layoutZones)
    .where(
      and(
        ofWorkspace(layoutZones),
        eq(layoutZones.layoutId, sql.placeholder('layoutId')),
        sql`${layoutZones.playlistId} is not null`,
      ),
    )
    .orderBy(asc(layoutZones.position))
    .limit(1),
)

/** The playlist that the screen plays at this moment; of a layout the one of its first zone that has one (assumed). */
export function currentPlaylistOf(workspace: Workspace, screen: Which): string | null {
  const { playlistId = null, layoutId = null } = playingOn(workspace, screen) ?? {}
  if (layoutId === null) return playlistId
  return playlistsOfLayout.first(workspace, { layoutId })?.id ?? null
}

/** How far the next change is looked for. */
const DAYS_AHEAD = 8

export interface Programme {
  readonly playing: Candidate | undefined
  /** When something else is to be shown; null where that is not within a week. */
  readonly changesAt: number | null
}

/** What the screen plays, and until when. */
export function programmeOf(workspace: Workspace, screen: Which): Programme {
  const rules = rulesOf(workspace, screen)
  const { timezone } = workspace
  const now = workspace.now()
  const playing = winnerAt(rules, wallAt(now, timezone))
  // Each turn goes on behind a change of the clocks, of which there is at most one in a week.
  for (let from = now, turn = 0; turn < 3; turn += 1) {
    const wait = nextChange(rules, wallAt(from, timezone), playing)
    const end = from + (wait ?? DAYS_AHEAD * DAY)
    const jump = jumpOfClocks(from, end, timezone)
    if (jump === null) return { playing, changesAt: wait === null ? null : end }
    if (winnerAt(rules, wallAt(jump, timezone)) !== playing) return { playing, changesAt: jump }
    from = jump
  }
  return { playing, changesAt: null }
}

/** In how many ms clocks that are not put forward or back show the first minute of something else; null where none is. */
function nextChange(
  rules: readonly Candidate[],
  wall: number,
  playing: Candidate | undefined,
): number | null {
  const first = Math.floor(wall / DAY)
  const minutes = new Int32Array((DAYS_AHEAD + 2) * MINUTES_OF_DAY).fill(-1)
  // What wins is written over the others. A day before the first may reach into it.
  for (let index = rules.length - 1; index >= 0; index -= 1) {
    const rule = rules[index]
    if (!rule) continue
    const length = endOf(rule) - rule.startMinute + (isOverMidnight(rule) ? MINUTES_OF_DAY : 0)
    for (let day = -1; day <= DAYS_AHEAD; day += 1) {
      if (!beginsOn(rule, first + day)) continue
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

/** The first instant between two at which clocks were put forward or back; null where they are not. */
function jumpOfClocks(from: number, to: number, timezone: string): number | null {
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
