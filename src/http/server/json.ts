/** Parses JSON bodies, and refuses values that can't be stored or would change when they are read back. */
import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../state/model/refusal.ts'
import { Slices } from '../../state/model/slices.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Maximum nesting, far beyond real use. Fastify's own parser has no limit except the stack. */
const DEEPEST = 64

/**
 * Maximum number of values in a body. One value per three bytes would block other requests for 0.1 s per MiB.
 */
const MAX_VALUES = 100_000

/** Maximum characters of a normal body; a larger one is a snapshot, which has its own checks. */
const ORDINARY_SIZE = 1_048_576

/**
 * Refuses a body with too many values before it is parsed. Counts commas and opening brackets outside of
 * strings.
 */
export function mustHoldFew(text: string): void {
  if (text.length > ORDINARY_SIZE) return
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) {
      at = endOfString(text, at)
      if (at < 0) return
    } else if (character === COMMA || character === BRACKET || character === BRACE) values++
  }
  if (values <= MAX_VALUES) return
  throw new Refusal('malformed', `The body contains more than ${MAX_VALUES.toLocaleString('en')} values.`)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const BRACKET = 0x5b
const BRACE = 0x7b

/** Returns the end of the string that starts at `from`; -1 if it has none. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === BACKSLASH) at++
    else if (character === QUOTE) return at
  }
  return -1
}

/** Parses the body of a request, and keeps its text for the journal. */
export function parseJsonBody(
  request: FastifyRequest,
  bytes: Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  let body: unknown
  try {
    mustBeUtf8(request)
    const text = textOf(bytes, 'The body')
    request.sentText = text
    mustHoldFew(text)
    body = parseJson(text)
  } catch (error) {
    // An unknown path is a 404, even if the body is invalid.
    done(request.is404 ? null : (error as Error))
    return
  }
  done(null, body)
}

/** Parses a JSON text; undefined for an empty one. Throws a refusal for invalid JSON. */
export function parseJson(text: string): unknown {
  if (text === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Refusal('malformed', `The body is not valid JSON: ${causeIn(text) ?? (error as Error).message}`)
  }
  // The expensive check is only needed with escapes, because JSON must escape control characters, and valid
  // UTF-8 has no lone surrogates.
  mustBeStorable(value, 0, text.includes('\\u') || !text.isWellFormed())
  return value
}

/** Returns what a parser's message would hide: it shows an invisible character, and says that blanks end too early. */
function causeIn(text: string): string | null {
  if (text.startsWith('\uFEFF')) return 'it begins with a byte order mark (BOM); send UTF-8 without one'
  return text.trim() === '' ? 'it has only blanks' : null
}

/** Refuses NUL, lone surrogates, `__proto__`, numbers out of range and deep nesting. */
function mustBeStorable(value: unknown, depth: number, hasEscapes: boolean): void {
  if (typeof value === 'string') {
    if (!hasEscapes) return
    if (value.includes('\0')) throw new Refusal('malformed', 'The body contains a NUL character.')
    if (!value.isWellFormed()) throw new Refusal('malformed', 'The body contains half of a surrogate pair.')
    return
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Refusal('malformed', 'The body contains a number out of range.')
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

/** Characters that are encoded at once, well within a slice. */
const PIECE = 65_536

/** Serializes an object whose lists may be very long; a long result is a buffer, encoded in slices. */
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
    for (const [index, item] of member.entries()) {
      text += (index === 0 ? '' : ',') + JSON.stringify(item)
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

/** Names of UTF-8 and of a part of it. */
const UTF_8 = /^(?:utf-?8|us-ascii|ascii)$/i

/** Refuses a body whose content type names another charset than UTF-8. */
export function mustBeUtf8({ headers }: Pick<FastifyRequest, 'headers'>): void {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(headers['content-type'] ?? '') ?? []
  if (charset === undefined || UTF_8.test(charset)) return
  const message = `The charset ${charset.slice(0, 50)} is not supported here; send UTF-8.`
  throw new Refusal('unsupported_media_type', message)
}

/** Returns the text of the bytes. Invalid UTF-8 is refused, because a decoder would replace it; `what` names them in a refusal: "The body". A byte order mark is kept. */
export function textOf(bytes: Buffer, what: string): string {
  if (!isUtf8(bytes)) throw new Refusal('malformed', `${what} is not valid UTF-8.`)
  return bytes.toString('utf8')
}
