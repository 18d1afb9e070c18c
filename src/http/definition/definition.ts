/** The definition of an interface, for mounting, publishing and tests. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Fidelity } from '../../state/model/fidelity.ts'
import type { Dialect } from './dialect.ts'
import type { Operation } from './operation.ts'

export type Resource = FastifyPluginAsyncTypebox

/** An event that subscriptions of an interface can name. */
export interface PublishedEvent {
  /** "sale.completed" */
  readonly name: string
  readonly title: string
  /** The shape of `data` in a delivery; assumed parts have `x-fidelity`. */
  readonly payload: TSchema
  /** Whether the specification documents this event. */
  readonly fidelity: Fidelity
}

/** Checks a request first; an error that it throws or passes to `done` becomes a refusal. */
export type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

/** The pages of an interface. */
export interface PageSet {
  /** Routes relative to the workspace: "/:link_id". `request.workspace` is set. */
  readonly resources: readonly Resource[]
  /** The script of the pages, served as `script.js` next to them. */
  readonly script?: string
  /** Styles in addition to the common style. */
  readonly style?: string
  /** Additions to the common content policy: "connect-src 'self'". */
  readonly allows?: readonly string[]
  /** Whether the pages take payments, so that they say that no money moves. */
  readonly takesPayments?: true
  /** Whether other sites may frame the pages; `frameOnlyBy` says which. */
  readonly framed?: true
  /** Returns the workspace id of an address that does not start with it; null if it names none. */
  readonly workspaceIn?: (params: Readonly<Record<string, string>>) => string | null
}

/** Pages with their base path: each address starts with `basePath` and the id of the workspace. */
export interface WebPages extends PageSet {
  /** "/pay/links" */
  readonly basePath: string
  /** "/forms/embed": the base path of the same pages for framing by other sites. */
  readonly framedPath?: string
}

/** An address outside the operations: a WebSocket, or a page for people. */
export interface PublishedAddress {
  /** "/chat/cable" */
  readonly path: string
  readonly summary: string
  readonly fidelity: Fidelity
  /** The protocol of the address. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** An interface of the suite, ready to be mounted. */
export interface InterfaceDefinition {
  /** "catalog": the name in the control plane. */
  readonly name: string
  readonly title: string
  /** Its section of the specification: `part 1, "CRM"`. */
  readonly specification?: string
  readonly description: string
  /** "/workspace/public/v1" */
  readonly basePath: string
  readonly dialect: Dialect
  /** Its resources, in the order of the specification's table. */
  readonly resources: readonly Resource[]
  /** The events that it sends to webhooks; none by default. */
  readonly events?: readonly PublishedEvent[]
  /** Addresses that are no operations. */
  readonly addresses?: readonly PublishedAddress[]
  /** The name of the event time in its deliveries; createdAt by default. */
  readonly eventTime?: string
  /** HTML pages. */
  readonly pages?: WebPages
  /** All base paths; set for the part that also answers all unknown addresses. */
  readonly fallbackPaths?: readonly string[]
  /** Adds routes outside every base path; for the part with `fallbackPaths`. */
  readonly extraRoutes?: (app: FastifyInstance) => void
  /** Runs first; for interfaces with an open credential that do not allow every caller. */
  readonly guard?: Hook
  /** Runs before validation; refuses what the schemas would only drop. */
  readonly strictness?: Hook
  /** Runs after the guard, if the workspace does not follow from the credential. */
  readonly settling?: Hook
}

/** A route for the documents and the contract test. */
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

/** An interface and its routes, from which a document is built. */
export interface Published {
  readonly definition: InterfaceDefinition
  readonly routes: readonly MountedRoute[]
}
