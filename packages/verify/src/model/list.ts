/** How an operation lists records: where the rows are, and by which parameters it pages. */
import type { JsonObject } from '../../../../src/published.ts'
import { resolve, responseSchema, type Operation, type Parameter } from './operation.ts'

export interface List {
  /** The names of the properties from the body to the rows: `['data', 'payload']`. */
  readonly rowsAt: readonly string[]
  /** The names to a number of all rows; null if the answer has none. */
  readonly totalAt: readonly string[] | null
  /** The names to the cursor of the next page, of lists with cursors. */
  readonly nextAt: readonly string[] | null
  /** The parameter with the number of rows of a page. */
  readonly size: Parameter | null
  /** The parameter that moves through the pages. */
  readonly position: { readonly kind: 'page' | 'offset' | 'cursor'; readonly name: string } | null
  readonly sort: { readonly parameter: Parameter; readonly direction: Parameter | null } | null
  /** The other parameters, which select rows. */
  readonly filters: readonly Parameter[]
}

const SIZES = ['per_page', 'limit', 'lim']
const POSITIONS = { page: 'page', offset: 'offset', off: 'offset', cursor: 'cursor' } as const
const SORTS = ['sort', 'sort_by']
const DIRECTIONS = ['order', 'sort_dir', 'sort_order']
const TOTALS = ['total', 'total_count', 'count', 'all_count']

/** Returns the names of the properties to the rows; null for an operation that lists no records. */
export function rowsAtOf(operation: Operation): string[] | null {
  const schema = /^(?:list|search|filter)/.test(operation.id) ? responseSchema(operation, 200) : undefined
  return schema ? findRows(operation, schema) : null
}

/** Returns null for an operation that lists no records, or that lists them for a body. */
export function listOf(operation: Operation): List | null {
  const schema = operation.method === 'GET' ? responseSchema(operation, 200) : undefined
  const rowsAt = schema ? rowsAtOf(operation) : null
  if (!schema || !rowsAt) return null
  const { inQuery } = operation
  const parameterIn = (names: readonly string[]): Parameter | null =>
    inQuery.find(({ name }) => names.includes(name)) ?? null
  const size = parameterIn(SIZES)
  const position = parameterIn(Object.keys(POSITIONS))
  const sort = parameterIn(SORTS)
  const direction = parameterIn(DIRECTIONS)
  const known = [size, position, sort, direction]
  return {
    rowsAt,
    totalAt: findNumber(operation, schema, rowsAt),
    nextAt: findCursor(operation, schema),
    size,
    position: position && {
      kind: POSITIONS[position.name as keyof typeof POSITIONS],
      name: position.name,
    },
    sort: sort && { parameter: sort, direction },
    filters: inQuery.filter((parameter) => !known.includes(parameter)),
  }
}

/** Returns the rows of an answer; null if they are not where the document has them. */
export function rowsIn(list: Pick<List, 'rowsAt'>, body: unknown): readonly unknown[] | null {
  const rows = valueAt(body, list.rowsAt)
  return Array.isArray(rows) ? rows : null
}

/** Returns a body with other rows. */
export function withRows({ rowsAt }: Pick<List, 'rowsAt'>, body: unknown, rows: readonly unknown[]): unknown {
  const [name, ...rest] = rowsAt
  if (name === undefined) return rows
  const fields = body as Readonly<Record<string, unknown>>
  return { ...fields, [name]: withRows({ rowsAt: rest }, fields[name], rows) }
}

/** Returns the value at a path of property names; undefined if a part is missing. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}

function* propertiesOf(operation: Operation, schema: JsonObject): Generator<[string, JsonObject]> {
  const words = resolve(operation.document, schema)
  for (const [name, property] of Object.entries((words['properties'] ?? {}) as Record<string, JsonObject>))
    yield [name, resolve(operation.document, property)]
}

function findRows(operation: Operation, schema: JsonObject, depth = 0): string[] | null {
  const words = resolve(operation.document, schema)
  if (words['type'] === 'array') return []
  if (depth === 3) return null
  for (const [name, property] of propertiesOf(operation, words)) {
    const found = findRows(operation, property, depth + 1)
    if (found) return [name, ...found]
  }
  return null
}

/** Returns the place of a total next to or above the rows. */
function findNumber(
  operation: Operation,
  schema: JsonObject,
  rowsAt: readonly string[],
  depth = 0,
): string[] | null {
  for (const [name, property] of propertiesOf(operation, schema)) {
    if (TOTALS.includes(name) && property['type'] === 'integer') return [name]
    if (property['type'] === 'array' || depth === 2) continue
    const found = findNumber(operation, property, rowsAt, depth + 1)
    if (found) return [name, ...found]
  }
  return null
}

function findCursor(operation: Operation, schema: JsonObject): string[] | null {
  for (const [name, property] of propertiesOf(operation, schema)) {
    if (/^next_?cursor$/i.test(name)) return [name]
    if (property['type'] !== 'object') continue
    const found = findCursor(operation, property)
    if (found) return [name, ...found]
  }
  return null
}
