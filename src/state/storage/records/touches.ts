/** Records which calls and jobs wrote several rows with one statement: the causes of differences. */
import { and, getTableColumns, type SQL } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { causeIn } from '../../timeline/causes.ts'
import { recordTouch } from '../../timeline/timelines.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Writer } from '../database/prepared.ts'
import { ofWorkspace, query, type QueryValues } from '../queries/query.ts'

/** Rows of a statement whose causes are recorded. */
const MAX_TOUCHED = 100

/** Returns the properties of the primary key without the workspace, in the order of the columns. */
export function keyNamesOf(table: SQLiteTable): string[] {
  const keys = new Set<unknown>(getTableConfig(table).primaryKeys.flatMap((key) => key.columns))
  return Object.entries(getTableColumns(table)).flatMap(([name, column]) =>
    keys.has(column) && name !== 'workspace' ? [name] : [],
  )
}

/** Returns a function that names the record of a row in a timeline: "signage.scheduleScreens/sched_1/scr_1". */
export function refsOf(
  table: SQLiteTable,
  { section, name }: { readonly section: string; readonly name: string },
): (row: Readonly<Record<string, unknown>>) => string {
  const keys = 'id' in getTableColumns(table) ? ['id'] : keyNamesOf(table)
  return (row) => `${section}.${name}/${keys.map((key) => String(row[key])).join('/')}`
}

/** Changes or deletes all rows of a workspace that match a condition. Returns how many. Only inside a `write`. */
export type Bulk = (workspace: Workspace, values: QueryValues) => number

/** Returns a function that records the current cause for the rows that match a condition, and then writes them. */
export function touching(
  table: SQLiteTable & { workspace: SQLiteColumn },
  snapshot: { readonly section: string; readonly name: string },
  where: SQL | undefined,
  run: Writer,
): Bulk {
  const columns = getTableColumns(table)
  const names = 'id' in columns ? ['id'] : keyNamesOf(table)
  const refOf = refsOf(table, snapshot)
  const matching = query((orm) =>
    orm
      .select(
        Object.fromEntries(names.flatMap((name) => (columns[name] ? [[name, columns[name]] as const] : []))),
      )
      .from(table as SQLiteTable)
      .where(and(ofWorkspace(table), where))
      .limit(MAX_TOUCHED),
  )
  return (workspace, values) => {
    if (causeIn(workspace) !== null) {
      for (const row of matching.all(workspace, values)) recordTouch(workspace, refOf(row))
    }
    return run(workspace.database, { workspace: workspace.rowScope, ...values })
  }
}
