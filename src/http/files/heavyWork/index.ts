/**
 * Worker threads for work that would block requests: reading and writing large files. Work beyond its limits
 * fails alone, with a WorkExceeded. Threads start on demand; idle ones do not delay a stop. Without a thread
 * script (when tests run from source), the main thread does the work. Other folders import only this file.
 */
import type { Piscina } from 'piscina'
import { refuse } from '../../../state/model/refusal.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly heavyWork: HeavyWork
  }
}

/** A named task. Its input and its result are copied between threads. */
export interface HeavyTask<Given, Answer> {
  /** The export of the thread's file; see scripts/build.mjs. */
  readonly name: string
  /** Does the work in the current thread. */
  readonly here: (given: Given) => Promise<Answer>
  /** Maximum ms, if it differs from the limit of all tasks. */
  readonly timeMs?: number
}

/** Thrown if the work exceeded its memory or time. */
export class WorkExceeded extends Error {
  override readonly name = 'WorkExceeded'
  readonly what: 'memory' | 'time'

  constructor(what: 'memory' | 'time') {
    super(`the work exceeds its ${what} limit`)
    this.what = what
  }
}

export interface HeavyLimits {
  /** Maximum MB of values at a time; buffers are not counted. */
  readonly memoryMb: number
  /** Maximum ms, counted from the start of the work, without the wait for a thread. */
  readonly timeMs: number
  /** Maximum number of tasks at a time. */
  readonly threads: number
  /** Maximum number of tasks that wait for a thread; more are refused. */
  readonly waiting: number
}

const LIMITS: HeavyLimits = { memoryMb: 512, timeMs: 60_000, threads: 2, waiting: 500 }

/** Ms that a thread waits for more work before it ends. */
const IDLE_MS = 5_000

export class HeavyWork {
  readonly #file: string | undefined
  readonly #limits: HeavyLimits
  #pool: Promise<Piscina> | null = null
  #closed = false
  #working = 0
  readonly #waiting: (() => void)[] = []

  /** `file` is the script of the thread; without it, the current thread does the work. */
  constructor(file: string | undefined, limits: Partial<HeavyLimits> = {}) {
    this.#file = file
    this.#limits = { ...LIMITS, ...limits }
  }

  /** Does the work. Throws a WorkExceeded, a refusal if the queue is full, or the error of the task. */
  async run<Given, Answer>(task: HeavyTask<Given, Answer>, given: Given): Promise<Answer> {
    await this.#turn()
    try {
      if (this.#closed) refuse('unavailable', 'The server is stopping.')
      return this.#file === undefined ? await task.here(given) : await this.#inThread(this.#file, task, given)
    } finally {
      this.#working--
      this.#waiting.shift()?.()
    }
  }

  /** Stops all work in progress. */
  async close(): Promise<void> {
    this.#closed = true
    for (const next of this.#waiting.splice(0)) next()
    await (await this.#pool)?.destroy()
  }

  async #turn(): Promise<void> {
    if (this.#working >= this.#limits.threads && !this.#closed) {
      if (this.#waiting.length >= this.#limits.waiting) {
        refuse('unavailable', 'Too many files are being read or written. Try again later.')
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#working++
  }

  async #inThread<Given, Answer>(
    file: string,
    { name, timeMs = this.#limits.timeMs }: HeavyTask<Given, Answer>,
    given: Given,
  ): Promise<Answer> {
    const pool = await (this.#pool ??= this.#start(file))
    const timeout = new AbortController()
    const timer = setTimeout(() => {
      timeout.abort()
    }, timeMs)
    try {
      return (await pool.run(given, { name, signal: timeout.signal })) as Answer
    } catch (error) {
      if (timeout.signal.aborted) throw new WorkExceeded('time')
      if (isOutOfMemory(error)) throw new WorkExceeded('memory')
      if (this.#closed) refuse('unavailable', 'The server is stopping.')
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  async #start(filename: string): Promise<Piscina> {
    const { Piscina } = await import('piscina')
    const { memoryMb, threads } = this.#limits
    return new Piscina({
      filename,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      // Tasks wait for files and streams. A thread that waits for shared memory can't do that.
      atomics: 'disabled',
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    })
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
