/**
 * Sends from a thread of its own, so that the thread of the queue, which also runs SQLite and answers requests, only
 * hands deliveries over. That thread is started by the first delivery, for most starts never need it.
 */
import { Worker } from 'node:worker_threads'
import { monotonicNow } from '../../state/clock.ts'
import { Claims } from './claims.ts'
import type { ReachSettings } from '../reach.ts'
import {
  CUT,
  type Transport,
  type TransportOptions,
  type OnEnd,
  type Outgoing,
  type Sending,
  type Result,
} from './transport.ts'
import {
  addDelivery,
  readResults,
  type DeliveriesMessage,
  type ReachMessage,
  type ResultsMessage,
  type ThreadData,
} from './messages.ts'

export interface ThreadTransportOptions extends TransportOptions {
  /** What thread.ts was built to. */
  readonly file: string
  /** Is told when a thread has ended that nobody ended; `error` is why, where that is known. */
  readonly died: (error: unknown) => void
}

/**
 * Times as many as an origin's connections: what keeps the thread at work while that of the queue writes down what came
 * of the last ones.
 */
const PREFETCHED = 10

export class ThreadTransport implements Transport {
  /** Deliveries wait in the thread until it can send. */
  readonly ready = true
  readonly prefetch: number
  readonly #file: string
  readonly #died: (error: unknown) => void
  #options: TransportOptions
  #thread: Thread | null = null

  constructor({ file, died, ...options }: ThreadTransportOptions) {
    this.#file = file
    this.#died = died
    this.#options = options
    this.prefetch = PREFETCHED * options.connections
  }

  async load(): Promise<void> {
    // There is nothing to load in this thread.
  }

  send(outgoing: Outgoing, ended: OnEnd): Sending {
    try {
      this.#thread ??= this.#start()
    } catch (error) {
      this.#died(error)
      ended(lost(0))
      return GONE
    }
    return this.#thread.send(outgoing, ended)
  }

  heed(reach: ReachSettings): void {
    this.#options = { ...this.#options, reach }
    this.#thread?.heed(reach)
  }

  async close(): Promise<void> {
    const thread = this.#thread
    this.#thread = null
    await thread?.end()
  }

  /** After one that has died the next delivery starts another. */
  #start(): Thread {
    const thread = new Thread(this.#file, this.#options, (error) => {
      if (this.#thread !== thread) return
      this.#thread = null
      this.#died(error)
    })
    return thread
  }
}

const GONE: Sending = { cancel: () => false }

/** What comes of an attempt whose thread ends. Whether the receiver was told nobody knows; it will be told again. */
const lost = (durationMs: number, error = 'the thread that sends webhooks has died'): Result => ({
  status: null,
  error,
  durationMs,
})

/** What the thread has been given and has not reported on. */
class Given implements Sending {
  readonly startedAt = monotonicNow()
  readonly #number: number
  readonly #claims: Claims
  readonly #ended: OnEnd
  #over = false
  #cancelled = false

  constructor(number: number, claims: Claims, ended: OnEnd) {
    this.#number = number
    this.#claims = claims
    this.#ended = ended
    claims.open(number)
  }

  cancel(): boolean {
    // When it is over, its number may be that of another.
    if (this.#over || !this.#claims.take(this.#number)) return false
    this.#cancelled = true
    return true
  }

  end(result: Result | null): void {
    this.#over = true
    this.#ended(this.#cancelled ? null : result)
  }
}

/** MB for what is new in the thread's heap. Left to itself it takes some 18 MB more, and sends no faster. */
const LIMITS = { maxYoungGenerationSizeMb: 12 }

class Thread {
  readonly #worker: Worker
  /** By their numbers. A number that is free is given out again. */
  readonly #given: (Given | null)[] = []
  readonly #free: number[] = []
  readonly #claims: Claims
  #deliveries: DeliveriesMessage = []
  #isEnding = false

  constructor(file: string, options: TransportOptions, gone: (error: unknown) => void) {
    const claimed = Claims.memory(options.most)
    this.#claims = new Claims(claimed)
    const workerData: ThreadData = { options, claimed }
    let reason: unknown = null
    this.#worker = new Worker(file, { workerData, resourceLimits: LIMITS })
    this.#worker.on('message', (message: ResultsMessage) => {
      readResults(message, (number, result) => {
        this.#end(number, result)
      })
    })
    this.#worker.on('error', (error) => {
      reason = error
    })
    this.#worker.on('exit', () => {
      gone(reason)
      this.#endAll()
    })
    // Not earlier, for who listens keeps the process alive.
    this.#worker.unref()
  }

  /** What is sent in one turn of the event loop goes over in one message. */
  send(outgoing: Outgoing, ended: OnEnd): Sending {
    // An attempt under way keeps the process alive, as its connection would in this thread.
    if (this.#isIdle) this.#worker.ref()
    const number = this.#free.pop() ?? this.#given.length
    const given = new Given(number, this.#claims, ended)
    this.#given[number] = given
    if (this.#deliveries.length === 0) {
      queueMicrotask(() => {
        this.#handOver()
      })
    }
    addDelivery(this.#deliveries, number, outgoing)
    return given
  }

  heed(reach: ReachMessage): void {
    // What was given before is sent by what held then.
    this.#worker.postMessage(reach)
  }

  async end(): Promise<void> {
    this.#isEnding = true
    await this.#worker.terminate()
  }

  get #isIdle(): boolean {
    return this.#free.length === this.#given.length
  }

  #handOver(): void {
    this.#worker.postMessage(this.#deliveries)
    this.#deliveries = []
  }

  #end(number: number, result: Result | null): void {
    const given = this.#given[number]
    if (!given) return
    this.#given[number] = null
    this.#free.push(number)
    if (this.#isIdle) this.#worker.unref()
    given.end(result)
  }

  #endAll(): void {
    const now = monotonicNow()
    for (const [number, given] of this.#given.entries()) {
      if (given) this.#end(number, lost(Math.round(now - given.startedAt), this.#isEnding ? CUT : undefined))
    }
  }
}
