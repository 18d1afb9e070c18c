/** One client of a cable, and what it has subscribed to. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Socket } from 'node:net'
import { WebSocket, type RawData } from 'ws'
import { monotonicNow } from '../../state/clock.ts'
import type { Fault } from '../../state/faults.ts'
import { Refusal } from '../../state/refusal.ts'
import { listen, type Listener } from '../../state/streams.ts'
import type { Workspace } from '../../state/workspace.ts'
import type { Workspaces } from '../../state/workspaces.ts'
import { afterDueJobs } from '../dueJobs.ts'
import type { Channels, Sent, Subscription } from './channel.ts'
import type { CableWatch, Noted } from './watch.ts'

/** Characters of an identifier: the channel and its parameters. Each message to the client repeats it. */
const LONGEST_IDENTIFIER = 2000

/** Subscriptions of one client; further ones are rejected. */
const MAX_SUBSCRIPTIONS = 100

export interface ConnectionLimits {
  /** Bytes that may wait for a client that does not read; with more, it is dropped. */
  readonly maxBuffered: number
  /** Beats that may pass while something waits and the client reads nothing of it. */
  readonly patience: number
  /** Ms that a client may be connected without a subscription. */
  readonly subscribeMs: number
  /** Ms that a client has to read the goodbye in. */
  readonly goodbyeMs: number
}

interface Surroundings {
  readonly channels: Channels
  readonly workspaces: Workspaces
  readonly limits: ConnectionLimits
  /** Told of what was thrown that is no refusal. */
  readonly failed: (error: unknown) => void
  readonly watch: CableWatch | undefined
  /** The handshake, and the workspace that it named, whose faults it has met by then. */
  readonly request: IncomingMessage
  readonly named: Workspace | undefined
  /** Counts the client for a workspace; false where that has as many as it may. */
  readonly joins: (workspace: Workspace) => boolean
}

/** Why a subscription is rejected, in the journal of the workspace. */
type Rejection = readonly [reason: 'invalid' | 'credential_unknown' | 'rate_limited', message: string]

const NO_CHANNEL: Rejection = ['invalid', 'identifier must be JSON text that names a channel of this cable.']
const NO_ROOM: Rejection = [
  'rate_limited',
  `A client must have at most ${String(MAX_SUBSCRIPTIONS)} subscriptions.`,
]
const NOT_LET_IN: Rejection = [
  'credential_unknown',
  'pubsub_token must be a valid key of the account, or the token of a page of its widget.',
]
const NO_PLACE: Rejection = ['rate_limited', 'The workspace has as many clients of the cable as it may have.']

/** Added to the status of a fault for the code that closes a connection: those above 4000 are for applications. */
const FAULT_CODES = 4000

/** For clients that are connected and hear nothing. */
const IDLE = '{"type":"disconnect","reason":"no_subscription","reconnect":false}'

/** For clients that are to hear no more; those of ActionCable do not connect anew. */
const UNAUTHORIZED = '{"type":"disconnect","reason":"unauthorized","reconnect":false}'

interface Subscribed extends Subscription {
  readonly end: () => void
  /** Whether the client would be let in now, too: what it came with may have been taken back, or be over. */
  readonly holds: () => boolean
}

export class Connection {
  readonly #client: WebSocket
  readonly #socket: Duplex
  readonly #surroundings: Surroundings
  /** By their identifiers, as the client wrote them. */
  readonly #subscriptions = new Map<string, Subscribed>()
  /** Those that a fault delays. */
  readonly #delayed = new Set<string>()
  /** Since when it has no subscription. */
  #idleSince = monotonicNow()
  #hasMetFaults: boolean
  #read = 0
  #stalledBeats = 0

