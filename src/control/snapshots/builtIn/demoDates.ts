/**
 * Moves the dates of the built-in fixtures close to today. Dates move by whole weeks, so that weekdays and times of day
 * stay the same.
 */
import { iso, offsetInstantOf } from '@suite-sim/kit/time/instants'

export const WEEK = 7 * 86_400_000

/** The Monday of the week for which the fixture dates were written. */
export const WRITTEN_FOR = offsetInstantOf('2026-11-23T00:00:00.000Z')

/** Returns the number of whole weeks to move fixture dates forward; 0 before WRITTEN_FOR. */
export const weeksUntil = (today: number): number => Math.max(0, Math.floor((today - WRITTEN_FOR) / WEEK))

/** Sections whose dates stay, because other values contain them: the CUFE of lite invoicing. */
export const UNMOVED_SECTIONS: ReadonlySet<string> = new Set(['lite-invoicing'])

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}\.\d{3}Z)?$/

/** Returns a part of a fixture with all dates moved to the week of `today`. */
export function moveDates<Part>(today: number, part: Part): Part {
  const weeks = weeksUntil(today)
  return weeks === 0 ? part : (moved(part, weeks) as Part)
}

/** Returns a value with all dates in it moved by weeks. */
export function moved(value: unknown, weeks: number): unknown {
  if (typeof value === 'string') return DATE.test(value) ? movedDate(value, weeks) : value
  if (Array.isArray(value)) return value.map((each: unknown) => moved(each, weeks))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, moved(each, weeks)]))
}

function movedDate(date: string, weeks: number): string {
  const [day = '', time = 'T00:00:00.000Z'] = date.split(/(?=T)/)
  return iso(offsetInstantOf(day + time) + weeks * WEEK).slice(0, date.length)
}
