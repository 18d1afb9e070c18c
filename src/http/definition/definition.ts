/** The definition of an interface: the one type that is mounted, published and tested. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify'
import type { Fidelity } from '../../state/model/fidelity.ts'
import type { Machine } from '../../state/model/machine.ts'
import type { ChosenReadings, Reading, ReadingCondition } from '../../state/model/reading.ts'
import type { WorkspaceTable } from '../../state/storage/records/baseline.ts'
import type { RecordSet } from '../../state/storage/records/records.ts'
import type { Text } from '../../state/text/languages.ts'
import type { EventRenderer, Follower, RetrySchedule } from '../../state/workspace/events.ts'
import type { AppendedEvent, Workspace } from '../../state/workspace/workspace.ts'
import type { Channels } from '../cable/channel.ts'
import type { Dialect } from './dialect.ts'
import type { Operation } from './operation.ts'
import type { Trigger } from './trigger.ts'

export type Resource = FastifyPluginAsyncTypebox

/** An event that subscriptions of an interface can name. */
export interface PublishedEvent {
  /** "sale.completed" */
  readonly name: string
  readonly title: string
  /** The shape of `data` in a delivery; assumed parts have `x-fidelity`. */
  readonly payload: TSchema
  /** The shape of the whole body under the `otherBody` of the interface. */
  readonly otherBody?: TSchema
  /** The readings that decide about its data. */
  readonly readings?: readonly Reading[]
  /** Whether the specification documents this event. */
  readonly fidelity: Fidelity
}

/** A body of deliveries without the envelope, under a reading. */
export interface OtherBody {
  readonly when: ReadingCondition
  /** Returns the body. Called in the transaction of the event, so that each attempt sends the same bytes. */
  readonly render: (event: AppendedEvent, workspace: Workspace) => object
}

/** Checks a request first; an error that it throws or passes to `done` becomes a refusal. */
export type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

