/** JSON text of records. */
import { sql } from 'drizzle-orm'
import type { Cells, Selection } from '../../state/storage/queries/readers.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'

export interface Rendering<Row> {
  /** The columns and expressions that a page reads of each record. */
  readonly select: Selection
  /** Returns the JSON text of a row. */
  one(workspace: Workspace, row: Row): string
  /** Returns the JSON texts of a page of selected cells, separated by commas. */
  join(workspace: Workspace, rows: readonly Cells[]): string
}

/** Returns a rendering of records that have more than their columns: `find` reads those of a page by their ids. */
export function viewRendering<Row>(
  find: (workspace: Workspace, ids: readonly string[]) => readonly Row[],
  viewsOf: (rows: readonly Row[], workspace: Workspace) => readonly object[],
): Rendering<Row> {
  const texts = (workspace: Workspace, rows: readonly Row[]): string =>
    viewsOf(rows, workspace)
      .map((view) => JSON.stringify(view))
      .join(',')
  return {
    select: [sql`id`],
    one: (workspace, row) => texts(workspace, [row]),
    join(workspace, rows) {
      const ids = rows.map(([id]) => String(id))
      return texts(workspace, find(workspace, ids))
    },
  }
}
