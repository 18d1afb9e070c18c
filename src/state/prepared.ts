/**
 * Statements that the query builder writes and that run without it: a run only puts its values in their places, which
 * takes a third of the time. For what is done many thousand times a second.
 */
import { Column, is, Param, Placeholder, type Query } from 'drizzle-orm'
import { statement, type Database, type Orm } from './database.ts'

/** The values of a statement's placeholders, by name. */
export type Values = Readonly<Record<string, unknown>>
type Build = (orm: Orm) => { toSQL(): Query }

/** Runs the statement with the values of its placeholders; answers with how many rows it has changed. */
export type Writer = (database: Database, values: Values) => number

/** A statement that inserts, updates or deletes, prepared once for each database. Only inside a `write`. */
export function writer(build: Build): Writer {
  const prepared = statement((orm, { sqlite }) => {
    const { sql, params } = build(orm).toSQL()
    return { run: sqlite.prepare(sql), fill: filler(params) }
  })
  return (database, values) => {
    const { run, fill } = prepared(database)
    return run.run(...fill(values)).changes
  }
}

interface Parameter {
  /** null for a constant. */
  readonly name: string | null
  readonly constant: unknown
  /** What makes of a value the cell of its column; null where that is the same. */
  readonly encode: ((value: unknown) => unknown) | null
}

/** Puts the values of placeholders in their places, as what SQLite is to hold; `params` are those of a built query. */
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

function parameterOf(given: unknown): Parameter {
  if (is(given, Placeholder)) return { name: given.name, constant: null, encode: null }
  if (!is(given, Param)) return { name: null, constant: given, encode: null }
  const { value, encoder } = given
  if (!is(value, Placeholder)) throw new Error('the query builder encodes constants itself')
  const isPlain = is(encoder, Column) && (encoder.dataType === 'string' || encoder.dataType === 'number')
  const encode = isPlain ? null : (of: unknown): unknown => encoder.mapToDriverValue(of)
  return { name: value.name, constant: null, encode }
}
