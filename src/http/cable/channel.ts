/** The channels of a cable: see `server.ts`. */
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Registry } from '../../state/workspace/registry.ts'

/** Data from a client: the parameters of a subscription, or the data of an action. */
export type Sent = Readonly<Record<string, unknown>>

/** An accepted subscription. */
export interface Subscription {
  readonly workspace: Workspace
  /** The streams that it receives: see `broadcast` of state/streams.ts. */
  readonly streams: readonly string[]
  /** The message that is sent when the records of the workspace were replaced, as by a reset; none by default. */
  readonly replaced?: object
  /** Actions by name. Unknown actions, and those that throw a refusal, do nothing. */
  readonly actions?: Readonly<Record<string, (data: Sent) => void>>
}

/**
 * Accepts a client with these parameters, or returns null. It changes nothing and must be fast, because it
 * runs again before each message: null ends the subscription.
 */
export type Channel = (params: Sent, workspaces: Registry) => Subscription | null

/** Channels by name: "RoomChannel". */
export type Channels = Readonly<Record<string, Channel>>
