/** Handlers of reads with the cache before them, without a server. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { withCache } from '../../src/http/lists/responseCache.ts'
import { JSON_TYPE } from '../../src/http/server/json.ts'
import type { Caller } from '../../src/state/workspace/keys.ts'
import type { Workspace } from '../../src/state/workspace/workspace.ts'

const callers = new WeakMap<Workspace, Caller>()

/** Returns the same caller for the same workspace object. */
export function callerIn(workspace: Workspace): Caller {
  const [user = { id: 'user', name: '', email: '', createdAt: 0 }] = workspace.users()
  const known = callers.get(workspace)
  const caller = known ?? { key: 'key', workspace, user, scopes: null, interfaces: null, expiresAt: null }
  callers.set(workspace, caller)
  return caller
}

/** Returns what a caller gets at a URL, where `make` answers if nothing is kept. */
export const askCached = (caller: Caller, url: string, make: () => string, type = JSON_TYPE): string => {
  const request = { caller, url } as FastifyRequest
  const reply = { getHeader: () => type } as unknown as FastifyReply
  return withCache(make).call({} as never, request, reply) as string
}
