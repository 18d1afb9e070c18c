/**
 * The tables that all interfaces share. `workspace` is the row scope, or the number of the workspace for its users,
 * keys and counters.
 */
import { Type } from '@sinclair/typebox'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { ClockSetting } from '../model/clock.ts'
import type { ChosenReadings } from '../model/reading.ts'
import { filledText, integer as whole, table, textOf, withCreation } from './columns.ts'

/** Values of the database as a whole: its secret, its seed, how often it was opened. */
export const meta = sqliteTable('meta', {
  name: text().primaryKey(),
  value: text().notNull(),
})

/** The modules of a workspace. */
export interface Modules {
  readonly products: boolean
}

export interface Plan {
  readonly apiAccess: boolean
}

/** When automatic progression happens: on the workspace's clock, immediately, or only by triggers. */
export const PROGRESSIONS = ['clock', 'immediate', 'manual'] as const
export type Progression = (typeof PROGRESSIONS)[number]

/** What the labels of a workspace say, by name. */
export type Labels = Readonly<Record<string, string>>

/** What a workspace draws its ids from, instead of the seed of the server: since a recording started, or in a replay. */
export interface IdSource {
  /** Decides all drawn ids together with the counters. */
  readonly seed: string
  /** Decides the ids that are always the same for a name. */
  readonly fixed: string
}

/** The first settings of a workspace. */
export interface WorkspaceBaseline {
  readonly name: string
  readonly currency: string
  readonly timezone: string
  readonly modules: Modules
  readonly plan: Plan
  /** Missing in files of older versions. */
  readonly testCards?: boolean
  readonly cases?: boolean
  readonly progression?: Progression
  readonly readings?: ChosenReadings
  /** Only of a clone whose clock was not at real time. */
  readonly clock?: ClockSetting
}

export const workspaces = sqliteTable(
  'workspaces',
  {
    /** The account id in the conversations interface, and the `workspace` of its keys, users and counters. */
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
    /** Whether hosted payment pages show the test cards. */
    testCards: integer('test_cards', { mode: 'boolean' }).notNull().default(true),
    /** Whether callers can choose the case of a fault with X-Sim-Case. */
    cases: integer({ mode: 'boolean' }).notNull().default(false),
    progression: text({ enum: PROGRESSIONS }).notNull().default('clock'),
    /** The readings that it chose, by name. */
    readings: text({ mode: 'json' }).$type<ChosenReadings>().notNull().default({}),
    /** The bearer token that opens its calls of the control plane; null in files of older versions. */
    controlToken: text('control_token'),
    /** The ISO 8601 duration without calls after which it is deleted; null keeps it. */
    ttl: text(),
    /** When it is deleted unless it is called, in real time; it can be too early, by the calls since the last write. */
    expiresAt: integer('expires_at'),
    labels: text({ mode: 'json' }).$type<Labels>().notNull().default({}),
    /** null draws ids from the seed of the server, if it has one. */
    idSource: text('id_source', { mode: 'json' }).$type<IdSource>(),
    /** The first settings, for resets. */
    baseline: text('origin', { mode: 'json' }).$type<WorkspaceBaseline>().notNull(),
    /** The row scope of its records; its number if null. */
    scope: integer(),
    /** The row scope of its baseline; the negative number if null. */
    base: integer(),
  },
  (self) => [
    uniqueIndex('workspaces_id').on(self.id),
    uniqueIndex('workspaces_scope').on(self.scope),
    index('workspaces_base').on(self.base),
    uniqueIndex('workspaces_control_token').on(self.controlToken),
    index('workspaces_expires_at').on(self.expiresAt),
  ],
)

/** Scopes without an owner, not yet or no longer used. They are deleted in the background, also after a crash. */
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
  (self) => [primaryKey({ columns: [self.workspace, self.id] })],
)

/** API keys. `scopes` and `interfaces` are lists; `["*"]` means all. */
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
  (self) => [index('keys_workspace').on(self.workspace)],
)

/** The last number of each counter: integer ids, folios, and positions in seeded streams. */
export const counters = sqliteTable(
  'counters',
  {
    workspace: integer().notNull(),
    kind: text().notNull(),
    last: integer().notNull(),
  },
  (self) => [primaryKey({ columns: [self.workspace, self.kind] })],
)

/** Events, appended in the transaction of their change. */
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
  // No index by id, because nothing finds events by id, and an index of random ids would double the size of a commit.
  (self) => [index('events_workspace').on(self.workspace)],
)

