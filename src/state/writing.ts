/**
 * Rows, written fast. The query builder writes the statement once; a run only puts its values in their places, which
 * takes a third of the time that a run of the builder would take.
 */
import type SQLite from 'better-sqlite3'
import { is, Param, Placeholder, type Column, type Query } from 'drizzle-orm'
import { statement, type Database, type Orm } from './database.ts'

type Values = Readonly<Record<string, unknown>>

/** Runs the statement with the values of its placeholders; answers with how many rows it has changed. */
export type Writer = (database: Database, values: Values) => number

/** A statement that inserts, updates or deletes, prepared once for each database. Only inside a `write`. */
export function writer(build: (orm: Orm) => { toSQL(): Query }): Writer {
  const prepared = statement((orm, { sqlite }) => {
    const { sql, params } = build(orm).toSQL()
    return new Prepared(sqlite.prepare(sql), params.map(parameter))
  })
  return (database, values) => prepared(database).run(values)
}

class Prepared {
  readonly #statement: SQLite.Statement
  readonly #parameters: readonly Parameter[]

  constructor(statement: SQLite.Statement, parameters: readonly Parameter[]) {
    this.#statement = statement
    this.#parameters = parameters
  }

  run(values: Values): number {
    const cells: unknown[] = []
    for (const { name, encode, constant } of this.#parameters) {
      const value = name === null ? constant : values[name]
      cells.push(encode !== null && value !== null ? encode(value) : value)
    }
    return this.#statement.run(...cells).changes
  }
}

interface Parameter {
  /** null for a constant. */
  readonly name: string | null
  readonly constant: unknown
  /** What makes of a value the cell of its column; null where that is the same. */
  readonly encode: ((value: unknown) => unknown) | null
}

function parameter(given: unknown): Parameter {
  if (is(given, Placeholder)) return { name: given.name, constant: null, encode: null }
  if (!is(given, Param)) return { name: null, constant: given, encode: null }
  const { value, encoder } = given
  if (!is(value, Placeholder)) throw new Error('the query builder encodes constants itself')
  return { name: value.name, constant: null, encode: encoderOf(encoder as Column) }
}

const encoderOf = (column: Column): Parameter['encode'] =>
  column.dataType === 'string' || column.dataType === 'number'
    ? null
    : (value) => column.mapToDriverValue(value)
