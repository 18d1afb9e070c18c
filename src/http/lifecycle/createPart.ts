/**
 * Builds a part of the server: the routes of an interface, or of the control plane, on their own Fastify
 * instance.
 */
import type { FastifyInstance } from 'fastify'
import type { Registry } from '../../state/workspace/registry.ts'
import type { InterfaceDefinition, LoadedInterface } from '../definition/definition.ts'
import { frameworkErrorHandler, mount } from './mount.ts'
import type { KnownPath } from '../server/nearestPath.ts'
import type { OpenedPart } from '../server/parts.ts'
import { limitRates } from './rateLimits.ts'
import { holdResponsesUntilCommitted, type ServerFactory } from '../server/server.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** All workspaces, for every caller. */
    readonly workspaces: Registry
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
  /** Decorates the server with the objects that routes use. */
  readonly equip: (server: FastifyInstance) => void
}

/** Loads the interface; returns a server that is not ready yet, because the part waits for that. */
export async function createPart(
  definition: InterfaceDefinition,
  { makeServer, workspaces, rateLimits, equip }: PartOptions,
): Promise<OpenedPart> {
  const loaded: LoadedInterface = { ...definition, ...(await definition.load()) }
  const server: FastifyInstance = makeServer(frameworkErrorHandler(loaded))
  server.addHook('onRequest', (_request, reply, done) => {
    void reply.header('x-content-type-options', 'nosniff')
    done()
  })
  holdResponsesUntilCommitted(server, workspaces.database)
  server.decorate('workspaces', workspaces)
  equip(server)
  if (rateLimits) limitRates(server, workspaces)
  return { server, definition: loaded, routes: mount(server, loaded, workspaces) }
}
