/**
 * Sends from a thread of its own, so that the thread of the queue, which also runs SQLite and answers requests, only
 * hands deliveries over. That thread is started by the first delivery, for most starts never need it.
 */
import { Worker } from 'node:worker_threads'
import { monotonicNow } from '../state/clock.ts'
import type { Courier, CourierOptions, Outgoing, Result } from './courier.ts'
import { addDelivery, readResults, type DeliveriesMessage, type ResultsMessage } from './threadMessages.ts'

export interface ThreadedSenderOptions extends CourierOptions {
  /** What senderThread.ts was built to. */
  readonly file: string
  /** Is told when a thread has ended that nobody ended; `error` is why, where that is known. */
  readonly died: (error: unknown) => void
}

export class ThreadedSender implements Courier {
  /** Deliveries wait in the thread until it can send. */
  readonly ready = true
  readonly #options: ThreadedSenderOptions
  #thread: Thread | null = null

  constructor(options: ThreadedSenderOptions) {
    this.#options = options
  }

  async load(): Promise<void> {
    // There is nothing to load in this thread.
  }

  send(outgoing: Outgoing, ended: (result: Result) => void): void {
    try {
      this.#thread ??= this.#start()
    } catch (error) {
      this.#options.died(error)
      ended(lost(0))
      return
    }
    this.#thread.send(outgoing, ended)
  }

  async close(): Promise<void> {
    const thread = this.#thread
    this.#thread = null
    await thread?.end()
  }

  /** After one that has died the next delivery starts another. */
  #start(): Thread {
    const thread = new Thread(this.#options, (error) => {
      if (this.#thread !== thread) return
      this.#thread = null
      this.#options.died(error)
    })
    return thread
  }
}

/** What comes of an attempt whose thread dies. Whether the receiver was told nobody knows; it will be told again. */
const lost = (durationMs: number): Result => ({
  status: null,
  error: 'the thread that sends webhooks has died',
  durationMs,
})

/** An attempt that the thread has been given and has not reported on. */
interface UnderWay {
  readonly startedAt: number
  readonly ended: (result: Result) => void
}

/** MB for what is new in the thread's heap. Left to itself it takes some 18 MB more, and sends no faster. */
const LIMITS = { maxYoungGenerationSizeMb: 12 }

class Thread {
  readonly #worker: Worker
  /** By their numbers. A number that is free is given out again. */
  readonly #underWay: (UnderWay | null)[] = []
  readonly #free: number[] = []
  #deliveries: DeliveriesMessage = []

  constructor({ file, timeoutMs, connections }: ThreadedSenderOptions, gone: (error: unknown) => void) {
    const workerData: CourierOptions = { timeoutMs, connections }
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
  send(outgoing: Outgoing, ended: (result: Result) => void): void {
    // An attempt under way keeps the process alive, as its connection would in this thread.
    if (this.#isIdle) this.#worker.ref()
    const number = this.#free.pop() ?? this.#underWay.length
    this.#underWay[number] = { startedAt: monotonicNow(), ended }
    if (this.#deliveries.length === 0) {
      queueMicrotask(() => {
        this.#handOver()
      })
    }
    addDelivery(this.#deliveries, number, outgoing)
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  get #isIdle(): boolean {
    return this.#free.length === this.#underWay.length
  }

  #handOver(): void {
    this.#worker.postMessage(this.#deliveries)
    this.#deliveries = []
  }

  #end(number: number, result: Result): void {
    const underWay = this.#underWay[number]
    if (!underWay) return
    this.#underWay[number] = null
    this.#free.push(number)
    if (this.#isIdle) this.#worker.unref()
    underWay.ended(result)
  }

  #endAll(): void {
    const now = monotonicNow()
    for (const [number, underWay] of this.#underWay.entries()) {
      if (underWay) this.#end(number, lost(Math.round(now - underWay.startedAt)))
    }
  }
}
