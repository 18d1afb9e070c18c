/** What the control plane needs to know of the rest; filled by `app.ts`. */
import type { Machine } from '../state/machine.ts'
import type { Records } from '../state/records.ts'
import type { Workspace } from '../state/workspace.ts'
import type { Workspaces } from '../state/workspaces.ts'
import type { Webhooks } from '../webhooks/queue.ts'
import type { Fixture } from './fixtures.ts'
import type { ControlCall } from '../http/controlCall.ts'
import type { Hook, Published } from '../http/definition.ts'
import type { Dialect } from '../http/dialect.ts'
import { afterDueJobs } from '../http/dueJobs.ts'
import type { Trigger } from '../http/trigger.ts'

/** The published documents; `origin` is where this server is reached, "http://127.0.0.1:4012". */
export interface Documents {
  /** The document of one interface, or of the control plane; null when no interface has this name. */
  one(name: string, origin: string): Promise<object | null>
  whole(origin: string): Promise<object>
}

/** As much of an interface as the control plane knows of it. */
export interface Interface {
  readonly name: string
  readonly title: string
  /** "/pay/v1" */
  readonly basePath: string
  readonly pagesPath?: string
  readonly framedPagesPath?: string
  readonly cablePath?: string
  /** What it has the control plane answer. */
  calls?(): Promise<readonly ControlCall[]>
  /** What is evaluated when it is first asked for. */
  wire(): Promise<{
    readonly dialect: Pick<Dialect, 'nameOf'>
    readonly events?: readonly { readonly name: string }[]
    readonly triggers?: readonly Trigger[]
  }>
}

/** As much of the webhooks as the control plane steers. */
export type DeliveryQueue = Pick<
  Webhooks,
  | 'earliestDue'
  | 'nextAttempts'
  | 'sendDue'
  | 'late'
  | 'countDue'
  | 'redeliver'
  | 'list'
  | 'subscriptions'
  | 'stuckForMs'
  | 'refuseDue'
>

export interface ControlContext {
  readonly workspaces: Workspaces
  readonly records: Records
  readonly webhooks: DeliveryQueue
  readonly machines: readonly Machine[]
  /** All interfaces, in the order of their list. */
  readonly interfaces: readonly Interface[]
  readonly documents: Documents
  /** An interface with its routes; put together where nobody asked for it yet. */
  readonly published: (name: string) => Promise<Published>
  /** The same of all of them, in their order. */
  readonly allPublished: () => Promise<readonly Published[]>
  /** A fixture that comes with the program; read when it is first asked for. */
  readonly ownFixture: (name: 'small' | 'demo') => Promise<Fixture>
  /** The fixture that this server starts with; null for none. */
  readonly startFixture: () => Fixture | null
  /** What shows the documentation, as a script for browsers. */
  readonly docsScript: () => Promise<Buffer>
  /** A file that browsers are shown the dashboard by. */
  readonly dashboardFile: (name: string) => Promise<Buffer>
  readonly version: string
  /** When the server started, by `monotonicNow`. */
  readonly startedAt: number
  /** Where the server is reached, when that is not where it listens. */
  readonly publicUrl: string | null
  /** What every call but health must show; null leaves the control plane to this machine. May be made up late. */
  readonly adminToken: () => string | null
}

/** The workspace of a path, or a refusal. Everything that has fallen due in it is done (`settling`). */
export const workspaceOf = ({ workspaces }: ControlContext, { id }: { readonly id: string }): Workspace =>
  workspaces.get(id)

/** Calls that put an end to what a workspace is like wait for nothing that falls due in it. */
const PUTS_AN_END: readonly (string | undefined)[] = ['resetWorkspace', 'deleteWorkspace']

/** Says which workspace a call names, and has it wait until everything is done that has fallen due there. */
export const settling =
  ({ workspaces }: Pick<ControlContext, 'workspaces'>): Hook =>
  (request, _reply, done) => {
    const { id } = request.params as { readonly id?: string }
    const workspace = id === undefined ? undefined : workspaces.find(id)
    if (!workspace || PUTS_AN_END.includes(request.routeOptions.config.operation?.id)) {
      done()
      return
    }
    request.workspace = workspace
    try {
      afterDueJobs(workspace, done)
    } catch (error) {
      done(error as Error)
    }
  }
