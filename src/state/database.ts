/**
 * One SQLite file, one process, one connection.
 *
 * Writes of one turn of the event loop share a transaction: a refused one undoes itself alone (`sqlite/replay.ts`), and whoever
 * answers a request waits for the shared commit (`whenCommitted`). So what was answered is on the file, and ten requests
 * that arrive together cost one commit.
 */
import { existsSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import SQLite from 'better-sqlite3'
import { drizzle, type BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import { sql } from 'drizzle-orm'
import { fold } from './collation.ts'
import { DatabaseProblem, isHeldByAnother, openProblem } from './databaseProblem.ts'
import { makeFolder, removeEmptyFolders } from './folders.ts'
import { Migrations } from './migrate.ts'
import { keepStatements, WriteAheadLog, type Replay, type StatementObservers } from './sqlite/index.ts'
import { meta } from './tables.ts'
import type { Versions } from './versions.ts'

export type Orm = BetterSQLite3Database

type Settled = (error: Error | null) => void

/** The transaction that the writes of a turn share. */
interface Batch {
  readonly waiting: Settled[]
  writes: number
  /** To write everything again costs time; so it is done once, and further writes are undone by savepoints. */
  hasRepeated: boolean
}

/** Where a write has started. */
interface Start {
  /** What had been remembered for repetition by then, and whether that was everything. */
  readonly length: number
  readonly isWhole: boolean
  readonly hasSavepoint: boolean
}

/** Writes that one shared transaction takes before it is committed without waiting for the end of the turn. */
const BATCH_LIMIT = 1000

export class Database {
  readonly file: string
  readonly sqlite: SQLite.Database
  readonly orm: Orm
  /** True when this call made the file. */
  readonly isNew: boolean
  /** The outermost folder that this call made for the file. */
  readonly #madeFolder: string | undefined

  /** What was read of the tables still holds while their versions are the same. */
  readonly versions: Versions

  readonly #revisionBase: number
  #revisions = 0
  #batch: Batch | null = null
  readonly #replay: Replay
  #depth = 0
  #closed = false
  readonly #lost = new Set<() => void>()
  readonly #owned = new Map<unknown, unknown>()
  readonly #log: WriteAheadLog | null
  readonly #begin: SQLite.Statement
  readonly #commit: SQLite.Statement
  readonly #rollback: SQLite.Statement
  readonly #savepoint: SQLite.Statement
  readonly #release: SQLite.Statement
  readonly #undoSavepoint: SQLite.Statement
  readonly #totalChanges: SQLite.Statement<[], number>

  /** Opens or makes the file, locks it against other processes and brings its tables up to date. */
  constructor(file: string, migrations: string) {
    this.file = file
    const inMemory = file === ':memory:'
    this.isNew = inMemory || !existsSync(file)
    this.#madeFolder = inMemory ? undefined : makeFolder(file)
    const { sqlite, versions, replay } = connect(file, () => {
      this.#beforeScript()
    })
    this.sqlite = sqlite
    this.versions = versions
    this.#replay = replay
    try {
      // Exclusive for the life of the connection: the kernel gives the lock up even after kill -9.
      if (!inMemory) this.sqlite.pragma('locking_mode = EXCLUSIVE')
      const known = new Migrations(migrations)
      refuseUnfit(this.sqlite, file, known)
      configure(this.sqlite, file, inMemory)
      this.orm = drizzle(this.sqlite)
      // A migration that builds a table anew drops the old one first, and must not take the rows that refer to it.
      this.sqlite.pragma('foreign_keys = OFF')
      known.apply(this.sqlite)
      this.sqlite.pragma('foreign_keys = ON')
      this.sqlite.function('next_revision', () => this.nextRevision())
      this.sqlite.function('fold', { deterministic: true }, (text) => fold(String(text)))
      this.#begin = this.sqlite.prepare('BEGIN IMMEDIATE')
      this.#commit = this.sqlite.prepare('COMMIT')
      this.#rollback = this.sqlite.prepare('ROLLBACK')
      this.#savepoint = this.sqlite.prepare('SAVEPOINT one_write')
      this.#release = this.sqlite.prepare('RELEASE one_write')
      this.#undoSavepoint = this.sqlite.prepare('ROLLBACK TO one_write')
      this.#totalChanges = this.sqlite.prepare<[], number>('SELECT total_changes()').pluck()
      this.#revisionBase = countOpening(this.orm) * REVISIONS_PER_OPENING
      this.#log = inMemory ? null : new WriteAheadLog(this.sqlite, `${file}-wal`)
    } catch (error) {
      this.sqlite.close()
      // A file that another process has made in this very moment is that one's.
      if (this.isNew && !isHeldByAnother(error)) this.remove()
      throw openProblem(file, error)
    }
  }

  /**
   * Runs `change` as one unit: all of it happens or, when it throws, none. Writes may nest; a caught inner failure
   * undoes the inner one only.
   */
  write<T>(change: () => T): T {
    const batch = this.#batch ?? this.#open()
    const start = this.#start(batch)
    this.#depth++
    try {
      const result = change()
      if (this.#batch !== batch) throw new Error('the transaction was rolled back')
      if (start.hasSavepoint) this.#release.run()
      return result
    } catch (error) {
      // A full disk may have rolled everything back already; then there is nothing left to undo.
      if (this.sqlite.inTransaction) this.#undo(batch, start)
      throw error
    } finally {
      this.#depth--
      if (!this.sqlite.inTransaction) this.#settle(new Error('the transaction was rolled back'))
      else if (this.#depth === 0 && (++batch.writes >= BATCH_LIMIT || this.#replay.isFull)) this.flush()
    }
  }

  /**
   * A number never given before in the life of this file: not after a rollback, a reset or a restart. A row keeps the
   * one of its last change, which tells whether it was written to since.
   */
  nextRevision(): number {
    return this.#revisionBase + ++this.#revisions
  }

  /** Rows that this connection has written so far, those that were undone included. */
  get rowsWritten(): number {
    return this.#totalChanges.get() ?? 0
  }

  /** Whether something has been written that is not on the file yet. */
  get isAhead(): boolean {
    return this.#batch !== null
  }

  /** Whether no write is under way, though some may wait for their commit. */
  get isBetweenWrites(): boolean {
    return this.#depth === 0
  }

  /** Calls back when all that has been written so far is on the file: at once when nothing is open. */
  whenCommitted(settled: Settled): void {
    if (this.#batch) this.#batch.waiting.push(settled)
    else settled(null)
  }

  /** Resolves when all that has been written so far is on the file. */
  committed(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.whenCommitted((error) => {
        if (error) reject(error)
        else resolve()
      })
    })
  }

  /** Commits what is open now, without waiting for the end of the turn. Not inside a `write`. */
  flush(): void {
    if (!this.#batch || this.#depth > 0) return
    try {
      this.#commit.run()
      this.#log?.committed()
      this.#settle(null)
    } catch (error) {
      if (this.sqlite.inTransaction) this.#rollback.run()
      this.#settle(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Calls `forget` whenever a shared transaction is lost, so that what was remembered from it can be dropped. */
  onLost(forget: () => void): void {
    this.#lost.add(forget)
  }

  /** What `make` has made of this database, at the first time that it was asked for. For what modules keep of it. */
  own<Value>(make: (database: Database) => Value): Value {
    if (!this.#owned.has(make)) this.#owned.set(make, make(this))
    return this.#owned.get(make) as Value
  }

  get open(): boolean {
    return !this.#closed
  }

  close(): void {
    if (this.#closed) return
    this.flush()
    this.#closed = true
    this.#log?.close()
    this.sqlite.close()
  }

  /** Deletes the files; for a start that failed on a database it had just made. */
  remove(): void {
    if (this.file === ':memory:') return
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(this.file + suffix, { force: true })
    if (this.#madeFolder !== undefined) removeEmptyFolders(dirname(resolve(this.file)), this.#madeFolder)
  }

  /** A script can't be written again, so it shares no transaction with writes that may have to be. */
  #beforeScript(): void {
    if (this.#depth > 0) throw new Error('exec inside a write could not be undone; prepare its statements')
    this.flush()
  }

  #open(): Batch {
    this.#begin.run()
    this.#replay.begin()
    this.#batch = { waiting: [], writes: 0, hasRepeated: false }
    setImmediate(() => {
      this.flush()
    })
    return this.#batch
  }

  #start(batch: Batch): Start {
    const { length, isFull } = this.#replay
    const hasSavepoint = isFull || batch.hasRepeated
    if (hasSavepoint) this.#savepoint.run()
    return { length, isWhole: !isFull, hasSavepoint }
  }

  /** Undoes what has been written since a write has started. */
  #undo(batch: Batch, { length, isWhole, hasSavepoint }: Start): void {
    const replay = this.#replay
    if (hasSavepoint) {
      this.#undoSavepoint.run()
      this.#release.run()
      if (isWhole) replay.backTo(length)
    } else if (replay.length > length || replay.isFull) {
      this.#rollback.run()
      replay.backTo(length)
      this.#begin.run()
      batch.hasRepeated = true
      try {
        replay.repeat()
      } catch (error) {
        // Half of it would be worse than nothing.
        if (this.sqlite.inTransaction) this.#rollback.run()
        throw error
      }
    }
  }

  #settle(error: Error | null): void {
    const waiting = this.#batch?.waiting ?? []
    this.#batch = null
    this.#replay.end()
    if (error) {
      this.versions.allChanged()
      for (const forget of this.#lost) forget()
    }
    for (const settled of waiting) settled(error)
  }
}

/**
 * A statement that each database prepares once, on first use. `build` gets drizzle's query builder; the placeholders
 * are filled at each run.
 */
export function statement<Prepared>(
  build: (orm: Orm, database: Database) => Prepared,
): (database: Database) => Prepared {
  const prepare = (database: Database): Prepared => build(database.orm, database)
  return (database) => database.own(prepare)
}

/** A revision of its own for each row that a statement changes. */
export const NEXT_REVISION = sql<number>`next_revision()`

/** 2^32 changes for each of 2^21 openings fit into the integers that JavaScript counts exactly. */
const REVISIONS_PER_OPENING = 2 ** 32

function countOpening(orm: Orm): number {
  const row = orm
    .insert(meta)
    .values({ name: 'openings', value: '1' })
    .onConflictDoUpdate({ target: meta.name, set: { value: sql`cast(${meta.value} as integer) + 1` } })
    .returning({ value: meta.value })
    .get()
  return Number(row.value)
}

function connect(file: string, beforeScript: () => void): StatementObservers & { sqlite: SQLite.Database } {
  try {
    // Another process holds the lock for as long as it lives, so waiting for it would be in vain.
    const sqlite = new SQLite(file, { timeout: 0 })
    return { sqlite, ...keepStatements(sqlite, beforeScript) }
  } catch (error) {
    throw openProblem(file, error)
  }
}

function configure(sqlite: SQLite.Database, file: string, inMemory: boolean): void {
  if (!inMemory) {
    const mode = sqlite.pragma('journal_mode = WAL', { simple: true })
    if (mode !== 'wal')
      throw new DatabaseProblem(`cannot use ${file}: write-ahead logging is not possible there`)
    sqlite.exec('BEGIN EXCLUSIVE; COMMIT')
  }
  // In WAL mode a commit survives the death of the process with NORMAL; see docs/decisions.
  sqlite.pragma('synchronous = NORMAL')
  // 32 MB: a page that changes often is copied back into the file once, not at every thousandth write.
  sqlite.pragma('wal_autocheckpoint = 8000')
  // 64 MB at most, of what was read: a search goes through all records of its kind, 60 MB of a hundred thousand.
  sqlite.pragma('cache_size = -65536')
  sqlite.pragma('temp_store = MEMORY')
}

/** A database that a newer version has migrated, or another program has made, is left untouched. */
function refuseUnfit(sqlite: SQLite.Database, file: string, migrations: Migrations): void {
  const table = sqlite
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '__drizzle_migrations'")
    .get()
  if (!table) {
    const foreign = sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 1").get()
    if (foreign) throw new DatabaseProblem(`cannot use ${file}: it is a database of another program`)
    return
  }
  if (!migrations.knowAllOf(sqlite)) {
    throw new DatabaseProblem(
      `cannot use ${file}: a newer version of suite-sim wrote it; upgrade, or name another file with --db`,
    )
  }
}
