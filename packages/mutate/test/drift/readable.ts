/** The operations that can be read, with what a mutation needs to know: roles of parameters, rows, records, fields. */
import type { OpenApiDocument } from '../../../../src/published.ts'
import { INTERFACE_NAMES, type InterfaceName } from '@suite-sim/kit/interfaceNames'
import {
  operationsOf,
  resolve,
  responseSchema,
  type Operation,
  type Parameter,
} from '@suite-sim/verify/model/operation'
import { isObject, type JsonObject } from './json.ts'

/** What a parameter of the query does. */
export type Role =
  | 'page'
  | 'size'
  | 'offset'
  | 'cursor'
  | 'sort'
  | 'direction'
  | 'search'
  | 'filter'
  | 'setting'

export interface QueryParameter extends Parameter {
  readonly role: Role
}

/** A field that the document declares in an answer. */
export interface Field {
  /** "/data/*\/status" */
  readonly place: string
  readonly schema: JsonObject
}

export interface Readable {
  readonly interface: InterfaceName
  readonly operation: Operation
  /** "crm GET /deals/{deal_id}" */
  readonly title: string
  /** "/crm/v1/deals/{deal_id}" */
  readonly path: string
  /** Matches full paths of its calls. */
  readonly pattern: RegExp
  /** Paths of other operations that the pattern matches. */
  readonly others: readonly string[]
  readonly query: readonly QueryParameter[]
  /** The place of the rows, if it answers a list: "/data". */
  readonly rows: string | null
  /** The place of each record: "/data/*", "/data", "". */
  readonly record: string
  readonly fields: readonly Field[]
}

const ROLES: Readonly<Record<string, Role>> = {
  page: 'page',
  per_page: 'size',
  limit: 'size',
  lim: 'size',
  offset: 'offset',
  off: 'offset',
  cursor: 'cursor',
  sort: 'sort',
  sort_by: 'sort',
  order: 'direction',
  sort_dir: 'direction',
  sort_order: 'direction',
  search: 'search',
  q: 'search',
}

/** Returns every operation with GET that the documents of a running simulator publish. */
export async function readablesOf(target: string): Promise<Readable[]> {
  const found = await Promise.all(
    INTERFACE_NAMES.map(async (name) => {
      const response = await fetch(`${target}/_sim/openapi/${name}.json`)
      return readablesIn(name, (await response.json()) as OpenApiDocument)
    }),
  )
  return found.flat()
}

export function readablesIn(name: InterfaceName, document: OpenApiDocument): Readable[] {
  const basePath = new URL(document.servers[0]?.url ?? '').pathname.replace(/\/$/, '')
  const operations = operationsOf(name, document).filter(({ method }) => method === 'GET')
  const paths = operations.map(({ path }) => basePath + path)
  return operations.map((operation) => readableOf(operation, basePath, paths))
}

/** True if the call with this full path is one of the operation. */
export const isAt = ({ pattern, others }: Readable, path: string): boolean =>
  pattern.test(path) && !others.includes(path)

function readableOf(operation: Operation, basePath: string, paths: readonly string[]): Readable {
  const path = basePath + operation.path
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
  const schema = responseSchema(operation, operation.successes[0] ?? 200)
  const fields: Field[] = []
  if (schema) collect(operation.document, schema, '', fields)
  const rows = schema ? rowsIn(operation, fields, resolve(operation.document, schema)) : null
  return {
    interface: operation.interface,
    operation,
    title: `${operation.interface} ${operation.address}`,
    path,
    pattern,
    others: paths.filter((other) => other !== path && !other.includes('{') && pattern.test(other)),
    query: operation.inQuery.map((parameter) => ({
      ...parameter,
      role: ROLES[parameter.name] ?? (rows === null ? 'setting' : 'filter'),
    })),
    rows,
    record: rows === null ? recordIn(fields) : `${rows}/*`,
    fields,
  }
}

const MAX_DEPTH = 8

/** Adds the declared fields of the schema. Fields of free objects, such as metadata, are data of users. */
function collect(document: OpenApiDocument, words: JsonObject, place: string, fields: Field[]): void {
  if (place.split('/').length > MAX_DEPTH) return
  const schema = resolve(document, words)
  for (const alternatives of [schema['allOf'], schema['anyOf'], schema['oneOf']]) {
    for (const each of (alternatives ?? []) as JsonObject[]) collect(document, each, place, fields)
  }
  for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Record<string, JsonObject>)) {
    const at = `${place}/${name}`
    if (!fields.some((field) => field.place === at)) {
      fields.push({ place: at, schema: resolve(document, property) })
    }
    collect(document, property, at, fields)
  }
  if (isObject(schema['items'])) collect(document, schema['items'], `${place}/*`, fields)
}

/** The place of the rows: the answer itself, `data`, `payload`, or what is named after the path. */
function rowsIn(operation: Operation, fields: readonly Field[], schema: JsonObject): string | null {
  if (schema['type'] === 'array') return ''
  const last = operation.path.split('/').at(-1) ?? ''
  if (last.startsWith('{')) return null
  const camel = last.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const places = ['/data', '/payload', '/data/payload', `/data/${camel}`]
  if (!isReport(operation.path)) places.push(`/${last}`)
  const isList = (place: string): boolean =>
    fields.some((field) => field.place === place && field.schema['type'] === 'array')
  return places.find(isList) ?? null
}

/** True for figures that are derived from records. */
export const isReport = (path: string): boolean => /\/(reports|analytics)\//.test(path)

/** The place of the only record: the first object around an id. */
const recordIn = (fields: readonly Field[]): string => {
  const ids = fields
    .map(({ place }) => place)
    .filter((place) => /^((\/data(\/[a-z]+)?|\/payload)?)\/id$/i.test(place))
  const shortest = ids.toSorted((a, b) => a.length - b.length)[0]
  if (shortest !== undefined) return shortest.slice(0, -'/id'.length)
  return fields.some(({ place }) => place.startsWith('/data/')) ? '/data' : ''
}

export const parameterOf = (readable: Readable, role: Role): QueryParameter | undefined =>
  readable.query.find((parameter) => parameter.role === role)

/**
 * True if another operation shows the same records: the list of a record, or the record of a list. Without one, a changed
 * value is only another value.
 */
export const hasCounterpart = (readable: Readable, all: readonly Readable[]): boolean =>
  recordOperationOf(readable, all) !== undefined ||
  all.some((list) => list.rows !== null && recordOperationOf(list, all) === readable)

/** Returns the operation that reads one row of the list. */
export const recordOperationOf = (list: Readable, all: readonly Readable[]): Readable | undefined =>
  all.find(
    ({ interface: name, path }) =>
      name === list.interface &&
      /^\/\{[^}]+\}$/.test(path.slice(list.path.length)) &&
      path.startsWith(`${list.path}/`),
  )
