/** Refuses calls that add data to a workspace that has reached its limit of bytes. */
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Dialect } from '../definition/dialect.ts'
import { addsData } from '../definition/operation.ts'

/** Checks the quota before the body is read. */
export const checkQuota =
  (dialect: Dialect): onRequestHookHandler =>
  (request, _reply, done) => {
    const { operation } = request.routeOptions.config
    const adds = operation && addsData({ operation, method: request.method }, dialect)
    if (adds === true) mustHaveRoom(request, done)
    else done()
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
