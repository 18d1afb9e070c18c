/**
 * The collation of lists and searches: without case and accents. The resulting keys are stored in columns, which
 * SQLite compares by code points.
 */

/**
 * Must be increased when `fold`, or a declaration that uses it, returns other keys. Files are then renewed when they
 * open.
 */
export const COLLATION = 1

const MARKS = /\p{M}+/gu
const ASCII = /^\p{ASCII}*$/u

/**
 * Returns the text without case and accents: "José", "JOSÉ" and "jose" are equal, and so are N and Ñ. Uses full
 * Unicode case folding ("ß" is "ss") and compatibility forms ("ﬁ" is "fi"). Ø and similar letters stay as they are.
 *
 * Idempotent, and linear in the length of the text.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  // Removes marks before the decomposition too, because sorting many marks takes quadratic time.
  const plain = text.replace(MARKS, '').normalize('NFKD').replace(MARKS, '')
  // Lower case alone would keep "ß" (from "ẞ") apart from "ss", and write a final sigma differently.
  return plain.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/** Returns the digits of a phone number. */
export const digits = (phone: string): string => fold(phone).replace(/\D+/g, '')