/** The pages of an interface. */
export interface PageSet {
  /** Routes relative to the workspace: "/:link_id". `request.workspace` is set. */
  readonly resources: readonly Resource[]
  /** The script of the pages, served as `script.js` next to them. */
  readonly script?: Text
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

/** An address outside the operations: a WebSocket, or a page for people. */
export interface PublishedAddress {
  /** "/chat/cable" */
  readonly path: string
  readonly summary: string
  readonly fidelity: Fidelity
  /** The protocol of the address. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Rewrites a request that clients send in another form than the specification. */
export type RequestRewriter = (
  method: string,
  url: string,
) => { readonly method: string; readonly url: string }

/**
 * A call of the control plane that belongs to one interface: a query of its state that is no operation of the
 * specification. Its code is with the interface; the control plane publishes and serves it.
 */
interface CallDefinition<Params extends TObject, Answer extends TSchema> {
  /** "getScreenNow" */
  readonly id: string
  readonly summary: string
  readonly description?: string
  /** Below the workspace, the interface first: "/signage/screens/:screen_id/now". */
  readonly path: string
  readonly params: Params
  readonly answer: Answer
  /** Returns the response of a GET; changes nothing. */
  run(workspace: Workspace, params: Static<Params>): Static<Answer>
}

/** A call in the registry, without the types of its parameters and its response. */
export type ControlCall = CallDefinition<TObject, TSchema>

/** Creates a call. The types of `run` come from the schemas. */
export const controlCall = <Params extends TObject, Answer extends TSchema>(
  definition: CallDefinition<Params, Answer>,
): ControlCall => definition

/**
 * An interface of the suite, the control plane or the file server. `app.ts` mounts it; the control plane, the documents
 * and the tests read everything about it from here.
 */
export interface InterfaceDefinition {
  /** "catalog": the name in the control plane. */
  readonly name: string
  readonly title: string
  /** Its section of the specification: `part 1, "CRM"`. */
  readonly specification?: string
  readonly description: string
  /** "/workspace/public/v1" */
  readonly basePath: string
  /** The path of its pages for people, if it has any: "/pay/links". An address continues with the workspace. */
  readonly pagesPath?: string
  /** The path of the same pages for other sites to embed: "/forms/embed". */
  readonly framedPagesPath?: string
  /** The path of its real-time events, if it has any: "/chat/cable". */
  readonly cablePath?: string
  /** The paths of its routes that take WebSockets, if it has any. */
  readonly webSocketPath?: RegExp
  /** How to parse requests that clients of similar products send in another form (assumed). */
  readonly parsing?: RequestRewriter
  readonly machines: readonly Machine[]
  /** Its tables in snapshots, parents before children. fixtures/demo/<name>.json fills them. */
  readonly records: readonly RecordSet[]
  /** Its history tables. A reset empties them, and no snapshot contains them. */
  readonly traces?: readonly WorkspaceTable[]
  /**
   * Renders its events with the views of its responses. Runs whenever an event happens, also before the first
   * request to the interface.
   */
  readonly renderEvent: EventRenderer
  /** Functions that react to events, in the transaction that appends them. */
  readonly followers?: readonly Follower[]
  /** Why the body of its deliveries is assumed; the specification shows the others. */
  readonly assumedDelivery?: string
  /** The name of the event time in its deliveries; createdAt by default. */
  readonly eventTime?: string
  /** The body of its deliveries under a reading, instead of the envelope with the event time. */
  readonly otherBody?: OtherBody
  /** When its deliveries are retried; the default schedule of all interfaces by default. */
  readonly schedule?: RetrySchedule
  /** Its own calls on the control plane, in addition to those of all interfaces. */
  calls?(): Promise<readonly ControlCall[]>
  /** Loads everything that only requests need. Runs at the first request, so that the start evaluates none of it. */
  load(): Promise<Wire>
}

/** Changes what a server answers, such as to what was observed on the real service. */
export interface Extension {
  /** The readings of workspaces that choose none. */
  readonly readings: ChosenReadings
  /** Returns the definition that is mounted in place of this one; its `prepare` sees each route and each response. */
  readonly extend: (definition: InterfaceDefinition) => InterfaceDefinition
  /** Returns the follower that turns events into deliveries, in place of the outbox. */
  readonly outbox: (outbox: Follower) => Follower
  /** Its calls on the control plane. */
  readonly calls: Resource
  /** What a start shows of it. */
  readonly summary?: string
}

/** How an interface speaks: what `load` of its definition returns. */
export interface Wire {
  readonly dialect: Dialect
  /** Its resources, in the order of the specification's table. */
  readonly resources: readonly Resource[]
  /** The events that it sends to webhooks; none by default. */
  readonly events?: readonly PublishedEvent[]
  /** Actions of users, devices and the tax authority outside the interface. */
  readonly triggers?: readonly Trigger[]
  /** The pages below `pagesPath`. */
  readonly pages?: PageSet
  /** The channels that clients can subscribe to at `cablePath`. */
  readonly channels?: Channels
  /** Addresses that are no operations. */
  readonly addresses?: readonly PublishedAddress[]
  /** All base paths; set for the part that also answers all unknown addresses. */
  readonly fallbackPaths?: readonly string[]
  /** The addresses of WebSockets outside the base paths; for the part with `fallbackPaths`. */
  readonly cablePaths?: readonly string[]
  /** Adds routes outside every base path, or hooks that run before all others: `onRoute` sees each route. */
  readonly prepare?: (server: FastifyInstance) => void
  /** Runs first; for interfaces with an open credential that do not allow every caller. */
  readonly guard?: Hook
  /** Runs before validation; refuses what the schemas would only drop. */
  readonly strictness?: Hook
  /** Gives a call its turn in a recording, if it changes its workspace; of the control plane only. */
  readonly turns?: preValidationHookHandler
  /** Sets the workspace of a request, if it does not follow from the credential. */
  readonly findWorkspace?: Hook
}

export type LoadedInterface = InterfaceDefinition & Wire

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
  readonly definition: LoadedInterface
  readonly routes: readonly MountedRoute[]
}
