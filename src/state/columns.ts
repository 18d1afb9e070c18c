/** Columns that the tables of several interfaces begin and end with. */
import { integer, text } from 'drizzle-orm/sqlite-core'

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
