/**
 * A cable: WebSockets with the message format of ActionCable, so that its public clients can subscribe to
 * channels. Messages of a stream reach all its subscribers in order. A client that stops reading is
 * disconnected.
 */
import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { monotonicNow, systemNow } from '@suite-sim/kit/time/machineClock'
import type { Hit } from '../../state/faults/faults.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Registry } from '../../state/workspace/registry.ts'
import { JSON_TYPE } from '../server/json.ts'
import { addressReader } from './addresses.ts'
import type { Channels } from './channel.ts'
import { Connection, type ConnectionLimits } from './connection.ts'
import { CableWatch, type WatchedCable } from './watch.ts'

const PROTOCOL = 'actioncable-v1-json'

/** Maximum bytes of a client's message. */
const LONGEST_COMMAND = 65_536

export interface CableLimits extends ConnectionLimits {
  /** Maximum number of clients, because each message goes to all clients in one turn of the event loop. */
  readonly maxClients: number
  /** Limits per address and per workspace, so that no single one uses all connections. */
  readonly maxOfAddress: number
  readonly maxOfWorkspace: number
  /** Ms between two beats; ActionCable clients reconnect when they miss two. */
  readonly beatMs: number
}

export const LIMITS: CableLimits = {
  maxBuffered: 1_048_576,
  patience: 10,
  maxClients: 2000,
  maxOfAddress: 500,
  maxOfWorkspace: 500,
  subscribeMs: 30_000,
  beatMs: 3000,
  goodbyeMs: 1000,
}

const GOODBYE = '{"type":"disconnect","reason":"server_restart","reconnect":true}'

const SERVER_FULL = 503

const TOO_MANY_OF_ADDRESS = 429

export interface CableOptions {
  readonly channels: Channels
  readonly workspaces: Registry
  /** Gets errors that no client caused. */
  readonly failed: (error: unknown) => void
  readonly limits?: Partial<CableLimits>
  /** The interface whose journal and faults apply to its clients; none by default. */
  readonly watched?: WatchedCable
  /** Proxies whose X-Forwarded-For is trusted; none by default. */
  readonly trustedProxies?: readonly string[]
}

