/**
 * Brings the tables up to date. The migrations are those that drizzle-kit writes, and what is done of them is kept where
 * drizzle keeps it; but the SQL of a new database runs in one go, which is most of the time it takes to make one.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type SQLite from 'better-sqlite3'

interface Migration {
  /** The name of its file. */
  readonly tag: string
  /** When it was written, in ms; they are done in this order. */
  readonly when: number
}

/** When the newest migration in the folder was written. */
export const newestMigration = (folder: string): number =>
  Math.max(0, ...migrationsIn(folder).map(({ when }) => when))

/** Does those that are newer than the last one done, all or none. */
export function migrate(sqlite: SQLite.Database, folder: string): void {
  sqlite.exec(`CREATE TABLE IF NOT EXISTS __drizzle_migrations (
    id SERIAL PRIMARY KEY,
    hash text NOT NULL,
    created_at numeric
  )`)
  const last = sqlite
    .prepare<[], { at: number | null }>('SELECT max(created_at) AS at FROM __drizzle_migrations')
    .get()
  const due = migrationsIn(folder).filter(({ when }) => when > (last?.at ?? 0))
  if (due.length === 0) return
  try {
    sqlite.exec(['BEGIN', ...due.map((migration) => sqlOf(migration, folder)), 'COMMIT'].join(';\n'))
  } catch (error) {
    if (sqlite.inTransaction) sqlite.exec('ROLLBACK')
    throw error
  }
}

function sqlOf({ tag, when }: Migration, folder: string): string {
  const sql = readFileSync(join(folder, `${tag}.sql`), 'utf8')
  const hash = createHash('sha256').update(sql).digest('hex')
  const done = `INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('${hash}', ${String(when)})`
  // What stands between two statements of a file is a comment to SQLite.
  return `${sql};\n${done}`
}

function migrationsIn(folder: string): readonly Migration[] {
  const journal = JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8')) as {
    entries: Migration[]
  }
  return journal.entries
}
