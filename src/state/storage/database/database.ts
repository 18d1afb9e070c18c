/**
 * One SQLite file, one process, one connection.
 *
 * Writes of one turn of the event loop share a transaction, each with a savepoint, so that a failed one is undone alone.
 * Responses wait for the shared commit (`whenCommitted`), so ten requests that arrive together cost one commit.
 */
import { existsSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import SQLite from 'better-sqlite3'
import { drizzle, type BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import { sql } from 'drizzle-orm'
import { fold } from '@suite-sim/kit/text/collation'
import { DatabaseFileError, mustBePermitted, toDatabaseFileError } from './databaseFileError.ts'
import { FileLock, realPathOf } from './fileLock.ts'
import { createFolder, makePrivate, removeEmptyFolders } from './folders.ts'
import { convertSmallFile, prepareToReleasePages } from './freePages.ts'
import { Migrations } from './migrate.ts'
import { cacheStatements, copyImage, insertImage, WriteAheadLog } from '../sqlite/index.ts'
import { meta } from '../tables.ts'

export type Orm = BetterSQLite3Database

/** The rows of one workspace: a database, and the `workspace` column of its records. */
export interface ScopedDatabase {
  readonly database: Database
  readonly rowScope: number
}

/** The same with the version of the rows. */
export interface VersionedDatabase extends ScopedDatabase {
  /** A value that was read is current while this number is unchanged: see `Workspace.version`. */
  readonly version: number
}

type OnCommitted = (error: Error | null) => void

/** The transaction that the writes of one turn share. */
interface Batch {
  readonly waiting: OnCommitted[]
  writes: number
}

/**
 * The format of the file, which the file states. Versions with a lower one refuse it. Increment it with every migration,
 * and when the meaning of stored values changes.
 */
export const DATA_FORMAT = 5

/** Writes after which a shared transaction commits before the end of the turn. */
const BATCH_LIMIT = 1000

export class Database {
  readonly file: string
  readonly sqlite: SQLite.Database
  readonly orm: Orm
  /** All bytes that were written since the file was opened, at least: those of rows and of stored files. */
  bytesWritten = 0
  /** Grows with each deletion of records, including undone ones. */
  deletions = 0
  /** True if this call created the file. */
  readonly isNew: boolean
  /** The outermost folder that this call created for the file. */
  readonly #createdFolder: string | undefined

  readonly #revisionBase: number
  #revisions = 0
  #batch: Batch | null = null
  #depth = 0
  #closed = false
  readonly #lostListeners = new Set<() => void>()
  readonly #owned = new Map<unknown, unknown>()
  readonly #lock: FileLock | null
  readonly #log: WriteAheadLog | null
  readonly #begin: SQLite.Statement
  readonly #commit: SQLite.Statement
  readonly #rollback: SQLite.Statement
  readonly #savepoint: SQLite.Statement
  readonly #release: SQLite.Statement
  readonly #undoSavepoint: SQLite.Statement
  readonly #totalChanges: SQLite.Statement<[], number>

  /**
   * Opens or creates the file, locks it against other servers and applies migrations. A new database starts with the
   * rows of the image, if there is one.
   */
  constructor(file: string, migrations: string, image: string | null = null, busyTimeout = BUSY_TIMEOUT) {
    this.file = file
    const inMemory = file === ':memory:'
    this.isNew = inMemory || !existsSync(file)
    this.#createdFolder = inMemory ? undefined : createFolder(file)
    mustBePermitted(file)
    this.#lock = inMemory ? null : lock(file)
    if (this.isNew && !inMemory && image !== null) this.#copy(image)
    this.sqlite = connect(file, busyTimeout, this.#lock, () => {
      this.#beforeScript()
    })
    try {
      const migrationSet = new Migrations(migrations)
      refuseForeignDatabase(this.sqlite, file, migrationSet)
      configure(this.sqlite, file, inMemory)
      this.orm = drizzle(this.sqlite)
      // A migration that rebuilds a table drops the old one first. Rows that refer to it must stay.
      this.sqlite.pragma('foreign_keys = OFF')
      migrationSet.apply(this.sqlite)
      if (inMemory && image !== null) insertImage(this.sqlite, image)
      if (formatOf(this.sqlite) !== DATA_FORMAT) this.sqlite.pragma(`user_version = ${String(DATA_FORMAT)}`)
      this.sqlite.pragma('foreign_keys = ON')
      this.sqlite.function('next_revision', () => this.nextRevision())
      this.sqlite.function('fold', { deterministic: true }, (text) => fold(String(text)))
      convertSmallFile(this.sqlite)
      this.#begin = this.sqlite.prepare('BEGIN IMMEDIATE')
      this.#commit = this.sqlite.prepare('COMMIT')
      this.#rollback = this.sqlite.prepare('ROLLBACK')
      this.#savepoint = this.sqlite.prepare('SAVEPOINT one_write')
      this.#release = this.sqlite.prepare('RELEASE one_write')
      this.#undoSavepoint = this.sqlite.prepare('ROLLBACK TO one_write')
      this.#totalChanges = this.sqlite.prepare<[], number>('SELECT total_changes()').pluck()
      this.#revisionBase = incrementOpenings(this.orm) * REVISIONS_PER_OPENING
      this.#log = inMemory ? null : new WriteAheadLog(this.sqlite, `${realPathOf(file)}-wal`)
    } catch (error) {
      this.sqlite.close()
      if (this.isNew) this.remove()
      this.#lock?.undo()
      throw toDatabaseFileError(file, error)
    }
  }

  /**
   * Runs `change` in a transaction: all of it applies, or nothing if it throws. Writes can be nested; a caught inner
   * error undoes only the inner write.
   */
  write<T>(change: () => T): T {
    const batch = this.#batch ?? this.#openBatch()
    this.#savepoint.run()
    this.#depth++
    try {
      const result = change()
      if (this.#batch !== batch) throw new Error('the transaction was rolled back')
      this.#release.run()
      return result
    } catch (error) {
      // SQLite may already have rolled back the transaction, for example on a full disk.
      if (this.sqlite.inTransaction) {
        this.#undoSavepoint.run()
        this.#release.run()
      }
      throw error
    } finally {
      this.#depth--
      if (!this.sqlite.inTransaction) this.#finishBatch(new Error('the transaction was rolled back'))
      else if (this.#depth === 0 && ++batch.writes >= BATCH_LIMIT) this.flush()
    }
  }

  /**
   * Returns a number that this file has never used before, across rollbacks, resets and restarts. Each row stores the
   * revision of its last change.
   */
  nextRevision(): number {
    return this.#revisionBase + ++this.#revisions
  }

  /** The number of rows that this connection has written, including undone writes. */
  get rowsWritten(): number {
    return this.#totalChanges.get() ?? 0
  }

  /** True if writes are not committed yet. */
  get hasUncommittedWrites(): boolean {
    return this.#batch !== null
  }

  /** True if no `write` is running. Finished writes may still wait for their commit. */
  get isBetweenWrites(): boolean {
    return this.#depth === 0
  }

  /** Calls back when all writes so far are committed; immediately if no transaction is open. */
  whenCommitted(onCommitted: OnCommitted): void {
    if (this.#batch) this.#batch.waiting.push(onCommitted)
    else onCommitted(null)
  }

  /** Resolves when all writes so far are committed. */
  committed(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.whenCommitted((error) => {
        if (error) reject(error)
        else resolve()
      })
    })
  }

  /** Commits the open transaction now instead of at the end of the turn. Not inside a `write`. */
  flush(): void {
    if (!this.#batch || this.#depth > 0) return
    try {
      this.#commit.run()
      this.#log?.committed()
      this.#finishBatch(null)
    } catch (error) {
      if (this.sqlite.inTransaction) this.#rollback.run()
      this.#finishBatch(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Calls `forget` when a shared transaction is lost, so that its users can clear their caches. */
  onLost(forget: () => void): void {
    this.#lostListeners.add(forget)
  }

  /**
   * Returns the result of `create` for this database, computed once. Modules store their state of a database here.
   */
  own<Value>(create: (database: Database) => Value): Value {
    if (!this.#owned.has(create)) this.#owned.set(create, create(this))
    return this.#owned.get(create) as Value
  }

  get open(): boolean {
    return !this.#closed
  }

  close(): void {
    if (this.#closed) return
    this.flush()
    this.#closed = true
    this.#log?.close()
    try {
      this.sqlite.close()
    } finally {
      this.#lock?.release()
    }
  }

  /** Deletes the files, after a failed start on a new database. */
  remove(): void {
    if (this.file === ':memory:') return
    for (const suffix of ['', '-wal', '-shm', '-journal', '-lock'])
      rmSync(this.file + suffix, { force: true })
    if (this.#createdFolder !== undefined)
      removeEmptyFolders(dirname(resolve(this.file)), this.#createdFolder)
  }

  /** Starts the file as a copy of the image. Leaves nothing behind if that fails, for example on a full disk. */
  #copy(image: string): void {
    try {
      copyImage(image, this.file)
    } catch (error) {
      this.remove()
      this.#lock?.undo()
      throw toDatabaseFileError(this.file, error)
    }
  }

  /** Commits first, because a script can have transactions of its own. */
  #beforeScript(): void {
    if (this.#depth > 0) throw new Error('a write must not run a script; prepare the statements instead')
    this.flush()
  }

  #openBatch(): Batch {
    this.#begin.run()
    this.#batch = { waiting: [], writes: 0 }
    setImmediate(() => {
      this.flush()
    })
    return this.#batch
  }

  #finishBatch(error: Error | null): void {
    const waiting = this.#batch?.waiting ?? []
    this.#batch = null
    if (error) for (const forget of this.#lostListeners) forget()
    for (const onCommitted of waiting) onCommitted(error)
  }
}

/**
 * Returns a statement that each database prepares once, on first use. `build` gets drizzle's query builder; values
 * for its placeholders are passed at each run.
 */
export function statement<Prepared>(
  build: (orm: Orm, database: Database) => Prepared,
): (database: Database) => Prepared {
  const prepare = (database: Database): Prepared => build(database.orm, database)
  return (database) => database.own(prepare)
}

/** A new revision for each row that a statement changes. */
export const NEXT_REVISION = sql<number>`next_revision()`

/** 2^32 changes in each of 2^21 openings fit into the safe integers of JavaScript. */
const REVISIONS_PER_OPENING = 2 ** 32

function incrementOpenings(orm: Orm): number {
  const row = orm
    .insert(meta)
    .values({ name: 'openings', value: '1' })
    .onConflictDoUpdate({ target: meta.name, set: { value: sql`cast(${meta.value} as integer) + 1` } })
    .returning({ value: meta.value })
    .get()
  return Number(row.value)
}

/**
 * Bytes that the write-ahead log keeps after a checkpoint. It grows to 33 MB between two; to cut and to fill it again
 * took less than a tenth of the time of 60,000 small transactions.
 */
const MAX_LOG_BYTES = 4_194_304

/** Ms that a statement waits for a program that copies or replicates the file, and locks it for a moment. */
const BUSY_TIMEOUT = 5000

function lock(file: string): FileLock {
  try {
    return new FileLock(file)
  } catch (error) {
    throw toDatabaseFileError(file, error)
  }
}

function connect(
  file: string,
  busyTimeout: number,
  fileLock: FileLock | null,
  beforeScript: () => void,
): SQLite.Database {
  try {
    if (file !== ':memory:') makePrivate(file)
    const sqlite = new SQLite(file, { timeout: busyTimeout })
    cacheStatements(sqlite, beforeScript)
    return sqlite
  } catch (error) {
    fileLock?.undo()
    throw toDatabaseFileError(file, error)
  }
}

function configure(sqlite: SQLite.Database, file: string, inMemory: boolean): void {
  prepareToReleasePages(sqlite)
  if (!inMemory) {
    const mode = sqlite.pragma('journal_mode = WAL', { simple: true })
    if (mode !== 'wal')
      throw new DatabaseFileError(`cannot use ${file}: write-ahead logging is not possible there`)
  }
  // In WAL mode with NORMAL, a commit survives the end of the process; see docs/decisions.
  sqlite.pragma('synchronous = NORMAL')
  // 32 MB, so that a page that changes often is copied back into the file only once.
  sqlite.pragma('wal_autocheckpoint = 8000')
  // A large transaction or a slow reader lets the log grow far beyond; then a checkpoint gives the space back.
  sqlite.pragma(`journal_size_limit = ${String(MAX_LOG_BYTES)}`)
  // At most 64 MB. A search reads all records of its kind: 60 MB for a hundred thousand.
  sqlite.pragma('cache_size = -65536')
  sqlite.pragma('temp_store = MEMORY')
}

/** Returns the format of a file; 0 for those of versions before 0.2. */
export const formatOf = (sqlite: SQLite.Database): number =>
  sqlite.pragma('user_version', { simple: true }) as number

/** Refuses a database of another program, or one that a newer version has migrated, without changing it. */
function refuseForeignDatabase(sqlite: SQLite.Database, file: string, migrations: Migrations): void {
  const table = sqlite
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '__drizzle_migrations'")
    .get()
  if (!table) {
    const foreign = sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 1").get()
    if (foreign) throw new DatabaseFileError(`cannot use ${file}: it is a database of another program`)
    return
  }
  if (formatOf(sqlite) > DATA_FORMAT || !migrations.knowAllOf(sqlite)) {
    throw new DatabaseFileError(
      `cannot use ${file}: a newer version of suite-sim wrote it; upgrade, or choose another file with --db`,
    )
  }
}
