/** The calendar of reports: spans of time, and the days, weeks, months, quarters and years of a time zone. */
import { DateTime } from 'luxon'
import { instantOf, iso, lastInstantOf, type TimezoneSource } from '@suite-sim/kit/time/instants'
import { refuseProperty } from '../model/refusal.ts'
import { DAY, wallAt } from '@suite-sim/kit/time/wallTime'

/** From `start` (inclusive) to `end` (exclusive), in ms since the epoch. */
export interface Span {
  readonly start: number
  readonly end: number
}

export const ALL_TIME: Span = { start: Number.MIN_SAFE_INTEGER, end: Number.MAX_SAFE_INTEGER }

/**
 * Returns the span of `from` and `to`, both inclusive. A date means the whole day in the time zone of `place`, a
 * date-time that instant. A missing end is that of `missing`.
 */
export const spanOf = (
  place: TimezoneSource,
  from: string | undefined,
  to: string | undefined,
  { start, end }: Span = ALL_TIME,
): Span => ({
  start: from === undefined ? start : instantOf(from, place),
  end: to === undefined ? end : lastInstantOf(to, place) + 1,
})

/** Returns the same span; refuses `to` if it is before `from`. */
export function mustBeInOrder(span: Span): Span {
  if (span.start >= span.end) refuseProperty('to', 'before_from', '{to} must not be before {from}')
  return span
}

/** Returns the day of an instant: "2026-11-21". */
export const dayOf = (instant: number, { timezone }: TimezoneSource): string =>
  iso(wallAt(instant, timezone)).slice(0, 'yyyy-mm-dd'.length)

/** The lengths of the periods of a series. */
export const SERIES_UNITS = ['day', 'week', 'month'] as const
export type SeriesUnit = (typeof SERIES_UNITS)[number]

type Unit = SeriesUnit | 'quarter' | 'year'

/** A day, week, month, quarter or year. Weeks start on Monday. */
export class Period implements Span {
  readonly start: number
  readonly end: number
  readonly #first: DateTime
  readonly #next: DateTime
  readonly #unit: Unit

  constructor(first: DateTime, unit: Unit) {
    this.#first = first
    this.#next = startOfNext(first, unit)
    this.#unit = unit
    this.start = first.toMillis()
    this.end = this.#next.toMillis()
  }

  /** "2026-11-21" for a day or a week, "2026-11", "2026-Q4", "2026"; sorting the strings sorts by time. */
  get label(): string {
    switch (this.#unit) {
      case 'day':
      case 'week':
        return this.firstDay
      case 'month':
        return this.firstDay.slice(0, 'yyyy-mm'.length)
      case 'quarter':
        return this.#first.toFormat("yyyy-'Q'q")
      case 'year':
        return this.firstDay.slice(0, 'yyyy'.length)
    }
  }

  /** The first day: "2026-11-01". */
  get firstDay(): string {
    return this.#first.toISODate() ?? ''
  }

  get lastDay(): string {
    return dayOf(this.end - 1, { timezone: this.#first.zoneName ?? 'UTC' })
  }

  get next(): Period {
    return new Period(this.#next, this.#unit)
  }
}

/** Returns the period that contains an instant. */
export const periodAt = ({ timezone }: TimezoneSource, instant: number, unit: Unit): Period =>
  new Period(DateTime.fromMillis(instant, { zone: timezone }).startOf(unit), unit)

/**
 * Returns the periods that overlap a span; the first can start before it, and the last end after it. Calls `refuseMore`
 * if there are more than `maxCount`.
 */
export function periodsOf(
  place: TimezoneSource,
  { start, end }: Span,
  unit: Unit,
  maxCount: number,
  refuseMore: () => never,
): Period[] {
  const periods: Period[] = []
  for (let period = periodAt(place, start, unit); period.start < end; period = period.next) {
    if (periods.length === maxCount) refuseMore()
    periods.push(period)
  }
  return periods
}

const REGULAR_LENGTH: Partial<Record<Unit, number>> = { day: DAY, week: 7 * DAY }

function startOfNext(start: DateTime, unit: Unit): DateTime {
  const length = REGULAR_LENGTH[unit]
  if (length !== undefined) {
    // Without a daylight saving change, adding the length is correct and ten times faster than calendar arithmetic.
    const next = DateTime.fromMillis(start.toMillis() + length, { zone: start.zone })
    if (next.offset === start.offset && next.hour === 0 && next.minute === 0) return next
  }
  return start.plus({ [unit]: 1 }).startOf(unit)
}

/** Returns the index of the period that contains an instant. */
export function periodIndexAt(periods: readonly Span[], instant: number): number {
  let [low, high] = [0, periods.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((periods[middle]?.start ?? Infinity) <= instant) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * Leaves out the last of several periods if the report ends with its first instant and nothing happened then: a `to` at
 * midnight means the end of the day before.
 */
export function withoutEmptyInstant<Of extends { readonly start: number }>(
  periods: readonly Of[],
  lastInstant: number,
  isEmpty: (period: Of) => boolean,
): readonly Of[] {
  const last = periods.at(-1)
  const isLeftOut = periods.length > 1 && last?.start === lastInstant && isEmpty(last)
  return isLeftOut ? periods.slice(0, -1) : periods
}
