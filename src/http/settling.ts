/** Nobody looks at a workspace in which something has fallen due and is not done, or is half done. */
import type { preHandlerHookHandler } from 'fastify'
import type { Workspace } from '../state/workspace.ts'

/** Calls back when all that has fallen due in the workspace is done: at once, but for very much. */
export function whenSettled(workspace: Workspace, done: (error?: Error) => void): void {
  const due = workspace.runDueJobs()
  if (due === null) done()
  else
    due.then(() => {
      done()
    }, done)
}

/** Long work may have begun in the workspace while the body of the request was on its way. */
export const stillSettled: preHandlerHookHandler = (request, _reply, done) => {
  const { workspace } = request as { workspace?: Workspace }
  if (workspace?.isBusy === true) whenSettled(workspace, done)
  else done()
}
