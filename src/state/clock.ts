/**
 * The only file that asks the machine for the time. Everything else asks a workspace, whose clock runs with the
 * real one, runs shifted, or stands still (OPERATING.md, "Control plane").
 */
import { DateTime, Duration } from 'luxon'
import { endOfDay, instantOfWall, startOfDay } from './wallTime.ts'

/** The first and last instants that four-digit years can say; what lies outside has no ISO 8601 form here. */
const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z')
export const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z')

/** Milliseconds since the epoch on the machine's clock. */
export const systemNow = (): number => Date.now()

/** Milliseconds on a clock that never goes back, for durations. */
export const monotonicNow = (): number => performance.now()

/** How a workspace's clock stands to the real one: standing still at `frozenAt`, or running `offset` ms ahead. */
export interface ClockSetting {
  readonly offset: number
  readonly frozenAt: number | null
}

export const REAL_TIME: ClockSetting = { offset: 0, frozenAt: null }

/** The instant that a clock shows, in ms since the epoch. One that runs stays at the last that can be written. */
export const read = (clock: ClockSetting): number =>
  clock.frozenAt ?? Math.min(systemNow() + clock.offset, LAST_INSTANT)

/** A clock that shows `now` at this moment, and stands still there when `frozen`. */
export const setTo = (now: number, frozen: boolean): ClockSetting => ({
  offset: now - systemNow(),
  frozenAt: frozen ? now : null,
})

/** Real milliseconds until the clock shows `instant`; null when it stands still and so never will. */
export const realDelayUntil = (clock: ClockSetting, instant: number): number | null =>
  clock.frozenAt === null ? instant - read(clock) : instant <= clock.frozenAt ? 0 : null

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** "2026-01-31T" by the number of the day; records of one page are mostly of few days. */
let dates = new Map<number, string>()
const REMEMBERED_DATES = 1000

const dateOf = (day: number): string => {
  const known = dates.get(day)
  if (known !== undefined) return known
  const date = new Date(day * DAY).toISOString().slice(0, -'00:00:00.000Z'.length)
  if (dates.size >= REMEMBERED_DATES) dates = new Map()
  dates.set(day, date)
  return date
}

const two = (number: number): string => (number < 10 ? `0${String(number)}` : String(number))
const three = (number: number): string => (number < 100 ? `0${two(number)}` : String(number))

/**
 * ISO 8601 in UTC with milliseconds, the form of every timestamp on the wire; the last that four-digit years can say for
 * what follows from it and would lie beyond. What `Date` writes, in a fifth of the
 * time: a page of a list holds fifty of them.
 */
export function iso(moment: number): string {
  const instant = Math.min(moment, LAST_INSTANT)
  const day = Math.floor(instant / DAY)
  const ofDay = instant - day * DAY
  const hours = Math.floor(ofDay / HOUR)
  const minutes = Math.floor(ofDay / MINUTE) % 60
  const seconds = Math.floor(ofDay / SECOND) % 60
  return `${dateOf(day)}${two(hours)}:${two(minutes)}:${two(seconds)}.${three(ofDay % SECOND)}Z`
}

export const isoOrNull = (instant: number | null): string | null => (instant === null ? null : iso(instant))

/** Where a text is read that names no offset: in a workspace, or in UTC where there is none. */
export interface Place {
  readonly timezone: string
}

export const UTC: Place = { timezone: 'UTC' }

const ISO_INSTANT =
  /^(?!0000)\d{4}-\d{2}-\d{2}(?<time>T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?<offset>Z|[+-]\d{2}:?\d{2})?)?$/

const WRITTEN_INSTANT = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/**
 * The instant that an ISO 8601 date or date-time names, as a caller sends it; null for anything else, days that no
 * calendar has included. A date is its first instant where `place` is, and a date-time without an offset is a time of
 * the clocks there; at the ends of time, where the offset of a place would lead out of four-digit years, it is the end.
 */
export function parseInstant(text: string, place: Place): number | null {
  // What was written by `iso` is read without the calendar library, whose first use costs a tenth of the start.
  if (WRITTEN_INSTANT.test(text)) {
    const instant = Date.parse(text)
    if (!Number.isNaN(instant) && iso(instant) === text) return instant
  }
  const { time, offset } = ISO_INSTANT.exec(text)?.groups ?? {}
  const parsed = ISO_INSTANT.test(text) ? DateTime.fromISO(text, { zone: 'utc' }) : null
  if (!parsed?.isValid) return null
  const instant = parsed.toMillis()
  if (offset !== undefined) return instant >= FIRST_INSTANT && instant <= LAST_INSTANT ? instant : null
  const { timezone } = place
  const local = time === undefined ? startOfDay(instant, timezone) : instantOfWall(instant, timezone)
  return Math.min(Math.max(local, FIRST_INSTANT), LAST_INSTANT)
}

/** For instants of callers that a schema has already checked. */
export const instantOf = (text: string, place: Place): number => parseInstant(text, place) ?? noInstant(text)

/** The last instant that such a text means: of a date, the last one of its day. */
export function lastInstantOf(text: string, place: Place): number {
  const isDate = !text.includes('T')
  return isDate ? endOfDay(instantOf(text, UTC), place.timezone) : instantOf(text, place)
}

/** The instant of a text that was written with its offset, as snapshots are; null for one without. */
export const parseWritten = (text: string): number | null =>
  ISO_INSTANT.exec(text)?.groups?.['offset'] === undefined ? null : parseInstant(text, UTC)

/** For such instants that a schema has already checked. */
export const writtenInstant = (text: string): number => parseWritten(text) ?? noInstant(text)

const noInstant = (text: string): never => {
  throw new Error(`not an instant: ${text}`)
}

/**
 * `instant` plus an ISO 8601 duration ("PT1H", "P1M"), calendar units counted in UTC; null when the text is no
 * duration, is negative, or leads past the year 9999.
 */
export function addDuration(instant: number, duration: string): number | null {
  if (!/^P(?=.)(?!.*T$)/.test(duration)) return null
  const parsed = Duration.fromISO(duration)
  if (!parsed.isValid) return null
  const sum = DateTime.fromMillis(instant, { zone: 'utc' }).plus(parsed)
  if (!sum.isValid) return null
  const later = sum.toMillis()
  return later >= instant && later <= LAST_INSTANT ? later : null
}

/** Ms since the epoch of a date as HTTP writes it; NaN of what is none. */
export const httpDate = (text: string): number => Date.parse(text)
