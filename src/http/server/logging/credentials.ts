/**
 * Replaces the credentials in recordings. A credential gets the same replacement everywhere in a recording, so that a
 * replay can send and compare the replacements.
 */
import { createHash } from 'node:crypto'
import { isSecret } from './redaction.ts'

/** A key or control token that a server has made. */
const KEY = /\bsim(?:ctl)?_\w{20,}/g

/** A JSON member with a text. */
const MEMBER = /"([\w-]{1,80})"(\s{0,4}:\s{0,4})"((?:[^"\\]|\\.)*)"/g

const REPLACEMENT = /^redacted_[0-9a-f]{24}$/

/** Tokens are references to records, such as that of an invitation, which later calls contain. */
const isCredential = (name: string): boolean => isSecret(name) && !/token$/i.test(name)

const replacementOf = (credential: string, recording: string): string =>
  REPLACEMENT.test(credential)
    ? credential
    : `redacted_${createHash('sha256').update(`${recording}\n${credential}`).digest('hex').slice(0, 24)}`

/** Returns the value of a field with this name, or its replacement if it is a credential. */
export const credentialHidden = (name: string, value: unknown, recording: string): unknown =>
  typeof value === 'string' && value !== '' && isCredential(name) ? replacementOf(value, recording) : value

/** Returns a text, JSON or not, with replacements. `keys` are other texts to replace: the key of the call. */
export function withoutCredentials(text: string, recording: string, keys: readonly string[] = []): string {
  let result = text.replaceAll(KEY, (found) => replacementOf(found, recording))
  for (const key of keys) {
    if (key.length >= SHORTEST_KEY) result = result.replaceAll(key, replacementOf(key, recording))
  }
  return result.includes('"')
    ? result.replaceAll(MEMBER, (member, name: string, colon: string, value: string) =>
        isCredential(name) && value !== '' ? `"${name}"${colon}"${replacementOf(value, recording)}"` : member,
      )
    : result
}

/** Shorter keys, which only a test chooses, occur in ordinary words. */
const SHORTEST_KEY = 12
