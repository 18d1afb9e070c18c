/** JSON bodies, read so that nothing gets in which could not be kept or would not come out as it went in. */
import { Refusal } from '../state/refusal.ts'
import { Slices } from '../state/slices.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Fastify's own parser refuses nesting that would overflow a stack only by accident; this is far beyond honest use. */
const DEEPEST = 64

/** Values in a body. To make one of each three bytes of a mebibyte holds everybody up for a tenth of a second. */
const MAX_VALUES = 100_000

/** Characters of a body; a larger one is a snapshot, which is read where it is put. */
const ORDINARY_SIZE = 1_048_576

/** Refuses a body of very many values, before they are made. Counts what separates or begins them outside of texts. */
export function mustHoldFew(text: string): void {
  if (text.length > ORDINARY_SIZE) return
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) {
      at = endOfText(text, at)
      if (at < 0) return
    } else if (character === COMMA || character === BRACKET || character === BRACE) values++
  }
  if (values <= MAX_VALUES) return
  throw new Refusal('malformed', `The body holds more than ${MAX_VALUES.toLocaleString('en')} values.`)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const BRACKET = 0x5b
const BRACE = 0x7b

/** Where the text that begins at `from` ends; -1 where it doesn't. */
function endOfText(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === BACKSLASH) at++
    else if (character === QUOTE) return at
  }
  return -1
}

/** The value of a JSON text; undefined for an empty one. Throws a refusal for everything that is not JSON. */
export function parseJson(text: string): unknown {
  if (text === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Refusal('malformed', `The body is not valid JSON: ${(error as Error).message}`)
  }
  // JSON has no other way to write what must not be in a string: control characters have to be escaped, and what was
  // decoded from UTF-8 holds no halves of pairs.
  mustBeStorable(value, 0, text.includes('\\u') || !text.isWellFormed())
  return value
}

/** No NUL, no half of a surrogate pair, no `__proto__`, no numbers beyond the range, no bottomless nesting. */
function mustBeStorable(value: unknown, depth: number, hasEscapes: boolean): void {
  if (typeof value === 'string') {
    if (!hasEscapes) return
    if (value.includes('\0')) throw new Refusal('malformed', 'The body holds a NUL character.')
    if (!value.isWellFormed()) throw new Refusal('malformed', 'The body holds half of a surrogate pair.')
    return
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Refusal('malformed', 'The body holds a number out of range.')
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth >= DEEPEST)
    throw new Refusal('malformed', `The body is nested deeper than ${String(DEEPEST)} levels.`)
  if (Array.isArray(value)) {
    for (const item of value) mustBeStorable(item, depth + 1, hasEscapes)
    return
  }
  for (const name in value) {
    if (name === '__proto__') throw new Refusal('malformed', 'The body has a field named __proto__.')
    mustBeStorable(name, depth + 1, hasEscapes)
    mustBeStorable((value as Record<string, unknown>)[name], depth + 1, hasEscapes)
  }
}

/** Characters of a text that are turned into bytes in one go, well within a slice. */
const PIECE = 65_536

/** An object with lists that may be very long: its text; of a long one the bytes, which are made in slices. */
export async function jsonInSlices(value: object): Promise<string | Buffer> {
  const slices = new Slices()
  const pieces: Buffer[] = []
  let text = '{'
  let separator = ''
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    text += `${separator}${JSON.stringify(name)}:`
    separator = ','
    if (!Array.isArray(member)) {
      text += JSON.stringify(member)
      continue
    }
    text += '['
    for (const [place, item] of member.entries()) {
      text += (place === 0 ? '' : ',') + JSON.stringify(item)
      if (text.length >= PIECE) {
        pieces.push(Buffer.from(text))
        text = ''
      }
      if (slices.isOver) await slices.turn()
    }
    text += ']'
  }
  text += '}'
  return pieces.length === 0 ? text : Buffer.concat([...pieces, Buffer.from(text)])
}
