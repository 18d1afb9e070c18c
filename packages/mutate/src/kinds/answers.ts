/** Answers as a whole: statuses, errors, pages, orders, limits. */
import type { Answer, MetAnswer, Mutation } from '../mutation.ts'
import type { MetInterface, MetOperation } from '../met.ts'
import { changeAt, isObject, valuesAt, type JsonObject } from '../places.ts'
import { resolve, type Operation } from '@suite-sim/verify/model/operation'
import type { Kind, Target } from './kind.ts'

const isSuccess = ({ status }: Pick<Answer, 'status'>): boolean => status < 300

/** A target for each operation with such an answer. */
const forOperations =
  (suits: (answer: MetAnswer) => boolean) =>
  ({ operations }: MetInterface): Target[] =>
    operations
      .filter(({ answers }) => answers.some(suits))
      .map(({ operation: { id } }) => ({
        subject: id,
        operations: [id],
        places: [{ operation: id, at: '' }],
      }))

/** A target for each operation and refused status. */
const forRefusals = ({ operations }: MetInterface): Target[] =>
  operations.flatMap(({ operation: { id }, answers }) =>
    [...new Set(answers.filter((each) => !isSuccess(each)).map(({ status }) => status))]
      .toSorted((one, other) => one - other)
      .map((status) => ({
        subject: `${id} ${String(status)}`,
        operations: [id],
        places: [{ operation: id, at: '' }],
        from: String(status),
        to: OTHER_STATUS[status] ?? (status < 500 ? 400 : 500),
      })),
  )

/** Another status that a vendor could mean the same with. */
const OTHER_STATUS: Readonly<Record<number, number>> = {
  400: 422,
  401: 403,
  402: 400,
  403: 404,
  404: 410,
  409: 422,
  422: 400,
  429: 503,
  503: 500,
}

const isRefused = ({ status }: Answer, { from }: Mutation): boolean => status === Number(from)

/** The place of the rows of a list: the first list of objects, at most two levels deep. */
function rowsIn(json: unknown): string | null {
  if (Array.isArray(json)) return json.some(isObject) ? '' : null
  for (const [name, value] of isObject(json) ? Object.entries(json) : []) {
    if (Array.isArray(value) && value.some(isObject)) return `/${name}`
    const inner = isObject(value) ? Object.entries(value).find(([, each]) => Array.isArray(each)) : undefined
    if (inner && (inner[1] as unknown[]).some(isObject)) return `/${name}/${inner[0]}`
  }
  return null
}

const LISTING = /^(?:list|search|find)/i

/** The rows of a list, and not a list within a record. */
const isList = (answer: MetAnswer, min: number): boolean => {
  const rows = isSuccess(answer) && LISTING.test(answer.operation) ? rowsIn(answer.json) : null
  return rows !== null && (valuesAt(answer.json, rows)[0] as unknown[]).length >= min
}

const forLists = (min: number): ((met: MetInterface) => Target[]) =>
  forOperations((answer) => isList(answer, min))

function changedRows(answer: Answer, change: (rows: unknown[]) => unknown[]): Answer {
  const rows = isSuccess(answer) ? rowsIn(answer.json) : null
  if (rows === null) return answer
  return { ...answer, json: changeAt(answer.json, rows, (value) => change(value as unknown[])) }
}

/** Says that no page follows, as lists with cursors do. */
function withoutNext(json: unknown): unknown {
  const pagination = isObject(json) ? json['pagination'] : undefined
  if (isObject(pagination) && 'hasMore' in pagination)
    Object.assign(pagination, { hasMore: false, nextCursor: null })
  return json
}

const PAGE_SIZE = /^(?:limit|lim|per_page|page_size)$/

/** The limits that calls of an operation were close to: the largest value of each field, less one. */
function limitsOf({ operation, answers }: MetOperation): Target[] {
  const met = new Map<string, number>()
  const see = (part: string, sent: unknown, suits: (name: string) => boolean): void => {
    for (const [name, value] of isObject(sent) ? Object.entries(sent) : []) {
      const size = suits(name) ? sizeOf(value) : 0
      if (size > 1) met.set(`${part}.${name}`, Math.max(size, met.get(`${part}.${name}`) ?? 0))
    }
  }
  const sent = fieldsOfBody(operation)
  for (const { query, body } of answers.filter(isSuccess)) {
    see('query', query, (name) => PAGE_SIZE.test(name))
    see('body', body, (name) => sent.has(name))
  }
  return [...met].toSorted().map(([field, size]) => ({
    subject: `${operation.id} ${field}`,
    operations: [operation.id],
    places: [{ operation: operation.id, at: '' }],
    from: field,
    to: size - 1,
  }))
}

