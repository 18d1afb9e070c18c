/**
 * The rule for e-mail addresses: RFC 5321, as `validator` implements it. Assumed: letters of all alphabets are
 * allowed on both sides of the at sign (RFC 6531). Display names, hosts without a domain and IP addresses are not
 * allowed.
 */
import imported from 'validator/lib/isEmail.js'

/** The module is the function itself, but its types declare a default export. */
const isEmail = imported as unknown as typeof imported.default

/** RFC 5321, section 4.5.3.1: a path of 256 octets, in angle brackets. */
export const MAX_EMAIL_LENGTH = 254

export const isEmailAddress = (text: string): boolean => text.length <= MAX_EMAIL_LENGTH && isEmail(text)
