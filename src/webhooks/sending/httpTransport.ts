/**
 * One attempt over HTTP: a POST without redirects, with a timeout and a limit on the response. undici is loaded with
 * the first delivery, because most processes never need it.
 */
import { lookup } from 'node:dns'
import type { IncomingHttpHeaders } from 'node:http'
import type { LookupFunction } from 'node:net'
import type { Dispatcher, Pool } from 'undici'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import { Alarm } from '../../state/model/scheduler.ts'
import { TargetPolicy, type TargetSettings } from '../targets/allowedTargets.ts'
import {
  describeError,
  errorOfStatus,
  nameToLookUp,
  MAX_RESPONSE_BYTES,
  retryAfterOf,
  type AttemptResult,
} from '@suite-sim/kit/webhooks/attempts'
import { CUT_OFF, type Transport, type TransportOptions, type OnEnd, type Outgoing } from './transport.ts'

interface Target {
  readonly origin: string
  readonly path: string
  /** Why the target is not allowed; null if it is. */
  readonly problem: string | null
}

/**
 * Shorter than the keep-alive of any receiver, because a POST on a connection that is being closed can't be told from
 * one that was received.
 */
const IDLE_CONNECTION_MS = 1000

/** Origins with open connections; idle ones are closed first. */
const MAX_ORIGINS = 256

/** The number of exchanges at which ended ones are first removed. */
const FIRST_CLEANUP = 64

