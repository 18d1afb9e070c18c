/** One listener (`suite-sim listen`): its subscriptions, its connection, and its attempts in flight. */
import type { ListenerDelivery } from '@suite-sim/kit/webhooks/listening'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { OnEnd, Outgoing } from '../sending/index.ts'
import type { AttemptResult } from '@suite-sim/kit/webhooks/attempts'
import type { Subscriber } from '../subscriptions/subscriber.ts'
import { originOf } from '../targets/urls.ts'
import { listenerUrl, subscriptionId } from '../targets/listenerUrls.ts'

/** Where a listener sends deliveries. */
export interface ListenerRoute {
  /** The local URL; null if the listener only prints. */
  readonly url: string | null
  /** The event names by interface; null means all. */
  readonly events: ReadonlyMap<InterfaceName, ReadonlySet<string> | null>
}

export interface ListenerRequest {
  /** Chosen by the listener, which connects again with the same one. */
  readonly session: string
  readonly secret: string
  readonly routes: readonly ListenerRoute[]
}

/** The open connection of a listener. */
export interface ListenerConnection {
  send(delivery: ListenerDelivery): void
  /** Called when the server ends the connection. */
  close(reason: string): void
}

/** A subscription of a listener. */
export interface OwnSubscription {
  readonly id: string
  readonly interface: string
}

interface Exchange {
  readonly startedAt: number
  readonly ended: OnEnd
  readonly timer: NodeJS.Timeout
}

/** Ms that a result may take longer than the timeout that the listener applies. */
const RESULT_MARGIN_MS = 5000

export class Session {
  readonly id: string
  readonly workspace: Workspace
  readonly secret: string
  /** On the workspace's clock. */
  readonly createdAt: number
  readonly subscribers: ReadonlyMap<string, readonly Subscriber[]>
  readonly subscriptions: readonly OwnSubscription[]
  /** The URL of each subscription. */
  readonly urls: ReadonlyMap<string, string>
  connection: ListenerConnection | null = null
  /** Ends the session if the listener does not connect again. */
  expiry: NodeJS.Timeout | undefined
  readonly #routes: readonly string[]
  readonly #inFlight = new Map<number, Exchange>()
  #last = 0

  constructor(workspace: Workspace, { session, secret, routes }: ListenerRequest) {
    this.id = session
    this.workspace = workspace
    this.secret = secret
    this.createdAt = workspace.now()
    const subscribers = new Map<string, Subscriber[]>()
    const urls = new Map<string, string>()
    this.#routes = routes.map(({ url }) => listenerUrl(session, url ?? 'print'))
    for (const [index, { events: byInterface }] of routes.entries()) {
      const url = this.#routes[index] ?? ''
      for (const [of, events] of byInterface) {
        const subscriber = { id: subscriptionId(session, index, of), url, origin: originOf(url), events }
        subscribers.set(of, [...(subscribers.get(of) ?? []), subscriber])
        urls.set(subscriber.id, subscriber.url)
      }
    }
    this.subscribers = subscribers
    this.subscriptions = [...subscribers].flatMap(([of, all]) => all.map(({ id }) => ({ id, interface: of })))
    this.urls = urls
  }

  /** Writes an attempt to the connection. It ends with the result, the end of the connection, or late. */
  send({ url, headers, body }: Outgoing, timeoutMs: number, ended: OnEnd): void {
    const { connection } = this
    const route = this.#routes.indexOf(url)
    if (!connection || route < 0) {
      setImmediate(ended, NOT_CONNECTED)
      return
    }
    const number = ++this.#last
    const timer = setTimeout(() => {
      this.#end(number, null, 'the listener reported no result in time')
    }, timeoutMs + RESULT_MARGIN_MS)
    this.#inFlight.set(number, { startedAt: monotonicNow(), ended, timer })
    connection.send({ number, route, headers, body })
  }

  /** Ends the attempt with the result of the listener. Ignores one that has already ended. */
  reported(number: number, result: AttemptResult): void {
    this.#end(number, result, '')
  }

  /** Ends all attempts in flight as failed. */
  endAll(error: string): void {
    for (const number of [...this.#inFlight.keys()]) this.#end(number, null, error)
  }

  #end(number: number, result: AttemptResult | null, error: string): void {
    const exchange = this.#inFlight.get(number)
    if (!exchange) return
    this.#inFlight.delete(number)
    clearTimeout(exchange.timer)
    const durationMs = Math.round(monotonicNow() - exchange.startedAt)
    exchange.ended(result ?? { status: null, error, durationMs })
  }
}

export const NOT_CONNECTED: AttemptResult = {
  status: null,
  error: 'the listener is not connected',
  durationMs: 0,
}
