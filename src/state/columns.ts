/** Columns that the tables of several interfaces begin and end with. */
import { integer, text } from 'drizzle-orm/sqlite-core'

/**
 * The row with the columns that follow from its others. It is the same object: V8 takes longer to copy an object of
 * so many properties and give it more of them than SQLite takes to write it down.
 */
export const addColumns = <Row extends object, Columns extends object>(
  row: Row,
  columns: Columns,
): Row & Columns => Object.assign(row, columns)

export const scoped = { workspace: integer().notNull(), id: text().notNull() }

/** For records that change, and tell when they were made. */
export const changing = {
  createdAt: integer('created_at').notNull(),
  /** Renews with every change; renderings are remembered under it. */
  revision: integer().notNull(),
}

/** For those that also tell when they last changed. */
export const stamped = {
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  revision: changing.revision,
}
