/** The lock of a database file against other servers. */
import { existsSync, realpathSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import SQLite from 'better-sqlite3'

/**
 * Holds a lock until it is released or the process ends, even by kill -9. The lock is that of an empty file of its own,
 * so that other programs can read the database at the same time: backups and replication.
 */
export class FileLock {
  readonly #file: string
  readonly #isNew: boolean
  readonly #sqlite: SQLite.Database

  /** Throws SQLITE_BUSY if another server holds the lock. */
  constructor(databaseFile: string) {
    this.#file = `${realPathOf(databaseFile)}-lock`
    this.#isNew = !existsSync(this.#file)
    this.#sqlite = new SQLite(this.#file, { timeout: 0 })
    try {
      this.#sqlite.exec('BEGIN EXCLUSIVE')
    } catch (error) {
      this.#sqlite.close()
      throw error
    }
  }

  /** The file stays: if it were deleted, two servers could lock two files of this name. */
  release(): void {
    this.#sqlite.close()
  }

  /** For a failed start, which leaves nothing new. */
  undo(): void {
    if (this.#isNew) rmSync(this.#file, { force: true })
    this.release()
  }
}

/** Returns the path without symbolic links, so that a file under two paths has one lock. The folder must exist. */
export const realPathOf = (file: string): string =>
  existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file))
