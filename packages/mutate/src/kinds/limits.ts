/** Stricter limits: the largest value that a run sent at a place is too large now. */
import { resolve, type Operation } from '@suite-sim/verify/model/operation'
import { compare, type MetInterface, type MetOperation } from '../met.ts'
import type { Mutation } from '../mutation.ts'
import { isObject, valuesAt, type JsonObject } from '../places.ts'
import type { Kind, Target } from './kind.ts'

type LimitWord = 'maxItems' | 'maxLength' | 'maximum'

/** Words of a list have no other limit. */
const CLOSED = ['enum', 'const']

/** Returns the word of a schema that limits its values; undefined for a schema without such a limit. */
function limitWord(schema: JsonObject): LimitWord | undefined {
  const types = [schema['type']].flat()
  if (types.includes('array')) return 'maxItems'
  if (CLOSED.some((word) => word in schema)) return undefined
  if (types.includes('integer') || types.includes('number')) return 'maximum'
  // Texts without it have a form that fixes their length.
  return 'maxLength' in schema ? 'maxLength' : undefined
}

/** The number, or the length of the text or of the list; 0 for a value that the word does not limit. */
function sizeOf(word: LimitWord, value: unknown): number {
  if (word === 'maximum') return typeof value === 'number' ? value : 0
  const isLimited = word === 'maxItems' ? Array.isArray(value) : typeof value === 'string'
  return isLimited ? (value as { readonly length: number }).length : 0
}

const PAGE_SIZE = /^(?:limit|lim|per_page|page_size)$/

/** Collects the largest value that was sent at each place with a limit: "body.items.*.quantity". */
class Sizes {
  readonly largest = new Map<string, { readonly word: LimitWord; readonly size: number }>()
  readonly #document: Operation['document']

  constructor(document: Operation['document']) {
    this.#document = document
  }

  see(words: unknown, value: unknown, place: string): void {
    if (!isObject(words)) return
    const schema = resolve(this.#document, words)
    const word = limitWord(schema)
    if (word) this.note(word, place, value)
    const { properties, items } = schema
    if (Array.isArray(value)) for (const each of value) this.see(items, each, `${place}.*`)
    if (!isObject(value) || !isObject(properties)) return
    for (const [name, each] of Object.entries(value)) {
      if (Object.hasOwn(properties, name)) this.see(properties[name], each, `${place}.${name}`)
    }
  }

  note(word: LimitWord, place: string, value: unknown): void {
    const size = sizeOf(word, value)
    if (size > Math.max(1, this.largest.get(place)?.size ?? 0)) this.largest.set(place, { word, size })
  }
}

function bodySchema({ document, published }: Operation): unknown {
  const body = resolve(document, published.requestBody ?? {})
  const content = (body['content'] ?? {}) as Readonly<Record<string, { readonly schema?: JsonObject }>>
  return content['application/json']?.schema
}

/** The limits that calls of an operation were close to: the largest value of each place, less one. */
function limitsOf({ operation, answers }: MetOperation): Target[] {
  const sizes = new Sizes(operation.document)
  const schema = bodySchema(operation)
  for (const { query, body } of answers.filter(({ status }) => status < 300)) {
    for (const [name, value] of Object.entries(query)) {
      if (PAGE_SIZE.test(name)) sizes.note('maximum', `query.${name}`, Number(value))
    }
    sizes.see(schema, body, 'body')
  }
  const largest = [...sizes.largest].toSorted(([one], [other]) => compare(one, other))
  return largest.map(([place, { word, size }]) => ({
    subject: `${operation.id} ${place}`,
    operations: [operation.id],
    places: [{ operation: operation.id, at: '' }],
    from: `${word} ${place}`,
    to: size - 1,
  }))
}

export const LIMIT_KINDS: readonly Kind[] = [
  {
    name: 'limit-stricter',
    half: 'harmful',
    words: 'has a stricter limit',
    rank: 3,
    targets: ({ operations }: MetInterface) => operations.flatMap(limitsOf),
    isEarly: true,
  },
]

interface Limit {
  readonly word: LimitWord
  readonly part: string
  /** The names of the place within the part. */
  readonly names: readonly string[]
}

/** Reads "maximum body.items.*.quantity". */
function limitOf({ from = '' }: Mutation): Limit {
  const [word, place = ''] = from.split(' ')
  const [part = '', ...names] = place.split('.')
  return { word: word as LimitWord, part, names }
}

/** Returns the schemas of a route with the limit of a mutation. */
export function withLimit<Schemas extends object>(schemas: Schemas, mutation: Mutation): Schemas {
  const { word, part, names } = limitOf(mutation)
  const key = part === 'query' ? 'querystring' : 'body'
  return { ...schemas, [key]: limited((schemas as JsonObject)[key], names, { [word]: mutation.to }) }
}

type Limits = Readonly<Partial<Record<LimitWord, unknown>>>

/** A vendor with a lower maximum has a default that fits. */
const withinLimit = (schema: JsonObject, { maximum }: Limits): object =>
  Number(schema['default']) > Number(maximum) ? { default: maximum } : {}

function limited(schema: unknown, [name, ...rest]: readonly string[], limit: Limits): unknown {
  if (!isObject(schema)) return schema
  if (name === undefined) return { ...schema, ...limit, ...withinLimit(schema, limit) }
  const { properties, items } = schema
  if (name === '*') return { ...schema, items: limited(items, rest, limit) }
  if (!isObject(properties) || !Object.hasOwn(properties, name)) return schema
  return { ...schema, properties: { ...properties, [name]: limited(properties[name], rest, limit) } }
}

/** Whether a request is beyond the limit of a mutation. */
export function isBeyond(
  { query, body }: { readonly query: unknown; readonly body: unknown },
  mutation: Mutation,
): boolean {
  const { word, part, names } = limitOf(mutation)
  return valuesAt(part === 'query' ? query : body, ['', ...names].join('/')).some(
    (value) => sizeOf(word, part === 'query' ? Number(value) : value) > Number(mutation.to),
  )
}
