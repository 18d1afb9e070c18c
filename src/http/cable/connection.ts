/** One client of a cable, and what it has subscribed to. */
import type { Duplex } from 'node:stream'
import { Socket } from 'node:net'
import { WebSocket, type RawData } from 'ws'
import { Refusal } from '../../state/refusal.ts'
import { listen, type Listener } from '../../state/streams.ts'
import type { Workspaces } from '../../state/workspaces.ts'
import { whenSettled } from '../settling.ts'
import type { Channels, Sent, Subscription } from './channel.ts'

/** Characters of an identifier: the channel and its parameters. Each message to the client repeats it. */
const LONGEST_IDENTIFIER = 2000

/** Subscriptions of one client; further ones are rejected. */
const MOST_SUBSCRIPTIONS = 100

export interface ConnectionLimits {
  /** Bytes that may wait for a client that does not read; with more, it is dropped. */
  readonly mostBuffered: number
  /** Beats that may pass while something waits and the client reads nothing of it. */
  readonly patience: number
}

interface Surroundings {
  readonly channels: Channels
  readonly workspaces: Workspaces
  readonly limits: ConnectionLimits
  /** Told of what was thrown that is no refusal. */
  readonly failed: (error: unknown) => void
}

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
  #read = 0
  #stalledBeats = 0

  constructor(client: WebSocket, socket: Duplex, surroundings: Surroundings) {
    this.#client = client
    this.#socket = socket
    this.#surroundings = surroundings
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
    if (this.#client.bufferedAmount + text.length > this.#surroundings.limits.mostBuffered) {
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
    else {
      this.send(ping)
      this.#tried(() => {
        this.#checkNext()
      })
    }
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

  /** Says goodbye and closes. */
  close(goodbye: string): void {
    this.send(goodbye)
    this.#client.close()
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
    if (this.#subscriptions.has(identifier)) return
    const ask = this.#asking(identifier)
    const known = ask?.() ?? null
    const name = JSON.stringify(identifier)
    if (!ask || known === null) {
      this.send(`{"identifier":${name},"type":"reject_subscription"}`)
      return
    }
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
    const ends = [...new Set(known.streams)].map((stream) => listen(known.workspace, stream, hear))
    const end = (): void => {
      for (const each of ends) each()
    }
    if (this.#client.readyState === WebSocket.OPEN)
      this.#subscriptions.set(identifier, { ...known, end, holds })
    else end()
  }

  /** What asks the channel whether it lets the client in; null where there is no such channel, or no room. */
  #asking(identifier: string): (() => Subscription | null) | null {
    const params = objectIn(identifier)
    const { channels, workspaces } = this.#surroundings
    const name = params?.['channel']
    if (!params || typeof name !== 'string' || !Object.hasOwn(channels, name)) return null
    if (this.#subscriptions.size >= MOST_SUBSCRIPTIONS) return null
    const channel = channels[name]
    return channel ? () => channel(params, workspaces) : null
  }

  #unsubscribe(identifier: string): void {
    this.#subscriptions.get(identifier)?.end()
    this.#subscriptions.delete(identifier)
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
    whenSettled(subscription.workspace, (error) => {
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
