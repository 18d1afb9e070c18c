/** Deletes workspaces. Apart from the calls, because a ttl deletes some, too. */
import { removeFaults } from '../../state/faults/faults.ts'
import { notify, TOPICS } from '../../state/timeline/longPoll.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { State } from '../snapshots/snapshot.ts'

/** Deletes a workspace with all its data, and ends its waits. Its clock moves end because it is no longer registered. */
export function removeWorkspace({ workspaces: registry, records }: State, workspace: Workspace): void {
  workspace.write(() => {
    records.remove(workspace)
    registry.remove(workspace)
  })
  records.scopes(registry.database).sweep()
  endWaits(workspace)
}

/** Ends the waits of a workspace that was deleted, and lets the calls that its faults hold go on to be refused. */
export function endWaits(workspace: Workspace): void {
  removeFaults(workspace)
  for (const topic of TOPICS) notify(workspace, topic)
}
