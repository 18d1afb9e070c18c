/** Statements from the query builder that run without it, which takes a third of the time. For hot paths. */
import { Column, is, Param, Placeholder, type Query } from 'drizzle-orm'
import { statement, type Database, type Orm } from './database.ts'

/** The values of a statement's placeholders, by name. */
export type Values = Readonly<Record<string, unknown>>
type Build = (orm: Orm) => { toSQL(): Query }

/** Runs the statement with values for its placeholders. Returns the number of changed rows. */
export type Writer = (database: Database, values: Values) => number

/** Prepares an insert, update or delete once for each database. Only inside a `write`. */
export function writer(build: Build): Writer {
  const prepared = statement((orm, { sqlite }) => {
    const { sql, params } = build(orm).toSQL()
    return { run: sqlite.prepare(sql), fill: filler(params), isDeletion: /^delete\b/i.test(sql) }
  })
  return (database, values) => {
    const { run, fill, isDeletion } = prepared(database)
    const cells = fill(values)
    database.bytesWritten += bytesOf(cells)
    const { changes } = run.run(...cells)
    if (isDeletion && changes > 0) database.deletions++
    return changes
  }
}

/** Up to this length, a text counts with the most bytes that it can have, which is faster. */
const SHORT = 32

/** Returns at least the bytes that these cells take in a row, with its keys in the table and in an index. */
function bytesOf(cells: readonly unknown[]): number {
  let bytes = 64 + cells.length * 8
  for (const cell of cells) {
    if (typeof cell === 'string') bytes += cell.length > SHORT ? Buffer.byteLength(cell) : cell.length * 3
  }
  return bytes
}

interface Parameter {
  /** The name of the placeholder; null for a constant. */
  readonly name: string | null
  readonly constant: unknown
  /** Converts a value to the cell of its column; null if they are equal. */
  readonly encode: ((value: unknown) => unknown) | null
}

/**
 * Returns a function that lists the cells for the parameters of a built query, with the values of its placeholders.
 */
export function filler(params: readonly unknown[]): (values: Values) => unknown[] {
  const parameters = params.map(parameterOf)
  return (values) => {
    const cells: unknown[] = []
    for (const { name, encode, constant } of parameters) {
      const value = name === null ? constant : values[name]
      cells.push(encode !== null && value !== null ? encode(value) : value)
    }
    return cells
  }
}

function parameterOf(parameter: unknown): Parameter {
  if (is(parameter, Placeholder)) return { name: parameter.name, constant: null, encode: null }
  if (!is(parameter, Param)) return { name: null, constant: parameter, encode: null }
  const { value, encoder } = parameter
  if (!is(value, Placeholder)) throw new Error('the query builder encodes constants itself')
  const isPlain = is(encoder, Column) && (encoder.dataType === 'string' || encoder.dataType === 'number')
  const encode = isPlain ? null : (of: unknown): unknown => encoder.mapToDriverValue(of)
  return { name: value.name, constant: null, encode }
}
