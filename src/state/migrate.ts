/**
 * Brings the tables up to date. The migrations are those that drizzle-kit writes, and what is done of them is kept where
 * drizzle keeps it; but the SQL of a new database runs in one go, which is most of the time it takes to make one.
 *
 * Each is done once, whenever it was written: of two that were made beside each other, the one that is older may come to
 * a file later. So they are known by their names, which stand in the `id` that drizzle leaves empty. Programs that looked
 * at the time alone have left it empty too: what they have done is known by the time at which it was written, which is
 * the same however a checkout ends its lines.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type SQLite from 'better-sqlite3'

interface Migration {
  /** The name of its file. */
  readonly tag: string
  /** When it was written, in ms. */
  readonly when: number
}

/** A migration that was done, as the file tells of it. */
interface Done {
  readonly name: string | null
  readonly at: number
}

/** A folder of migrations, read once. */
export class Migrations {
  readonly #folder: string
  /** In the order in which they are done. */
  readonly #all: readonly Migration[]

  constructor(folder: string) {
    const journal = readFileSync(join(folder, 'meta', '_journal.json'), 'utf8')
    this.#folder = folder
    this.#all = (JSON.parse(journal) as { entries: Migration[] }).entries
  }

  /** Whether all that was done to the file is among these. */
  knowAllOf(sqlite: SQLite.Database): boolean {
    return doneIn(sqlite).every((done) => this.#all.some((migration) => isSame(migration, done)))
  }

  /** Does those that are not done yet, all or none. */
  apply(sqlite: SQLite.Database): void {
    sqlite.exec(`CREATE TABLE IF NOT EXISTS __drizzle_migrations (
    id SERIAL PRIMARY KEY,
    hash text NOT NULL,
    created_at numeric
  )`)
    const done = doneIn(sqlite)
    const due = this.#all.filter((migration) => !done.some((each) => isSame(migration, each)))
    if (due.length === 0) return
    let last = Math.max(0, ...done.map(({ at }) => at))
    const scripts = due.map((migration) => {
      // Programs that look at the time alone refuse a file with a later one than they know.
      last = Math.max(migration.when, last + 1)
      return this.#scriptOf(migration, last)
    })
    try {
      sqlite.exec(['BEGIN', ...scripts, 'COMMIT'].join(';\n'))
    } catch (error) {
      if (sqlite.inTransaction) sqlite.exec('ROLLBACK')
      throw error
    }
  }

  #scriptOf({ tag }: Migration, at: number): string {
    const sql = readFileSync(join(this.#folder, `${tag}.sql`), 'utf8')
    const hash = createHash('sha256').update(sql).digest('hex')
    const done = `INSERT INTO __drizzle_migrations (id, hash, created_at) VALUES ('${tag}', '${hash}', ${String(at)})`
    // What stands between two statements of a file is a comment to SQLite.
    return `${sql};\n${done}`
  }
}

const isSame = ({ tag, when }: Migration, { name, at }: Done): boolean =>
  name === null ? at === when : name === tag

/** Those that the file says are done; the table that says so has to be there. */
const doneIn = (sqlite: SQLite.Database): Done[] =>
  sqlite.prepare<[], Done>('SELECT id AS name, created_at AS at FROM __drizzle_migrations').all()
