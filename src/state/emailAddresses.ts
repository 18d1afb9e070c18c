/**
 * What counts as an e-mail address, everywhere: RFC 5321 as a well-kept library reads it, in place of an expression of
 * our own that took `(a@b.c)`. Assumed: letters of any alphabet are taken on both sides of the at sign (RFC 6531), for
 * people have such names; a name beside the address, a host without a domain and an IP address are not.
 */
import imported from 'validator/lib/isEmail.js'

/** The module is the function itself, though its types tell of it as of one with a default. */
const isEmail = imported as unknown as typeof imported.default

/** RFC 5321, section 4.5.3.1: a path of 256 octets, in angle brackets. */
export const LONGEST_EMAIL = 254

export const isEmailAddress = (text: string): boolean => text.length <= LONGEST_EMAIL && isEmail(text)