/** The fields of the body that can have a stricter limit: numbers, and texts without a form of their own. */
function fieldsOfBody({ document, published }: Operation): ReadonlySet<string> {
  const body = resolve(document, published.requestBody ?? {})
  const content = (body['content'] ?? {}) as Readonly<Record<string, { readonly schema?: JsonObject }>>
  const { properties = {} } = resolve(document, content['application/json']?.schema ?? {})
  const isBounded = (words: JsonObject): boolean => {
    const { type, ...schema } = resolve(document, words)
    const isText = type === 'string' && !['enum', 'const', 'format', 'pattern'].some((word) => word in schema)
    return isText || type === 'integer' || type === 'number'
  }
  return new Set(
    Object.entries(properties as Record<string, JsonObject>).flatMap(([name, words]) =>
      isBounded(words) ? [name] : [],
    ),
  )
}

/** The number, or the length of the text. */
export const sizeOf = (value: unknown): number =>
  typeof value === 'number'
    ? value
    : typeof value === 'string'
      ? /^\d+$/.test(value)
        ? Number(value)
        : value.length
      : 0

export const ANSWER_KINDS: readonly Kind[] = [
  {
    name: 'answer-fails',
    half: 'harmful',
    words: 'answers 500, although the call had its effect',
    rank: 2,
    targets: forOperations(isSuccess),
    answer: (answer) => (isSuccess(answer) ? { ...answer, status: 500 } : answer),
  },
  {
    name: 'status-other',
    half: 'harmful',
    words: 'is refused with another status',
    rank: 2,
    targets: forRefusals,
    answer: (answer, mutation) =>
      isRefused(answer, mutation) ? { ...answer, status: Number(mutation.to) } : answer,
  },
  {
    name: 'error-form',
    half: 'harmful',
    words: 'is refused with an error in another form',
    rank: 2,
    targets: forRefusals,
    answer: (answer, mutation) =>
      isRefused(answer, mutation) && isObject(answer.json)
        ? { ...answer, json: { errors: [{ detail: answer.json }] } }
        : answer,
  },
  {
    name: 'page-ends',
    half: 'harmful',
    words: 'has a page that ends one row early',
    rank: 2,
    targets: forLists(1),
    answer: (answer) => {
      const changed = changedRows(answer, (rows) => rows.slice(0, -1))
      return changed === answer ? answer : { ...changed, json: withoutNext(changed.json) }
    },
  },
  {
    name: 'order-reversed',
    half: 'harmful',
    words: 'has the opposite order',
    rank: 2,
    targets: forLists(2),
    answer: (answer) => changedRows(answer, (rows) => rows.toReversed()),
  },
  {
    name: 'limit-stricter',
    half: 'harmful',
    words: 'has a stricter limit',
    rank: 3,
    targets: ({ operations }) => operations.flatMap(limitsOf),
    isEarly: true,
  },
]

/** Returns the schemas of a route with the limit of a mutation; the same if they have no such field. */
export function withLimit<Schemas extends object>(schemas: Schemas, { from = '', to }: Mutation): Schemas {
  const [part, name = ''] = from.split(/\.(.*)/s)
  const key = part === 'query' ? 'querystring' : 'body'
  const schema = (schemas as JsonObject)[key]
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {}
  const property = properties[name]
  if (!isObject(schema) || !isObject(property) || 'enum' in property || 'const' in property) return schemas
  const word = property['type'] === 'string' ? 'maxLength' : 'maximum'
  return {
    ...schemas,
    [key]: { ...schema, properties: { ...properties, [name]: { ...property, [word]: to } } },
  }
}

/** Whether a request is beyond the limit of a mutation. */
export function isBeyond(
  { query, body }: { readonly query: unknown; readonly body: unknown },
  { from = '', to }: Mutation,
): boolean {
  const [part, name = ''] = from.split(/\.(.*)/s)
  const sent = part === 'query' ? query : body
  return isObject(sent) && sizeOf(sent[name]) > Number(to)
}
