/**
 * Tax ids (RFC): four letters for a person or three for a company, a date, two characters that distinguish homonyms, and a
 * check digit.
 */
/** The kind of taxpayer. The tax id of a company has twelve characters, that of a person thirteen. */
export type PersonKind = 'fisica' | 'moral'

export const personKind = (rfc: string): PersonKind => (rfc.length === 12 ? 'moral' : 'fisica')

const SYNTAX = /^[A-Z&\u00d1]{3,4}(\d{2})(\d{2})(\d{2})[A-Z0-9]{2}[0-9A]$/

/** Normalizes a tax id: removes spaces and dashes, composes Ñ, and converts to upper case. */
export const normalRfc = (sent: string): string =>
  sent.normalize('NFC').replaceAll(/[\s-]/g, '').toUpperCase()

/** The characters in the order of their values, 0 to 38. */
const CHARACTERS = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ'

/** Returns true if a text has the form of a tax id with a valid date. Does not verify the check digit. */
export function isRfc(text: string): boolean {
  const [, year, month, day] = SYNTAX.exec(text) ?? []
  if (year === undefined) return false
  // The year has no century. 2000 is a leap year, so February 29 of "00" is accepted.
  const date = new Date(Date.UTC(2000 + Number(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}

/** Computes the last character from the others. */
export function checkDigit(rfc: string): string {
  const padded = rfc.padStart(13, ' ')
  let sum = 0
  for (let index = 0; index < 12; index++) {
    sum += CHARACTERS.indexOf(padded.charAt(index)) * (13 - index)
  }
  const digit = 11 - (sum % 11)
  return digit === 11 ? '0' : digit === 10 ? 'A' : String(digit)
}

export const hasRightCheckDigit = (rfc: string): boolean => rfc.endsWith(checkDigit(rfc))
