/** What a request waits for before it reads or changes its workspace: due jobs, and a check of its size. */
import type { FastifyRequest, onRequestHookHandler, preHandlerHookHandler } from 'fastify'
import { Refusal } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { enqueue } from './requestQueue.ts'

/** Calls back when all due jobs of the workspace have run: synchronously, unless there are very many. */
export function afterDueJobs(workspace: Workspace, done: (error?: Error) => void): void {
  const due = workspace.runDueJobs()
  if (due === null) done()
  else
    due.then(() => {
      done()
    }, done)
}

/** Runs the due jobs of the workspace that an earlier step has found. */
export const runDueJobs: onRequestHookHandler = (request, _reply, done) => {
  const { workspace } = request as { workspace?: Workspace }
  if (!workspace) done()
  else afterDueJobs(workspace, done)
}

const DELETED = 'The workspace was deleted while the call waited or its body arrived.'

/** A failed commit only replaces the handles of all workspaces. */
const isDeleted = ({ isRegistered, id, tenantId }: Workspace, { server }: FastifyRequest): boolean =>
  !isRegistered && server.workspaces.find(id)?.tenantId !== tenantId

/**
 * Waits in the request queue until no long work is in progress in the workspace, because some may have
 * started while the body arrived. Requests that waited for the same work resume together, so each queues
 * again. Refuses a request whose workspace was deleted in the meantime: it would write what no call can read.
 */
export const waitInQueue: preHandlerHookHandler = (request, _reply, done) => {
  const { workspace } = request as { workspace?: Workspace }
  const { socket } = request.raw
  const continueRequest = (): void => {
    if (workspace && isDeleted(workspace, request)) done(new Refusal('credential_unknown', DELETED))
    else if (workspace?.longWork.isRunning !== true) done()
    else
      afterDueJobs(workspace, (error) => {
        if (error) done(error)
        else enqueue(socket, continueRequest)
      })
  }
  enqueue(socket, continueRequest)
}

/** Calls back when the workspace of the request has room for its body, or with a refusal. */
export function mustHaveRoom(request: FastifyRequest, done: (error?: Error) => void): void {
  const { workspace } = request as { workspace?: Workspace }
  const checking = workspace?.quota.check(Number(request.headers['content-length'] ?? 0)) ?? null
  if (checking === null) done()
  else
    checking.then(() => {
      done()
    }, done)
}
