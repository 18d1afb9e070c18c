/** Bytes that are to be text. Whatever is no UTF-8 is refused, for in its place there would be other characters. */
import { isUtf8 } from 'node:buffer'
import { Refusal } from '../state/refusal.ts'

/** The text of the bytes; `what` names them in a refusal: "The body". A byte order mark is left where it is. */
export function textOf(bytes: Buffer, what: string): string {
  if (!isUtf8(bytes)) throw new Refusal('malformed', `${what} is not valid UTF-8.`)
  return bytes.toString('utf8')
}
