/**
 * One attempt over HTTP: POST, no redirects followed, a bound on its time in all and on what is read of the answer.
 * undici is loaded when the first delivery goes out, for most starts never need it.
 */
import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Dispatcher, Pool } from 'undici'
import { httpDate, monotonicNow } from '../../state/clock.ts'
import { Alarm } from '../../state/scheduler.ts'
import { TargetPolicy, type TargetSettings } from '../allowedTargets.ts'
import {
  CUT,
  REFUSED,
  type Transport,
  type TransportOptions,
  type OnEnd,
  type Outgoing,
  type Result,
} from './transport.ts'

interface Target {
  readonly origin: string
  readonly path: string
  /** Why nothing may be sent there; null when something may. */
  readonly problem: string | null
}

/** Nobody reads an answer; beyond this many bytes the connection is closed instead. */
const LONGEST_ANSWER = 256 * 1024

/**
 * Shorter than any receiver keeps an idle connection open, so that no delivery meets one that is just being closed:
 * a POST that fails so can't be told from one that was taken.
 */
const IDLE_CONNECTION_MS = 1000

/** Origins whose connections are kept; those that are idle make room for others. */
const MAX_ORIGINS = 256

/** Exchanges that are remembered before those that are over are swept out. */
const FIRST_SWEEP = 64

