/**
 * Playback totals of a period, summed from daily sums, hourly sums at both ends, and single playbacks for partial hours.
 * The cost therefore grows with days and screens, not with playbacks. A time zone that is not whole hours ahead of UTC
 * reads single playbacks for a series of days or hours.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, eq, gte, lt, sql } from 'drizzle-orm'
import { iso } from '@suite-sim/kit/time/instants'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import { isOneOf } from '../storage/columns.ts'
import { ofWorkspace, query, type Cells, type ScopedQuery } from '../storage/queries/query.ts'
import { ofEachState } from '../model/machine.ts'
import { screenMachine, UP } from './machines.ts'
import { aheadAt } from '@suite-sim/kit/time/wallTime'
import { dayOf } from '../shared/periods.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { DAY, HOUR } from './playbacks.ts'
import { playbacks, playbackSums as sums, screens, type SUM_SPANS } from './tables.ts'

export const GROUPINGS = ['screen', 'media', 'playlist', 'day', 'hour'] as const
export type Grouping = (typeof GROUPINGS)[number]

export interface PlaybackFilter {
  /** The first and the last millisecond of the period, both included. */
  readonly from: number
  readonly to: number
  readonly groupBy: Grouping
  readonly screenId?: string | undefined
  readonly mediaId?: string | undefined
  readonly playlistId?: string | undefined
}

export interface Total {
  /** The id of the record ('' if the playback has none), the day, or the hour as `hourOf` names it. */
  readonly key: string
  /** The earliest time of its playbacks, or of the sums that have them. */
  readonly at: number
  readonly plays: number
  readonly completed: number
  readonly durationMs: number
  readonly screens: number
}

/** One row of sums, in the order of the selected columns. */
type SumRow = readonly [
  at: number,
  screenId: string,
  mediaId: string,
  playlistId: string,
  plays: number,
  completed: number,
  durationMs: number,
]

const from = sql.placeholder('from')
const until = sql.placeholder('until')

const matchesFilter = (table: typeof sums | typeof playbacks) =>
  and(
    sql`(${sql.placeholder('screenId')} is null or ${table.screenId} = ${sql.placeholder('screenId')})`,
    sql`(${sql.placeholder('mediaId')} is null or ${table.mediaId} = ${sql.placeholder('mediaId')})`,
    sql`(${sql.placeholder('playlistId')} is null or ${table.playlistId} = ${sql.placeholder('playlistId')})`,
  )

const inSpan = (span: (typeof SUM_SPANS)[number]) =>
  and(
    ofWorkspace(sums),
    eq(sums.span, span),
    gte(sums.startsAt, from),
    lt(sums.startsAt, until),
    matchesFilter(sums),
  )

const sumsOf = (span: (typeof SUM_SPANS)[number]) =>
  query((orm) =>
    orm
      .select({
        at: sums.startsAt,
        screenId: sums.screenId,
        mediaId: sums.mediaId,
        playlistId: sums.playlistId,
        plays: sums.plays,
        completed: sums.completed,
        durationMs: sums.durationMs,
      })
      .from(sums)
      .where(inSpan(span)),
  )

const byDay = sumsOf('day')
const byHour = sumsOf('hour')

/** Hourly sums per screen, without media and playlists, which a series does not need. */
const byHourAndScreen = query((orm) =>
  orm
    .select({
      at: sums.startsAt,
      screenId: sums.screenId,
      mediaId: sql`''`,
      playlistId: sql`''`,
      plays: sql`sum(${sums.plays})`,
      completed: sql`sum(${sums.completed})`,
      durationMs: sql`sum(${sums.durationMs})`,
    })
    .from(sums)
    .where(inSpan('hour'))
    .groupBy(sums.startsAt, sums.screenId),
)

const singlePlaybacks = query((orm) =>
  orm
    .select({
      at: playbacks.playedAt,
      screenId: playbacks.screenId,
      mediaId: playbacks.mediaId,
      playlistId: sql`coalesce(${playbacks.playlistId}, '')`,
      plays: sql`1`,
      completed: playbacks.completed,
      durationMs: playbacks.durationMs,
    })
    .from(playbacks)
    .where(
      and(
        ofWorkspace(playbacks),
        gte(playbacks.playedAt, from),
        lt(playbacks.playedAt, until),
        matchesFilter(playbacks),
      ),
    ),
)

