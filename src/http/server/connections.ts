/**
 * The connections of the server. Few may be half open (without a complete request); when there are too many,
 * the oldest is closed. On stop, idle connections close at once, silent ones shortly after and the others with their
 * next response; the rest after the grace.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import { SWITCHING_PROTOCOLS } from './upgrades.ts'

/** Ms in which the first bytes of a new connection still arrive when the server stops. A proxy sends them at once. */
const FIRST_BYTES_MS = 250

/** A turn of the event loop that takes longer has run other work, during which connections may have opened. */
const QUIET_TURN_MS = 0.2

/** Ms in which a server that stops accepts more connections. */
const ACCEPTING_MS = 500

/** Beyond it, the server refuses new connections. */
const MAX_CONNECTIONS = 10_000

export interface ConnectionsOptions {
  /** Ms that requests in flight may still take when the server stops. */
  readonly graceMs?: number
  readonly maxHalfOpen?: number
  /** Called when a request is over, with its URL, its status (0 without a response) and its duration in ms. */
  readonly onAnswered?: (url: string, status: number, ms: number) => void
}

/** A response in progress. */
interface Response {
  readonly response: ServerResponse
  /** Its index in the list. */
  index: number
}

/**
 * The responses in progress, unordered. An array, because a `Set` that changes with each request keeps
 * garbage until a major collection, which cost a quarter of the throughput.
 */
class Responses {
  readonly #all: Response[] = []

  get all(): readonly Response[] {
    return this.#all
  }

