/**
 * The dates of the program's own fixtures, which never grow old: all of them are moved by whole weeks, so that days of
 * the week and times of day stay what they are.
 */
import { iso, writtenInstant } from '../state/clock.ts'

const WEEK = 7 * 86_400_000

/** Monday of the week that the dates were written for. */
export const WRITTEN_FOR = writtenInstant('2026-11-23T00:00:00.000Z')

/** Weeks by which what was written for that week is to be moved; none before it. */
export const weeksUntil = (today: number): number => Math.max(0, Math.floor((today - WRITTEN_FOR) / WEEK))

/** Sections with numbers that hold a date, and so can't be moved: the CUFE of lite invoicing. */
const DATED: ReadonlySet<string> = new Set(['lite-invoicing'])

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}\.\d{3}Z)?$/

/** The fixture as it would have been written in the week of `today`. */
export function broughtTo<Sections extends object>(today: number, fixture: Sections): Sections {
  const by = weeksUntil(today) * WEEK
  if (by === 0) return fixture
  const sections = Object.entries(fixture).map(([name, section]: [string, unknown]) => [
    name,
    DATED.has(name) ? section : moved(section, by),
  ])
  return Object.fromEntries(sections) as Sections
}

function moved(value: unknown, by: number): unknown {
  if (typeof value === 'string') return DATE.test(value) ? movedDate(value, by) : value
  if (Array.isArray(value)) return value.map((each: unknown) => moved(each, by))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, moved(each, by)]))
}

function movedDate(date: string, by: number): string {
  const [day = '', time = 'T00:00:00.000Z'] = date.split(/(?=T)/)
  return iso(writtenInstant(day + time) + by).slice(0, date.length)
}
