/**
 * TypeBox values as the JSON Schemas of a published document: named ones stand once among the components and are
 * referred to, words that mean something to this program alone are left out.
 */
import { originalOf } from './schemas.ts'

export type JsonObject = Record<string, unknown>

/** A schema's words for readers; every other word that starts with x- is private. */
const PUBLISHED_EXTENSIONS: ReadonlySet<string> = new Set(['x-fidelity', 'x-fidelity-why'])

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

/** What TypeBox calls every key of a record. */
const ANY_KEY = '^(.*)$'

/** The schemas of one document. `prefix` stands before every component's name. */
export class PublishedSchemas {
  readonly components: Record<string, JsonObject> = {}
  readonly #originals = new Map<string, object>()
  readonly #prefix: string

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** The schema as it is published: a reference for a named one. */
  publish(schema: object): JsonObject {
    const found = originalOf(schema)
    if (!found) return this.#shape(schema)
    const name = this.#prefix + found.name
    const known = this.#originals.get(name)
    if (known && known !== found.original) throw new Error(`Two schemas are named ${name}.`)
    if (!known) {
      this.#originals.set(name, found.original)
      // The place is taken before the shape is known, so that components keep the order in which they are met.
      this.components[name] = {}
      this.components[name] = this.#shape(found.original)
    }
    return { $ref: `#/components/schemas/${name}`, ...found.annotations }
  }

  #shape(schema: object): JsonObject {
    const shape: JsonObject = {}
    for (const [word, value] of Object.entries(inLatestDraft(schema as JsonObject))) {
      if (word === '$id' || (word.startsWith('x-') && !PUBLISHED_EXTENSIONS.has(word))) continue
      shape[word] = this.#word(word, value)
    }
    return shape
  }

  #word(word: string, value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (ONE.has(word)) return this.publish(value)
    if (SEVERAL.has(word)) return (value as object[]).map((each) => this.publish(each))
    if (BY_NAME.has(word)) {
      const entries = Object.entries(value as Record<string, object>)
      return Object.fromEntries(entries.map(([name, each]) => [name, this.publish(each)]))
    }
    return value
  }
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
