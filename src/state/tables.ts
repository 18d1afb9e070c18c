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

/** When what happens by itself happens: on the workspace's clock, as soon as it can, or when it is told to. */
export const PROGRESSIONS = ['clock', 'immediate', 'manual'] as const
export type Progression = (typeof PROGRESSIONS)[number]

/** The settings that a workspace was made with. */
export interface WorkspaceBaseline {
  readonly name: string
  readonly currency: string
  readonly timezone: string
  readonly modules: Modules
  readonly plan: Plan
  /** Left out by versions that did not know it. */
  readonly testCards?: boolean
  readonly progression?: Progression
}

export const workspaces = sqliteTable(
  'workspaces',
  {
    /** What the conversations interface shows as the account id; whose its keys, users and counters are. */
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
    /** Whether pages on which people pay show the cards of tests. */
    testCards: integer('test_cards', { mode: 'boolean' }).notNull().default(true),
    progression: text({ enum: PROGRESSIONS }).notNull().default('clock'),
    /** The settings it was made with, for reset. */
    baseline: text('origin', { mode: 'json' }).$type<WorkspaceBaseline>().notNull(),
    /** What its records stand under, as their `workspace`; its number where this is null. */
    scope: integer(),
    /** What those stand under that it was made with; its number with a minus sign where this is null. */
    base: integer(),
  },
  (table) => [uniqueIndex('workspaces_id').on(table.id), uniqueIndex('workspaces_scope').on(table.scope)],
)

/** Scopes whose rows are nobody's any more, or nobody's yet: they are deleted bit by bit, after a crash as well. */
export const discarded = sqliteTable('discarded_scopes', { scope: integer().primaryKey() })

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
  /** In bytes. */
  readonly size: number
  /** The bytes themselves in base64, where they are kept with the message. */
  readonly content?: string
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
    /** The same for readers that show HTML; null where there is the text alone. */
    html: text(),
    attachments: text({ mode: 'json' }).$type<readonly Attachment[]>().notNull(),
    at: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('emails_to').on(table.workspace, table.to),
  ],
)

/** Files that records refer to, whichever interface they belong to. */
export const storedFiles = sqliteTable(
  'stored_files',
  {
    workspace: integer().notNull(),
    id: text().notNull(),
    /** As it was called where it came from. */
    name: text().notNull(),
    contentType: text('content_type').notNull(),
    /** In bytes. */
    size: integer().notNull(),
    /** SHA-256 of its bytes in hexadecimal, by which they lie on disk. */
    hash: text().notNull(),
    createdAt: integer('created_at').notNull(),
    revision: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    // Across workspaces: bytes are kept for as long as anybody names them.
    index('stored_files_hash').on(table.hash),
  ],
)

/**
 * What happened in a workspace, for people who look into it: pieces of some hundred calls and steps as JSON, the oldest
 * first (`timeline.ts`).
 */
export const journal = sqliteTable(
  'journal',
  {
    workspace: integer().notNull(),
    /** The highest number that was given out when it was written. */
    last: integer().notNull(),
    /** The highest number in it. */
    highest: integer().notNull(),
    text: text().notNull(),
  },
  (table) => [index('journal_workspace').on(table.workspace)],
)

/** How often each operation was called, each move made, each event sent: the counts of `timeline.ts` as JSON. */
export const coverage = sqliteTable('coverage', {
  workspace: integer().primaryKey(),
  text: text().notNull(),
})

/** Snapshots that the server keeps under names; their records stand under a scope of their own. */
export const savedSnapshots = sqliteTable(
  'saved_snapshots',
  {
    /** The number of the workspace, whatever its records stand under. */
    workspace: integer()
      .notNull()
      .references(() => workspaces.number, { onDelete: 'cascade' }),
    name: text().notNull(),
    scope: integer().notNull(),
    /** All of a snapshot but its records. */
    head: text({ mode: 'json' }).$type<Readonly<Record<string, unknown>>>().notNull(),
    records: integer().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.name] })],
)
