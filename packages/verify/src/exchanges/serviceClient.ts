/**
 * Sends calls to a service: within a budget, at a rate, and with GET alone unless the run may write. Each answer is
 * kept as an exchange.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { httpDate } from '@suite-sim/kit/time/instants'
import { monotonicNow, systemNow } from '@suite-sim/kit/time/machineClock'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { JsonObject } from '../../../../src/published.ts'
import { fillPath } from '@suite-sim/kit/paths'
import type { Operation } from '../model/operation.ts'
import type { Exchange, FileToSend, Probe } from './exchange.ts'

/** Where a service is, and the key for it. */
export interface Service {
  /** "https://suite.example.com": the mounted paths of the interfaces are below it. */
  readonly baseUrl: string
  /** The own base URLs of interfaces, with their base path: `{ crm: 'https://crm.example.com/v1' }`. */
  readonly at?: Readonly<Partial<Record<InterfaceName, string>>>
  readonly key: string
}

export interface ServiceClientOptions {
  readonly service: Service
  /** The largest number of calls. */
  readonly budget: number
  /** Milliseconds between the starts of two calls; 0 is no limit. */
  readonly intervalMs: number
  /** Whether calls may change something. */
  readonly mayWrite: boolean
  /** Calls that the run made before, so that each exchange has its own number. */
  readonly before?: number
  readonly signal?: AbortSignal
  readonly onExchange?: (exchange: Exchange) => void
}

/** The largest answer that is read. */
const MAX_BYTES = 16 * 1024 * 1024

/** Characters of an answer that is no JSON. */
const MAX_TEXT = 2000

const TIMEOUT_MS = 30_000

/** Attempts of a call that gets 429 or no answer. */
const MAX_ATTEMPTS = 3

/** Calls in a row without an answer that show that the service does not respond. */
const MAX_UNANSWERED = 3

/** The longest wait that `Retry-After` can ask for, and the wait without one. */
const MAX_WAIT_MS = 60_000
const DEFAULT_WAIT_MS = 1000

/** The service cannot be called any longer; the message says why. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  /** The last call without an answer. */
  readonly exchange: Exchange

  constructor(message: string, exchange: Exchange) {
    super(message)
    this.exchange = exchange
  }
}

export class ServiceClient {
  readonly service: Service
  readonly #options: ServiceClientOptions
  #sent = 0
  #nextAt = 0
  /** The calls without an answer since the last answer. */
  #unanswered = 0

  constructor(options: ServiceClientOptions) {
    this.#options = options
    this.service = options.service
  }

  /** The number of calls that were made. */
  get sent(): number {
    return this.#sent
  }

  get isStopped(): boolean {
    return this.#options.signal?.aborted === true
  }

