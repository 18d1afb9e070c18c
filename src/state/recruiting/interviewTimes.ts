/** Formats the time of an interview, and explains sent times without an offset. */
import { DateTime } from 'luxon'
import { addHint } from '../timeline/causes.ts'
import type { Interview } from './interviews.ts'

/** Formats "Tuesday, 12 March 2030, 10:00–11:00 (America/New_York, UTC-04:00)" in the zone of the interview. */
export function timeInWords({ scheduledAt, endsAt, timezone }: Interview): string {
  const at = (instant: number, format: string): string =>
    DateTime.fromMillis(instant, { zone: timezone, locale: 'en-GB' }).toFormat(format)
  return `${at(scheduledAt, 'cccc, d LLLL yyyy, HH:mm')}–${at(endsAt, 'HH:mm')} (${timezone}, UTC${at(scheduledAt, 'ZZ')})`
}

const OFFSET = /(?:z|[+-]\d{2}(?::?\d{2})?)$/i

/** A date-time to the minute, which can be compared with the local time. */
const WHOLE = /^\d{4}-\d{2}-\d{2}T(?!24)\d{2}:\d{2}/

/** Adds a hint for a sent time without an offset: how the server read it, and whether the local time exists. */
export function hintAtLocalTime(sent: string, instant: number, timezone: string): void {
  if (OFFSET.test(sent)) return
  const local = DateTime.fromMillis(instant, { zone: timezone })
  const text = local.toFormat("yyyy-MM-dd'T'HH:mm:ssZZ")
  const isSkipped = WHOLE.test(sent) && local.toFormat("yyyy-MM-dd'T'HH:mm") !== sent.slice(0, 16)
  if (isSkipped) {
    addHint(
      'nonexistent_local_time',
      `scheduled_at ${sent} does not exist in ${timezone}, because daylight saving time skips it. The server read it as ${text}. Send the offset.`,
    )
  } else {
    addHint(
      'local_time',
      `scheduled_at ${sent} has no offset. The server read it in ${timezone}, as ${text}. Send the offset.`,
    )
  }
}
