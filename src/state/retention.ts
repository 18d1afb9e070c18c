/**
 * History that does not grow for ever. A server that is up for months keeps the newest of what happened in each
 * workspace; what is still owed or still asked about is never part of this.
 */
import { sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { statement } from './database.ts'
import type { Workspace } from './workspace.ts'

/** Rows of each kind that a workspace keeps at least. */
export const KEPT_ROWS = 10_000

/** Additions between two looks at how many there are; so many more than `KEPT_ROWS` may lie there for a while. */
const ADDITIONS_BETWEEN = 1000

/**
 * To be called with each addition to a table that holds history. `finished` says which rows may go; the oldest by
 * insertion go first. Only inside a `write`.
 */
export function trimmer(
  table: SQLiteTable & { workspace: SQLiteColumn },
  finished: SQL = sql`true`,
): (workspace: Workspace) => void {
  const additions = new WeakMap<Workspace, number>()
  const trim = statement((orm) =>
    orm
      .delete(table)
      .where(
        sql`${table.workspace} = ${sql.placeholder('workspace')} and ${finished} and rowid <= (select rowid from ${table} where ${table.workspace} = ${sql.placeholder('workspace')} order by rowid desc limit 1 offset ${sql.placeholder('kept')})`,
      )
      .prepare(),
  )
  return (workspace) => {
    const added = (additions.get(workspace) ?? 0) + 1
    additions.set(workspace, added % ADDITIONS_BETWEEN)
    if (added >= ADDITIONS_BETWEEN) {
      trim(workspace.database).run({ workspace: workspace.rowScope, kept: KEPT_ROWS })
    }
  }
}
