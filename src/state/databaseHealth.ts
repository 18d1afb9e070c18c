/** What is wrong with the database file of a server that runs, for health to tell. */
import { statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { codeOf, fileError } from './databaseProblem.ts'
import { meta } from './tables.ts'

/** Bytes that a disk must have free: the write-ahead log grows by less in one transaction of calls. */
const LEAST_FREE = 1024 * 1024

export class DatabaseHealth {
  readonly #database: Database
  #words: string | null = null
  #isLasting = false

  constructor(database: Database) {
    this.#database = database
  }

  /** To be told of every error that somebody meets who reads or writes. */
  report(error: unknown): void {
    const words = fileError(error)
    // Files of uploads are none of the database's.
    if (words === null || this.#isLasting || !codeOf(error).startsWith('SQLITE_')) return
    this.#words = words
    // A disk may have room again; a file does not mend itself.
    this.#isLasting = /^SQLITE_(?:CORRUPT|NOTADB)/.test(codeOf(error))
  }

  /** What is wrong, in words; null when nothing is. Whether a disk still fails is found out by writing to it. */
  currentError(): string | null {
    if (this.#isLasting || !this.#database.open) return this.#words
    // A small write may still find room in the log when a larger one, or an upload, finds none.
    if (isFull(this.#database.file)) return 'the disk is full'
    if (this.#words === null) return null
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
        else this.#words = null
      })
      this.#database.flush()
    } catch (error) {
      this.report(error)
    }
    return this.#words
  }
}

function isFull(file: string): boolean {
  if (file === ':memory:') return false
  const { bavail, bsize } = statfsSync(dirname(resolve(file)))
  return bavail * bsize < LEAST_FREE
}

const ofDatabase = (database: Database): DatabaseHealth => new DatabaseHealth(database)

export const databaseHealthOf = (database: Database): DatabaseHealth => database.own(ofDatabase)
