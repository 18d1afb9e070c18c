/**
 * Records whose address names no workspace. Copies of a workspace hold records with the same ids, so one id may belong
 * to several workspaces.
 */
import { and, eq, gt, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { statement } from './database.ts'
import { cellReader } from './reading.ts'
import type { Workspace, Registry } from './workspace.ts'

/** Far more workspaces than hold copies of one record. */
const MAX_LOOKED_AT = 1000

/** Finds the workspaces that hold the record with this value in a column that an index begins with. */
export function workspacesHolding(
  table: SQLiteTable & { workspace: SQLiteColumn },
  column: SQLiteColumn,
): (registry: Registry, value: string) => Workspace[] {
  const holding = statement((orm, database) =>
    cellReader<[number]>(
      database,
      orm
        .select({ workspace: table.workspace })
        .from(table)
        // Below zero stands what resets go back to.
        .where(and(eq(column, sql.placeholder('value')), gt(table.workspace, 0)))
        .limit(MAX_LOOKED_AT),
    ),
  )
  return (registry, value) =>
    holding(registry.database)
      .all({ value })
      .flatMap(([number]) => registry.byNumber(number) ?? [])
}
