/** JSON text of records that a view function serializes, instead of their columns (`fields.ts`). */
import type { Head } from '../../state/storage/queries/listing.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'

export interface Rendering<Row> {
  /** Returns the JSON text of one record. */
  one(workspace: Workspace, row: Row): string
  /** Returns the JSON texts of a page, separated by commas. */
  many(workspace: Workspace, heads: readonly Head[]): string
}

/** The part of a row that identifies its record. */
export type Rendered = Pick<Head, 'id'>

/** Returns a rendering that serializes the views of rows, which it makes for a whole page at once. */
export function rendering<Row extends Rendered>(
  viewsOf: (rows: readonly Row[], workspace: Workspace) => readonly object[],
  { ofPage }: { readonly ofPage: (workspace: Workspace, heads: readonly Head[]) => readonly Row[] },
): Rendering<Row> {
  const texts = (workspace: Workspace, rows: readonly Row[]): string =>
    viewsOf(rows, workspace)
      .map((view) => JSON.stringify(view))
      .join(',')
  return {
    one: (workspace, row) => texts(workspace, [row]),
    many: (workspace, heads) => texts(workspace, ofPage(workspace, heads)),
  }
}
