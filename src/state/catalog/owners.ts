/** Checks the owners of products and activities. */
import { refuseProperty } from '../model/refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Throws unless the owner is null or a user of the workspace. */
export function mustBeUser(workspace: Workspace, ownerId: string | null): void {
  if (ownerId !== null && !workspace.user(ownerId)) {
    refuseProperty('ownerId', 'unknown', '{ownerId} must be a user of this workspace')
  }
}
