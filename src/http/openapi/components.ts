/**
 * Converts TypeBox values to the JSON Schemas of a published document. Named schemas become components,
 * private keywords are removed, and keywords that client generators and strict validators misread are
 * rewritten.
 */
import { BOUNDS, limitsOf } from '../schemas/limits.ts'
import { originalOf } from '../schemas/schemas.ts'

export type JsonObject = Record<string, unknown>

/** Published extensions; every other keyword that starts with x- is private. */
export const PUBLISHED_EXTENSIONS: ReadonlySet<string> = new Set([
  'x-fidelity',
  'x-fidelity-why',
  'x-reading',
  'x-limits',
  'x-documented-limits',
  'x-assumed-values',
  'x-assumed-values-why',
  'x-max-size',
  'x-items-apart',
  'x-default',
  'x-assumed-default',
])

/** Keywords that contain one schema, a list of schemas, or schemas by name. */
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
 * The formats that OpenAPI 3.1 and its JSON Schema draft define. Strict validators refuse a schema with
 * another format.
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

/** Patterns that replace this program's own formats, and accept every value that the format accepts. */
const OWN_FORMATS: Readonly<Record<string, { readonly pattern: string; readonly words: string }>> = {
  'iso-4217': { pattern: '^[A-Z]{3}$', words: 'An ISO 4217 currency code.' },
  'iso-3166': { pattern: '^[A-Z]{2}$', words: 'An ISO 3166-1 alpha-2 country code.' },
  'email-or-empty': {
    pattern: '^(.{1,64}@([^@\\s.]{1,63}\\.)+[^@\\s.]{1,63})?$',
    words: 'An e-mail address, or empty.',
  },
  instant: {
    pattern:
      '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]([01]\\d|2[0-3]):?[0-5]\\d)?)?$',
    words: 'A date, such as 2026-01-31, or a date-time.',
  },
  'offset-instant': {
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]([01]\\d|2[0-3]):?[0-5]\\d)$',
    words: 'A date-time with an offset.',
  },
  timezone: { pattern: '^[A-Za-z0-9_+:/-]{1,64}$', words: 'An IANA time zone.' },
}

/** The patterns that only say what a format says. */
export const OWN_PATTERNS: ReadonlySet<string> = new Set(
  Object.values(OWN_FORMATS).map(({ pattern }) => pattern),
)

/** TypeBox's pattern for every key of a record. */
const ANY_KEY = '^(.*)$'

/** The schemas of one document. `prefix` is the prefix of component names. */
export class PublishedSchemas {
  readonly components: Record<string, JsonObject> = {}
  readonly #originals = new Map<string, object>()
  /** Components of requests. */
  readonly #sent = new Set<string>()
  readonly #prefix: string

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** Returns the published schema: a reference for a named one. Only requests have limits (`longestText`). */
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
      // The key is set first, so that components keep the order of their first use.
      this.components[name] ??= {}
      this.components[name] = this.#shape(found.original, longestText)
    }
    return { $ref: `#/components/schemas/${name}`, ...annotationsOf(found) }
  }

  #shape(schema: object, longestText: number | undefined): JsonObject {
    const shape: JsonObject = {}
    const limits = longestText === undefined ? {} : limitsOf(schema, longestText)
    for (const [word, value] of Object.entries(publishedForm(withLimitLabels({ ...schema, ...limits })))) {
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

/** Returns the annotations of a copy. A default goes after the original's description. */
function annotationsOf({ original, annotations }: { original: object; annotations: JsonObject }): JsonObject {
  if (!('default' in annotations) && !('x-default' in annotations)) return annotations
  const { description } = original as { description?: string }
  return withDefaultInWords({ ...(description !== undefined && { description }), ...annotations })
}

const publishedForm = (schema: JsonObject): JsonObject =>
  withDefaultInWords(withKnownFormat(ofMediaType(withoutDefaulted(inLatestDraft(schema)))))

/**
 * Moves the default of a field into the description and `x-default`, because client generators treat a field with
 * `default` as always present, and require it in requests. Query parameters keep `default` (`operations.ts`).
 */
function withDefaultInWords(schema: JsonObject): JsonObject {
  if (!('default' in schema) && !('x-default' in schema)) return schema
  const { default: ownDefault, 'x-default': value = ownDefault, ...rest } = schema
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
  const { description = '' } = rest as { description?: string }
  const isSaid = /\bdefaults?\b/i.test(description)
  const words = `Default is ${text}${rest['x-assumed-default'] === true ? ' (assumed)' : ''}.`
  return { ...(isSaid ? rest : withWords(rest, words)), 'x-default': value }
}

/**
 * Marks the bounds of a schema as assumed, except those that `documentedLimits` names. A bound without any mark in the
 * source is assumed.
 */
function withLimitLabels(schema: JsonObject): JsonObject {
  const { 'x-documented-limits': named = [], 'x-limits': _, ...rest } = schema
  const bounds = BOUNDS.filter((word) => word in rest)
  const documented = bounds.filter((word) => (named as readonly string[]).includes(word))
  if (documented.length === bounds.length) return rest
  return {
    ...rest,
    'x-limits': 'assumed',
    ...(documented.length > 0 && { 'x-documented-limits': documented }),
  }
}

/** Removes fields with a default from `required`, because only the handler's input always has them. */
function withoutDefaulted(schema: JsonObject): JsonObject {
  const { required, ...rest } = schema as { required?: readonly string[] }
  const { properties = {} } = schema as { properties?: Readonly<Record<string, object>> }
  const stillRequired = required?.filter((name) => !('default' in (properties[name] ?? {})))
  return stillRequired && stillRequired.length > 0 ? { ...schema, required: stillRequired } : rest
}

function withKnownFormat(schema: JsonObject): JsonObject {
  const { format, ...rest } = schema
  if (typeof format !== 'string' || PUBLISHED_FORMATS.has(format)) return schema
  const own = OWN_FORMATS[format]
  if (!own) throw new Error(`Cannot publish the format ${format}; add it to OWN_FORMATS.`)
  const { pattern, words } = own
  const { description = '' } = rest as { description?: string }
  return { pattern, ...rest, description: `${words} ${description}`.trim() }
}

/**
 * Converts a media type to a format: binary, except for text/*. A form's media type belongs to the body, not
 * the schema.
 */
export function ofMediaType(schema: JsonObject): JsonObject {
  const { contentMediaType, ...rest } = schema
  if (typeof contentMediaType !== 'string' || schema['type'] === 'object') return rest
  const text = { type: 'string', ...rest }
  return contentMediaType.startsWith('text/') ? text : { ...text, format: 'binary' }
}

/** Adds a sentence to the schema's description. */
export function withWords(schema: JsonObject, sentence: string): JsonObject {
  const { description = '' } = schema as { description?: string }
  return { ...schema, description: `${description} ${sentence}`.trim() }
}

/** Converts TypeBox's tuples and records from older drafts to the 2020 draft, which OpenAPI 3.1 uses. */
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
