/** The names of deleted media and playlists, which analytics still show for their playbacks (assumed). */
import { and, eq, sql } from 'drizzle-orm'
import { isAmong, ofWorkspace, query } from '../storage/queries/query.ts'
import { parts } from '../storage/records/record.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { deletedNames as table } from './tables.ts'

export const deletedNames = parts(table, {
  snapshot: { section: 'signage', name: 'deletedNames', isInternal: true },
})

const removeName = deletedNames.removeAll(eq(table.id, sql.placeholder('id')))

/** Stores the name of a record that is being deleted. Call only inside a `write`. */
export function saveDeletedName(workspace: Workspace, { id, name }: { id: string; name: string }): void {
  // A record that was restored with the same id can be deleted again.
  removeName(workspace, { id })
  deletedNames.insert(workspace, { id, name })
}

const byIds = query((orm) =>
  orm
    .select({ id: table.id, name: table.name })
    .from(table)
    .where(and(ofWorkspace(table), isAmong(table.id))),
)

/** Returns the names of those records that were deleted. */
export const namesOfDeleted = (workspace: Workspace, ids: readonly string[]) =>
  byIds.all(workspace, { ids: JSON.stringify(ids) })
