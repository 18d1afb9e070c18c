/** The dependencies of the control plane. `app.ts` provides them. */
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Machine } from '../../state/model/machine.ts'
import type { Records } from '../../state/storage/records/records.ts'
import type { Registry } from '../../state/workspace/registry.ts'
import type { Build } from '@suite-sim/kit/version'
import type { Webhooks } from '../../webhooks/queue.ts'
import type { Snapshot } from '../snapshots/snapshot.ts'
import type { RequestDurations } from '../../http/server/logging/requestDurations.ts'
import type { Extension, Hook, InterfaceDefinition, Published } from '../../http/definition/definition.ts'

/** The OpenAPI documents. `origin` is the base URL of this server, such as "http://127.0.0.1:4012". */
export interface Documents {
  /** Returns the document of one interface or of the control plane; null if no interface has this name. */
  one(name: string, origin: string): Promise<object | null>
  whole(origin: string): Promise<object>
}

/** The part of the webhook queue that the control plane uses. */
export type DeliveryQueue = Pick<
  Webhooks,
  | 'earliestDue'
  | 'nextAttempts'
  | 'sendDue'
  | 'late'
  | 'countDue'
  | 'countDead'
  | 'redeliver'
  | 'redeliverAll'
  | 'listeners'
  | 'outbox'
  | 'list'
  | 'subscriptions'
  | 'stuckForMs'
  | 'refuseDue'
>

export interface ControlContext {
  readonly workspaces: Registry
  readonly records: Records
  readonly webhooks: DeliveryQueue
  readonly machines: readonly Machine[]
  /** All interfaces, in the order in which they are registered. */
  readonly interfaces: readonly InterfaceDefinition[]
  readonly documents: Documents
  /** Returns an interface with its routes. Loads the interface on first use. */
  readonly published: (name: string) => Promise<Published>
  /** Returns all interfaces with their routes, in the order of `interfaces`. */
  readonly allPublished: () => Promise<readonly Published[]>
  /** Sends a call to an interface or to the control plane ("control"), as a client does. */
  readonly send: (name: string, call: InjectOptions) => Promise<LightMyRequestResponse>
  /** Returns a built-in fixture. Reads its files on first use. */
  readonly ownFixture: (name: 'small' | 'demo') => Promise<Snapshot>
  /** Returns the fixture that this server starts with, or null. */
  readonly startFixture: () => Snapshot | null
  /** Returns a browser file of the program that renders the documentation (Swagger UI). */
  readonly docsFile: (name: string) => Promise<Buffer>
  /** Returns a built file of the dashboard. */
  readonly dashboardFile: (name: string) => Promise<Buffer>
  /** Returns a file of the guide by its path, or null if the guide has no such file or is not built. */
  readonly guideFile: (path: string) => Promise<Buffer | null>
  /** Builds the guide; null if this program can't. */
  readonly buildGuide: (() => Promise<void>) | null
  readonly extension: Extension
  /** The durations of all requests, for the metrics. */
  readonly durations: RequestDurations
  readonly build: Build
  /** Returns whether the server starts, runs or stops. */
  readonly phase: () => 'starting' | 'running' | 'stopping'
  /** When the server started, by `monotonicNow`. */
  readonly startedAt: number
  /** The public URL of the server, if it differs from the address on which the server listens. */
  readonly publicUrl: string | null
  /** Returns true if other machines can reach the server, directly or through its public URL. */
  readonly isShared: () => boolean
  /** Runs a reset of the whole server, and then the files of --init. */
  readonly duringReset: (reset: () => Promise<void>) => Promise<void>
  /** Returns the admin token; null restricts the control plane to this machine. May generate the token on first use. */
  readonly adminToken: () => string | null
  /** Who may read the metrics besides the callers with the admin token. */
  readonly metrics: { readonly token: string | null; readonly arePublic: boolean }
  /** Returns true if POST /_sim/reset is allowed. */
  readonly allowsReset: () => boolean
}

/** Operations that discard the state of a workspace, so they do not wait for its due jobs. */
const DISCARDING: readonly (string | undefined)[] = ['resetWorkspace', 'deleteWorkspace']

/**
 * Sets `request.workspace` from the path, so that due jobs of that workspace run before the handler. Operations that
 * discard its state get none.
 */
export const findWorkspace =
  ({ workspaces }: Pick<ControlContext, 'workspaces'>): Hook =>
  (request, _reply, done) => {
    const { id } = request.params as { readonly id?: string }
    const workspace = id === undefined ? undefined : workspaces.find(id)
    if (workspace && !DISCARDING.includes(request.routeOptions.config.operation?.id)) {
      request.workspace = workspace
    }
    done()
  }
