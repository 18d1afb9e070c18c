/** Formats instants in a time zone. */

const formats = new Map<string, Intl.DateTimeFormat>()

export const SHORT_DAY = { day: '2-digit', month: 'short' } as const
export const LONG_DAY = { ...SHORT_DAY, year: 'numeric', weekday: 'short' } as const
export const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
const DAY_TITLE = { day: 'numeric', month: 'short', year: 'numeric' } as const

export function formatDate(
  at: string | number,
  timeZone: string | undefined,
  options: Intl.DateTimeFormatOptions,
): string {
  const key = `${timeZone ?? ''} ${JSON.stringify(options)}`
  let format = formats.get(key)
  if (!format) formats.set(key, (format = new Intl.DateTimeFormat('en-GB', { timeZone, ...options })))
  return format.format(new Date(at))
}

/** Returns the exact time, such as "Wed, 25 Nov 2026, 23:59:07 (America/Mexico_City)". */
export const exactTime = (at: string, timeZone: string): string =>
  `${formatDate(at, timeZone, { ...LONG_DAY, ...TIME })} (${timeZone})`

/** Offsets of time zones are multiples of 15 minutes, so that all instants of a quarter are on the same day. */
const QUARTER_MS = 900_000
const MAX_DAYS = 20_000
const days = new Map<string, string>()

/** Returns the day of an instant: "12 Nov 2026". Lists ask for each of their entries, so it caches the answers. */
export function dayOf(at: string | number, timeZone: string): string {
  const quarter = Math.floor((typeof at === 'number' ? at : Date.parse(at)) / QUARTER_MS)
  const key = `${timeZone} ${String(quarter)}`
  let day = days.get(key)
  if (day === undefined) {
    if (days.size >= MAX_DAYS) days.clear()
    days.set(key, (day = formatDate(quarter * QUARTER_MS, timeZone, DAY_TITLE)))
  }
  return day
}

/** Returns the title of a day in a list: "Today", "Yesterday" or the date. */
export function dayTitle(day: string, now: number | null, timeZone: string): string {
  if (now === null) return day
  if (day === dayOf(now, timeZone)) return 'Today'
  // Half a day before the start of today is yesterday, also if the clocks change.
  const time = formatDate(now, timeZone, { hour: '2-digit', minute: '2-digit' })
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return day === dayOf(now - ((hours + 12) * 60 + minutes) * 60_000, timeZone) ? 'Yesterday' : day
}
