/**
 * Tax ids (RFC): four letters of a person or three of a company, a date, two characters against homonyms and a check
 * digit.
 */
import { DateTime } from 'luxon'

/** A company has twelve characters, a person thirteen. */
export type PersonKind = 'fisica' | 'moral'

export const personKind = (rfc: string): PersonKind => (rfc.length === 12 ? 'moral' : 'fisica')

const SYNTAX = /^[A-Z&\u00d1]{3,4}(\d{2})(\d{2})(\d{2})[A-Z0-9]{2}[0-9A]$/

/** Of a tax id as a person may write it: in any case, with spaces and dashes. */
export const normalRfc = (sent: string): string => sent.replaceAll(/[\s-]/g, '').toUpperCase()

/** In the order of their values, 0 to 38. */
const CHARACTERS = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ'

/** Whether a text has the form of a tax id, with a date that the calendar has. */
export function isRfc(text: string): boolean {
  const [, year, month, day] = SYNTAX.exec(text) ?? []
  if (year === undefined) return false
  // The century is not said; 2000 has the 29th of February that some century has.
  return DateTime.fromObject(
    { year: 2000 + Number(year), month: Number(month), day: Number(day) },
    { zone: 'utc' },
  ).isValid
}

/** The last character that follows from the others. */
export function checkDigit(rfc: string): string {
  const padded = rfc.padStart(13, ' ')
  let sum = 0
  for (let place = 0; place < 12; place++) {
    sum += CHARACTERS.indexOf(padded.charAt(place)) * (13 - place)
  }
  const digit = 11 - (sum % 11)
  return digit === 11 ? '0' : digit === 10 ? 'A' : String(digit)
}

export const hasRightCheckDigit = (rfc: string): boolean => rfc.endsWith(checkDigit(rfc))
