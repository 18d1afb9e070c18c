/**
 * A cable: WebSockets that speak the message format of ActionCable, so that its public clients can subscribe to what
 * happens. A client subscribes to channels, each of which lets it in or not and says which streams it hears.
 *
 * What it promises: what is told to a stream reaches all who hear it, in that order, and none of them costs the others
 * anything. Whoever stops reading is dropped when too much waits for him, or when he has read nothing for long.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { systemNow } from '../../state/clock.ts'
import type { Workspaces } from '../../state/workspaces.ts'
import type { Channels } from './channel.ts'
import { Connection, type ConnectionLimits } from './connection.ts'

const PROTOCOL = 'actioncable-v1-json'

/** Bytes of what a client sends at a time. */
const LONGEST_COMMAND = 65_536

export interface CableLimits extends ConnectionLimits {
  /** Clients at a time; what is told to all of them is told in one turn of the event loop. */
  readonly mostClients: number
  /** Ms between two beats; clients of ActionCable connect anew when they miss two. */
  readonly beatMs: number
  /** Ms that a client has to read the goodbye in. */
  readonly goodbyeMs: number
}

const LIMITS: CableLimits = {
  mostBuffered: 1_048_576,
  patience: 10,
  mostClients: 2000,
  beatMs: 3000,
  goodbyeMs: 1000,
}

const GOODBYE = '{"type":"disconnect","reason":"server_restart","reconnect":true}'

const FULL = 'HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'

export interface CableOptions {
  readonly channels: Channels
  readonly workspaces: Workspaces
  /** Told of what went wrong though no client did anything wrong. */
  readonly failed: (error: unknown) => void
  readonly limits?: Partial<CableLimits>
}

export class Cable {
  readonly #options: CableOptions
  readonly #limits: CableLimits
  readonly #server: WebSocketServer
  readonly #connections = new Set<Connection>()
  #heart: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: CableOptions) {
    this.#options = options
    this.#limits = { ...LIMITS, ...options.limits }
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: LONGEST_COMMAND,
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
    })
  }

  /** Clients that are connected. */
  get size(): number {
    return this.#connections.size
  }

  /** Takes over a connection whose client asks for a WebSocket. */
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.#isClosed || this.#connections.size >= this.#limits.mostClients) {
      socket.end(FULL, () => {
        socket.destroy()
      })
      return
    }
    this.#server.handleUpgrade(request, socket, head, (client) => {
      const { channels, workspaces, failed } = this.#options
      const connection = new Connection(client, socket, {
        channels,
        workspaces,
        failed,
        limits: this.#limits,
      })
      this.#connections.add(connection)
      client.on('close', () => {
        this.#connections.delete(connection)
        if (this.#connections.size === 0) this.#rest()
      })
      this.#heart ??= setInterval(() => {
        this.#beat()
      }, this.#limits.beatMs).unref()
    })
  }

  /** Says goodbye to all, and cuts off who does not read it in time. Resolves when everybody is gone. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#rest()
    const open = [...this.#connections]
    if (open.length === 0) return
    await new Promise<void>((resolve) => {
      const cutOff = setTimeout(() => {
        for (const connection of this.#connections) connection.cutOff()
      }, this.#limits.goodbyeMs)
      this.#whenEmpty = () => {
        clearTimeout(cutOff)
        resolve()
      }
      for (const connection of open) connection.close(GOODBYE)
    })
  }

  #whenEmpty: (() => void) | null = null

  #beat(): void {
    const ping = `{"type":"ping","message":${String(Math.floor(systemNow() / 1000))}}`
    for (const connection of this.#connections) connection.beat(ping)
  }

  #rest(): void {
    clearInterval(this.#heart)
    this.#heart = undefined
    this.#whenEmpty?.()
  }
}
