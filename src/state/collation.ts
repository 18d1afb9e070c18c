/**
 * How texts are compared when a list sorts by them or searches in them: without case and without accents. The keys that
 * follow from that are columns, which SQLite compares by their code points.
 */

/** To be raised when `fold` makes another key of a text, or declarations another one of a row; see `keyRenewal.ts`. */
export const COLLATION = 1

const MARKS = /\p{M}+/gu

/**
 * The text without case and accents: "José", "JOSÉ" and "jose" are one, however their letters are composed. N and Ñ are
 * one as well, for most people who look for "Núñez" write "nunez". Case folds as Unicode has it in full ("ß" is "ss"),
 * whatever the language; forms for compatibility are plain ("ﬁ" is "fi"). Letters with a stroke, such as Ø, are letters
 * of their own. Where vowels are written as marks, texts that differ only in these are one.
 *
 * Folding twice is folding once, and the time it takes grows as the text does.
 */
export function fold(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text.toLowerCase()
  // Marks go before letters are decomposed as well, for to bring many of them into their order takes the square of the time.
  const plain = text.replace(MARKS, '').normalize('NFKD').replace(MARKS, '')
  // Lower case alone would keep "ß", which "ẞ" becomes, apart from "ss"; and it ends a word in another sigma.
  return plain.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/** The digits of a phone number. */
export const digits = (phone: string): string => fold(phone).replace(/\D+/g, '')
