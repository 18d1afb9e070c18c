/** The lock of a database file against other servers. */
import { existsSync, lstatSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import SQLite from 'better-sqlite3'
import { codeOf, DatabaseFileError } from './databaseFileError.ts'

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
      // A write, because SQLite opens a file that this user may not write for reading, which locks nothing.
      this.#sqlite.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; PRAGMA user_version = 1')
    } catch (error) {
      this.#sqlite.close()
      if (!codeOf(error).startsWith('SQLITE_READONLY')) throw error
      throw new DatabaseFileError(`cannot use ${databaseFile}: this user may not write ${this.#file}`)
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
export function realPathOf(file: string, links = 0): string {
  if (existsSync(file)) return realpathSync(file)
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true
  if (!isLink || links > MAX_LINKS) return join(realpathSync(dirname(file)), basename(file))
  return realPathOf(resolve(dirname(file), readlinkSync(file)), links + 1)
}

/** As many as Linux follows. */
const MAX_LINKS = 40
