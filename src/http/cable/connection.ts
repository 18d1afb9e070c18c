/** One client of a cable, and its subscriptions. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Socket } from 'node:net'
import { WebSocket, type RawData } from 'ws'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import type { Hit } from '../../state/faults/faults.ts'
import { Refusal } from '../../state/model/refusal.ts'
import { listen, REPLACED, type Listener } from '../../state/timeline/streams.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Registry } from '../../state/workspace/registry.ts'
import { afterDueJobs } from '../server/dueJobs.ts'
import type { Channels, Sent, Subscription } from './channel.ts'
import type { CableWatch, CallFacts } from './watch.ts'

/** Maximum characters of an identifier (channel and parameters). Each message to the client repeats it. */
const LONGEST_IDENTIFIER = 2000

/** Maximum number of subscriptions of one client; more are rejected. */
const MAX_SUBSCRIPTIONS = 100

export interface ConnectionLimits {
  /** Maximum bytes that wait for a client; with more, it is disconnected. */
  readonly maxBuffered: number
  /** Maximum number of beats without progress while data wait for the client. */
  readonly patience: number
  /** Maximum ms without a subscription. */
  readonly subscribeMs: number
  /** Ms that a client has to read the last message. */
  readonly goodbyeMs: number
}

interface ConnectionOptions {
  readonly channels: Channels
  readonly workspaces: Registry
  readonly limits: ConnectionLimits
  /** Gets each error that is no refusal. */
  readonly failed: (error: unknown) => void
  readonly watch: CableWatch | undefined
  /** The handshake, and the workspace that it named. Its faults were already applied. */
  readonly request: IncomingMessage
  readonly named: Workspace | undefined
  /** Counts the client for a workspace; false if the workspace has reached its limit. */
  readonly joins: (workspace: Workspace) => boolean
}

/** The reason of a rejected subscription in the request journal. */
type Rejection = readonly [reason: 'invalid' | 'credential_unknown' | 'rate_limited', message: string]

const NO_CHANNEL: Rejection = ['invalid', 'identifier must be JSON text with a channel of this cable.']
const TOO_MANY_SUBSCRIPTIONS: Rejection = [
  'rate_limited',
  `A client must have at most ${String(MAX_SUBSCRIPTIONS)} subscriptions.`,
]
const NOT_AUTHORIZED: Rejection = [
  'credential_unknown',
  'pubsub_token must be a valid key of the account, or the token of a page of its widget.',
]
const WORKSPACE_LIMIT: Rejection = ['rate_limited', 'The workspace has reached its limit of cable clients.']

/** Offset from a fault's status to the close code: codes from 4000 are for applications. */
const FAULT_CODES = 4000

/** Sent to clients without a subscription. */
const IDLE = '{"type":"disconnect","reason":"no_subscription","reconnect":false}'

/** Sent to clients that have lost access; ActionCable clients do not reconnect. */
const UNAUTHORIZED = '{"type":"disconnect","reason":"unauthorized","reconnect":false}'

interface Subscribed extends Subscription {
  readonly end: () => void
  /** Checks whether the client would still be accepted: its access may have been revoked or have expired. */
  readonly holds: () => boolean
}

export class Connection {
  readonly #client: WebSocket
  readonly #socket: Duplex
  readonly #options: ConnectionOptions
  /** By the identifiers that the client sent. */
  readonly #subscriptions = new Map<string, Subscribed>()
  /** Identifiers of subscriptions that a fault delays. */
  readonly #delayed = new Set<string>()
  /** The time since which it has no subscription. */
  #idleSince = monotonicNow()
  #hasMetFaults: boolean
  #read = 0
  #stalledBeats = 0

