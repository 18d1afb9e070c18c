/**
 * The listeners (`suite-sim listen`), which receive deliveries over a connection that they opened. Their subscriptions
 * are in memory only, so interfaces, snapshots and limits do not have them, and a restart leaves none behind. A listener
 * that has lost its connection keeps its pending deliveries for a while, also over a restart of the server.
 */
import type { Workspace } from '../../state/workspace/workspace.ts'
import { CUT_OFF, type OnEnd, type Outgoing, type Transport } from '../sending/index.ts'
import type { Subscriber } from '../subscriptions/subscriber.ts'
import type { Subscription } from '../subscriptions/subscriptions.ts'
import { isListenerUrl, sessionOf } from '../targets/listenerUrls.ts'
import {
  NOT_CONNECTED,
  Session,
  type ListenerConnection,
  type ListenerRequest,
  type OwnSubscription,
} from './session.ts'

/** Ms in which a listener that has lost its connection can connect again. */
export const LISTENER_GRACE_MS = 60_000

/** The limit for one workspace, because each event creates deliveries to all in one transaction. */
export const MAX_LISTENERS = 20

export interface ListenersOptions {
  /** The timeout of one attempt in ms, which the listener applies. */
  readonly timeoutMs: number
  readonly graceMs?: number
  /** Called when deliveries to a listener can be sent, or its subscriptions have changed. */
  readonly changed: (workspace: Workspace) => void
  /** Called when a listener has ended: cancels the pending deliveries of its subscriptions. */
  readonly ended: (workspace: Workspace, subscriptions: readonly OwnSubscription[]) => void
  /** Called when listeners of an earlier process can no longer connect again. */
  readonly graceOver: () => void
}

/** The end of a listener's connection. `isFinal` if it will not connect again. */
export type Disconnect = (isFinal: boolean) => void

export interface Connected {
  readonly session: Session
  readonly disconnect: Disconnect
}

/** A subscription without its secret. */
export type SubscriptionFacts = Omit<Subscription, 'workspace' | 'secret'>

const NONE: readonly Subscriber[] = []

export class Listeners implements Transport {
  readonly timeoutMs: number
  readonly #options: ListenersOptions
  readonly #sessions = new Map<string, Session>()
  /** False while listeners of an earlier process may still connect again. */
  #isGraceOver = false
  #graceTimer: NodeJS.Timeout | undefined

  constructor(options: ListenersOptions) {
    this.timeoutMs = options.timeoutMs
    this.#options = options
  }