export class Cable {
  readonly #options: CableOptions
  readonly #limits: CableLimits
  readonly #server: WebSocketServer
  readonly #connections = new Set<Connection>()
  /** All sockets from the handshake on, including those that a fault delays. */
  readonly #sockets = new Set<Duplex>()
  readonly #ofAddress = new Counts<string>()
  readonly #ofWorkspace = new Counts<number>()
  readonly #watch: CableWatch | undefined
  readonly #addressOf: (request: IncomingMessage) => string
  #heart: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: CableOptions) {
    this.#options = options
    this.#limits = { ...LIMITS, ...options.limits }
    this.#addressOf = addressReader(options.trustedProxies ?? [])
    this.#watch = options.watched && new CableWatch(options.watched, options.workspaces)
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: LONGEST_COMMAND,
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
    })
    const { shard } = options.workspaces
    if (shard !== null) this.#server.on('headers', (lines) => lines.push(`X-Sim-Shard: ${shard}`))
  }

  /** The number of connected clients. */
  get size(): number {
    return this.#connections.size
  }

  /** Takes over a connection that requests a WebSocket. */
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const address = this.#addressOf(request)
    if (this.#isClosed || this.#sockets.size >= this.#limits.maxClients) {
      answerWith(socket, SERVER_FULL)
      return
    }
    if (this.#ofAddress.of(address) >= this.#limits.maxOfAddress) {
      answerWith(socket, TOO_MANY_OF_ADDRESS)
      return
    }
    this.#sockets.add(socket)
    this.#ofAddress.add(address)
    socket.once('close', () => {
      this.#sockets.delete(socket)
      this.#ofAddress.remove(address)
      if (this.#sockets.size === 0) this.#stopBeats()
    })
    const startedAt = monotonicNow()
    const named = this.#watch?.named(request)
    const fault = named && this.#watch?.faultOf(named, request)
    if (fault) this.#applyFault(fault, named, startedAt, request, socket, head)
    else this.#accept(request, socket, head, named, startedAt)
  }

  #accept(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    named: Workspace | undefined,
    startedAt: number,
    fault?: string,
  ): void {
    this.#server.handleUpgrade(request, socket, head, (client) => {
      const { channels, workspaces, failed } = this.#options
      if (named) this.#watch?.note(named, request, { status: 101, startedAt, fault })
      const joined = new Set<number>()
      const connection = new Connection(client, socket, {
        channels,
        workspaces,
        failed,
        limits: this.#limits,
        watch: this.#watch,
        request,
        named,
        joins: ({ tenantId }) => {
          if (joined.has(tenantId)) return true
          if (this.#ofWorkspace.of(tenantId) >= this.#limits.maxOfWorkspace) return false
          joined.add(tenantId)
          this.#ofWorkspace.add(tenantId)
          return true
        },
      })
      this.#connections.add(connection)
      client.on('close', () => {
        this.#connections.delete(connection)
        for (const tenantId of joined) this.#ofWorkspace.remove(tenantId)
        joined.clear()
      })
      this.#heart ??= setInterval(() => {
        this.#beat()
      }, this.#limits.beatMs).unref()
    })
  }

  /** Applies a fault to a handshake: a delay, a cut connection or another response. */
  #applyFault(
    fault: Hit,
    workspace: Workspace,
    startedAt: number,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): void {
    const destroySocket = (): void => void socket.destroy()
    socket.on('error', destroySocket)
    setTimeout(() => {
      if (socket.destroyed) return
      socket.off('error', destroySocket)
      const { reset, status, body, headers = {} } = fault
      if (this.#isClosed) answerWith(socket, SERVER_FULL)
      else if (reset !== true && status === undefined && body === undefined) {
        this.#accept(request, socket, head, workspace, startedAt, fault.id)
      } else {
        const answer = reset === true ? 0 : (status ?? 200)
        this.#watch?.note(workspace, request, { status: answer, startedAt, answered: body, fault: fault.id })
        if (reset === true) socket.destroy()
        else answerWith(socket, answer, headers, body)
      }
    }, fault.delayMs ?? 0).unref()
  }

  /**
   * Sends all clients a last message, and cuts off those that do not read it in time. Resolves when all have
   * disconnected.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopBeats()
    const open = [...this.#connections]
    if (this.#sockets.size === 0) return
    await new Promise<void>((resolve) => {
      const cutOff = setTimeout(() => {
        for (const connection of this.#connections) connection.cutOff()
        for (const socket of this.#sockets) socket.destroy()
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

  #stopBeats(): void {
    clearInterval(this.#heart)
    this.#heart = undefined
    this.#whenEmpty?.()
  }
}

/** Counts by key. */
class Counts<Key> {
  readonly #counts = new Map<Key, number>()

  of(key: Key): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: Key): void {
    this.#counts.set(key, this.of(key) + 1)
  }

  remove(key: Key): void {
    const left = this.of(key) - 1
    if (left > 0) this.#counts.set(key, left)
    else this.#counts.delete(key)
  }
}

/** Responds to a handshake with HTTP, and ends the connection. */
function answerWith(
  socket: Duplex,
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): void {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  const lowerCased = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const lines = Object.entries({
    ...(status === TOO_MANY_OF_ADDRESS && { 'retry-after': '1' }),
    ...(text !== '' && {
      'content-type': typeof body === 'string' ? 'text/plain; charset=utf-8' : JSON_TYPE,
    }),
    ...Object.fromEntries(lowerCased),
    connection: 'close',
    'content-length': String(Buffer.byteLength(text)),
    // Remove characters that would end a header line.
  }).map(([name, value]) => `${`${name}: ${value}`.replaceAll(/[^\t\x20-\x7e]/g, '')}\r\n`)
  const head = `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? 'Status'}\r\n${lines.join('')}\r\n`
  socket.on('error', () => socket.destroy())
  socket.end(head + text, () => {
    socket.destroy()
  })
}
