/** Responds to requests for paths that no route has: names the nearest path, or the allowed methods. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { systemNow } from '@suite-sim/kit/time/machineClock'
import { Refusal } from '../../state/model/refusal.ts'
import type { LoadedInterface, MountedRoute } from '../definition/definition.ts'
import type { AbsentCall, Dialect } from '../definition/dialect.ts'
import { pathOf } from '../definition/pathPatterns.ts'
import { nearestPath, type KnownPath } from '../definition/nearestPath.ts'
import { JSON_TYPE } from '../server/json.ts'
import { redactedUrl } from '@suite-sim/kit/calls/redaction'
import { sendRefusal } from './sendRefusal.ts'

type Route = Pick<MountedRoute, 'method' | 'path'>

/** Returns the handler of requests below a base path that has these routes. */
export const unknownPathHandler =
  (basePath: string, dialect: Dialect, routes: readonly Route[]) =>
  (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const own = routes.map(({ path }) => ({ basePath, path }))
    const absent = absentCallRefusal(dialect.absent ?? [], basePath, request.url)
    if (!absent) {
      return answerNoSuchPath(dialect, noSuchRoute(request, basePath, routes), request, reply, own)
    }
    sendRefusal(dialect, absent, request, reply)
    return reply
  }

/** Returns the refusal of a call that the interface is known not to have; undefined for other URLs. */
export function absentCallRefusal(
  calls: readonly AbsentCall[],
  basePath: string,
  url: string,
): Refusal | undefined {
  const path = pathOf(url)
  const known = calls.find((call) => pathPattern(call.path).test(path.slice(basePath.length)))
  return (
    known && new Refusal('no_such_path', `There is no operation at ${redactedUrl(path)}: ${known.instead}.`)
  )
}

/** Returns the handler of requests outside all base paths; its message lists them. */
export const fallbackHandler =
  ({
    dialect,
    basePath,
    fallbackPaths = [basePath],
    cablePaths = [],
  }: Pick<LoadedInterface, 'dialect' | 'basePath' | 'fallbackPaths' | 'cablePaths'>) =>
  (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const path = pathOf(request.url)
    if (cablePaths.includes(path)) return requireUpgrade(dialect, request, reply)
    const message = `Nothing is mounted at ${redactedUrl(path)}; the interfaces are at ${fallbackPaths.join(', ')}. GET / shows more.`
    return answerNoSuchPath(dialect, new Refusal('no_such_path', message), request, reply)
  }

/** Responds to a plain request at the address of a WebSocket (RFC 9110, 15.5.22). */
function requireUpgrade(dialect: Dialect, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = pathOf(request.url)
  const message = `${path} is a WebSocket; send GET with the headers Connection: Upgrade and Upgrade: websocket, as WebSocket clients do.`
  request.refused = { reason: 'no_such_path', message }
  const refusal = { reason: 'no_such_path', status: 426, code: 'upgrade_required', message } as const
  return reply
    .code(refusal.status)
    .headers({ upgrade: 'websocket', connection: 'upgrade' })
    .type(JSON_TYPE)
    .send(JSON.stringify(dialect.body({ ...refusal, details: undefined, facts: undefined, at: systemNow() })))
}

/** Adds the nearest path of the interface, or else of all interfaces and the control plane, or else what the interface has. */
async function answerNoSuchPath(
  dialect: Dialect,
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
  own?: KnownPath[],
): Promise<FastifyReply> {
  if (refusal.reason === 'no_such_path') {
    const path = pathOf(request.url)
    const nearest = (own && nearestPath(path, own)) ?? nearestPath(path, await request.server.everyPath())
    if (nearest !== null) refusal.message += ` Did you mean ${nearest}?`
    else if (own) refusal.message += ` ${rootsOf(own)}`
  }
  sendRefusal(dialect, refusal, request, reply)
  return reply
}

/** Lists the paths of an interface, without those below others. */
function rootsOf(own: readonly KnownPath[]): string {
  const paths = [...new Set(own.map(({ path }) => path.replace(/\/\{\w+\}$/, '')))].sort()
  const roots = paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)))
  return `Below ${own[0]?.basePath ?? ''} there are ${roots.join(', ')}.`
}

/** Returns a 405 with `Allow` if the path exists with another method, else a 404. */
function noSuchRoute(request: FastifyRequest, prefix: string, routes: readonly Route[]): Refusal {
  const path = request.url.slice(prefix.length).split('?')[0] ?? ''
  const allowed = routes
    .filter((route) => pathPattern(route.path).test(path))
    .map<string>((route) => route.method)
  // If the method is allowed, a parameter did not match, such as one with a line feed.
  if (allowed.length === 0 || allowed.includes(request.method)) {
    return new Refusal('no_such_path', `There is no operation at ${redactedUrl(pathOf(request.url))}.`)
  }
  const methods = [...new Set(allowed)]
  const possible = `${LIST.format(methods)} ${methods.length === 1 ? 'is' : 'are'}`
  return new Refusal('method_not_allowed', `${request.method} is not possible here; ${possible}.`, {
    headers: { allow: methods.join(', ') },
  })
}

/** "GET", "GET and PATCH", "GET, PUT, and DELETE" */
const LIST = new Intl.ListFormat('en-US', { type: 'conjunction' })

const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}/?$`)