  /** The number of calls that remain. */
  get remaining(): number {
    return Math.max(0, this.#options.budget - this.#sent)
  }

  /**
   * Returns the answer; null if the budget is spent or the run was stopped. A call without an answer has the status 0.
   * Throws a ServiceError if several calls in a row have none.
   */
  async send(probe: Probe): Promise<Exchange | null> {
    const { operation } = probe
    if (operation.method !== 'GET' && !this.#options.mayWrite)
      throw new Error(`${operation.address} would write in a run that only reads`)
    const request = requestOf(probe, this.service)
    // A service that left the last call without an answer is not called three times again.
    const attempts = this.#unanswered === 0 ? MAX_ATTEMPTS : 1
    for (let attempt = 1; ; attempt++) {
      if (this.remaining === 0 || this.#options.signal?.aborted) return null
      await this.#waitForTurn()
      this.#sent++
      const exchange = await this.#exchange(probe, request)
      const isUnanswered = exchange.status === 0
      // A call that may have changed something is never sent twice.
      if (isUnanswered && operation.method === 'GET' && attempt < attempts) continue
      if (exchange.status === 429 && attempt < MAX_ATTEMPTS) {
        await delay(retryAfterMs(exchange), undefined, { signal: this.#options.signal }).catch(
          () => undefined,
        )
        continue
      }
      this.#unanswered = isUnanswered ? this.#unanswered + 1 : 0
      this.#options.onExchange?.(exchange)
      if (this.#unanswered >= MAX_UNANSWERED) {
        const why = `${new URL(request.url).origin} does not respond: ${exchange.text}`
        throw new ServiceError(why, exchange)
      }
      return exchange
    }
  }

  async #waitForTurn(): Promise<void> {
    const { intervalMs, signal } = this.#options
    const now = monotonicNow()
    const wait = this.#nextAt - now
    this.#nextAt = Math.max(now, this.#nextAt) + intervalMs
    // A stopped run makes no further call.
    if (wait > 0) await delay(wait, undefined, { signal }).catch(() => undefined)
  }

  async #exchange(probe: Probe, request: Request): Promise<Exchange> {
    const startedAt = systemNow()
    const begun = monotonicNow()
    const number = this.#sent + (this.#options.before ?? 0)
    const common = { number, probe, at: new Date(startedAt).toISOString(), url: request.url }
    try {
      const { signal } = this.#options
      const timeout = AbortSignal.timeout(TIMEOUT_MS)
      const response = await fetch(request.url, {
        method: request.method,
        headers: request.headers,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        ...(request.body !== undefined && { body: request.body }),
      })
      const headers = Object.fromEntries(response.headers)
      const { bytes, isWhole } = await readBytes(response)
      const isJson = (headers['content-type'] ?? '').includes('json')
      const text = new TextDecoder().decode(isJson ? bytes : bytes.subarray(0, MAX_TEXT))
      return {
        ...common,
        durationMs: Math.round(monotonicNow() - begun),
        status: response.status,
        headers,
        body: isJson && isWhole ? parsed(text) : undefined,
        text,
      }
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      const text = cause instanceof Error ? cause.message : String(cause)
      const durationMs = Math.round(monotonicNow() - begun)
      return { ...common, durationMs, status: 0, headers: {}, body: undefined, text }
    }
  }
}

export interface Request {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | FormData
}

/** Returns the call of a probe. */
export function requestOf({ operation, path, query, body, file, purpose }: Probe, service: Service): Request {
  const base = baseOf(operation, service)
  const search = new URLSearchParams(query).toString()
  const key =
    purpose.kind !== 'auth' ? service.key : purpose.key === 'wrong' ? `${service.key}-wrong` : undefined
  return {
    method: operation.method,
    url: `${base}${fillPath(operation.path, path)}${search && `?${search}`}`,
    headers: {
      accept: '*/*',
      ...(key !== undefined && credential(operation, key)),
      // fetch writes the media type of a form itself.
      ...(body !== undefined && !file && { 'content-type': 'application/json' }),
    },
    ...(file ? { body: formOf(file, body) } : body !== undefined && { body: JSON.stringify(body) }),
  }
}

function formOf({ field, name, type, base64 }: FileToSend, fields: unknown): FormData {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields ?? {})) form.set(key, String(value))
  form.set(field, new Blob([Buffer.from(base64, 'base64')], { type }), name)
  return form
}

/** Returns the URL of the base path of an interface, without a slash at its end. */
export function baseOf(
  { document, interface: name }: Pick<Operation, 'document' | 'interface'>,
  { baseUrl, at }: Pick<Service, 'baseUrl' | 'at'>,
): string {
  const own = at?.[name]
  const { pathname } = new URL(document.servers[0]?.url ?? '/', 'http://localhost')
  return withoutSlash(own ?? `${withoutSlash(baseUrl)}${pathname}`)
}

const withoutSlash = (url: string): string => (url.endsWith('/') ? withoutSlash(url.slice(0, -1)) : url)

/** Returns the header that has the key, as the document declares it. */
function credential({ document, published }: Operation, key: string): Record<string, string> {
  const security = (published['security'] ?? document.security) as readonly JsonObject[]
  const name = Object.keys(security[0] ?? {})[0]
  const scheme = name === undefined ? undefined : document.components.securitySchemes[name]
  if (!scheme) return {}
  if (scheme['type'] === 'http') return { authorization: `Bearer ${key}` }
  return { [String(scheme['name'])]: key }
}

/** Returns the wait that an answer asks for: a number of seconds, or an HTTP date (RFC 9110). */
function retryAfterMs({ headers }: Exchange): number {
  const text = headers['retry-after'] ?? headers['x-ratelimit-reset'] ?? ''
  const seconds = text.trim() === '' ? NaN : Number(text)
  const ms = Number.isNaN(seconds) ? httpDate(text) - systemNow() : seconds * 1000
  return Number.isNaN(ms) || (ms < 0 && !Number.isNaN(seconds))
    ? DEFAULT_WAIT_MS
    : Math.min(Math.max(ms, 0), MAX_WAIT_MS)
}

/** Reads a body up to the largest size. */
async function readBytes(response: Response): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  if (response.body) {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_BYTES) return { bytes: Buffer.concat(chunks), isWhole: false }
    }
  }
  return { bytes: Buffer.concat(chunks), isWhole: true }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