  constructor(client: WebSocket, socket: Duplex, surroundings: Surroundings) {
    this.#client = client
    this.#socket = socket
    this.#surroundings = surroundings
    this.#hasMetFaults = surroundings.named !== undefined
    client.on('message', (data, isBinary) => {
      if (!isBinary) {
        this.#tried(() => {
          this.#take(data)
        })
      }
    })
    // What breaks the protocol of WebSockets has been answered by then.
    client.on('error', () => {
      client.terminate()
    })
    client.on('close', () => {
      for (const { end } of this.#subscriptions.values()) end()
      this.#subscriptions.clear()
    })
    this.send('{"type":"welcome"}')
  }

  /** Sends a text, or drops the client where too much waits for it: nobody else is to have the costs. */
  send(text: string): void {
    if (this.#client.readyState !== WebSocket.OPEN) return
    if (this.#client.bufferedAmount + text.length > this.#surroundings.limits.maxBuffered) {
      this.#client.terminate()
      return
    }
    this.#client.send(text)
  }

  /**
   * Tells the client that it is not forgotten; drops it where it has long read nothing of what waits for it, or would not
   * be let in any more.
   */
  beat(ping: string): void {
    const read = this.#socket instanceof Socket ? this.#socket.bytesWritten - this.#socket.writableLength : 0
    const isStalled = this.#client.bufferedAmount > 0 && read === this.#read
    this.#read = read
    this.#stalledBeats = isStalled ? this.#stalledBeats + 1 : 0
    if (this.#stalledBeats >= this.#surroundings.limits.patience) this.#client.terminate()
    else if (this.#isIdle()) this.close(IDLE)
    else {
      this.send(ping)
      this.#tried(() => {
        this.#checkNext()
      })
    }
  }

  #isIdle(): boolean {
    const isSubscribed = this.#subscriptions.size > 0 || this.#delayed.size > 0
    return !isSubscribed && monotonicNow() - this.#idleSince >= this.#surroundings.limits.subscribeMs
  }

  /** One of them at each beat, in turn, so that many cost no more than one. */
  #checkNext(): void {
    const [next] = this.#subscriptions
    if (!next) return
    const [identifier, subscribed] = next
    this.#subscriptions.delete(identifier)
    this.#subscriptions.set(identifier, subscribed)
    if (!subscribed.holds()) this.close(UNAUTHORIZED)
  }

  /** Says goodbye and closes; cuts off a client that does not read it in time. */
  close(goodbye: string): void {
    this.send(goodbye)
    this.#client.close()
    setTimeout(() => {
      this.cutOff()
    }, this.#surroundings.limits.goodbyeMs).unref()
  }

  /** Closes whether or not the client reads. */
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
    const asked = this.#asking(identifier)
    const known = typeof asked === 'function' ? asked() : null
    if (typeof asked !== 'function' || !known) {
      this.#reject(identifier, startedAt, typeof asked === 'function' ? NOT_LET_IN : asked)
      return
    }
    const fault = this.#hasMetFaults ? null : (this.#surroundings.watch?.faultOf(known.workspace) ?? null)
    this.#hasMetFaults = true
    if (!fault) {
      this.#confirm(identifier, startedAt, asked, known)
      return
    }
    this.#delayed.add(identifier)
    setTimeout(() => {
      this.#tried(() => {
        this.#meet(fault, identifier, startedAt, asked)
      })
    }, fault.delayMs ?? 0).unref()
  }

  /** A fault that only delays has the subscription go on; the others end the connection. */
  #meet(fault: Fault, identifier: string, startedAt: number, ask: () => Subscription | null): void {
    if (!this.#delayed.delete(identifier) || this.#client.readyState !== WebSocket.OPEN) return
    const known = ask()
    if (!known) {
      this.#reject(identifier, startedAt, NOT_LET_IN)
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
    else this.#client.close(FAULT_CODES + answer, 'A fault that was set for tests.')
  }

  #confirm(
    identifier: string,
    startedAt: number,
    ask: () => Subscription | null,
    known: Subscription,
    fault?: string,
  ): void {
    if (!this.#surroundings.joins(known.workspace)) {
      this.#reject(identifier, startedAt, NO_PLACE)
      return
    }
    const name = JSON.stringify(identifier)
    const holds = (): boolean => ask() !== null
    const hear: Listener = (told) => {
      this.#tried(() => {
        if (!holds()) {
          this.close(UNAUTHORIZED)
          return
        }
        const json = told()
        if (json !== null) this.send(`{"identifier":${name},"message":${json}}`)
      })
    }
    // Confirmed first, for a client expects nothing before.
    this.send(`{"identifier":${name},"type":"confirm_subscription"}`)
    const answered = { type: 'confirm_subscription' }
    this.#note(known.workspace, identifier, { status: 101, startedAt, answered, fault })
    const ends = [...new Set(known.streams)].map((stream) => listen(known.workspace, stream, hear))
    const end = (): void => {
      for (const each of ends) each()
    }
    if (this.#client.readyState === WebSocket.OPEN)
      this.#subscriptions.set(identifier, { ...known, end, holds })
    else end()
  }

  #reject(identifier: string, startedAt: number, [reason, message]: Rejection): void {
    this.send(`{"identifier":${JSON.stringify(identifier)},"type":"reject_subscription"}`)
    const { watch, named } = this.#surroundings
    const workspace = watch?.whose(objectIn(identifier) ?? {}) ?? named
    if (!workspace) return
    const status = { invalid: 422, credential_unknown: 401, rate_limited: 429 }[reason]
    const answered = { type: 'reject_subscription' }
    this.#note(workspace, identifier, { status, startedAt, answered, refusal: { reason, message } })
  }

  #note(workspace: Workspace, identifier: string, noted: Noted): void {
    const { watch, request } = this.#surroundings
    // What is no object may be a credential by itself.
    const sent = { command: 'subscribe', identifier: objectIn(identifier) ?? null }
    watch?.note(workspace, request, { sent, ...noted })
  }

  /** What asks the channel whether it lets the client in; why not where there is no such channel, or no room. */
  #asking(identifier: string): (() => Subscription | null) | Rejection {
    const params = objectIn(identifier)
    const { channels, workspaces } = this.#surroundings
    const name = params?.['channel']
    const channel = typeof name === 'string' && Object.hasOwn(channels, name) ? channels[name] : undefined
    if (!params || !channel) return NO_CHANNEL
    return this.#subscriptions.size + this.#delayed.size >= MAX_SUBSCRIPTIONS
      ? NO_ROOM
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
      this.#tried(() => {
        if (error) throw error
        action(data)
      })
    })
  }

  /** Nobody is there to be told of an error; a refusal is no fault of this server. */
  #tried(attempt: () => void): void {
    try {
      attempt()
    } catch (error) {
      if (!(error instanceof Refusal)) this.#surroundings.failed(error)
    }
  }
}

const textIn = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)).toString()

/** The object that is written there; undefined for anything else. */
function objectIn(text: string): Sent | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Sent) : undefined
  } catch {
    return undefined
  }
}
