/** Saying that something is owed, so that the queue need not look for it. */
import type { Database } from '../state/database.ts'
import type { Workspace } from '../state/workspaces.ts'

/** Told of a delivery that has been written, perhaps not committed yet, and is due at `due` on its clock. */
export type Listener = (workspace: Workspace, origin: string, due: number) => void

const listeners = new WeakMap<Database, Listener>()

export function onOwed(database: Database, listener: Listener): void {
  listeners.set(database, listener)
}

export function sayOwed(workspace: Workspace, origin: string, due: number): void {
  listeners.get(workspace.database)?.(workspace, origin, due)
}
