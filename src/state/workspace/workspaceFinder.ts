/**
 * Finds the workspaces of records whose URL names no workspace. Workspaces can be copies of each other, so several
 * can have a record with the same id.
 */
import { and, eq, gt, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { statement } from '../storage/database/database.ts'
import { cellReader } from '../storage/queries/readers.ts'
import type { Registry } from './registry.ts'
import type { Workspace } from './workspace.ts'

/** The most workspaces that one lookup returns. */
const MAX_WORKSPACES = 1000

/** Prepares a lookup of the workspaces with a record that has a value in `column`, the first column of an index. */
export function workspaceFinder(
  table: SQLiteTable & { workspace: SQLiteColumn },
  column: SQLiteColumn,
): (registry: Registry, value: string) => Workspace[] {
  const findScopes = statement((orm, database) =>
    cellReader<[number]>(
      database,
      orm
        .select({ workspace: table.workspace })
        .from(table)
        // Negative scopes have the baselines that resets restore.
        .where(and(eq(column, sql.placeholder('value')), gt(table.workspace, 0)))
        .limit(MAX_WORKSPACES),
    ),
  )
  return (registry, value) =>
    findScopes(registry.database)
      .all({ value })
      .flatMap(([rowScope]) => registry.byRowScope(rowScope) ?? [])
}
