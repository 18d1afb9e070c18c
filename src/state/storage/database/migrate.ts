/**
 * Applies the migrations of drizzle-kit in one go and records them in drizzle's table. They are identified by name in
 * the `id` column, because an older one can be merged later. Rows of older versions have no name and are identified
 * by their time.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type SQLite from 'better-sqlite3'
import { numberOf } from './pages.ts'

interface Migration {
  /** The name of its file, without the extension. */
  readonly tag: string
  /** When it was created, in ms. */
  readonly when: number
}

/** An applied migration, as recorded in the file. */
interface Applied {
  readonly name: string | null
  readonly at: number
}

/** What all migrations together create, written by the build. */
export const SCHEMA = 'schema.sql'

/** A folder of migrations. */
export class Migrations {
  readonly #folder: string
  /** In the order of application. */
  readonly #all: readonly Migration[]

  constructor(folder: string) {
    const journal = readFileSync(join(folder, 'meta', '_journal.json'), 'utf8')
    this.#folder = folder
    this.#all = (JSON.parse(journal) as { entries: Migration[] }).entries
  }

  /** Checks whether the folder has all migrations that were applied to the file. */
  knowAllOf(sqlite: SQLite.Database): boolean {
    return appliedTo(sqlite).every((applied) => this.#all.some((migration) => isSame(migration, applied)))
  }

  /**
   * Applies the missing migrations, all or none. A new database gets the tables of the build first, which takes a third
   * of the time.
   */
  apply(sqlite: SQLite.Database): void {
    const schema = join(this.#folder, SCHEMA)
    if (numberOf(sqlite, 'page_count') <= 1 && existsSync(schema))
      runWhole(sqlite, readFileSync(schema, 'utf8'))
    sqlite.exec(`CREATE TABLE IF NOT EXISTS __drizzle_migrations (
    id SERIAL PRIMARY KEY,
    hash text NOT NULL,
    created_at numeric
  )`)
    const applied = appliedTo(sqlite)
    const missing = this.#all.filter((migration) => !applied.some((each) => isSame(migration, each)))
    if (missing.length === 0) return
    let last = Math.max(0, ...applied.map(({ at }) => at))
    const scripts = missing.map((migration) => {
      // Older versions compare only the time, and refuse a file with a later migration.
      last = Math.max(migration.when, last + 1)
      return this.#scriptOf(migration, last)
    })
    runWhole(sqlite, scripts.join(';\n'))
  }

  #scriptOf({ tag }: Migration, at: number): string {
    const sql = readFileSync(join(this.#folder, `${tag}.sql`), 'utf8')
    const hash = createHash('sha256').update(sql).digest('hex')
    const applied = `INSERT INTO __drizzle_migrations (id, hash, created_at) VALUES ('${tag}', '${hash}', ${String(at)})`
    // Drizzle's separator between two statements is a comment in SQLite.
    return `${sql};\n${applied}`
  }
}

/** Runs a script, all of it or nothing. */
function runWhole(sqlite: SQLite.Database, script: string): void {
  try {
    sqlite.exec(`BEGIN;\n${script};\nCOMMIT`)
  } catch (error) {
    if (sqlite.inTransaction) sqlite.exec('ROLLBACK')
    throw error
  }
}

const isSame = ({ tag, when }: Migration, { name, at }: Applied): boolean =>
  name === null ? at === when : name === tag

/** Returns the applied migrations. Their table must exist. */
const appliedTo = (sqlite: SQLite.Database): Applied[] =>
  sqlite.prepare<[], Applied>('SELECT id AS name, created_at AS at FROM __drizzle_migrations').all()
