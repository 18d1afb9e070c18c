/** The tables that every interface stands on. Rows are scoped by `workspace`, the workspace's number. */
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** Facts about this database as a whole: its secret, its seed, how often it was opened. */
export const meta = sqliteTable('meta', {
  name: text().primaryKey(),
  value: text().notNull(),
})

/** What a workspace has switched on. */
export interface Modules {
  readonly products: boolean
}

export interface Plan {
  readonly apiAccess: boolean
}

export const workspaces = sqliteTable(
  'workspaces',
  {
    /** Scopes every record; the conversations interface shows it as the account id. */
    number: integer().primaryKey(),
    id: text().notNull(),
    name: text().notNull(),
    currency: text().notNull(),
    timezone: text().notNull(),
    modules: text({ mode: 'json' }).$type<Modules>().notNull(),
    plan: text({ mode: 'json' }).$type<Plan>().notNull(),
    clockOffset: integer('clock_offset').notNull(),
    clockFrozenAt: integer('clock_frozen_at'),
    createdAt: integer('created_at').notNull(),
    /** The settings it was made with, for reset. */
    baseline: text('origin', { mode: 'json' })
      .$type<{ name: string; currency: string; timezone: string; modules: Modules; plan: Plan }>()
      .notNull(),
  },
  (table) => [uniqueIndex('workspaces_id').on(table.id)],
)

export const users = sqliteTable(
  'users',
  {
    workspace: integer().notNull(),
    id: text().notNull(),
    name: text().notNull(),
    email: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.id] })],
)

/** Credentials. `scopes` and `interfaces` are lists; `["*"]` is all. */
export const keys = sqliteTable(
  'keys',
  {
    key: text().primaryKey(),
    workspace: integer()
      .notNull()
      .references(() => workspaces.number, { onDelete: 'cascade' }),
    user: text().notNull(),
    scopes: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    interfaces: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    expiresAt: integer('expires_at'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('keys_workspace').on(table.workspace)],
)

/** The last number given out, by kind: integer ids, folios, and the position in a seeded stream. */
export const counters = sqliteTable(
  'counters',
  {
    workspace: integer().notNull(),
    kind: text().notNull(),
    last: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.kind] })],
)

/** What happened, appended in the transaction in which it happened. */
export const events = sqliteTable(
  'events',
  {
    workspace: integer().notNull(),
    id: text().notNull(),
    interface: text().notNull(),
    name: text().notNull(),
    data: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    at: integer().notNull(),
  },
  // Nobody looks an event up by its id, and an index over random ids would double what a commit writes.
  (table) => [index('events_workspace').on(table.workspace)],
)

export interface Attachment {
  readonly filename: string
  readonly contentType: string
  readonly size: number
}

/** Every message that the suite would have sent to a person. */
export const emails = sqliteTable(
  'emails',
  {
    workspace: integer().notNull(),
    id: text().notNull(),
    interface: text().notNull(),
    to: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    attachments: text({ mode: 'json' }).$type<readonly Attachment[]>().notNull(),
    at: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('emails_to').on(table.workspace, table.to),
  ],
)
