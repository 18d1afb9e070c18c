/** JSON bodies, read so that nothing gets in which could not be kept or would not come out as it went in. */
import { Refusal } from '../state/refusal.ts'

/** Fastify's own parser refuses nesting that would overflow a stack only by accident; this is far beyond honest use. */
const DEEPEST = 64

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
