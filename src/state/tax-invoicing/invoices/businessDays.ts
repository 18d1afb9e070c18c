/** Business days of the authority: all days except weekends and the holidays of the federal tax code (article 12). */
import { DateTime } from 'luxon'
import { ISSUER_TIMEZONE } from '../taxpayers/issuer.ts'

const MONDAY = 1
const SATURDAY = 6

/** Holidays on a fixed date, as month and day. */
const FIXED_HOLIDAYS = new Set(['1-1', '5-1', '5-5', '9-16', '12-25'])

/** Holidays on a Monday: which Monday of which month. */
const MONDAY_HOLIDAYS: Readonly<Record<number, number>> = { 2: 1, 3: 3, 11: 3 }

/** Every six years, the federal executive changes on October 1. */
const isInaugurationDay = ({ year, month, day }: DateTime): boolean =>
  month === 10 && day === 1 && year >= 2024 && (year - 2024) % 6 === 0

const isHoliday = (date: DateTime): boolean =>
  FIXED_HOLIDAYS.has(`${String(date.month)}-${String(date.day)}`) ||
  (date.weekday === MONDAY && Math.ceil(date.day / 7) === MONDAY_HOLIDAYS[date.month]) ||
  isInaugurationDay(date)

const isBusinessDay = (date: DateTime): boolean => date.weekday < SATURDAY && !isHoliday(date)

/** Returns the same local time, `count` business days later. */
export function afterBusinessDays(instant: number, count: number): number {
  let date = DateTime.fromMillis(instant, { zone: ISSUER_TIMEZONE })
  for (let left = count; left > 0;) {
    date = date.plus({ days: 1 })
    if (isBusinessDay(date)) left--
  }
  return date.toMillis()
}