export class HttpTransport implements Transport {
  readonly #options: TransportOptions
  #Pool: typeof Pool | null = null
  readonly #pools = new Map<string, Pool>()
  readonly #targets = new Map<string, Target>()
  /**
   * In the order of their deadlines, for all have the same time. Those that are over are swept out now and then. Not a
   * Set: the tables that it outgrows are linked to each other, so that all that was ever in it waits for a full
   * collection of garbage, which costs as much as sending does.
   */
  readonly #exchanges: Exchange[] = []
  #sweepAt = FIRST_SWEEP
  #reach: TargetPolicy
  readonly #deadline = new Alarm(() => {
    this.#endLate()
  })

  constructor(options: TransportOptions) {
    this.#options = options
    this.#reach = new TargetPolicy(options.reach)
  }

  /** Whether it can send at once; if not, it has to be loaded first. */
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
      if (this.#exchanges.length >= this.#sweepAt) this.#sweep()
      this.#exchanges.push(exchange)
      this.#deadline.noLaterThan(this.#options.timeoutMs)
      const { body } = outgoing
      const headers = [...this.#options.headers, ...outgoing.headers]
      pool.dispatch({ path, method: 'POST', headers, body }, exchange)
    } catch (error) {
      exchange.end(describe(error))
    }
  }

  /** Says where deliveries may lead from now on. */
  heed(reach: TargetSettings): void {
    this.#reach = new TargetPolicy(reach)
    this.#targets.clear()
  }

  /** Ends what is under way, as an attempt that failed. */
  async close(): Promise<void> {
    this.#deadline.clear()
    for (const exchange of this.#exchanges.splice(0)) exchange.end(CUT)
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
    this.#pools.clear()
  }

  /** Most deliveries go to the few urls that others have gone to before. */
  #target(url: string): Target {
    let target = this.#targets.get(url)
    if (!target) {
      const parsed = new URL(url)
      const { origin, pathname, search } = parsed
      target = { origin, path: pathname + search, problem: this.#reach.problemOf(parsed) }
      if (this.#targets.size >= MAX_ORIGINS) this.#targets.clear()
      // The addresses of this machine may change.
      if (!this.#reach.isOwnPort(parsed)) this.#targets.set(url, target)
    }
    return target
  }

  #pool(origin: string): Pool {
    let pool = this.#pools.get(origin)
    if (!pool) {
      if (!this.#Pool) throw new Error('the transport has not been loaded')
      this.#makeRoom()
      const { connections, timeoutMs } = this.#options
      pool = new this.#Pool(origin, {
        connections,
        connect: { timeout: timeoutMs, lookup: this.#lookupWithinReach(new URL(origin)) },
        keepAliveTimeout: IDLE_CONNECTION_MS,
        keepAliveMaxTimeout: IDLE_CONNECTION_MS,
        // One deadline holds for the whole attempt, see below.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      this.#pools.set(origin, pool)
    }
    return pool
  }

  /** Leaves out the addresses that may not be connected to. Of a host that is an address nothing is looked up. */
  #lookupWithinReach(origin: URL): LookupFunction {
    return (hostname, options, callback) => {
      lookupHost(hostname, { ...options, all: true }, (error, found) => {
        if (error) {
          callback(error, [])
          return
        }
        const problems = found.map(({ address }) => this.#reach.addressProblem(origin, address))
        const [first, ...others] = found.filter((_address, index) => problems[index] === null)
        if (!first) callback(new Error(problems.find((problem) => problem !== null) ?? 'host not found'), [])
        else if (options.all) callback(null, [first, ...others])
        else callback(null, first.address, first.family)
      })
    }
  }

  #makeRoom(): void {
    if (this.#pools.size < MAX_ORIGINS) return
    for (const [origin, pool] of this.#pools) {
      const { running, pending, queued } = pool.stats
      if (running + pending + queued > 0) continue
      this.#pools.delete(origin)
      void pool.destroy()
      return
    }
  }

  #endLate(): void {
    const { timeoutMs } = this.#options
    const latest = monotonicNow() - timeoutMs
    this.#sweep()
    const punctual = this.#exchanges.find(({ startedAt }) => startedAt > latest)
    if (punctual) this.#deadline.noLaterThan(punctual.startedAt - latest)
    // Whoever is told that one has ended may send the next.
    for (const exchange of this.#exchanges.filter(({ startedAt }) => startedAt <= latest)) {
      exchange.end(`no complete answer within ${String(timeoutMs)} ms`)
    }
  }

  /** Leaves those that are under way. */
  #sweep(): void {
    let kept = 0
    for (const exchange of this.#exchanges) if (!exchange.over) this.#exchanges[kept++] = exchange
    this.#exchanges.length = kept
    this.#sweepAt = 2 * kept + FIRST_SWEEP
  }
}

/** Follows one request until it is answered, fails or is late. When it is over it holds on to nothing. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly startedAt: number
  #ended: ((result: Result) => void) | null
  #controller: Dispatcher.DispatchController | null = null
  #status: number | null = null
  #retryAfterMs: number | undefined
  #received = 0

  constructor(startedAt: number, ended: (result: Result) => void) {
    this.startedAt = startedAt
    this.#ended = ended
  }

  get over(): boolean {
    return this.#ended === null
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // It was late before there was a connection, and so it is not sent at all.
    if (this.over) controller.abort(new Error('late'))
    else this.#controller = controller
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number, headers: Headers): void {
    if (statusCode >= 200) this.#status = statusCode
    if (statusCode === 429 || statusCode === 503) this.#retryAfterMs = retryAfter(headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#received += chunk.length
    if (this.#received > LONGEST_ANSWER) this.end(judge(this.#status))
  }

  onResponseEnd(): void {
    this.#finish(judge(this.#status))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish(describe(error))
  }

  /** Ends it from this side; `error` is null when what has come so far is enough. */
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

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Ms; longer than a day is a mistake, or a way to be forgotten. */
const LONGEST_PAUSE = 86_400_000

/** RFC 9110, 10.2.3: seconds, or a date, which is read by the clock of whoever sent it. */
function retryAfter(headers: Headers): number | undefined {
  const asked = String(headers['retry-after'] ?? '')
  const date = String(headers['date'] ?? '')
  const ms = /^\s*\d{1,9}\s*$/.test(asked) ? Number(asked) * 1000 : httpDate(asked) - httpDate(date)
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, LONGEST_PAUSE) : undefined
}

/** "The subscriber should answer 2xx quickly": nothing else is taken for a yes. */
function judge(status: number | null): string | null {
  if (status === null) return 'no answer'
  if (status < 300) return null
  return status < 400 ? 'redirects are not followed' : `the receiver answered ${String(status)}`
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: REFUSED,
  ECONNRESET: 'connection closed before the answer was complete',
  EPIPE: 'connection closed before the answer was complete',
  UND_ERR_SOCKET: 'connection closed before the answer was complete',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
}

function describe(error: unknown): string {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return WORDS[code] ?? [message, code].find((text) => text !== '') ?? 'the attempt failed'
}

/** Names below localhost are this machine (RFC 6761), also where the system's resolver does not know it. */
const lookupHost = (hostname: string, options: LookupAllOptions, callback: LookupCallback): void => {
  lookup(/\.localhost\.?$/i.test(hostname) ? 'localhost' : hostname, options, callback)
}

type LookupCallback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void
