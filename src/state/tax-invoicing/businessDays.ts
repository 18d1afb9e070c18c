/** Days on which the authority works: neither weekends nor the holidays of the federal tax code (article 12). */
import { DateTime } from 'luxon'
import { ISSUER_TIMEZONE } from './issuer.ts'

const MONDAY = 1
const SATURDAY = 6

/** Month and day. */
const FIXED = new Set(['1-1', '5-1', '5-5', '9-16', '12-25'])

/** Which Monday of a month. */
const MONDAYS: Readonly<Record<number, number>> = { 2: 1, 3: 3, 11: 3 }

/** Every sixth year the executive changes on the 1st of October. */
const isChangeOfPower = ({ year, month, day }: DateTime): boolean =>
  month === 10 && day === 1 && year >= 2024 && (year - 2024) % 6 === 0

const isHoliday = (date: DateTime): boolean =>
  FIXED.has(`${String(date.month)}-${String(date.day)}`) ||
  (date.weekday === MONDAY && Math.ceil(date.day / 7) === MONDAYS[date.month]) ||
  isChangeOfPower(date)

const isBusinessDay = (date: DateTime): boolean => date.weekday < SATURDAY && !isHoliday(date)

/** The same time of the clocks, so many business days later. */
export function afterBusinessDays(instant: number, count: number): number {
  let date = DateTime.fromMillis(instant, { zone: ISSUER_TIMEZONE })
  for (let left = count; left > 0;) {
    date = date.plus({ days: 1 })
    if (isBusinessDay(date)) left--
  }
  return date.toMillis()
}
