/**
 * Mounts an interface on the server: its base path, its credential and its error bodies. This module does
 * everything that is the same for all interfaces.
 */
import type {
  FastifyError,
  FastifyInstance,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
} from 'fastify'
import { systemNow } from '../../state/model/clock.ts'
import { withWireNames, Refusal } from '../../state/model/refusal.ts'
import type { Caller } from '../../state/workspace/keys.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { databaseHealthOf } from '../../state/storage/database/databaseHealth.ts'
import type { Registry } from '../../state/workspace/registry.ts'
import { callerOf, identify } from './credentials.ts'
import type { Hook, LoadedInterface, MountedRoute, RouteSchemas } from '../definition/definition.ts'
import type { Dialect } from '../definition/dialect.ts'
import { keepConnection } from '../uploads/draining.ts'
import { applyFaults } from './faults.ts'
import { recordCalls, recordUnmatchedCalls } from './journal.ts'
import { scopesOf, type Operation } from '../definition/operation.ts'
import { JSON_TYPE, mustHoldFew, parseJson } from '../server/json.ts'
import { asRefusal, unreadable } from '../definition/refusals.ts'
import { nearestPath, type KnownPath } from '../server/nearestPath.ts'
import { pathOf } from '../definition/pathPatterns.ts'
import { redactedUrl } from './redaction.ts'
import type { FrameworkErrorHandler } from '../server/server.ts'
import { textOf } from '../server/utf8.ts'
import { waitInQueue, afterDueJobs } from '../server/dueJobs.ts'
import { validatorCompiler } from '../schemas/validation.ts'
import { sendErrorPage, mountPages } from '../webPages/webPages.ts'

/** Mounts an interface; returns its routes, which are complete when the app is ready. */
export function mount(
  app: FastifyInstance,
  definition: LoadedInterface,
  workspaces: Registry,
): MountedRoute[] {
  const routes: MountedRoute[] = []
  const plugin: FastifyPluginCallback = (scope, _options, done) => {
    applyDialect(scope, definition.dialect, () => routes)
    scope.addHook('onRoute', (route) => {
      const mounted = mountedRoute(definition, route)
      if (mounted) routes.push(mounted)
    })
    scope.addHook('preHandler', waitInQueue)
    if (definition.dialect.credential.kind !== 'open') {
      scope.addHook('onRequest', authenticate(definition, workspaces))
      const note = recordCalls(scope, definition, workspaces)
      applyFaults(scope, definition, (request, reply) => {
        note(request, reply, null, 0)
      })
    }
    if (definition.guard) scope.addHook('onRequest', definition.guard)
    if (definition.settling) scope.addHook('onRequest', definition.settling)
    if (definition.strictness) scope.addHook('preValidation', definition.strictness)
    for (const resource of definition.resources) void scope.register(resource)
    done()
  }
  if (definition.dialect.credential.kind === 'open')
    recordUnmatchedCalls(app, definition, workspaces.database)
  void app.register(plugin, { prefix: definition.basePath })
  mountPages(app, definition, workspaces)
  definition.extraRoutes?.(app)
  if (definition.fallbackPaths) answerFallbackPaths(app, definition.dialect, definition.fallbackPaths)
  return routes
}

/** Responds to requests outside all base paths with a list of them. */
function answerFallbackPaths(app: FastifyInstance, dialect: Dialect, basePaths: readonly string[]): void {
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url)
    const message = `Nothing is mounted at ${path}; the interfaces are at ${basePaths.join(', ')}. GET / shows more.`
    return answerNoSuchPath(dialect, new Refusal('no_such_path', message), request, reply)
  })
}

/** Adds the nearest path of the interface, or else of all interfaces and the control plane. */
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
  }
  sendRefusal(dialect, refusal, request, reply)
  return reply
}

function mountedRoute(definition: LoadedInterface, route: RouteOptions): MountedRoute | null {
  const operation = route.config?.operation
  if (!operation || route.method === 'HEAD') return null
  return {
    interface: definition.name,
    method: String(route.method),
    path: route.url.slice(definition.basePath.length).replace(/:(\w+)/g, '{$1}'),
    operation,
    schema: (route.schema ?? {}) as RouteSchemas,
  }
}

/** Sets up JSON parsing, validation and the dialect's errors for all routes of this scope. */
export function applyDialect(
  scope: FastifyInstance,
  dialect: Dialect,
  routes: () => readonly Pick<MountedRoute, 'method' | 'path'>[],
): void {
  scope.setValidatorCompiler(validatorCompiler)
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      const text = textOf(bytes as Buffer, 'The body')
      request.sentText = text
      mustHoldFew(text)
      done(null, parseJson(text))
    } catch (error) {
      done(error as Error)
    }
  })
  scope.addHook('onRequest', (request, _reply, done) => {
    done(unreadable(request))
  })
  scope.setErrorHandler((error: FastifyError | Refusal, request, reply) => {
    databaseHealthOf(scope.workspaces.database).report(error)
    keepConnection(request, reply)
    sendRefusal(dialect, asRefusal(error, request, dialect.misshapenBody), request, reply)
  })
  scope.setNotFoundHandler((request, reply) => {
    const basePath = scope.prefix
    const own = routes().map(({ path }) => ({ basePath, path }))
    const refusal = noSuchRoute(request, basePath, routes())
    const path = pathOf(request.url).slice(basePath.length)
    const known = dialect.absent?.find((call) => pathPattern(call.path).test(path))
    if (!known || refusal.reason !== 'no_such_path')
      return answerNoSuchPath(dialect, refusal, request, reply, own)
    const message = `There is no operation at ${redactedUrl(pathOf(request.url))}: ${known.instead}.`
    sendRefusal(dialect, new Refusal('no_such_path', message), request, reply)
    return reply
  })
}

