/**
 * The collation of lists and searches: without case and accents. The resulting keys are stored in columns, which
 * SQLite compares by code points.
 */

/**
 * Must be increased when `fold`, or any derived column of a record, returns other values. Files are then renewed when
 * they open.
 */
export const COLLATION = 2

const MARKS = /\p{M}+/gu
/** Latin letters that have no decomposition, as the transliteration of ICU (Latin-ASCII) writes them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ł: 'l',
  ŋ: 'n',
  ø: 'o',
  œ: 'oe',
  þ: 'th',
  ŧ: 't',
}
const UNDECOMPOSED = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu')
const ASCII = /^\p{ASCII}*$/u

/**
 * Returns the text without case and accents: "José", "JOSÉ" and "jose" are equal, and so are N and Ñ. Uses full
 * Unicode case folding ("ß" is "ss") and compatibility forms ("ﬁ" is "fi"). Letters that
 * Unicode does not decompose are written as people type them: "ø" is "o" and "æ" is "ae".
 *
 * Idempotent, and linear in the length of the text.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  // Removes marks before the decomposition too, because sorting many marks takes quadratic time.
  const plain = text.replace(MARKS, '').normalize('NFKD').replace(MARKS, '')
  // Lower case alone would keep "ß" (from "ẞ") apart from "ss", and write a final sigma differently.
  const folded = plain.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  return folded.replace(UNDECOMPOSED, (letter) => PLAIN_LETTERS[letter] ?? letter)
}

/** Checks whether a text can be a part of a phone number, in any grouping. */
export const isPhonePart = (text: string): boolean => /^[\d\s+()./-]*$/.test(fold(text))

/** Returns the digits of a phone number. */
export const digits = (phone: string): string => fold(phone).replace(/\D+/g, '')

/**
 * Returns the start and the end of the first place in the text whose folded form is `folded`; null if none exists. Folded
 * texts have other lengths: "…" is "...", and "각" three letters.
 */
export function findFolded(text: string, folded: string): readonly [start: number, end: number] | null {
  const first = fold(text).indexOf(folded)
  if (first < 0) return null
  const last = first + folded.length
  let start: number | null = null
  let end = 0
  let length = 0
  for (const character of text) {
    const next = length + (character < '\x80' ? 1 : fold(character).length)
    // Marks after the last letter belong to it.
    if (length >= last && next > length) break
    if (next > first) start ??= end
    end += character.length
    length = next
  }
  return [start ?? end, end]
}
