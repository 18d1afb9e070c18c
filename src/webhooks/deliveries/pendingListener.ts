/** The listener for new pending deliveries, so that the queue need not poll. */
import type { Workspace } from '../../state/workspace/workspace.ts'

export interface PendingListener {
  /**
   * Called after a delivery was written, perhaps not yet committed, that is due at `due` on the workspace's clock.
   * `sequence` is its number; null if there may be several.
   */
  pending(workspace: Workspace, origin: string, due: number, sequence: number | null): void
  /** Called when pending deliveries of a workspace may have changed in other ways and must be read again. */
  stale(workspace: Workspace): void
}
