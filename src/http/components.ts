/**
 * TypeBox values as the JSON Schemas of a published document: named ones stand once among the components and are
 * referred to, words that mean something to this program alone are left out, and what generators of clients and strict
 * validators would misread is said in other words.
 */
import { limitsOf } from './limits.ts'
import { originalOf } from './schemas.ts'

export type JsonObject = Record<string, unknown>

/** A schema's words for readers; every other word that starts with x- is private. */
const PUBLISHED_EXTENSIONS: ReadonlySet<string> = new Set([
  'x-fidelity',
  'x-fidelity-why',
  'x-limits',
  'x-max-size',
  'x-items-apart',
])

/** Words that hold one schema, a list of schemas, or schemas by name. */
const ONE = new Set([
  'items',
  'additionalProperties',
  'not',
  'contains',
  'propertyNames',
  'if',
  'then',
  'else',
])
const SEVERAL = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const BY_NAME = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/**
 * The formats that OpenAPI 3.1 and its draft of JSON Schema define and validators commonly know. Strict ones refuse a
 * schema that names another.
 */
const PUBLISHED_FORMATS: ReadonlySet<string> = new Set([
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
  'regex',
  'int32',
  'int64',
  'float',
  'double',
  'password',
  'binary',
])

/** What stands in the place of a format of this program's own: a pattern that takes whatever the format takes. */
const OWN_FORMATS: Readonly<Record<string, { readonly pattern: string; readonly words: string }>> = {
  'iso-4217': { pattern: '^[A-Z]{3}$', words: 'An ISO 4217 currency code.' },
  'iso-3166': { pattern: '^[A-Z]{2}$', words: 'An ISO 3166-1 alpha-2 country code.' },
  instant: {
    pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:?\\d{2})?)?$',
    words: 'A date, such as 2026-01-31, or a date-time.',
  },
  timezone: { pattern: '^[A-Za-z0-9_+:/-]{1,64}$', words: 'An IANA time zone.' },
}

/** What TypeBox calls every key of a record. */
const ANY_KEY = '^(.*)$'

/** The schemas of one document. `prefix` stands before every component's name. */
export class PublishedSchemas {
  readonly components: Record<string, JsonObject> = {}
  readonly #originals = new Map<string, object>()
  /** Components that are sent, or parts of what is. */
  readonly #sent = new Set<string>()
  readonly #prefix: string

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** The schema as it is published: a reference for a named one. What is sent has limits that answers need not tell. */
  publish(schema: object, longestText?: number): JsonObject {
    const found = originalOf(schema)
    if (!found) return this.#shape(schema, longestText)
    const name = this.#prefix + found.name
    const known = this.#originals.get(name)
    if (known && known !== found.original) throw new Error(`Two schemas are named ${name}.`)
    const isFirstSent = longestText !== undefined && !this.#sent.has(name)
    if (!known || isFirstSent) {
      this.#originals.set(name, found.original)
      if (isFirstSent) this.#sent.add(name)
      // The place is taken before the shape is known, so that components keep the order in which they are met.
      this.components[name] ??= {}
      this.components[name] = this.#shape(found.original, longestText)
    }
    return { $ref: `#/components/schemas/${name}`, ...annotationsOf(found) }
  }

  #shape(schema: object, longestText: number | undefined): JsonObject {
    const shape: JsonObject = {}
    const limits = longestText === undefined ? {} : limitsOf(schema, longestText)
    for (const [word, value] of Object.entries(inPublishedWords({ ...schema, ...limits }))) {
      if (word === '$id' || (word.startsWith('x-') && !PUBLISHED_EXTENSIONS.has(word))) continue
      shape[word] = this.#word(word, value, longestText)
    }
    return shape
  }

  #word(word: string, value: unknown, longestText: number | undefined): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (ONE.has(word)) return this.publish(value, longestText)
    if (SEVERAL.has(word)) return (value as object[]).map((each) => this.publish(each, longestText))
    if (BY_NAME.has(word)) {
      const entries = Object.entries(value as Record<string, object>)
      return Object.fromEntries(entries.map(([name, each]) => [name, this.publish(each, longestText)]))
    }
    return value
  }
}

/** What a copy says beside its original. A default is told after what the original says of itself. */
function annotationsOf({ original, annotations }: { original: object; annotations: JsonObject }): JsonObject {
  if (!('default' in annotations)) return annotations
  const { description } = original as { description?: string }
  return withDefaultInWords({ ...(description !== undefined && { description }), ...annotations })
}

const inPublishedWords = (schema: JsonObject): JsonObject =>
  withDefaultInWords(ofKnownFormat(ofMediaType(withoutFilledIn(inLatestDraft(schema)))))

/**
 * A default in its description alone. Generators take a field with the word `default` for one that is always there,
 * and would have whoever sends it send it each time.
 */
function withDefaultInWords(schema: JsonObject): JsonObject {
  if (!('default' in schema)) return schema
  const { default: value, ...rest } = schema
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
  return withWords(rest, `Default is ${text}.`)
}

/** Fields that have a default are required of the handler's input, not of the caller's. */
function withoutFilledIn(schema: JsonObject): JsonObject {
  const { required, ...rest } = schema as { required?: readonly string[] }
  const { properties = {} } = schema as { properties?: Readonly<Record<string, object>> }
  const asked = required?.filter((name) => !('default' in (properties[name] ?? {})))
  return asked && asked.length > 0 ? { ...schema, required: asked } : rest
}

function ofKnownFormat(schema: JsonObject): JsonObject {
  const { format, ...rest } = schema
  if (typeof format !== 'string' || PUBLISHED_FORMATS.has(format)) return schema
  const own = OWN_FORMATS[format]
  if (!own) throw new Error(`No generator knows the format ${format}; say what to publish in its place.`)
  const { pattern, words } = own
  const { description = '' } = rest as { description?: string }
  return { pattern, ...rest, description: `${words} ${description}`.trim() }
}

/** A text of a media type: bytes, unless it is for people to read. That of a form stands over its schema. */
export function ofMediaType(schema: JsonObject): JsonObject {
  const { contentMediaType, ...rest } = schema
  if (typeof contentMediaType !== 'string' || schema['type'] === 'object') return rest
  const text = { type: 'string', ...rest }
  return contentMediaType.startsWith('text/') ? text : { ...text, format: 'binary' }
}

/** The schema with a sentence more in its description. */
export function withWords(schema: JsonObject, sentence: string): JsonObject {
  const { description = '' } = schema as { description?: string }
  return { ...schema, description: `${description} ${sentence}`.trim() }
}

/** TypeBox writes tuples and records as older drafts did; OpenAPI 3.1 reads the draft of 2020. */
function inLatestDraft(schema: JsonObject): JsonObject {
  if (Array.isArray(schema['items'])) {
    return { ...without(schema, 'items', 'additionalItems'), prefixItems: schema['items'], items: false }
  }
  const patterns = schema['patternProperties'] as Record<string, object> | undefined
  const ofEveryKey = patterns?.[ANY_KEY]
  if (ofEveryKey && Object.keys(patterns).length === 1) {
    const rest = without(schema, 'patternProperties')
    return { ...rest, additionalProperties: Object.keys(ofEveryKey).length === 0 ? true : ofEveryKey }
  }
  return schema
}

const without = (schema: JsonObject, ...words: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([word]) => !words.includes(word)))