export class HttpTransport implements Transport {
  readonly #options: TransportOptions
  #Pool: typeof Pool | null = null
  readonly #pools = new Map<string, Pool>()
  readonly #targets = new Map<string, Target>()
  /**
   * In the order of their deadlines, since all have the same timeout. Ended ones are removed from time to time. Not a
   * Set, because the old tables of a growing Set stay linked until a full garbage collection.
   */
  readonly #exchanges: Exchange[] = []
  #cleanUpAt = FIRST_CLEANUP
  #policy: TargetPolicy
  readonly #deadline = new Alarm(() => {
    this.#endOverdue()
  })

  constructor(options: TransportOptions) {
    this.#options = options
    this.#policy = new TargetPolicy(options.targets)
  }

  /** True if it can send now; otherwise it must be loaded first. */
  get ready(): boolean {
    return this.#Pool !== null
  }

  async load(): Promise<void> {
    this.#Pool ??= (await import('undici/lib/dispatcher/pool.js')).default
  }

  send(outgoing: Outgoing, ended: OnEnd): void {
    const exchange = new Exchange(monotonicNow(), ended)
    try {
      const { origin, path, problem } = this.#target(outgoing.url)
      if (problem !== null) throw new Error(problem)
      const pool = this.#pool(origin)
      if (this.#exchanges.length >= this.#cleanUpAt) this.#cleanUp()
      this.#exchanges.push(exchange)
      this.#deadline.noLaterThan(this.#options.timeoutMs)
      const { body } = outgoing
      const headers = [...this.#options.headers, ...outgoing.headers]
      pool.dispatch({ path, method: 'POST', headers, body }, exchange)
    } catch (error) {
      exchange.end(describeError(error))
    }
  }

  /** Sets the target policy. */
  setTargets(reach: TargetSettings): void {
    this.#policy = new TargetPolicy(reach)
    this.#targets.clear()
  }

  /** Ends the attempts in flight as failed. */
  async close(): Promise<void> {
    this.#deadline.clear()
    for (const exchange of this.#exchanges.splice(0)) exchange.end(CUT_OFF)
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
    this.#pools.clear()
  }

  /** Returns the target of a URL, cached because few URLs are used repeatedly. */
  #target(url: string): Target {
    let target = this.#targets.get(url)
    if (!target) {
      const parsed = new URL(url)
      const { origin, pathname, search } = parsed
      target = { origin, path: pathname + search, problem: this.#policy.problemOf(parsed) }
      if (this.#targets.size >= MAX_ORIGINS) this.#targets.clear()
      // The addresses of this machine can change.
      if (!this.#policy.isOwnPort(parsed)) this.#targets.set(url, target)
    }
    return target
  }

  #pool(origin: string): Pool {
    let pool = this.#pools.get(origin)
    if (!pool) {
      if (!this.#Pool) throw new Error('the transport has not been loaded')
      this.#closeIdlePool()
      const { connections, timeoutMs } = this.#options
      pool = new this.#Pool(origin, {
        connections,
        connect: { timeout: timeoutMs, lookup: this.#lookupAllowed(new URL(origin)) },
        keepAliveTimeout: IDLE_CONNECTION_MS,
        keepAliveMaxTimeout: IDLE_CONNECTION_MS,
        // One deadline applies to the whole attempt, see below.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      this.#pools.set(origin, pool)
    }
    return pool
  }

  /** Resolves a host without its forbidden addresses. Not called for hosts that are IP addresses. */
  #lookupAllowed(origin: URL): LookupFunction {
    return (hostname, options, callback) => {
      lookup(nameToLookUp(hostname), { ...options, all: true }, (error, found) => {
        if (error) {
          callback(error, [])
          return
        }
        const problems = found.map(({ address }) => this.#policy.addressProblem(origin, address))
        const [first, ...others] = found.filter((_address, index) => problems[index] === null)
        if (!first) callback(new Error(problems.find((problem) => problem !== null) ?? 'host not found'), [])
        else if (options.all) callback(null, [first, ...others])
        else callback(null, first.address, first.family)
      })
    }
  }

  #closeIdlePool(): void {
    if (this.#pools.size < MAX_ORIGINS) return
    for (const [origin, pool] of this.#pools) {
      const { running, pending, queued } = pool.stats
      if (running + pending + queued > 0) continue
      this.#pools.delete(origin)
      void pool.destroy()
      return
    }
  }

  #endOverdue(): void {
    const { timeoutMs } = this.#options
    const latest = monotonicNow() - timeoutMs
    this.#cleanUp()
    const nextDeadline = this.#exchanges.find(({ startedAt }) => startedAt > latest)
    if (nextDeadline) this.#deadline.noLaterThan(nextDeadline.startedAt - latest)
    // The callback of one can start the next.
    for (const exchange of this.#exchanges.filter(({ startedAt }) => startedAt <= latest)) {
      exchange.end(`no complete response within ${String(timeoutMs)} ms`)
    }
  }

  /** Removes ended exchanges. */
  #cleanUp(): void {
    let count = 0
    for (const exchange of this.#exchanges) if (!exchange.over) this.#exchanges[count++] = exchange
    this.#exchanges.length = count
    this.#cleanUpAt = 2 * count + FIRST_CLEANUP
  }
}

/** One request until its response, failure or timeout. Holds no references after its end. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly startedAt: number
  #ended: ((result: AttemptResult) => void) | null
  #controller: Dispatcher.DispatchController | null = null
  #status: number | null = null
  #retryAfterMs: number | undefined
  #received = 0

  constructor(startedAt: number, ended: (result: AttemptResult) => void) {
    this.startedAt = startedAt
    this.#ended = ended
  }

  get over(): boolean {
    return this.#ended === null
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The timeout came before the connection, so nothing is sent.
    if (this.over) controller.abort(new Error('late'))
    else this.#controller = controller
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (statusCode >= 200) this.#status = statusCode
    if (statusCode === 429 || statusCode === 503) this.#retryAfterMs = retryAfterOf(headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#received += chunk.length
    if (this.#received > MAX_RESPONSE_BYTES) this.end(errorOfStatus(this.#status))
  }

  onResponseEnd(): void {
    this.#finish(errorOfStatus(this.#status))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish(describeError(error))
  }

  /** Ends it from this side. `error` is null if the received part is enough. */
  end(error: string | null): void {
    const controller = this.#controller
    this.#finish(error)
    controller?.abort(new Error('ended'))
  }

  #finish(error: string | null): void {
    const ended = this.#ended
    if (!ended) return
    this.#ended = null
    this.#controller = null
    const durationMs = Math.round(monotonicNow() - this.startedAt)
    const retryAfterMs = this.#retryAfterMs
    ended({ status: this.#status, error, durationMs, ...(retryAfterMs !== undefined && { retryAfterMs }) })
  }
}
