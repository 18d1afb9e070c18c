/** Who products and activities belong to. */
import { refuseProperty } from '../refusal.ts'
import type { Workspace } from '../workspace.ts'

/** An owner is nobody or a user of the same workspace. */
export function mustBeUser(workspace: Workspace, ownerId: string | null): void {
  if (ownerId !== null && !workspace.user(ownerId)) {
    refuseProperty('ownerId', 'unknown', '{ownerId} must be a user of this workspace')
  }
}
