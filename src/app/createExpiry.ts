/** Creates the deletion of workspaces by their ttl. */
import { auditExpiry } from '../control/access/audit.ts'
import { removeWorkspace } from '../control/workspaces/removal.ts'
import type { State } from '../control/snapshots/snapshot.ts'
import { databaseHealthOf } from '../state/storage/database/databaseHealth.ts'
import { Expiry } from '../state/limits/expiry.ts'
import type { AppOptions } from './options.ts'

export const createExpiry = (
  { logger = false }: Pick<AppOptions, 'logger'>,
  state: State,
  logFailure: (error: unknown, message: string) => void,
): Expiry =>
  new Expiry(
    state.workspaces,
    (workspace) => {
      removeWorkspace(state, workspace)
      auditExpiry(logger, workspace)
    },
    (error) => {
      databaseHealthOf(state.workspaces.database).report(error)
      logFailure(error, 'could not delete a workspace whose ttl is over')
    },
  )
