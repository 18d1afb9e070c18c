/**
 * Builds a part of the server: the routes of an interface, or of the control plane, on their own Fastify
 * instance.
 */
import type { FastifyInstance, FastifyPluginCallback, RouteOptions } from 'fastify'
import type { Registry } from '../../state/workspace/registry.ts'
import type {
  InterfaceDefinition,
  LoadedInterface,
  MountedRoute,
  RouteSchemas,
} from '../definition/definition.ts'
import type { KnownPath } from '../definition/nearestPath.ts'
import type { OpenedPart } from '../server/parts.ts'
import type { ServerFactory } from '../server/server.ts'
import { mountPages } from '../webPages/webPages.ts'
import { injectPageFault } from './faults.ts'
import { addCallSteps, addFallback, addServerSteps, cutCall } from './lifecycle.ts'
import { DocumentedRequests, pathOf } from '../schemas/documentedRequests.ts'
import { frameworkErrorHandler } from './sendRefusal.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** All workspaces, for every caller. */
    readonly workspaces: Registry
    /** What the specification shows of the requests of this interface. */
    readonly documentedRequests: DocumentedRequests
    /** The paths of all interfaces and of the control plane. */
    readonly everyPath: () => Promise<readonly KnownPath[]>
  }
}

export interface PartOptions {
  readonly makeServer: ServerFactory
  readonly workspaces: Registry
  /** Whether the rate limits of the operations apply. */
  readonly rateLimits: boolean
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies?: readonly string[]
  /** Returns the list of documented facts of an interface as JSON; null if it has none. */
  readonly documented: (name: string) => string | null
  /** Decorates the server with the objects that routes use. */
  readonly equip: (server: FastifyInstance) => void
}

/** Loads the interface; returns a server that is not ready yet, because the part waits for that. */
export async function createPart(
  definition: InterfaceDefinition,
  { makeServer, workspaces, rateLimits, documented, equip }: PartOptions,
): Promise<OpenedPart> {
  const loaded: LoadedInterface = { ...definition, ...(await definition.load()) }
  const server: FastifyInstance = makeServer(frameworkErrorHandler(loaded))
  server.decorate('workspaces', workspaces)
  server.decorate(
    'documentedRequests',
    new DocumentedRequests(loaded.basePath, () => documented(loaded.name)),
  )
  equip(server)
  addFallback(server, loaded)
  // Before the steps, because the rate limits read the routes that its hooks have changed.
  loaded.prepare?.(server)
  addServerSteps(server, loaded, { workspaces, rateLimits })
  return { server, definition: loaded, routes: mount(server, loaded, workspaces) }
}

/** Mounts an interface, its pages and other addresses; returns its routes, which are complete when the server is ready. */
function mount(server: FastifyInstance, definition: LoadedInterface, workspaces: Registry): MountedRoute[] {
  const routes: MountedRoute[] = []
  const plugin: FastifyPluginCallback = (scope, _options, done) => {
    scope.addHook('onRoute', (route) => {
      const mounted = mountedRoute(definition, route)
      if (mounted) routes.push(mounted)
    })
    addCallSteps(scope, definition, workspaces, routes)
    for (const resource of definition.resources) void scope.register(resource)
    done()
  }
  void server.register(plugin, { prefix: definition.basePath })
  mountPages(server, definition, workspaces, injectPageFault(definition, cutCall(definition, workspaces)))
  return routes
}

function mountedRoute(definition: LoadedInterface, route: RouteOptions): MountedRoute | null {
  const operation = route.config?.operation
  if (!operation || route.method === 'HEAD') return null
  return {
    interface: definition.name,
    method: String(route.method),
    path: pathOf(route.url, definition.basePath),
    operation,
    schema: (route.schema ?? {}) as RouteSchemas,
  }
}
