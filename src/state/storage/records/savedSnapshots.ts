/** Named snapshots on the server, for each workspace. Resets do not change them. */
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { timelineOf } from '../../timeline/timelines.ts'
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

/** How the current records relate to a snapshot, in its head. */
interface Descent {
  /** The row scope of the records that follow from the snapshot by single changes. */
  readonly sourceScope?: number
  /** The number of the last entry of their timeline when it was saved or restored. */
  readonly lastEntry?: number
  /** The row scopes of the snapshots from which this one follows by single changes. */
  readonly ancestors?: readonly number[]
}

const descentOf = ({ head }: SavedSnapshot): Descent => head

/** Stores a snapshot. Only inside a `write`, like the functions below. */
export function insertSaved(workspace: Workspace, saved: Omit<SavedSnapshot, 'workspace'>): void {
  const descent: Descent = {
    sourceScope: workspace.rowScope,
    lastEntry: timelineOf(workspace).last,
    ancestors: listSaved(workspace).flatMap((each) => (isDescendant(workspace, each) ? [each.scope] : [])),
  }
  workspace.database.orm
    .insert(savedSnapshots)
    .values({ ...saved, head: { ...saved.head, ...descent }, workspace: workspace.tenantId })
    .run()
}

/** True if the current records follow from the snapshot by single changes: no others replaced them since. */
export const isDescendant = ({ rowScope }: Workspace, saved: SavedSnapshot): boolean =>
  descentOf(saved).sourceScope === rowScope

/** Returns the number of the last entry of the current timeline before the changes since a snapshot; 0 for none. */
export const lastEntryOf = (workspace: Workspace, saved: SavedSnapshot): number =>
  isDescendant(workspace, saved) ? (descentOf(saved).lastEntry ?? 0) : 0

/** Records that a copy of a snapshot replaces the records, in a row scope with a new timeline. */
export function continueFrom(workspace: Workspace, saved: SavedSnapshot, scope: number): void {
  const { ancestors = [] } = descentOf(saved)
  workspace.database.orm
    .update(savedSnapshots)
    .set({ head: sql`json_set(${savedSnapshots.head}, '$.sourceScope', ${scope}, '$.lastEntry', 0)` })
    .where(and(ofWorkspace(workspace), inArray(savedSnapshots.scope, [saved.scope, ...ancestors])))
    .run()
}

/** Records that a reset in place has replaced records, so that they follow from no snapshot. */
export function forgetDescent(workspace: Workspace): void {
  workspace.database.orm
    .update(savedSnapshots)
    .set({ head: sql`json_remove(${savedSnapshots.head}, '$.sourceScope')` })
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
