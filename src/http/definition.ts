/** What an interface is to those who mount, publish and test it. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Fidelity } from '../state/fidelity.ts'
import type { Dialect } from './dialect.ts'
import type { Operation } from './operation.ts'

export type Resource = FastifyPluginAsyncTypebox

/** An event that subscriptions of an interface may name. */
export interface PublishedEvent {
  /** "sale.completed" */
  readonly name: string
  readonly title: string
  /** The shape of `data` in a delivery; what of it is assumed says so in `x-fidelity`. */
  readonly payload: TSchema
  /** How true it is that the interface sends this event. */
  readonly fidelity: Fidelity
}

/** Looks at a request first; what it throws or hands to `done` is answered as a refusal. */
export type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

/** The pages of an interface. */
export interface PageSet {
  /** Routes relative to the workspace: "/:link_id". `request.workspace` is set. */
  readonly resources: readonly Resource[]
  /** The page's own script, where it has one; served as `script.js` beside the pages. */
  readonly script?: string
  /** What of their looks is not like that of all pages. */
  readonly style?: string
  /** What the script and the pages may load beside what all pages may: "connect-src 'self'". */
  readonly allows?: readonly string[]
  /** Whether people pay on them, so that they say that no money moves. */
  readonly takesPayments?: true
  /** Whether pages of others may frame them; `frameOnlyBy` says which. */
  readonly framed?: true
  /** The id of the workspace that an address names, where it does not begin with it; null where it names none. */
  readonly workspaceIn?: (params: Readonly<Record<string, string>>) => string | null
}

/** Those, and where they are: each address begins with `basePath` and the id of the workspace. */
export interface WebPages extends PageSet {
  /** "/pay/links" */
  readonly basePath: string
  /** "/forms/embed": where the same pages are once more, for pages of others to frame them. */
  readonly framedPath?: string
}

/** An address outside the operations: a WebSocket, or a page for people. */
export interface PublishedAddress {
  /** "/chat/cable" */
  readonly path: string
  readonly summary: string
  readonly fidelity: Fidelity
  /** How a client speaks there. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** An interface of the suite, ready to be mounted. */
export interface InterfaceDefinition {
  /** "catalog": how the control plane calls it. */
  readonly name: string
  readonly title: string
  /** Where it is specified: `part 1, "CRM"`. */
  readonly specification?: string
  readonly description: string
  /** "/workspace/public/v1" */
  readonly basePath: string
  readonly dialect: Dialect
  /** Its resources, in the order of the specification's table. */
  readonly resources: readonly Resource[]
  /** The events it sends to webhooks; none when left out. */
  readonly events?: readonly PublishedEvent[]
  /** Addresses that are no operations. */
  readonly addresses?: readonly PublishedAddress[]
  /** What its deliveries call the time of an event; createdAt unless it says otherwise. */
  readonly eventTime?: string
  /** Pages for people, where it has any. */
  readonly pages?: WebPages
  /** The base paths of what is mounted, where it answers for all addresses that nobody has. */
  readonly fallbackPaths?: readonly string[]
  /** Puts what is below no base path on the server of an interface that answers `elsewhere`. */
  readonly extraRoutes?: (app: FastifyInstance) => void
  /** Asked before anything else looks at a request, where the credential is open but not everybody is let in. */
  readonly guard?: Hook
  /** Asked before a request is validated; refuses what its schemas would only drop. */
  readonly strictness?: Hook
  /** Asked of who was let in, where it is not the credential that says which workspace is meant. */
  readonly settling?: Hook
}

/** A route as the documents and the contract test see it. */
export interface MountedRoute {
  readonly interface: string
  readonly method: string
  /** Relative to the base path, parameters in braces: "/products/{id}". */
  readonly path: string
  readonly operation: Operation
  readonly schema: RouteSchemas
}

export interface RouteSchemas {
  readonly body?: object
  readonly querystring?: object
  readonly params?: object
}

/** An interface and its routes: what a document is made from. */
export interface Published {
  readonly definition: InterfaceDefinition
  readonly routes: readonly MountedRoute[]
}
