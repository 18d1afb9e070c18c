/**
 * How large a single field may be where the specification names no size: far more than anybody keeps in one, and little
 * enough that whatever is done with a field is soon done. Said here once, for all that is sent (bodies, parameters,
 * forms, the rows of imports, the bodies of triggers) and for the records of snapshots: what is checked and what is
 * published goes through `limited`. A schema that names a limit of its own keeps it.
 */
import { LONGEST_EMAIL } from '../state/emailAddresses.ts'
import { LONGEST_URL } from '../state/urlTexts.ts'

/** Characters of a text in a body or a record: 64 Ki, as the text columns of databases have. */
export const LONGEST_TEXT = 65_536

/** Characters of a text in a path or a query: ids, names and what is looked for. */
export const LONGEST_PARAMETER = 1000

export const MAX_ITEMS = 1000

/** Names in a free-form object. */
export const MAX_FIELDS = 1000

/** Characters of the JSON of a free-form value. */
export const LARGEST_VALUE = 65_536

/** The longest text of each format, which checks it before anything else. */
export const LONGEST_OF_FORMAT: Readonly<Record<string, number>> = {
  'date-time': 64,
  instant: 64,
  date: 64,
  email: LONGEST_EMAIL,
  uri: LONGEST_URL,
  'iso-4217': 3,
  'iso-3166': 2,
  timezone: 64,
}

type Words = Readonly<Record<string, unknown>>

/** Words that hold one schema, a list of schemas, or schemas by name. */
const ONE = ['items', 'additionalProperties', 'not']
const SEVERAL = ['anyOf', 'oneOf', 'allOf']
const BY_NAME = ['properties', 'patternProperties']

/** A schema of what is sent, with a limit to every text, list and free-form value in it; the last hold for what is in them. */
export function limited(schema: object, longestText = LONGEST_TEXT): object {
  const words: Record<string, unknown> = { ...withLimits(schema, longestText) }
  const each = (held: unknown): unknown =>
    typeof held === 'object' && held !== null ? limited(held, longestText) : held
  if (isFree(words)) return words
  for (const word of ONE) if (word in words) words[word] = each(words[word])
  for (const word of SEVERAL) if (word in words) words[word] = (words[word] as unknown[]).map(each)
  for (const word of BY_NAME) {
    if (!(word in words)) continue
    const entries = Object.entries(words[word] as Words)
    words[word] = Object.fromEntries(entries.map(([name, held]) => [name, each(held)]))
  }
  return words
}

/** The limits that the schema itself needs and does not name, leaving out what it holds. */
export function limitsOf(schema: object, longestText = LONGEST_TEXT): Words {
  const words = schema as Words
  if (isClosed(words)) return {}
  const types = [words['type']].flat()
  const limits: Record<string, unknown> = {}
  const limit = (word: string, value: number): void => {
    if (!(word in words)) limits[word] = value
  }
  if (types.includes('string') && !isBoundedText(words)) {
    limit('maxLength', LONGEST_OF_FORMAT[String(words['format'])] ?? longestText)
  }
  if (types.includes('array')) limit('maxItems', MAX_ITEMS)
  if (isFree(words)) {
    if (types.includes('object')) limit('maxProperties', MAX_FIELDS)
    limit('x-max-size', LARGEST_VALUE)
  }
  if (Object.keys(limits).length > 0) limits['x-limits'] = 'assumed'
  return limits
}

const withLimits = (schema: object, longestText: number): object => ({
  ...schema,
  ...limitsOf(schema, longestText),
})

/** Its values are listed, other schemas say what they are, or something else limits it: a file by its form. */
const isClosed = (words: Words): boolean =>
  CLOSED.some((word) => word in words) || ('contentMediaType' in words && words['type'] !== 'object')

const CLOSED = ['enum', 'const', 'anyOf', 'oneOf', 'allOf', 'not', 'x-limited-elsewhere']

/** `binary` is a file, which has its own limit. */
const BOUNDED_FORMATS = new Set(['date-time', 'instant', 'date', 'iso-4217', 'timezone', 'binary'])

/** A text whose format or pattern has an end: `^\d{4}$`. */
function isBoundedText({ format, pattern }: Words): boolean {
  if (typeof pattern === 'string') {
    // What is left of it without escapes and sets of characters is what is repeated, and how often.
    const repeated = pattern.replaceAll(/\\.|\[[^[\]]*\]/g, '')
    return repeated.startsWith('^') && repeated.endsWith('$') && !/[*+]|,\}/.test(repeated)
  }
  return typeof format === 'string' && BOUNDED_FORMATS.has(format)
}

/** Anything may be in it: a value without a type, or an object whose names nobody has listed. */
function isFree(words: Words): boolean {
  const { type, properties, patternProperties, additionalProperties } = words
  if (type === undefined) return properties === undefined && !isClosed(words)
  if (type !== 'object' || properties !== undefined) return false
  const held = Object.values((patternProperties as Record<string, object> | undefined) ?? {})
  return additionalProperties !== false || held.some((each) => Object.keys(each).length === 0)
}

/** Whether the JSON of a value has at most so many characters; looks no further than that. */
export function isWithin(most: number, value: unknown): boolean {
  let left = most
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string') left -= next.length + 2
    else if (typeof next !== 'object' || next === null) left -= String(next).length
    else if (Array.isArray(next)) {
      left -= next.length + 1
      if (left >= 0) for (const item of next) waiting.push(item)
    } else {
      left -= 1
      for (const name in next) {
        left -= name.length + 4
        if (left < 0) return false
        waiting.push((next as Record<string, unknown>)[name])
      }
    }
    if (left < 0) return false
  }
  return true
}