const nextDay = query((orm) =>
  orm
    .select({ at: sql<number | null>`min(${sums.startsAt})` })
    .from(sums)
    .where(and(ofWorkspace(sums), eq(sums.span, 'day'), gte(sums.startsAt, from))),
)

const lastPlayed = query((orm) =>
  orm
    .select({ at: sql<number | null>`max(${playbacks.playedAt})` })
    .from(playbacks)
    .where(ofWorkspace(playbacks)),
)

/** A part of a day and the query that reads it. */
interface Piece {
  readonly read: ScopedQuery<unknown>
  readonly from: number
  readonly until: number
}

const floor = (instant: number, length: number): number => Math.floor(instant / length) * length
const ceil = (instant: number, length: number): number => Math.ceil(instant / length) * length

/** Splits the UTC day that starts at `day` into the parts to read; `period.until` is excluded. */
function splitDay(day: number, period: { from: number; until: number }, sources: Sources): Piece[] {
  const start = Math.max(day, period.from)
  const end = Math.min(day + DAY, period.until)
  if (sources.days && start === day && end === day + DAY)
    return [{ read: sources.days, from: start, until: end }]
  if (!sources.hours) return [{ read: singlePlaybacks, from: start, until: end }]
  const firstHour = Math.min(ceil(start, HOUR), end)
  const lastHour = Math.max(floor(end, HOUR), firstHour)
  return [
    { read: singlePlaybacks, from: start, until: firstHour },
    { read: sources.hours, from: firstHour, until: lastHour },
    { read: singlePlaybacks, from: lastHour, until: end },
  ].filter((piece) => piece.from < piece.until)
}

/** The queries for whole days and whole hours. Without one, the smaller unit is read. */
interface Sources {
  readonly days?: ScopedQuery<unknown>
  readonly hours?: ScopedQuery<unknown>
}

const isAheadByHours = (instant: number, timezone: string): boolean => aheadAt(instant, timezone) % HOUR === 0

function sourcesOf(groupBy: Grouping, timezone: string, day: number): Sources {
  if (groupBy !== 'day' && groupBy !== 'hour') return { days: byDay, hours: byHour }
  const isEven = isAheadByHours(day, timezone) && isAheadByHours(day + DAY, timezone)
  return isEven ? { hours: byHourAndScreen } : {}
}

function keyOf(groupBy: Grouping, timezone: string): (row: SumRow) => string {
  switch (groupBy) {
    case 'screen':
      return ([, screenId]) => screenId
    case 'media':
      return ([, , mediaId]) => mediaId
    case 'playlist':
      return ([, , , playlistId]) => playlistId
    case 'day':
      return cachedByTime((at) => dayOf(at, { timezone }))
    case 'hour':
      return cachedByTime((at) => hourOf(at, timezone))
  }
}

function cachedByTime(keyAt: (at: number) => string): (row: SumRow) => string {
  let cached: { readonly at: number; readonly key: string } = { at: NaN, key: '' }
  return ([at]) => {
    if (cached.at !== at) cached = { at, key: keyAt(at) }
    return cached.key
  }
}

/**
 * Returns the local start of an hour with its UTC offset, such as 2026-11-01T01:00-04:00. The offset tells the two hours
 * apart that have the same local time when the clocks go back.
 */
function hourOf(at: number, timezone: string): string {
  const ahead = aheadAt(at, timezone)
  const local = iso(floor(at + ahead, HOUR)).slice(0, -':00.000Z'.length)
  const offset = iso(Math.abs(ahead)).slice('1970-01-01T'.length, -':00.000Z'.length)
  return `${local}${ahead < 0 ? '-' : '+'}${offset}`
}

class Tally {
  /** The earliest time of its rows. */
  at = Infinity
  plays = 0
  completed = 0
  durationMs = 0
  readonly screens = new Set<string>()
}

