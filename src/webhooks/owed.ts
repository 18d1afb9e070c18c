/** Saying that something is owed, so that the queue need not look for it. */
import type { Database } from '../state/database.ts'
import type { Workspace } from '../state/workspaces.ts'

/**
 * Told of a delivery that has been written, perhaps not committed yet, and is due at `due` on its clock. `sequence`
 * names it when it is new; null says that there may be several.
 */
export type Listener = (workspace: Workspace, origin: string, due: number, sequence: number | null) => void

/** Told when what a workspace owes may have changed in other ways, so that what was read of it is to be read anew. */
export type StaleListener = (workspace: Workspace) => void

const listeners = new WeakMap<Database, Listener>()

export function onOwed(database: Database, listener: Listener): void {
  listeners.set(database, listener)
}

export const sayOwed: Listener = (workspace, ...owed) => {
  listeners.get(workspace.database)?.(workspace, ...owed)
}

const staleListeners = new WeakMap<Database, StaleListener>()

export function onStale(database: Database, listener: StaleListener): void {
  staleListeners.set(database, listener)
}

export const sayStale: StaleListener = (workspace) => {
  staleListeners.get(workspace.database)?.(workspace)
}
