/** The names of media and playlists that are deleted: what was played of them keeps telling what it was (assumed). */
import { and, eq, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../query.ts'
import { parts } from '../record.ts'
import { text } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import { deletedNames as table } from './tables.ts'

export const deletedNames = parts(table, {
  snapshot: { section: 'signage', name: 'deletedNames', shapes: () => ({ name: text(200) }) },
})

const forget = deletedNames.removeAll(eq(table.id, sql.placeholder('id')))

/** Only inside a `write`. */
export function keepName(workspace: Workspace, { id, name }: { id: string; name: string }): void {
  // A record that was put back under the same id may be deleted once more.
  forget(workspace, { id })
  deletedNames.insert(workspace, { id, name })
}

const named = query((orm) =>
  orm
    .select({ id: table.id, name: table.name })
    .from(table)
    .where(
      and(ofWorkspace(table), sql`${table.id} in (select value from json_each(${sql.placeholder('ids')}))`),
    ),
)

/** How those of the ids that are deleted were called. */
export const namesOfDeleted = (workspace: Workspace, ids: readonly string[]) =>
  named.all(workspace, { ids: JSON.stringify(ids) })