/** Responds to requests that the framework could not parse, with a page or in the format of the interface. */
export const frameworkErrorHandler =
  ({
    dialect,
    pagesPath,
    framedPagesPath,
  }: Pick<LoadedInterface, 'dialect' | 'pagesPath' | 'framedPagesPath'>): FrameworkErrorHandler =>
  (error, request, reply) => {
    const refusal = asRefusal(error, request)
    const basePath = [pagesPath, framedPagesPath].find(
      (path) => path !== undefined && request.url.startsWith(path),
    )
    if (basePath !== undefined) {
      sendErrorPage(refusal, request, reply, basePath)
    } else {
      sendRefusal(dialect, refusal, request, reply)
    }
  }

/** Sends a refusal. */
export function sendRefusal(
  dialect: Dialect,
  thrown: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = withWireNames(thrown, dialect.nameOf)
  const { status, code } = dialect.refusals[refusal.reason]
  request.refused = { reason: refusal.reason, message: refusal.message }
  if (status >= 500) request.log.error({ req: request, err: refusal.cause ?? refusal }, refusal.message)
  if (refusal.info.headers) void reply.headers(refusal.info.headers)
  if (status === 401 && dialect.credential.kind === 'bearer') void reply.header('www-authenticate', 'Bearer')
  void reply
    .code(status)
    .type(JSON_TYPE)
    .send(
      JSON.stringify(
        dialect.body({
          reason: refusal.reason,
          status,
          code,
          message: refusal.message,
          details: refusal.info.details,
          facts: refusal.info.facts,
          usedBy: refusal.info.usedBy,
          at: timeOf(dialect, status, request),
        }),
      ),
    )
}

/** Returns the time of the caller's workspace; the machine's time if the caller is unknown. */
function timeOf(dialect: Dialect, status: number, request: FastifyRequest): number {
  const { workspace } = request as { workspace?: Workspace }
  if (workspace) return workspace.now()
  // After a 5xx, looking up the caller might fail again.
  const caller = status < 500 ? callerOf(dialect, request, request.server.workspaces) : undefined
  return caller?.workspace.now() ?? systemNow()
}

/** Returns a 405 with `Allow` if the path exists with another method, else a 404. */
function noSuchRoute(
  request: FastifyRequest,
  prefix: string,
  routes: readonly Pick<MountedRoute, 'method' | 'path'>[],
): Refusal {
  const path = request.url.slice(prefix.length).split('?')[0] ?? ''
  const allowed = routes
    .filter((route) => pathPattern(route.path).test(path))
    .map<string>((route) => route.method)
  // If the method is allowed, a parameter did not match, such as one with a line feed.
  if (allowed.length === 0 || allowed.includes(request.method)) {
    return new Refusal('no_such_path', `There is no operation at ${redactedUrl(pathOf(request.url))}.`)
  }
  const allow = [...new Set(allowed)].join(', ')
  return new Refusal('method_not_allowed', `${request.method} is not possible here; ${allow} is.`, {
    headers: { allow },
  })
}

const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}/?$`)

/**
 * Returns the hook that checks the credential, its expiry, interface, scope and module, and then runs due
 * jobs.
 */
function authenticate(definition: LoadedInterface, workspaces: Registry): Hook {
  return (request, reply, done) => {
    // Handlers return JSON text; others set their own type.
    reply.type(JSON_TYPE)
    const operation = request.routeOptions.config.operation
    if (operation?.open) {
      done()
      return
    }
    try {
      const caller = identify(definition, request, workspaces)
      if (operation) mustBeAllowed(caller, operation)
      request.caller = caller
      request.workspace = caller.workspace
      afterDueJobs(caller.workspace, done)
    } catch (error) {
      done(error as Error)
    }
  }
}

function mustBeAllowed(caller: Caller, operation: Operation): void {
  const { scopes, workspace } = caller
  if (scopes) {
    for (const scope of scopesOf(operation)) {
      if (!scopes.has(scope) && !(operation.orScope !== undefined && scopes.has(operation.orScope))) {
        throw new Refusal('forbidden', `The key lacks the permission ${scope}.`)
      }
    }
  }
  if (operation.module && !workspace.modules[operation.module]) {
    throw new Refusal('not_enabled', `The ${operation.module} module is not active in this workspace.`)
  }
  if (operation.plan && !workspace.plan[operation.plan]) {
    throw new Refusal('not_enabled', 'The plan of this workspace does not include access to the API.')
  }
}
