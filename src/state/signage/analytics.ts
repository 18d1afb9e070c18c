/**
 * Playbacks added up over a period. Whole days are read from the sums of days, whole hours at its ends from those of
 * hours, and what is left over, less than an hour at each end, from the playbacks one by one; so what is read grows with
 * days and screens, and not with playbacks. Days and hours of a series are those of the workspace's time zone; where that
 * is not ahead of UTC by whole hours, its playbacks are read one by one.
 *
 * A day is read at a time, with a pause for others whenever that has taken a while.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, eq, gte, lt, sql } from 'drizzle-orm'
import { monotonicNow } from '../clock.ts'
import { ofWorkspace, query, type Cells, type ScopedQuery } from '../query.ts'
import { aheadAt } from '../wallTime.ts'
import type { Workspace } from '../workspace.ts'
import { DAY, HOUR } from './playbacks.ts'
import { playbacks, playbackSums as sums, screens, type SUM_SPANS } from './tables.ts'

export const GROUPINGS = ['screen', 'media', 'playlist', 'day', 'hour'] as const
export type Grouping = (typeof GROUPINGS)[number]

export interface Question {
  /** The first and the last ms of the period. */
  readonly from: number
  readonly to: number
  readonly groupBy: Grouping
  readonly screenId?: string | undefined
  readonly mediaId?: string | undefined
  readonly playlistId?: string | undefined
}

export interface Total {
  /** The id of the record, '' for none; of a day or an hour when it begins, by the clocks on the walls. */
  readonly key: string | number
  readonly plays: number
  readonly completed: number
  readonly durationMs: number
  readonly screens: number
}

/** In the order of the cells that are read. */
type Read = readonly [
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

const isAsked = (table: typeof sums | typeof playbacks) =>
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
    isAsked(sums),
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

/** Those of an hour and a screen in one, which is all that a series needs. */
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

const oneByOne = query((orm) =>
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
        isAsked(playbacks),
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

/** Something to be read: a piece of a day. */
interface Piece {
  readonly read: ScopedQuery<unknown>
  readonly from: number
  readonly until: number
}

const floor = (instant: number, length: number): number => Math.floor(instant / length) * length
const ceil = (instant: number, length: number): number => Math.ceil(instant / length) * length

/** What is to be read of one day of UTC, which begins at `day`, for a period that ends before `until`. */
function piecesOf(day: number, period: { from: number; until: number }, whole: Sources): Piece[] {
  const start = Math.max(day, period.from)
  const end = Math.min(day + DAY, period.until)
  if (whole.days && start === day && end === day + DAY) return [{ read: whole.days, from: start, until: end }]
  if (!whole.hours) return [{ read: oneByOne, from: start, until: end }]
  const firstHour = Math.min(ceil(start, HOUR), end)
  const lastHour = Math.max(floor(end, HOUR), firstHour)
  return [
    { read: oneByOne, from: start, until: firstHour },
    { read: whole.hours, from: firstHour, until: lastHour },
    { read: oneByOne, from: lastHour, until: end },
  ].filter((piece) => piece.from < piece.until)
}

/** Where whole days and whole hours are read; where there is no sum of these, what they consist of is. */
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

function keyOf(groupBy: Grouping, timezone: string): (read: Read) => string | number {
  switch (groupBy) {
    case 'screen':
      return ([, screenId]) => screenId
    case 'media':
      return ([, , mediaId]) => mediaId
    case 'playlist':
      return ([, , , playlistId]) => playlistId
    case 'day':
    case 'hour': {
      const length = groupBy === 'day' ? DAY : HOUR
      let known = { at: NaN, key: 0 }
      return ([at]) => {
        if (known.at !== at) known = { at, key: floor(at + aheadAt(at, timezone), length) }
        return known.key
      }
    }
  }
}

class Tally {
  plays = 0
  completed = 0
  durationMs = 0
  readonly screens = new Set<string>()
}

/** Ms after which others get their turn. */
const SLICE = 20

/** Records come with the most played first, days and hours in their order. */
export async function playbackTotals(workspace: Workspace, question: Question): Promise<Total[]> {
  const { groupBy, screenId = null, mediaId = null, playlistId = null } = question
  const { timezone } = workspace
  const tallies = new Map<string | number, Tally>()
  const key = keyOf(groupBy, timezone)
  const period = periodOf(workspace, question)
  let began = monotonicNow()
  let day = floor(period.from, DAY)
  for (;;) {
    const next = nextDay.firstCells(workspace, { from: day })?.[0] as number | null
    if (next === null || next >= period.until) break
    day = next
    for (const { read, from: start, until: end } of piecesOf(
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
        add(tallies, key, cells)
    }
    day += DAY
    if (monotonicNow() - began > SLICE) {
      await nextTurn()
      began = monotonicNow()
    }
  }
  const totals = Array.from(tallies, ([of, { screens: seen, ...tally }]) => ({
    key: of,
    ...tally,
    screens: seen.size,
  }))
  return groupBy === 'day' || groupBy === 'hour'
    ? totals.sort((one, other) => Number(one.key) - Number(other.key))
    : totals.sort((one, other) => other.plays - one.plays || (one.key < other.key ? -1 : 1))
}

function add(tallies: Map<string | number, Tally>, key: (read: Read) => string | number, cells: Cells): void {
  const read = cells as unknown as Read
  const of = key(read)
  let tally = tallies.get(of)
  if (!tally) tallies.set(of, (tally = new Tally()))
  tally.plays += read[4]
  tally.completed += read[5]
  tally.durationMs += read[6]
  tally.screens.add(read[1])
}

/** Where nothing was played after the period, its last day counts as a whole, for so it is read from the sums. */
function periodOf(workspace: Workspace, { from: first, to }: Question): { from: number; until: number } {
  const last = lastPlayed.firstCells(workspace)?.[0] as number | null
  return { from: first, until: last !== null && last <= to ? ceil(last + 1, DAY) : to + 1 }
}

export interface ScreenSummary {
  readonly total: number
  readonly online: number
  readonly offline: number
  readonly standby: number
  /** null where there are none. */
  readonly averageUptime: number | null
}

const NOW = sql.placeholder('now')

/** Ms since a screen was paired; one that was just paired has been there for one. */
const age = sql`max(1, ${NOW} - ${screens.createdAt})`
const up = sql`${screens.upMs} + iif(${screens.status} = 'offline', 0, max(0, ${NOW} - ${screens.statusSince}))`

const summary = query((orm) =>
  orm
    .select({
      total: sql<number>`count(*)`,
      online: sql<number>`coalesce(sum(${screens.status} = 'online'), 0)`,
      offline: sql<number>`coalesce(sum(${screens.status} = 'offline'), 0)`,
      standby: sql<number>`coalesce(sum(${screens.status} = 'standby'), 0)`,
      averageUptime: sql<
        number | null
      >`avg(iif(${NOW} <= ${screens.createdAt}, ${screens.status} <> 'offline', min(1.0, 1.0 * (${up}) / ${age})))`,
    })
    .from(screens)
    .where(ofWorkspace(screens)),
)

/**
 * How many screens are in which status, and which part of the time since they were paired they have been anything but
 * offline, on the average of screens: from 0 to 1.
 */
export const screenSummary = (workspace: Workspace): ScreenSummary =>
  summary.first(workspace, { now: workspace.now() }) ?? {
    total: 0,
    online: 0,
    offline: 0,
    standby: 0,
    averageUptime: null,
  }
