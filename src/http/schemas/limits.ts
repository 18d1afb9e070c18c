/**
 * Size limits of single fields for which the specification has none: larger than real values, small enough to
 * process quickly. `limited` applies them to all schemas of input (bodies, parameters, forms, import rows,
 * triggers, snapshots).
 */
import { MAX_EMAIL_LENGTH } from '../../state/text/emailAddresses.ts'
import { MAX_URL_LENGTH } from '@suite-sim/kit/text/parseUrl'

/** Maximum characters of a string in a body or a record: 64 Ki, like the text columns of databases. */
export const LONGEST_TEXT = 65_536

export { LONGEST_PARAMETER } from '@suite-sim/kit/text/parseUrl'

export const MAX_ITEMS = 1000

/** Maximum number of names in a free-form object. */
export const MAX_FIELDS = 1000

/** Maximum characters of a free-form value as JSON. */
export const LARGEST_VALUE = 65_536

/** Maximum characters of each format, checked before the format itself. */
export const LONGEST_OF_FORMAT: Readonly<Record<string, number>> = {
  'date-time': 64,
  instant: 64,
  'offset-instant': 64,
  date: 64,
  email: MAX_EMAIL_LENGTH,
  'email-or-empty': MAX_EMAIL_LENGTH,
  uri: MAX_URL_LENGTH,
  'iso-4217': 3,
  'iso-3166': 2,
  timezone: 64,
}

/** The keywords that bound a value. */
export const BOUNDS = [
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'x-max-size',
] as const

export type Bound = (typeof BOUNDS)[number]

type Words = Readonly<Record<string, unknown>>

/** Keywords that contain one schema, a list of schemas, or schemas by name. */
const ONE = ['items', 'additionalProperties', 'not']
const SEVERAL = ['anyOf', 'oneOf', 'allOf']
const BY_NAME = ['properties', 'patternProperties']

/**
 * Returns the schema of an input with a limit for each string, list and free-form value in it. A schema's own
 * limit stays.
 */
export function limited(schema: object, longestText = LONGEST_TEXT): object {
  const words: Record<string, unknown> = { ...withLimits(schema, longestText) }
  const limitNested = (nested: unknown): unknown =>
    typeof nested === 'object' && nested !== null ? limited(nested, longestText) : nested
  if (isFree(words)) return words
  for (const word of ONE) if (word in words) words[word] = limitNested(words[word])
  for (const word of SEVERAL) if (word in words) words[word] = (words[word] as unknown[]).map(limitNested)
  for (const word of BY_NAME) {
    if (!(word in words)) continue
    const entries = Object.entries(words[word] as Words)
    words[word] = Object.fromEntries(entries.map(([name, nested]) => [name, limitNested(nested)]))
  }
  return words
}

/** Returns the limits that the schema itself lacks, without those of nested schemas. */
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

/** Checks whether other rules limit the value: an enum, nested schemas, or the form's limits for a file. */
const isClosed = (words: Words): boolean =>
  CLOSED.some((word) => word in words) || ('contentMediaType' in words && words['type'] !== 'object')

const CLOSED = ['enum', 'const', 'anyOf', 'oneOf', 'allOf', 'not', 'x-limited-elsewhere']

/** `binary` is a file, which has a separate limit. */
const BOUNDED_FORMATS = new Set([
  'date-time',
  'instant',
  'offset-instant',
  'date',
  'iso-4217',
  'iso-3166',
  'timezone',
  'binary',
])

/** Checks whether the format or pattern limits the length: `^\d{4}$`. */
function isBoundedText({ format, pattern }: Words): boolean {
  if (typeof pattern === 'string') {
    // Without escapes and character sets, only the repetitions remain.
    const repeated = pattern.replaceAll(/\\.|\[[^[\]]*\]/g, '')
    return repeated.startsWith('^') && repeated.endsWith('$') && !/[*+]|,\}/.test(repeated)
  }
  return typeof format === 'string' && BOUNDED_FORMATS.has(format)
}

/** Checks whether the value is free-form: it has no type, or it is an object without listed names. */
function isFree(words: Words): boolean {
  const { type, properties, patternProperties, additionalProperties } = words
  if (type === undefined) return properties === undefined && !isClosed(words)
  if (type !== 'object' || properties !== undefined) return false
  const nested = Object.values((patternProperties as Record<string, object> | undefined) ?? {})
  return additionalProperties !== false || nested.some((schema) => Object.keys(schema).length === 0)
}

/** Checks whether the JSON of a value has at most `max` characters. Stops as soon as it has more. */
export function isWithin(max: number, value: unknown): boolean {
  let left = max
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
