/**
 * The rule for e-mail addresses: RFC 5321, as `validator` implements it. Assumed: letters of all alphabets are
 * allowed on both sides of the at sign (RFC 6531). Display names, hosts without a domain, IP addresses and
 * invisible characters are not allowed.
 */
import imported from 'validator/lib/isEmail.js'

/** The module is the function itself, but its types declare a default export. */
const isEmail = imported as unknown as typeof imported.default

/** RFC 5321, section 4.5.3.1: a path of 256 octets, in angle brackets. */
export const MAX_EMAIL_LENGTH = 254

/** Zero-width characters, soft hyphens, marks of direction and byte order, controls, and all spaces but U+0020. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u
const EVERY_INVISIBLE = new RegExp(INVISIBLE, 'gu')

export const isEmailAddress = (text: string): boolean =>
  text.length <= MAX_EMAIL_LENGTH && !INVISIBLE.test(text) && isEmail(text)

/** Returns "U+200B" for the first invisible character of a text; undefined if it has none. */
export function invisibleIn(text: string): string | undefined {
  const code = INVISIBLE.exec(text)?.[0].codePointAt(0)
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

export const withoutInvisible = (text: string): string => text.replaceAll(EVERY_INVISIBLE, '')

/** Returns the key of an address: the same for all spellings in upper and lower case, composed and decomposed. */
export const emailKey = (address: string): string => address.toLowerCase().normalize()
