/** Columns that the tables of several interfaces share, and conditions on columns. */
import { isNull, sql, type SQL } from 'drizzle-orm'
import { integer, text, type SQLiteColumn } from 'drizzle-orm/sqlite-core'

/**
 * Adds derived columns to a row, in place: for V8, copying an object with many properties is slower than the SQLite
 * write.
 */
export const addColumns = <Row extends object, Columns extends object>(
  row: Row,
  columns: Columns,
): Row & Columns => Object.assign(row, columns)

export const scoped = { workspace: integer().notNull(), id: text().notNull() }

/** For records that change and show their creation time. */
export const changing = {
  createdAt: integer('created_at').notNull(),
  /** A new number at every change; the key of cached responses. */
  revision: integer().notNull(),
}

/** For records that also show the time of their last change. */
export const stamped = {
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  revision: changing.revision,
}

/**
 * The condition that a column has one of these values. They are literals, because SQLite uses a partial index only if
 * the statement repeats its condition.
 */
export function isOneOf(column: SQLiteColumn, values: readonly unknown[]): SQL {
  const [value] = values
  if (values.length !== 1)
    return sql`${column} in (${sql.raw(values.map((each) => literal(column, each)).join(', '))})`
  return value === null ? isNull(column) : sql`${column} = ${sql.raw(literal(column, value))}`
}

function literal(column: SQLiteColumn, value: unknown): string {
  const cell = column.mapToDriverValue(value)
  return typeof cell === 'number' ? String(cell) : `'${String(cell).replaceAll("'", "''")}'`
}
