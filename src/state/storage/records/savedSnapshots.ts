/** Named snapshots on the server, for each workspace. Resets do not change them. */
import { and, asc, eq, sql } from 'drizzle-orm'
import { recordings, savedSnapshots } from '../tables.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export type SavedSnapshot = typeof savedSnapshots.$inferSelect

const ofWorkspace = ({ tenantId }: Workspace) => eq(savedSnapshots.workspace, tenantId)

const named = (workspace: Workspace, name: string) =>
  and(ofWorkspace(workspace), eq(savedSnapshots.name, name))

/** Returns the snapshots in the order of creation. */
export const listSaved = (workspace: Workspace): SavedSnapshot[] =>
  workspace.database.orm
    .select()
    .from(savedSnapshots)
    .where(ofWorkspace(workspace))
    .orderBy(asc(savedSnapshots.createdAt), asc(sql`rowid`))
    .all()

export const findSaved = (workspace: Workspace, name: string): SavedSnapshot | undefined =>
  workspace.database.orm.select().from(savedSnapshots).where(named(workspace, name)).get()

/** The field of a head with the row scope that the snapshot was copied from. */
const SOURCE = 'sourceScope'

/** Stores a snapshot. Only inside a `write`, like the functions below. */
export function insertSaved(workspace: Workspace, saved: Omit<SavedSnapshot, 'workspace'>): void {
  const head = { ...saved.head, [SOURCE]: workspace.rowScope }
  workspace.database.orm
    .insert(savedSnapshots)
    .values({ ...saved, head, workspace: workspace.tenantId })
    .run()
}

/** True if the current records follow from the snapshot by single changes: they were not replaced since. */
export const isDescendant = ({ rowScope }: Workspace, { head }: SavedSnapshot): boolean =>
  head[SOURCE] === rowScope

/** Records that a reset in place has replaced records, so that they follow from no snapshot. */
export function forgetDescent(workspace: Workspace): void {
  workspace.database.orm
    .update(savedSnapshots)
    .set({ head: sql`json_remove(${savedSnapshots.head}, ${`$.${SOURCE}`})` })
    .where(ofWorkspace(workspace))
    .run()
}

export function removeSaved(workspace: Workspace, name: string): void {
  workspace.database.orm.delete(savedSnapshots).where(named(workspace, name)).run()
}

/** Deletes all snapshots and recordings of a workspace. `discard` gets the row scope of each. */
export function removeAllSaved(workspace: Workspace, discard: (scope: number) => void): void {
  for (const { scope } of listSaved(workspace)) discard(scope)
  const { orm } = workspace.database
  orm.delete(savedSnapshots).where(ofWorkspace(workspace)).run()
  const recorded = eq(recordings.workspace, workspace.tenantId)
  for (const { scope } of orm.select({ scope: recordings.scope }).from(recordings).where(recorded).all()) {
    discard(scope)
  }
  orm.delete(recordings).where(recorded).run()
}
