/** The events of the exam: the examples of the published payloads, each with new ids and current times. */
import { createHash } from 'node:crypto'
import { iso } from '@suite-sim/kit/time/instants'

export type Data = Readonly<Record<string, unknown>>

/** An event that the interface publishes. */
export interface ExamEvent {
  readonly name: string
  /** The published example of its data. */
  readonly example: Data
}

/** Returns data like those of the example. The same `seed` makes events of the same record. */
export const sampleOf = (example: Data, seed: string, at: number): Data =>
  vary(example, 'data', { seed, at }) as Data

interface Variation {
  readonly seed: string
  readonly at: number
}

/** Fields that identify a record: id, transaction_id, publicMeetingId. Others identify an account or a taxpayer. */
const ID = /^(?:id|uuid|uuids|number|folio|slug|cufe|hashUrl|reference)$|_id$|Id$/
const OTHER_ID = /^(?:account|branch|tax)_?id$/i

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const UNIX_TIME = /_at$|_until$|_since$|timestamp$/

/** Values below it are no times in seconds. */
const FIRST_SECONDS = 1_000_000_000

function vary(value: unknown, name: string, variation: Variation): unknown {
  if (Array.isArray(value)) return value.map((each) => vary(each, name, variation))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([field, each]) => [field, vary(each, field, variation)]),
    )
  }
  if (typeof value === 'string') return varyText(value, name, variation)
  if (typeof value !== 'number') return value
  if (UNIX_TIME.test(name) && value >= FIRST_SECONDS) return Math.floor(variation.at / 1000)
  return isId(name) ? 1 + (digestOf(String(value), variation).readUInt32BE() % 2_000_000_000) : value
}

function varyText(text: string, name: string, variation: Variation): string {
  if (INSTANT.test(text)) return iso(variation.at)
  if (/email$/i.test(name) && !text.includes('@')) return 'buyer@example.com'
  if (!isId(name)) return text
  // Ids without an example have words.
  return /\d/.test(text) ? varyId(text, variation) : digestOf(text, variation).toString('hex').slice(0, 24)
}

const isId = (name: string): boolean => ID.test(name) && !OTHER_ID.test(name)

/** The characters at the end of an id that are varied. A prefix such as `txn_` stays. */
const VARIED = 12
/** With fewer, two of many ids could be equal. */
const FEWEST_VARIED = 10

/** Replaces digits with digits and small letters with hexadecimal ones, so that the id keeps its pattern. Short ids get longer. */
function varyId(id: string, variation: Variation): string {
  const digest = digestOf(id, variation)
  const start = Math.max(id.lastIndexOf('_') + 1, id.length - VARIED)
  const end = Array.from(id.slice(start), (character, index) =>
    varyCharacter(character, digest[index] ?? 0),
  ).join('')
  const more =
    end.length < FEWEST_VARIED ? String(digest.readUIntBE(0, 6)).padStart(VARIED, '0').slice(-VARIED) : ''
  return id.slice(0, start) + end + more
}

function varyCharacter(character: string, byte: number): string {
  if (/\d/.test(character)) return String(byte % 10)
  return /[a-z]/.test(character) ? 'abcdef'.charAt(byte % 6) : character
}

const digestOf = (value: string, { seed }: Variation): Buffer =>
  createHash('sha256').update(`${seed} ${value}`).digest()

/**
 * Returns the same JSON with spaces, the keys in reverse, decimals with a trailing zero ("12.50"), and characters beyond
 * ASCII and the first letters of values escaped ("\\u00f1").
 */
export const asOtherBytes = (body: string): string => written(JSON.parse(body), '\n')

function written(value: unknown, indent: string): string {
  if (typeof value === 'string') return escaped(value)
  if (typeof value === 'number')
    return /^-?\d+\.\d+$/.test(String(value)) ? `${String(value)}0` : String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}   `
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((each: unknown) => written(each, inner))]
    : [
        '{',
        '}',
        Object.entries(value)
          .reverse()
          .map((each) => member(each, inner)),
      ]
  return parts.length === 0
    ? `${open} ${close}`
    : `${open}${inner}${parts.join(` ,${inner}`)}${indent}${close}`
}

const member = ([name, value]: [string, unknown], indent: string): string =>
  `${JSON.stringify(name)} : ${written(value, indent)}`

const escaped = (text: string): string =>
  JSON.stringify(text)
    .replace(/^"[a-z]/i, (start) => `"${escapeOf(start.slice(1))}`)
    .replaceAll(/[\u0080-\uFFFF]/g, escapeOf)

/** Of one UTF-16 code unit: without the flag u, the expression above has one at a time. */
const escapeOf = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