export interface Attachment {
  readonly filename: string
  readonly contentType: string
  /** In bytes. */
  readonly size: number
  /** The contents in base64, if they are stored with the e-mail. */
  readonly content?: string
}

/** E-mails that the suite would send to people. */
export const emails = sqliteTable(
  'emails',
  {
    workspace: integer().notNull(),
    id: text().notNull(),
    interface: text().notNull(),
    to: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    /** The HTML version; null if only text exists. */
    html: text(),
    attachments: text({ mode: 'json' }).$type<readonly Attachment[]>().notNull(),
    at: integer().notNull(),
  },
  (self) => [
    primaryKey({ columns: [self.workspace, self.id] }),
    index('emails_to').on(self.workspace, self.to),
  ],
)

/** The limit of file names, in characters; longer ones are cut. */
export const MAX_FILE_NAME_LENGTH = 255

/** Files that records of all interfaces refer to. */
export const storedFiles = table(
  'stored_files',
  {
    /** The original file name. */
    name: filledText(MAX_FILE_NAME_LENGTH),
    contentType: textOf(() => Type.String({ pattern: '^[\\w.+-]{1,127}/[\\w.+-]{1,127}$' })),
    /** In bytes. */
    size: whole(0),
    /** SHA-256 of the contents in hexadecimal; their name on disk. */
    hash: textOf(() => Type.String({ pattern: '^[0-9a-f]{64}$' })),
    ...withCreation,
  },
  (self) => [
    // Across workspaces, because contents stay while any row refers to them.
    index('stored_files_hash').on(self.hash),
  ],
)

/** The timeline of a workspace: pieces of some hundred calls and steps as JSON, the oldest first (`timeline.ts`). */
export const journal = sqliteTable(
  'journal',
  {
    workspace: integer().notNull(),
    /** The last number assigned when the piece was written. */
    last: integer().notNull(),
    /** The highest number in the piece. */
    highest: integer().notNull(),
    text: text().notNull(),
  },
  (self) => [index('journal_workspace').on(self.workspace)],
)

/** The counts of operations, moves and events as JSON (`timeline.ts`). */
export const coverage = sqliteTable('coverage', {
  workspace: integer().primaryKey(),
  text: text().notNull(),
})

/** Named snapshots. Their records have their own row scope. */
export const savedSnapshots = sqliteTable(
  'saved_snapshots',
  {
    /** The number of the workspace, independent of its row scope. */
    workspace: integer()
      .notNull()
      .references(() => workspaces.number, { onDelete: 'cascade' }),
    name: text().notNull(),
    scope: integer().notNull(),
    /** A snapshot without its records. */
    head: text({ mode: 'json' }).$type<Readonly<Record<string, unknown>>>().notNull(),
    records: integer().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (self) => [primaryKey({ columns: [self.workspace, self.name] })],
)

/** Recordings (`timeline/recordings.ts`). The records that one began with have their own row scope. */
export const recordings = sqliteTable(
  'recordings',
  {
    id: text().primaryKey(),
    /** The number of the workspace, independent of its row scope. */
    workspace: integer()
      .notNull()
      .references(() => workspaces.number, { onDelete: 'cascade' }),
    name: text().notNull(),
    scope: integer().notNull(),
    startedAt: integer('started_at').notNull(),
    /** null while it is running. */
    stoppedAt: integer('stopped_at'),
    /** Which limit ended it; null if a call did. */
    endedBy: text('ended_by'),
    steps: integer().notNull().default(0),
    /** Of its start, its steps and its end. */
    bytes: integer().notNull(),
    /** The start of its file: the settings and the snapshot, as JSON. */
    start: text().notNull(),
    /** The end of its file: the diff and the digest of the snapshot, as JSON; null until it is stopped. */
    end: text(),
    /** What the workspace drew its ids from before. */
    idSourceBefore: text('id_source_before', { mode: 'json' }).$type<IdSource>(),
  },
  (self) => [index('recordings_workspace').on(self.workspace)],
)

/** The steps of recordings as JSON, in the order of their rowids. */
export const recordingSteps = sqliteTable(
  'recording_steps',
  {
    recording: text()
      .notNull()
      .references(() => recordings.id, { onDelete: 'cascade' }),
    text: text().notNull(),
  },
  (self) => [index('recording_steps_recording').on(self.recording)],
)
