/** Nobody looks at a workspace in which something has fallen due and is not done, or is half done. */
import type { preHandlerHookHandler } from 'fastify'
import type { Workspace } from '../state/workspace.ts'
import { enqueue } from './requestQueue.ts'

/** Calls back when all that has fallen due in the workspace is done: at once, but for very much. */
export function afterDueJobs(workspace: Workspace, done: (error?: Error) => void): void {
  const due = workspace.runDueJobs()
  if (due === null) done()
  else
    due.then(() => {
      done()
    }, done)
}

/**
 * Lets a request go on when its turn has come and nothing in its workspace is half done, for long work may have begun
 * there while its body was on its way or it stood in line. Those who wait for one work wake together: each lines up again.
 */
export const waitInQueue: preHandlerHookHandler = (request, _reply, done) => {
  const { workspace } = request as { workspace?: Workspace }
  const { socket } = request.raw
  const goOn = (): void => {
    if (workspace?.isBusy !== true) done()
    else
      afterDueJobs(workspace, (error) => {
        if (error) done(error)
        else enqueue(socket, goOn)
      })
  }
  enqueue(socket, goOn)
}
