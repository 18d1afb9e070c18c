/** Records as JSON text, for those that are shown by a view and not by their columns alone (`fields.ts`). */
import type { Head } from '../state/listing.ts'
import type { Workspace } from '../state/workspace.ts'

export interface Rendering<Row> {
  /** The JSON text of one record. */
  one(workspace: Workspace, row: Row): string
  /** The JSON texts of a page, separated by commas. */
  many(workspace: Workspace, heads: readonly Head[]): string
}

/** As much of a row as tells which record it is. */
export type Rendered = Pick<Head, 'id'>

/** Renders rows with `view`. */
export function rendering<Row extends Rendered>(
  view: (row: Row, workspace: Workspace) => object,
  { findAt }: { readonly findAt: (workspace: Workspace, places: readonly number[]) => Row[] },
): Rendering<Row> {
  const one = (workspace: Workspace, row: Row): string => JSON.stringify(view(row, workspace))
  return {
    one,
    many(workspace, heads) {
      const rows = findAt(
        workspace,
        heads.map((head) => head.place),
      )
      const texts = new Map(rows.map((row) => [row.id, one(workspace, row)]))
      return heads.map((head) => texts.get(head.id) ?? 'null').join(',')
    },
  }
}
