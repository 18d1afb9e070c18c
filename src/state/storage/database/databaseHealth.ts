/** The state of the database file of a running server, for the health check. */
import { statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { codeOf, fileError } from './databaseFileError.ts'
import { meta } from '../tables.ts'

/** Bytes that must be free on the disk. In one transaction of calls, the write-ahead log grows by less. */
const MIN_FREE_BYTES = 1024 * 1024

export class DatabaseHealth {
  readonly #database: Database
  #message: string | null = null
  #isPermanent = false

  constructor(database: Database) {
    this.#database = database
  }

  /** Must be called with every error of a read or a write. */
  report(error: unknown): void {
    const message = fileError(error)
    // Errors of upload files are ignored.
    if (message === null || this.#isPermanent || !codeOf(error).startsWith('SQLITE_')) return
    this.#message = message
    // A disk can have space again; a damaged file stays damaged.
    this.#isPermanent = /^SQLITE_(?:CORRUPT|NOTADB)/.test(codeOf(error))
  }

  /** Returns the current error as text, or null. Writes a row to find out whether the disk still fails. */
  currentError(): string | null {
    if (this.#isPermanent || !this.#database.open) return this.#message
    // A small write can still fit into the log when a larger one, or an upload, does not.
    if (isDiskFull(this.#database.file)) return 'the disk is full'
    if (this.#message === null) return null
    try {
      this.#database.flush()
      this.#database.write(() => {
        this.#database.orm
          .insert(meta)
          .values({ name: 'probes', value: '1' })
          .onConflictDoUpdate({ target: meta.name, set: { value: sql`cast(${meta.value} as integer) + 1` } })
          .run()
      })
      this.#database.whenCommitted((error) => {
        if (error) this.report(error)
        else this.#message = null
      })
      this.#database.flush()
    } catch (error) {
      this.report(error)
    }
    return this.#message
  }
}

function isDiskFull(file: string): boolean {
  if (file === ':memory:') return false
  const { bavail, bsize } = statfsSync(dirname(resolve(file)))
  return bavail * bsize < MIN_FREE_BYTES
}

const ofDatabase = (database: Database): DatabaseHealth => new DatabaseHealth(database)

export const databaseHealthOf = (database: Database): DatabaseHealth => database.own(ofDatabase)
