/** Passes the deliveries of `listen` to local URLs, by the rules of the server: timeout, no redirects, only 2xx succeeds. */
import {
  describeError,
  errorOfStatus,
  REFUSED,
  retryAfterOf,
  type AttemptResult,
} from '@suite-sim/kit/webhooks/attempts'
import type { ListenerDelivery } from '@suite-sim/kit/webhooks/listening'
import { verifySignature } from '@suite-sim/client/receiver'
import { paint, printLine, type OutputSettings } from '@suite-sim/kit/terminal/output'
import { post, Unfinished, type Posted } from './posting.ts'
import type { Target } from './targets.ts'

/** Deliveries whose result is kept until the timeline shows it. */
const MAX_KEPT = 1000

/** What a local URL answered to an attempt. */
export interface LocalResult extends AttemptResult {
  readonly url: string
  readonly attempt: number
}

interface ReceiverOptions extends OutputSettings {
  readonly targets: readonly Target[]
  readonly secret: string
  readonly print: boolean
}

export class LocalReceiver {
  readonly #options: ReceiverOptions
  #timeoutMs = 0
  readonly #closing = new AbortController()
  /** By the id of the delivery. */
  readonly #results = new Map<string, LocalResult>()

  constructor(options: ReceiverOptions) {
    this.#options = options
  }

  /** Must be called before the first delivery. */
  prepare(timeoutMs: number): void {
    this.#timeoutMs = timeoutMs
  }

  receive(delivery: ListenerDelivery, ended: (result: AttemptResult) => void): void {
    const headers = headersOf(delivery.headers)
    const isVerified = verifySignature(delivery.body, headers['x-service-signature'], this.#options.secret)
    if (this.#options.print) this.#print(headers, delivery.body, isVerified)
    const url = this.#options.targets[delivery.route]?.url ?? null
    const end = (result: AttemptResult): void => {
      const id = headers['x-service-delivery'] ?? ''
      if (url !== null) this.#keep(id, { ...result, url, attempt: Number(headers['x-service-attempt'] ?? 1) })
      ended(result)
    }
    if (url !== null) void this.#pass(new URL(url), headers, delivery.body).then(end)
    else if (isVerified) end({ status: 200, error: null, durationMs: 0 })
    else end({ status: 401, error: 'the receiver responded with 401', durationMs: 0 })
  }

  /** Returns the result of a delivery once; undefined if it did not come here. */
  takeResult(id: string | null): LocalResult | undefined {
    const result = this.#results.get(id ?? '')
    this.#results.delete(id ?? '')
    return result
  }

  /** Ends the attempts in flight. */
  close(): void {
    this.#closing.abort()
  }

  async #pass(url: URL, headers: Readonly<Record<string, string>>, body: string): Promise<AttemptResult> {
    const timeoutMs = this.#timeoutMs
    const posted = await post({ url, headers, body, timeoutMs, signal: this.#closing.signal })
    const { status, durationMs } = posted
    const retryAfterMs = status === 429 || status === 503 ? retryAfterOf(posted.headers) : undefined
    const error = errorOf(posted, timeoutMs)
    return { status, error, durationMs, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  }

  #keep(id: string, result: LocalResult): void {
    this.#results.set(id, result)
    const [oldest] = this.#results.keys()
    if (this.#results.size > MAX_KEPT && oldest !== undefined) this.#results.delete(oldest)
  }

  #print(headers: Readonly<Record<string, string>>, body: string, verified: boolean): void {
    const id = headers['x-service-delivery'] ?? ''
    const event = headers['x-service-event'] ?? ''
    const attempt = Number(headers['x-service-attempt'] ?? 1)
    const payload = parsed(body)
    printLine(this.#options, { kind: 'webhook', id, event, attempt, verified, payload }, () => {
      const mark = verified ? paint('green', 'signature verified') : paint('red', 'WRONG SIGNATURE')
      const head = `${paint('bold', 'webhook')} ${event} ${id}, attempt ${String(attempt)}, ${mark}`
      return `${head}\n${typeof payload === 'string' ? body : JSON.stringify(payload, null, 2)}`
    })
  }
}

/** Returns why an attempt has failed, in the words of the server; null if it has not. */
function errorOf({ status, error }: Posted, timeoutMs: number): string | null {
  if (error instanceof Unfinished && !error.isTooLong)
    return `no complete response within ${String(timeoutMs)} ms`
  return error && !(error instanceof Unfinished) ? describeError(error) : errorOfStatus(status)
}

/** Returns the text itself if it is no JSON, because a fault can truncate it. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

const headersOf = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pairs.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), pairs[index + 1] ?? '']] : [])),
  )

/** Explains a result in one line, after the title of its timeline entry: "pos sale.completed answered 200". */
export function explain({ url, attempt, status, error, durationMs }: LocalResult): string {
  const { origin } = new URL(url)
  const reason = reasonOf(status, error, origin)
  const which = attempt > 1 ? `, attempt ${String(attempt)}` : ''
  return `(${url}, ${String(durationMs)} ms${which})${reason === null ? '' : `: ${reason}`}`
}

function reasonOf(status: number | null, error: string | null, origin: string): string | null {
  if (error === null) return null
  if (status !== null && status >= 300 && status < 400)
    return 'redirects are not followed; forward to the final URL'
  if (error === REFUSED) return `nothing listens at ${origin}`
  if (error.includes('certificate'))
    return 'to trust its certificate, start suite-sim with NODE_EXTRA_CA_CERTS=FILE'
  if (error.startsWith('no complete response')) return 'answer first, and do slow work afterwards'
  return status === null ? null : 'only 2xx counts as delivered'
}