  constructor(client: WebSocket, socket: Duplex, connectionOptions: ConnectionOptions) {
    this.#client = client
    this.#socket = socket
    this.#options = connectionOptions
    this.#hasMetFaults = connectionOptions.named !== undefined
    client.on('message', (data, isBinary) => {
      if (!isBinary) {
        this.#run(() => {
          this.#take(data)
        })
      }
    })
    // The library has already responded to protocol errors.
    client.on('error', () => {
      client.terminate()
    })
    client.on('close', () => {
      for (const { end } of this.#subscriptions.values()) end()
      this.#subscriptions.clear()
    })
    this.send('{"type":"welcome"}')
  }

  /** Sends a text, or disconnects the client if too much waits for it, so that other clients bear no cost. */
  send(text: string): void {
    if (this.#client.readyState !== WebSocket.OPEN) return
    if (this.#client.bufferedAmount + text.length > this.#options.limits.maxBuffered) {
      this.#client.terminate()
      return
    }
    this.#client.send(text)
  }

  /** Sends a ping. Disconnects the client if it has stopped reading, or has lost its access. */
  beat(ping: string): void {
    const read = this.#socket instanceof Socket ? this.#socket.bytesWritten - this.#socket.writableLength : 0
    const isStalled = this.#client.bufferedAmount > 0 && read === this.#read
    this.#read = read
    this.#stalledBeats = isStalled ? this.#stalledBeats + 1 : 0
    if (this.#stalledBeats >= this.#options.limits.patience) this.#client.terminate()
    else if (this.#isIdle()) this.close(IDLE)
    else {
      this.send(ping)
      this.#run(() => {
        this.#checkNext()
      })
    }
  }

  #isIdle(): boolean {
    const isSubscribed = this.#subscriptions.size > 0 || this.#delayed.size > 0
    return !isSubscribed && monotonicNow() - this.#idleSince >= this.#options.limits.subscribeMs
  }

  /** Checks one subscription per beat, so that many cost no more than one. */
  #checkNext(): void {
    const [next] = this.#subscriptions
    if (!next) return
    const [identifier, subscribed] = next
    this.#subscriptions.delete(identifier)
    this.#subscriptions.set(identifier, subscribed)
    subscribed.workspace.lifetime.touch()
    if (!subscribed.holds()) this.close(UNAUTHORIZED)
  }

  /** Sends the last message and closes; cuts off a client that does not read it in time. */
  close(goodbye: string): void {
    this.send(goodbye)
    this.#client.close()
    setTimeout(() => {
      this.cutOff()
    }, this.#options.limits.goodbyeMs).unref()
  }

  /** Closes without waiting for the client. */
  cutOff(): void {
    this.#client.terminate()
  }

  #take(data: RawData): void {
    const { command, identifier, data: sent } = objectIn(textIn(data)) ?? {}
    if (typeof identifier !== 'string' || identifier.length > LONGEST_IDENTIFIER) return
    if (command === 'subscribe') this.#subscribe(identifier)
    else if (command === 'unsubscribe') this.#unsubscribe(identifier)
    else if (command === 'message') this.#perform(identifier, sent)
  }

  #subscribe(identifier: string): void {
    if (this.#subscriptions.has(identifier) || this.#delayed.has(identifier)) return
    const startedAt = monotonicNow()
    const asked = this.#channelCheck(identifier)
    const known = typeof asked === 'function' ? asked() : null
    if (typeof asked !== 'function' || !known) {
      this.#reject(identifier, startedAt, typeof asked === 'function' ? NOT_AUTHORIZED : asked)
      return
    }
    const { watch, request } = this.#options
    const fault = this.#hasMetFaults ? null : (watch?.faultOf(known.workspace, request) ?? null)
    this.#hasMetFaults = true
    if (!fault) {
      this.#confirm(identifier, startedAt, asked, known)
      return
    }
    this.#delayed.add(identifier)
    setTimeout(() => {
      this.#run(() => {
        this.#applyFault(fault, identifier, startedAt, asked)
      })
    }, fault.delayMs ?? 0).unref()
  }

  /** Applies a fault. After a delay alone, the subscription continues; other faults end the connection. */
  #applyFault(fault: Hit, identifier: string, startedAt: number, ask: () => Subscription | null): void {
    if (!this.#delayed.delete(identifier) || this.#client.readyState !== WebSocket.OPEN) return
    const known = ask()
    if (!known) {
      this.#reject(identifier, startedAt, NOT_AUTHORIZED)
      return
    }
    const { reset, status, body } = fault
    if (reset !== true && status === undefined && body === undefined) {
      this.#confirm(identifier, startedAt, ask, known, fault.id)
      return
    }
    const answer = reset === true ? 0 : (status ?? 200)
    this.#note(known.workspace, identifier, { status: answer, startedAt, fault: fault.id })
    if (reset === true) this.#socket.destroy()
    else this.#client.close(FAULT_CODES + answer, 'A fault that a test has set.')
  }

  #confirm(
    identifier: string,
    startedAt: number,
    ask: () => Subscription | null,
    known: Subscription,
    fault?: string,
  ): void {
    if (!this.#options.joins(known.workspace)) {
      this.#reject(identifier, startedAt, WORKSPACE_LIMIT)
      return
    }
    const name = JSON.stringify(identifier)
    const holds = (): boolean => ask() !== null
    const deliver: Listener = (createMessage) => {
      this.#run(() => {
        if (!holds()) {
          this.close(UNAUTHORIZED)
          return
        }
        const json = createMessage()
        if (json !== null) this.send(`{"identifier":${name},"message":${json}}`)
      })
    }
    // Confirmed first, because a client expects no message before.
    this.send(`{"identifier":${name},"type":"confirm_subscription"}`)
    const answered = { type: 'confirm_subscription' }
    this.#note(known.workspace, identifier, { status: 101, startedAt, answered, fault })
    const { workspace, streams, replaced } = known
    const ends = [...new Set(streams)].map((stream) => listen(workspace, stream, deliver))
    const tellReplaced: Listener = () => {
      deliver(() => JSON.stringify(replaced))
    }
    if (replaced) ends.push(listen(workspace, REPLACED, tellReplaced))
    const end = (): void => {
      for (const each of ends) each()
    }
    if (this.#client.readyState === WebSocket.OPEN)
      this.#subscriptions.set(identifier, { ...known, end, holds })
    else end()
  }

  #reject(identifier: string, startedAt: number, [reason, message]: Rejection): void {
    this.send(`{"identifier":${JSON.stringify(identifier)},"type":"reject_subscription"}`)
    const { watch, named } = this.#options
    const workspace = watch?.whose(objectIn(identifier) ?? {}) ?? named
    const status = { invalid: 422, credential_unknown: 401, rate_limited: 429 }[reason]
    const answered = { type: 'reject_subscription' }
    this.#note(workspace, identifier, { status, startedAt, answered, refusal: { reason, message } })
  }

  #note(workspace: Workspace | undefined, identifier: string, noted: CallFacts): void {
    const { watch, request } = this.#options
    // A value that is no object may be a credential.
    const sent = { command: 'subscribe', identifier: objectIn(identifier) ?? null }
    if (workspace) watch?.note(workspace, request, { sent, ...noted })
    else watch?.noteUnmatched(request, { sent, ...noted })
  }

  /**
   * Returns a function that asks the channel, or the rejection if no such channel exists or the client has
   * too many subscriptions.
   */
  #channelCheck(identifier: string): (() => Subscription | null) | Rejection {
    const params = objectIn(identifier)
    const { channels, workspaces } = this.#options
    const name = params?.['channel']
    const channel = typeof name === 'string' && Object.hasOwn(channels, name) ? channels[name] : undefined
    if (!params || !channel) return NO_CHANNEL
    return this.#subscriptions.size + this.#delayed.size >= MAX_SUBSCRIPTIONS
      ? TOO_MANY_SUBSCRIPTIONS
      : () => channel(params, workspaces)
  }

  #unsubscribe(identifier: string): void {
    this.#delayed.delete(identifier)
    this.#subscriptions.get(identifier)?.end()
    if (this.#subscriptions.delete(identifier) && this.#subscriptions.size === 0)
      this.#idleSince = monotonicNow()
  }

  #perform(identifier: string, sent: unknown): void {
    const subscription = this.#subscriptions.get(identifier)
    const data = typeof sent === 'string' ? objectIn(sent) : undefined
    const name = data?.['action']
    if (!subscription?.actions || !data || typeof name !== 'string') return
    const action = Object.hasOwn(subscription.actions, name) ? subscription.actions[name] : undefined
    if (!action) return
    if (!subscription.holds()) {
      this.close(UNAUTHORIZED)
      return
    }
    afterDueJobs(subscription.workspace, (error) => {
      this.#run(() => {
        if (error) throw error
        action(data)
      })
    })
  }

  /** Runs a step. No caller handles its errors; a refusal is no fault of this server. */
  #run(attempt: () => void): void {
    try {
      attempt()
    } catch (error) {
      if (!(error instanceof Refusal)) this.#options.failed(error)
    }
  }
}

const textIn = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)).toString()

/** Parses a JSON object; undefined for anything else. */
function objectIn(text: string): Sent | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Sent) : undefined
  } catch {
    return undefined
  }
}
