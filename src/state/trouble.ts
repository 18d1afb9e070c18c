/** What is wrong with the database file of a server that runs, for health to tell. */
import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { codeOf, fileTrouble } from './databaseProblem.ts'
import { meta } from './tables.ts'

export class Trouble {
  readonly #database: Database
  #words: string | null = null
  #isLasting = false

  constructor(database: Database) {
    this.#database = database
  }

  /** To be told of every error that somebody meets who reads or writes. */
  met(error: unknown): void {
    const words = fileTrouble(error)
    // Files of uploads are none of the database's.
    if (words === null || this.#isLasting || !codeOf(error).startsWith('SQLITE_')) return
    this.#words = words
    // A disk may have room again; a file does not mend itself.
    this.#isLasting = /^SQLITE_(?:CORRUPT|NOTADB)/.test(codeOf(error))
  }

  /** What is wrong, in words; null when nothing is. Whether a disk still fails is found out by writing to it. */
  now(): string | null {
    if (this.#words === null || this.#isLasting || !this.#database.open) return this.#words
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
        if (error) this.met(error)
        else this.#words = null
      })
      this.#database.flush()
    } catch (error) {
      this.met(error)
    }
    return this.#words
  }
}

const ofDatabase = (database: Database): Trouble => new Trouble(database)

export const troubleOf = (database: Database): Trouble => database.own(ofDatabase)
