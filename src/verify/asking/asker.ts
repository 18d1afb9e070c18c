/**
 * Asks a service: within a budget, at a rate, and with GET alone unless the run may write. Each answer is kept as an
 * exchange.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { monotonicNow, systemNow } from '../../state/model/clock.ts'
import type { InterfaceName } from '../../state/model/interfaceNames.ts'
import type { JsonObject } from '../../http/openapi/components.ts'
import { fillPath } from '../../library/path.ts'
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

export interface AskerOptions {
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

/** The longest wait that `Retry-After` can ask for. */
const MAX_WAIT_MS = 60_000

/** The service cannot be asked any longer; the message says why. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
}

export class Asker {
  readonly service: Service
  readonly #options: AskerOptions
  #asked = 0
  #nextAt = 0
  #unanswered = 0

  constructor(options: AskerOptions) {
    this.#options = options
    this.service = options.service
  }

  /** The number of calls that were made. */
  get asked(): number {
    return this.#asked
  }

  get isStopped(): boolean {
    return this.#options.signal?.aborted === true
  }

  /** The number of calls that remain. */
  get remaining(): number {
    return Math.max(0, this.#options.budget - this.#asked)
  }

  /** Returns the answer; null if the budget is spent or the run was stopped. Throws a ServiceError. */
  async ask(probe: Probe): Promise<Exchange | null> {
    const { operation } = probe
    if (operation.method !== 'GET' && !this.#options.mayWrite)
      throw new Error(`${operation.address} would write in a run that only reads`)
    const request = requestOf(probe, this.service)
    for (let attempt = 1; ; attempt++) {
      if (this.remaining === 0 || this.#options.signal?.aborted) return null
      await this.#waitForTurn()
      this.#asked++
      const exchange = await this.#exchange(probe, request)
      const isLast = attempt === MAX_ATTEMPTS
      if (exchange.status === 0) {
        this.#unanswered++
        if (this.#unanswered >= MAX_ATTEMPTS)
          throw new ServiceError(`${new URL(request.url).origin} does not respond: ${exchange.text}`)
        // A call that may have changed something is never sent twice.
        if (operation.method === 'GET' && !isLast) continue
      } else this.#unanswered = 0
      if (exchange.status === 429 && !isLast) {
        await delay(retryAfterMs(exchange), undefined, { signal: this.#options.signal }).catch(
          () => undefined,
        )
        continue
      }
      this.#options.onExchange?.(exchange)
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
    const number = this.#asked + (this.#options.before ?? 0)
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

function retryAfterMs({ headers }: Exchange): number {
  const seconds = Number(headers['retry-after'] ?? headers['x-ratelimit-reset'] ?? 1)
  return Math.min(Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : 1000, MAX_WAIT_MS)
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
