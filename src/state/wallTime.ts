/**
 * What clocks on the walls of a time zone show, as instants. Where they are put forward or back, not every time of a day
 * is there exactly once. Times on walls are given in ms since the epoch, as if they were shown in UTC.
 */
import { DateTime } from 'luxon'

const MINUTE = 60_000
export const DAY = 24 * 60 * MINUTE

/** Ms by which the clocks of a zone are ahead of UTC at an instant. */
export const aheadAt = (instant: number, timezone: string): number =>
  Math.round(DateTime.fromMillis(instant, { zone: timezone }).offset * MINUTE)

/** What the clocks of a zone show at an instant. */
export const wallAt = (instant: number, timezone: string): number => instant + aheadAt(instant, timezone)

/**
 * The instant at which clocks show `wall`: the first one where they are put back and show it twice; where they skip it,
 * as much after the jump as it would have been after their last moment before.
 */
export function instantOfWall(wall: number, timezone: string): number {
  const before = wall - aheadAt(wall - DAY, timezone)
  const after = wall - aheadAt(wall + DAY, timezone)
  const shown = [Math.min(before, after), Math.max(before, after)].find(
    (instant) => wallAt(instant, timezone) === wall,
  )
  return shown ?? before
}

/** The first instant of the day that begins at `midnight`; where clocks skip that midnight, the one of their jump. */
export function startOfDay(midnight: number, timezone: string): number {
  let start = instantOfWall(midnight, timezone)
  if (wallAt(start, timezone) === midnight) return start
  let dayBefore = start - DAY
  while (start - dayBefore > 1) {
    const between = Math.floor((dayBefore + start) / 2)
    if (wallAt(between, timezone) < midnight) dayBefore = between
    else start = between
  }
  return start
}

/** The last instant of the day that begins at `midnight`. */
export const endOfDay = (midnight: number, timezone: string): number =>
  startOfDay(midnight + DAY, timezone) - 1
