/** Decodes bytes as UTF-8. Invalid bytes are refused, because a decoder would replace them. */
import { isUtf8 } from 'node:buffer'
import { Refusal } from '../../state/model/refusal.ts'

/** Returns the text of the bytes; `what` names them in a refusal: "The body". A byte order mark is kept. */
export function textOf(bytes: Buffer, what: string): string {
  if (!isUtf8(bytes)) throw new Refusal('malformed', `${what} is not valid UTF-8.`)
  return bytes.toString('utf8')
}