  add(response: ServerResponse): Response {
    const answer = { response, index: this.#all.length }
    this.#all.push(answer)
    return answer
  }

  /** Moves the last response into its position. Does nothing if it was already removed. */
  remove(answer: Response): void {
    if (this.#all[answer.index] !== answer) return
    const last = this.#all.pop()
    if (last === undefined || last === answer) return
    last.index = answer.index
    this.#all[last.index] = last
  }

  clear(): void {
    this.#all.length = 0
  }
}

export class Connections {
  readonly #graceMs: number
  readonly #maxHalfOpen: number
  readonly #onAnswered: ConnectionsOptions['onAnswered']
  /** All open connections, in the order in which they opened. */
  readonly #open = new Set<Socket>()
  /** The connections without a request so far, the oldest first, with the bytes read before they could send one. */
  readonly #halfOpen = new Map<Socket, number>()
  /** The connections with HTTPS, by the client's address and port, which the encrypted connection on top has, too. */
  readonly #handshakes = new Map<string, Socket>()
  readonly #answering = new Responses()
  #grace: NodeJS.Timeout | undefined
  #accepted = 0
  #isStopping = false
  #closed: Promise<void> | undefined
  #whenOver: (() => void) | null = null

  constructor({ graceMs = 5000, maxHalfOpen = 2000, onAnswered }: ConnectionsOptions = {}) {
    this.#graceMs = graceMs
    this.#maxHalfOpen = maxHalfOpen
    this.#onAnswered = onAnswered
  }

  /** Tracks the connections of a server from start to end. */
  of(front: FastifyInstance): void {
    const { server } = front
    const isSecure = 'setSecureContext' in server
    server.maxConnections = MAX_CONNECTIONS
    server.on('connection', (socket: Socket) => {
      this.#opened(socket)
      if (isSecure) this.#expectHandshake(socket)
    })
    if (isSecure) {
      server.on('secureConnection', (socket: Socket) => {
        const below = this.#handshakes.get(peerOf(socket))
        if (below) this.#halfOpen.delete(below)
        this.#opened(socket)
      })
    }
    // An upgraded connection has no more requests.
    server.on('upgrade', (_request: IncomingMessage, socket: Socket) => {
      this.#halfOpen.delete(socket)
    })
    front.addHook('onRequest', (request, reply, done) => {
      this.#asked(request.raw, reply.raw)
      done()
    })
    front.addHook('preClose', (done) => {
      this.#stop()
      done()
    })
  }

  #opened(socket: Socket): void {
    this.#halfOpen.set(socket, socket.bytesRead)
    // The server gets some connections a second time (see upgrades.ts).
    if (this.#open.has(socket)) return
    this.#open.add(socket)
    this.#accepted++
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#halfOpen.delete(socket)
    })
    if (this.#halfOpen.size <= this.#maxHalfOpen) return
    const [oldest] = this.#halfOpen.keys()
    oldest?.destroy()
    if (oldest) this.#halfOpen.delete(oldest)
  }

  #expectHandshake(socket: Socket): void {
    const peer = peerOf(socket)
    this.#handshakes.set(peer, socket)
    socket.once('close', () => {
      if (this.#handshakes.get(peer) === socket) this.#handshakes.delete(peer)
    })
  }

  #asked({ socket, url = '' }: IncomingMessage, response: ServerResponse): void {
    this.#halfOpen.delete(socket)
    const askedAt = monotonicNow()
    const answer = this.#answering.add(response)
    if (this.#isStopping) closeAfter(response)
    response.once('close', () => {
      this.#answering.remove(answer)
      // The time of a WebSocket is not that of a response.
      if (response.statusCode === SWITCHING_PROTOCOLS) return
      this.#onAnswered?.(url, response.headersSent ? response.statusCode : 0, monotonicNow() - askedAt)
      if (!this.#isStopping) return
      // A response whose head was sent before the stop has promised to keep the connection. Injected requests
      // have no socket.
      if (socket instanceof Socket) socket.destroySoon()
      this.#noteOver()
    })
  }

  /** Must run while the server still accepts requests; those that still arrive are answered. */
  #stop(): void {
    this.#isStopping = true
    for (const { response } of this.#answering.all) closeAfter(response)
    this.#grace = setTimeout(() => {
      for (const socket of this.#open) socket.destroy()
      for (const { response } of this.#answering.all) response.destroy()
      this.#answering.clear()
      this.#noteOver()
    }, this.#graceMs)
  }

  /**
   * Stops accepting after a short turn of the event loop that found no new connection; a turn accepts one. The kernel
   * resets connections that wait to be accepted, such as those of a long turn, although a proxy may have used them already.
   */
  stopAccepting({ server }: FastifyInstance, done: () => void): void {
    let last = this.#accepted
    let began = monotonicNow()
    const end = began + ACCEPTING_MS
    const turn = (): void => {
      const now = monotonicNow()
      const isQuiet = this.#accepted === last && now - began < QUIET_TURN_MS
      if (!isQuiet && now < end) {
        last = this.#accepted
        began = now
        setImmediate(turn)
        return
      }
      this.#closed = new Promise((resolve) =>
        server.close(() => {
          resolve()
        }),
      )
      // The turn after a timer reads what arrived while the event loop was busy.
      setTimeout(() => {
        setImmediate(() => {
          this.#closeSilent()
        })
      }, FIRST_BYTES_MS).unref()
      done()
    }
    // The first turn may have begun before this call.
    setImmediate(() => setImmediate(turn))
  }

  #closeSilent(): void {
    for (const [socket, before] of this.#halfOpen) if (socket.bytesRead === before) socket.destroy()
  }

  /**
   * Resolves when all connections have ended and no response is in progress. Some may be after the server has closed:
   * those of the second address of "localhost".
   */
  async over(): Promise<void> {
    await this.#closed
    await new Promise<void>((resolve) => {
      this.#whenOver = resolve
      this.#noteOver()
    })
    clearTimeout(this.#grace)
  }

  #noteOver(): void {
    if (this.#answering.all.length === 0) this.#whenOver?.()
  }
}

const peerOf = ({ remoteAddress = '', remotePort = 0 }: Socket): string =>
  `${remoteAddress} ${String(remotePort)}`

/** Sets `Connection: close` if the head was not sent yet. */
function closeAfter(response: ServerResponse): void {
  response.shouldKeepAlive = false
}
