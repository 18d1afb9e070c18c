/**
 * Texts that lists sort by and search in, for declarations: `folded` makes the column, `searchedIn` the filter that looks
 * into it. Both fold, so that no caller has to.
 */
import { sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { digits, fold } from './collation.ts'
import type { Lookup } from './listing.ts'

/** A derived column that follows from the texts of its row and from the collation. */
export interface Folded<Row> {
  (row: Row): string
  readonly isFolded: true
}

export const isFolded = <Row>(follow: object): follow is Folded<Row> => 'isFolded' in follow

/** The texts of a row without case and accents, one a line; a phone number among them with its digits beside it. */
export const folded = <Row>(
  texts: (row: Row) => readonly (string | null)[],
  phone: (row: Row) => string | null = () => null,
): Folded<Row> =>
  Object.assign(
    (row: Row) => {
      const number = phone(row)
      const key = fold([...texts(row), number].filter((text) => text !== null).join('\n'))
      return number === null ? key : `${key}\n${wide(digits(number))}`
    },
    { isFolded: true as const },
  )

/** Digits in full width, which no folded text holds: so those of a phone number are met by nothing but `phonePart`. */
const wide = (plain: string): string =>
  plain.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))

/** Fewer digits are part of nearly every phone number. */
const LEAST_DIGITS = 3

/** What is looked for in the digits of phone numbers; null for a text that is not written as part of one. */
function phonePart(sought: string): string | null {
  if (!/^[\d\s+()./-]*$/.test(fold(sought))) return null
  const plain = digits(sought)
  return plain.length < LEAST_DIGITS ? null : wide(plain)
}

/** Finds what a `folded` column holds, compared as that is. */
export const searchedIn = (column: SQLiteColumn): Lookup => ({
  forms: [fold],
  where: (text) => sql`instr(${column}, ${text}) > 0`,
})

/** The same, and phone numbers by their digits, however they are grouped. */
export const searchedWithPhones = (column: SQLiteColumn): Lookup => ({
  forms: [fold, phonePart],
  // For most texts there is no part of a phone number to look for, and to begin with it takes an eighth of the time.
  where: (text, phone) =>
    sql`(instr(${column}, ${text}) > 0 or (${phone} is not null and instr(${column}, ${phone}) > 0))`,
})
