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

/** Returns a rendering that serializes rows with `view`. */
export function rendering<Row extends Rendered>(
  view: (row: Row, workspace: Workspace) => object,
  { ofPage }: { readonly ofPage: (workspace: Workspace, heads: readonly Head[]) => readonly Row[] },
): Rendering<Row> {
  const one = (workspace: Workspace, row: Row): string => JSON.stringify(view(row, workspace))
  const many = (workspace: Workspace, heads: readonly Head[]): string =>
    ofPage(workspace, heads)
      .map((row) => one(workspace, row))
      .join(',')
  return { one, many }
}
