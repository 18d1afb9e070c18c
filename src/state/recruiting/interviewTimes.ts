/** The time of an interview as people read and write it. */
import { DateTime } from 'luxon'
import { addHint } from '../causes.ts'
import type { Interview } from './interviews.ts'

/** "Tuesday, 12 March 2030, 10:00–11:00 (America/New_York, UTC-04:00)", on the clocks of the interview's zone. */
export function timeInWords({ scheduledAt, endsAt, timezone }: Interview): string {
  const at = (instant: number, format: string): string =>
    DateTime.fromMillis(instant, { zone: timezone, locale: 'en-GB' }).toFormat(format)
  return `${at(scheduledAt, 'cccc, d LLLL yyyy, HH:mm')}–${at(endsAt, 'HH:mm')} (${timezone}, UTC${at(scheduledAt, 'ZZ')})`
}

const OFFSET = /(?:z|[+-]\d{2}(?::?\d{2})?)$/i

/** A date-time as the comparison with the clocks expects it. */
const WHOLE = /^\d{4}-\d{2}-\d{2}T(?!24)\d{2}:\d{2}/

/** Adds a hint for a sent time without offset: how it was read, and whether clocks skip it. */
export function hintAtLocalTime(sent: string, instant: number, timezone: string): void {
  if (OFFSET.test(sent)) return
  const read = DateTime.fromMillis(instant, { zone: timezone })
  const text = read.toFormat("yyyy-MM-dd'T'HH:mm:ssZZ")
  const isSkipped = WHOLE.test(sent) && read.toFormat("yyyy-MM-dd'T'HH:mm") !== sent.slice(0, 16)
  if (isSkipped) {
    addHint(
      'nonexistent_local_time',
      `scheduled_at ${sent} does not exist in ${timezone}, whose clocks are put forward over it: it was read as ${text}. Send the offset.`,
    )
  } else {
    addHint(
      'local_time',
      `scheduled_at ${sent} has no offset: it was read in ${timezone}, as ${text}. Send the offset.`,
    )
  }
}
