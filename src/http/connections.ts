/**
 * The connections of the server, whatever their clients do: silent ones, those that send half a request, those that do
 * not read their answer.
 *
 * While it runs, few may be half open: without a request that has come in whole. An honest client sends its request at
 * once, so when there are too many, the oldest is closed; many slow ones keep nobody else out.
 *
 * When it stops, idle connections are closed at once, and each of the others with its next answer, which says so. What is
 * left when the grace is over is cut off.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Beyond it, new connections are turned away. */
const MAX_CONNECTIONS = 10_000

export interface ConnectionsOptions {
  /** Ms that what is under way may still take when the server stops. */
  readonly graceMs?: number
  readonly maxHalfOpen?: number
}

/** An answer that is under way. */
interface Answer {
  readonly response: ServerResponse
  /** Where it stands among the others. */
  place: number
}

/**
 * The answers that are under way, in no order. Of a `Set` to which each request is added, and that it soon leaves, the engine
 * keeps tables that hold on to a third of them until it collects what is old: that took a quarter of the throughput.
 */
class Answers {
  readonly #all: Answer[] = []

  get all(): readonly Answer[] {
    return this.#all
  }

  add(response: ServerResponse): Answer {
    const answer = { response, place: this.#all.length }
    this.#all.push(answer)
    return answer
  }

  /** The last of them takes its place; one that is gone already changes nothing. */
  remove(answer: Answer): void {
    if (this.#all[answer.place] !== answer) return
    const last = this.#all.pop()
    if (last === undefined || last === answer) return
    last.place = answer.place
    this.#all[last.place] = last
  }

  clear(): void {
    this.#all.length = 0
  }
}

export class Connections {
  readonly #graceMs: number
  readonly #maxHalfOpen: number
  /** All that are open; in the order in which they came. */
  readonly #open = new Set<Socket>()
  /** Those that no request has come from yet, the oldest first. */
  readonly #halfOpen = new Set<Socket>()
  readonly #answering = new Answers()
  #grace: NodeJS.Timeout | undefined
  #isStopping = false
  #whenOver: (() => void) | null = null

  constructor({ graceMs = 5000, maxHalfOpen: maxHalfOpen = 2000 }: ConnectionsOptions = {}) {
    this.#graceMs = graceMs
    this.#maxHalfOpen = maxHalfOpen
  }

  /** Follows those of a server, from its start to its end. */
  of(front: FastifyInstance): void {
    const { server } = front
    server.maxConnections = MAX_CONNECTIONS
    server.on('connection', (socket: Socket) => {
      this.#opened(socket)
    })
    // What becomes of it is no longer a matter of requests.
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
    this.#halfOpen.add(socket)
    // One that was given to the server anew (see upgrades.ts).
    if (this.#open.has(socket)) return
    this.#open.add(socket)
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#halfOpen.delete(socket)
    })
    if (this.#halfOpen.size <= this.#maxHalfOpen) return
    const [oldest] = this.#halfOpen
    oldest?.destroy()
    if (oldest) this.#halfOpen.delete(oldest)
  }

  #asked({ socket }: IncomingMessage, response: ServerResponse): void {
    this.#halfOpen.delete(socket)
    const answer = this.#answering.add(response)
    if (this.#isStopping) sayGoodbye(response)
    response.once('close', () => {
      this.#answering.remove(answer)
      if (!this.#isStopping) return
      // One whose head had gone out before the stop promised to stay.
      // What is injected has no socket.
      if (socket instanceof Socket) socket.destroySoon()
      this.#noteOver()
    })
  }

  /** To be called while the server still accepts: what comes in until it does not is answered. */
  #stop(): void {
    this.#isStopping = true
    for (const { response } of this.#answering.all) sayGoodbye(response)
    for (const socket of this.#halfOpen) if (socket.bytesRead === 0) socket.destroy()
    this.#grace = setTimeout(() => {
      for (const socket of this.#open) socket.destroy()
      for (const { response } of this.#answering.all) response.destroy()
      this.#answering.clear()
      this.#noteOver()
    }, this.#graceMs)
  }

  /**
   * Resolves when no answer is under way. Some may be when the server is closed: those of the second address that
   * "localhost" has.
   */
  async over(): Promise<void> {
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

/** `Connection: close`, where it can still be said. */
function sayGoodbye(response: ServerResponse): void {
  response.shouldKeepAlive = false
}