  /** Starts the time in which listeners of an earlier process can connect again. */
  start(): void {
    this.#graceTimer ??= setTimeout(() => {
      this.#isGraceOver = true
      this.#options.graceOver()
    }, this.#graceMs).unref()
  }

  get #graceMs(): number {
    return this.#options.graceMs ?? LISTENER_GRACE_MS
  }

  /** Counts the connected listeners of a workspace, without the one of this session. */
  countOthers(workspace: Workspace, session: string): number {
    return this.#of(workspace).filter(({ id, connection }) => id !== session && connection !== null).length
  }

  /** Checks whether a session belongs to another workspace. */
  isTaken(workspace: Workspace, session: string): boolean {
    const known = this.#sessions.get(session)
    return known !== undefined && known.workspace !== workspace
  }

  /** Connects a listener; one with the same session is replaced, and its pending deliveries go to the new one. */
  connect(workspace: Workspace, request: ListenerRequest, connection: ListenerConnection): Connected {
    const session = new Session(workspace, request)
    const before = this.#sessions.get(session.id)
    if (before) {
      this.#lose(before, 'the listener connected again')
      clearTimeout(before.expiry)
      const dropped = before.subscriptions.filter(({ id }) => !session.urls.has(id))
      if (dropped.length > 0) this.#options.ended(workspace, dropped)
    }
    session.connection = connection
    this.#sessions.set(session.id, session)
    const all = this.#of(workspace)
    // One that has lost its connection keeps no place that a connected one needs.
    const lost = all.length > MAX_LISTENERS ? all.find((each) => each.connection === null) : undefined
    if (lost) {
      clearTimeout(lost.expiry)
      this.#end(lost)
    }
    this.#options.changed(workspace)
    const disconnect: Disconnect = (isFinal) => {
      // The connection was replaced, or the server has ended it.
      if (session.connection !== connection) return
      session.connection = null
      if (isFinal) this.#end(session)
      else {
        session.expiry = setTimeout(() => {
          this.#end(session)
        }, this.#graceMs).unref()
      }
      session.endAll('the listener disconnected')
    }
    return { session, disconnect }
  }

  /** Returns the subscriptions of the listeners of a workspace to an interface. */
  subscribers(workspace: Workspace, of: string): readonly Subscriber[] {
    if (this.#sessions.size === 0) return NONE
    return this.#of(workspace).flatMap(({ subscribers }) => subscribers.get(of) ?? NONE)
  }

  /** Returns the subscriptions of all listeners of a workspace, newest first, in the form of stored ones. */
  list(workspace: Workspace): SubscriptionFacts[] {
    return this.#of(workspace)
      .reverse()
      .flatMap(({ subscribers, createdAt }) =>
        [...subscribers].flatMap(([of, list]) =>
          list.map(({ id, url, events }) => ({
            id,
            interface: of,
            url,
            events: events ? [...events] : ['*'],
            active: true,
            createdAt,
            updatedAt: createdAt,
          })),
        ),
      )
  }

  /** Returns the signing secret of a subscription; null if its listener has ended. */
  secretOf(workspace: Workspace, subscription: string): string | null {
    return this.#ownerOf(workspace, subscription)?.secret ?? null
  }

  /** Returns the URL of a subscription; null if its listener has ended. */
  urlOf(workspace: Workspace, subscription: string): string | null {
    return this.#ownerOf(workspace, subscription)?.urls.get(subscription) ?? null
  }

  /** False for the origin of a listener that is not connected and may connect again. */
  canSendTo(origin: string): boolean {
    if (!isListenerUrl(origin)) return true
    const session = this.#sessions.get(sessionOf(origin))
    return session ? session.connection !== null : this.#isGraceOver
  }

  send(outgoing: Outgoing, ended: OnEnd): void {
    const session = this.#sessions.get(sessionOf(outgoing.url))
    if (session) session.send(outgoing, this.timeoutMs, ended)
    else setImmediate(ended, NOT_CONNECTED)
  }

  /** Must be called when a workspace may have been deleted: ends its listeners. */
  changed(workspace: Workspace): void {
    if (workspace.isRegistered || this.#sessions.size === 0) return
    for (const session of this.#of(workspace)) {
      clearTimeout(session.expiry)
      this.#sessions.delete(session.id)
      this.#lose(session, 'the workspace was deleted')
    }
  }

  /** Ends the attempts in flight as failed. */
  cutOff(): void {
    for (const session of this.#sessions.values()) session.endAll(CUT_OFF)
  }

  /** Closes all connections; the listeners connect again when the server runs again. */
  close(): void {
    clearTimeout(this.#graceTimer)
    for (const session of this.#sessions.values()) {
      clearTimeout(session.expiry)
      this.#lose(session, 'the server stops')
    }
    this.#sessions.clear()
  }

  #of(workspace: Workspace): Session[] {
    return [...this.#sessions.values()].filter((session) => session.workspace === workspace)
  }

  #ownerOf(workspace: Workspace, subscription: string): Session | undefined {
    return this.#of(workspace).find(({ urls }) => urls.has(subscription))
  }

  #lose(session: Session, reason: string): void {
    const { connection } = session
    session.connection = null
    session.endAll('the listener disconnected')
    connection?.close(reason)
  }

  #end(session: Session): void {
    clearTimeout(session.expiry)
    if (this.#sessions.get(session.id) !== session) return
    this.#sessions.delete(session.id)
    if (session.workspace.isRegistered) this.#options.ended(session.workspace, session.subscriptions)
  }
}
