/** Columns that the tables of several interfaces share. */
import { integer, text } from 'drizzle-orm/sqlite-core'

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
