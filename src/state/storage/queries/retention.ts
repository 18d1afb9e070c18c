/** Limits the history of each workspace to the newest rows. Pending deliveries and similar rows are never deleted. */
import { sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { statement, type ScopedDatabase } from '../database/database.ts'

/** Rows of each kind that a workspace keeps at least. */
export const KEPT_ROWS = 10_000

/** Inserts between two checks; up to so many rows more than `KEPT_ROWS` can exist for a while. */
const INSERTS_BETWEEN_CHECKS = 1000

/**
 * Returns a function that must be called after each insert into a history table. It deletes the oldest rows that
 * match `finished`. Only inside a `write`.
 */
export function trimmer(
  table: SQLiteTable & { workspace: SQLiteColumn },
  finished: SQL = sql`true`,
): (workspace: ScopedDatabase) => void {
  const insertCounts = new WeakMap<ScopedDatabase, number>()
  const trim = statement((orm) =>
    orm
      .delete(table)
      .where(
        sql`${table.workspace} = ${sql.placeholder('workspace')} and ${finished} and rowid <= (select rowid from ${table} where ${table.workspace} = ${sql.placeholder('workspace')} order by rowid desc limit 1 offset ${sql.placeholder('kept')})`,
      )
      .prepare(),
  )
  return (workspace) => {
    const known = insertCounts.get(workspace)
    const count = (known ?? 0) + 1
    insertCounts.set(workspace, count % INSERTS_BETWEEN_CHECKS)
    // The first insert after a start checks too, so that a server that often restarts also trims.
    if (known === undefined || count >= INSERTS_BETWEEN_CHECKS) {
      trim(workspace.database).run({ workspace: workspace.rowScope, kept: KEPT_ROWS })
      workspace.database.deletions++
    }
  }
}
