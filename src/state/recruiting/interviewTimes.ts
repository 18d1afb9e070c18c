/** The time of an interview in words. */
import { DateTime } from 'luxon'
import type { Spoken } from '../text/languages.ts'
import type { Interview } from './interviews.ts'

/**
 * Formats "Tuesday, 12 March 2030, 10:00–11:00 (America/New_York, UTC-04:00)" in the zone of the interview, in Spanish
 * "martes, 12 de marzo de 2030, …".
 */
export const timeInWords =
  ({ scheduledAt, endsAt, timezone }: Interview): Spoken =>
  (language) => {
    const locale = language === 'en' ? 'en-GB' : 'es-MX'
    const day = language === 'en' ? 'cccc, d LLLL yyyy' : "cccc, d 'de' LLLL 'de' yyyy"
    const at = (instant: number, format: string): string =>
      DateTime.fromMillis(instant, { zone: timezone, locale }).toFormat(format)
    return `${at(scheduledAt, `${day}, HH:mm`)}–${at(endsAt, 'HH:mm')} (${timezone}, UTC${at(scheduledAt, 'ZZ')})`
  }
