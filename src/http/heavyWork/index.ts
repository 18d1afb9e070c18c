/**
 * Work that takes too long for the thread that answers requests: reading large files, and writing them.
 *
 * What it promises: no such work holds a request up, none has more memory or time than its limits, and when one exceeds
 * them it alone fails, with a WorkExceeded. The threads start with the first work and end when there is none for a
 * while; idle ones keep no process alive and no stop waiting.
 *
 * Without it the work would be done all the same, in the thread that answers requests, as it is where no file of a thread
 * was built (the tests of the sources). The only file of this folder that others import.
 */
import type { Piscina } from 'piscina'
import { refuse } from '../../state/refusal.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly heavyWork: HeavyWork
  }
}

/** Work by a name; what it is given and what it answers with are copied from thread to thread. */
export interface HeavyTask<Given, Answer> {
  /** What the file of the thread exports it as; see scripts/build.mjs. */
  readonly name: string
  /** Does the work in this thread. */
  readonly here: (given: Given) => Promise<Answer>
}

/** The work took more than it may. */
export class WorkExceeded extends Error {
  override readonly name = 'WorkExceeded'
  readonly what: 'memory' | 'time'

  constructor(what: 'memory' | 'time') {
    super(`the work takes more ${what} than it may`)
    this.what = what
  }
}

export interface HeavyLimits {
  /** MB of values that the work may have at a time; buffers are not counted. */
  readonly memoryMb: number
  /** Ms from its begin, however long it waited for a thread. */
  readonly timeMs: number
  /** Works at a time. */
  readonly threads: number
  /** Works that may wait for a thread; further ones are refused. */
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

  /** `file` is that of the thread; without it, this thread works. */
  constructor(file: string | undefined, limits: Partial<HeavyLimits> = {}) {
    this.#file = file
    this.#limits = { ...LIMITS, ...limits }
  }

  /** Does the work. Throws a WorkExceeded, a refusal where too much of it is waiting, or what the work has thrown. */
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

  /** Gives up what is being done. */
  async close(): Promise<void> {
    this.#closed = true
    for (const next of this.#waiting.splice(0)) next()
    await (await this.#pool)?.destroy()
  }

  async #turn(): Promise<void> {
    if (this.#working >= this.#limits.threads && !this.#closed) {
      if (this.#waiting.length >= this.#limits.waiting) {
        refuse('unavailable', 'Too much is being read and printed already; try again later.')
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#working++
  }

  async #inThread<Given, Answer>(
    file: string,
    { name }: HeavyTask<Given, Answer>,
    given: Given,
  ): Promise<Answer> {
    const pool = await (this.#pool ??= this.#start(file))
    const late = new AbortController()
    const timer = setTimeout(() => {
      late.abort()
    }, this.#limits.timeMs)
    try {
      return (await pool.run(given, { name, signal: late.signal })) as Answer
    } catch (error) {
      if (late.signal.aborted) throw new WorkExceeded('time')
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
      // The tasks wait for files and streams, which a thread that waits for shared memory could not.
      atomics: 'disabled',
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    })
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
