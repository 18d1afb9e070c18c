/** Who is told that something is owed, so that the queue need not look for it. */
import type { Workspace } from '../state/workspace.ts'

export interface PendingListener {
  /**
   * Told of a delivery that has been written, perhaps not committed yet, and is due at `due` on its clock. `sequence`
   * names it when it is new; null says that there may be several.
   */
  pending(workspace: Workspace, origin: string, due: number, sequence: number | null): void
  /** Told when what a workspace owes may have changed in other ways, so that what was read of it is to be read anew. */
  stale(workspace: Workspace): void
}
