/**
 * Conversion of local times of a time zone to instants. At a change of the clocks, a local time can exist twice or
 * never. Local times are in ms since the epoch, as if they were UTC.
 */
import { DateTime } from 'luxon'

const MINUTE = 60_000
export const DAY = 24 * 60 * MINUTE

/** Returns the UTC offset of a zone at an instant, in ms. */
export const aheadAt = (instant: number, timezone: string): number =>
  Math.round(DateTime.fromMillis(instant, { zone: timezone }).offset * MINUTE)

/** Returns the local time of a zone at an instant. */
export const wallAt = (instant: number, timezone: string): number => instant + aheadAt(instant, timezone)

/**
 * Returns the instant of a local time: the first one if it exists twice. If it is skipped, the instant is as long
 * after the change as the local time is after the last one before it.
 */
export function instantOfWall(wall: number, timezone: string): number {
  const before = wall - aheadAt(wall - DAY, timezone)
  const after = wall - aheadAt(wall + DAY, timezone)
  const match = [Math.min(before, after), Math.max(before, after)].find(
    (instant) => wallAt(instant, timezone) === wall,
  )
  return match ?? before
}

/** Returns the first instant of the day that begins at `midnight`; if that is skipped, the instant of the change. */
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

/** Returns the last instant of the day that begins at `midnight`. */
export const endOfDay = (midnight: number, timezone: string): number =>
  startOfDay(midnight + DAY, timezone) - 1

/** Zones that the calendar of Node (ICU) still names as the time zone database did before it renamed them. */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** Returns the canonical name of a known zone: "America/Mexico_City" for "america/mexico_city", and no alias. */
export function canonicalZone(timezone: string): string {
  const known = new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone
  return RENAMED[known] ?? known
}
