/** The time of an interview in words. */
import { DateTime } from 'luxon'
import type { Interview } from './interviews.ts'

/** Formats "Tuesday, 12 March 2030, 10:00–11:00 (America/New_York, UTC-04:00)" in the zone of the interview. */
export function timeInWords({ scheduledAt, endsAt, timezone }: Interview): string {
  const at = (instant: number, format: string): string =>
    DateTime.fromMillis(instant, { zone: timezone, locale: 'en-GB' }).toFormat(format)
  return `${at(scheduledAt, 'cccc, d LLLL yyyy, HH:mm')}–${at(endsAt, 'HH:mm')} (${timezone}, UTC${at(scheduledAt, 'ZZ')})`
}