/** The milliseconds after which the loop yields to other requests. */
const SLICE = 20

/** Returns totals per group: records by number of plays, descending; days and hours in chronological order. */
export async function playbackTotals(workspace: Workspace, question: PlaybackFilter): Promise<Total[]> {
  const { groupBy, screenId = null, mediaId = null, playlistId = null } = question
  const { timezone } = workspace
  const tallies = new Map<string, Tally>()
  const keyOfRow = keyOf(groupBy, timezone)
  const period = periodOf(workspace, question)
  let began = monotonicNow()
  let day = floor(period.from, DAY)
  for (;;) {
    const next = nextDay.firstCells(workspace, { from: day })?.[0] as number | null
    if (next === null || next >= period.until) break
    day = next
    for (const { read, from: start, until: end } of splitDay(
      day,
      period,
      sourcesOf(groupBy, timezone, day),
    )) {
      for (const cells of read.allCells(workspace, {
        from: start,
        until: end,
        screenId,
        mediaId,
        playlistId,
      }))
        add(tallies, keyOfRow, cells)
    }
    day += DAY
    if (monotonicNow() - began > SLICE) {
      await nextTurn()
      began = monotonicNow()
    }
  }
  const totals = Array.from(tallies, ([key, { screens: screenIds, ...tally }]) => ({
    key,
    ...tally,
    screens: screenIds.size,
  }))
  return groupBy === 'day' || groupBy === 'hour'
    ? totals.sort((one, other) => one.at - other.at)
    : totals.sort((one, other) => other.plays - one.plays || (one.key < other.key ? -1 : 1))
}

function add(tallies: Map<string, Tally>, keyOfRow: (row: SumRow) => string, cells: Cells): void {
  const row = cells as unknown as SumRow
  const key = keyOfRow(row)
  let tally = tallies.get(key)
  if (!tally) tallies.set(key, (tally = new Tally()))
  tally.at = Math.min(tally.at, row[0])
  tally.plays += row[4]
  tally.completed += row[5]
  tally.durationMs += row[6]
  tally.screens.add(row[1])
}

/** Extends the period to the end of its last day if nothing was played later, so that the daily sum can be read. */
function periodOf(
  workspace: Workspace,
  { from: first, to }: PlaybackFilter,
): { from: number; until: number } {
  const last = lastPlayed.firstCells(workspace)?.[0] as number | null
  return { from: first, until: last !== null && last <= to ? ceil(last + 1, DAY) : to + 1 }
}

type ScreenStatus = (typeof screenMachine.states)[number]

export interface ScreenSummary {
  readonly total: number
  readonly byStatus: Readonly<Record<ScreenStatus, number>>
  /** null if the workspace has no screens. */
  readonly averageUptime: number | null
}

const NOW = sql.placeholder('now')

/** The milliseconds since a screen was paired, at least 1 to avoid a division by zero. */
const age = sql`max(1, ${NOW} - ${screens.createdAt})`
const isUp = isOneOf(screens.status, UP)
const up = sql`${screens.upMs} + iif(${isUp}, max(0, ${NOW} - ${screens.statusSince}), 0)`

const summary = query((orm) =>
  orm
    .select({
      total: sql<number>`count(*)`,
      ...ofEachState(
        screenMachine,
        (status) => sql<number>`coalesce(sum(${isOneOf(screens.status, [status])}), 0)`,
      ),
      averageUptime: sql<
        number | null
      >`avg(iif(${NOW} <= ${screens.createdAt}, ${isUp}, min(1.0, 1.0 * (${up}) / ${age})))`,
    })
    .from(screens)
    .where(ofWorkspace(screens)),
)

/**
 * Counts screens by status. `averageUptime` (0 to 1) is the average share of time since pairing that a screen was not
 * offline.
 */
export function screenSummary(workspace: Workspace): ScreenSummary {
  const counted = summary.first(workspace, { now: workspace.now() })
  return {
    total: counted?.total ?? 0,
    byStatus: ofEachState(screenMachine, (status) => counted?.[status] ?? 0),
    averageUptime: counted?.averageUptime ?? null,
  }
}
