/** What can be subscribed to over a cable: see `server.ts`. */
import type { Workspace } from '../../state/workspace.ts'
import type { Workspaces } from '../../state/workspaces.ts'

/** What a client sent of itself: the parameters of a subscription, or the data of an action. */
export type Sent = Readonly<Record<string, unknown>>

/** A subscription that was let in. */
export interface Subscription {
  readonly workspace: Workspace
  /** The streams that it hears: see `broadcast` of state/streams.ts. */
  readonly streams: readonly string[]
  /** What the client may have done by their names; others do nothing, as does one that throws a refusal. */
  readonly actions?: Readonly<Record<string, (data: Sent) => void>>
}

/**
 * Lets a client in that sends these parameters, or answers null. It changes nothing, and is asked again before anything
 * is told to who was let in: soon answered, then, and with null once the client is to hear no more.
 */
export type Channel = (params: Sent, workspaces: Workspaces) => Subscription | null

/** "RoomChannel" and its like. */
export type Channels = Readonly<Record<string, Channel>>
