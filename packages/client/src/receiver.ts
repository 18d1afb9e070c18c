/** A webhook receiver for tests: it verifies signatures, records webhooks and lets a test wait for them. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { counted } from '@suite-sim/kit/text/counted'
import { checkOptions } from './checking.ts'
import { variable } from './environment.ts'
import { SimulatorError } from './errors.ts'
import { clearTimeout, setTimeout } from './globals.ts'
import type { EventName } from './messages.ts'
import { DEFAULT_TIMEOUT } from './waiting.ts'

/** A received webhook. */
export interface ReceivedWebhook<Data = Record<string, unknown>> {
  /** The same id in every attempt: that of the envelope, or else of the delivery (X-Service-Delivery). */
  readonly id: string
  readonly event: EventName
  /** The event data; the whole body if it has no envelope. */
  readonly data: Data
  /** The whole body: `{id, event, createdAt, data}`, or under other readings the fields of the record beside `event`. */
  readonly payload: Record<string, unknown>
  /** The signed bytes, as text. */
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** The number of the attempt, from 1. */
  readonly attempt: number
  /** Whether one of the secrets signed it; null for a receiver without secrets. */
  readonly verified: boolean | null
  /** The response status. */
  readonly status: number
}

/** The body of an event, which may have several forms. */
type EventBody<Webhooks, Event extends keyof Webhooks> = Webhooks[Event] extends {
  readonly post: { readonly requestBody: { readonly content: { readonly 'application/json': infer Body } } }
}
  ? Body
  : never

/** The data of an event in its envelope, from the types of its interface: `EventData<webhooks, 'payment.completed'>`. */
export type EventData<Webhooks, Event extends keyof Webhooks> = Extract<
  EventBody<Webhooks, Event>,
  { readonly data: unknown }
>['data']

/** The body of an event without an envelope, under the reading `flat`: `FlatEvent<webhooks, 'message_created'>`. */
export type FlatEvent<Webhooks, Event extends keyof Webhooks> = Exclude<
  EventBody<Webhooks, Event>,
  { readonly data: unknown }
>

/** A response status, or a function that returns it for a webhook. */
export type Answer = number | ((webhook: Omit<ReceivedWebhook, 'status'>) => number | Promise<number>)

export interface ReceiverOptions {
  /** The secret of the subscription, or of several; webhooks with another signature get 401. */
  readonly secret?: string | readonly string[]
  /** The response; 200 by default. */
  readonly answer?: Answer
  /** A free port by default. */
  readonly port?: number
  /**
   * The host name of this machine for a simulator elsewhere: "host.docker.internal"; SUITE_SIM_WEBHOOK_HOST
   * by default. With it, the receiver listens on the network; without it, only on 127.0.0.1.
   */
  readonly hostname?: string
}

export interface WaitOptions {
  readonly event?: EventName
  /** The timeout in seconds, after which a SimulatorError with the code "timeout" is thrown; 10 by default. */
  readonly timeout?: number
}

const WAIT_OPTIONS = ['event', 'timeout']

/** The part of a workspace that creates subscriptions. */
interface Subscribing<Subscription, Created> {
  readonly subscriptions: { create(subscription: Subscription & { readonly url: string }): Promise<Created> }
  readonly deliveries?: { explain(filter: object): Promise<string | null> }
}

/** Returns why no webhook of an event arrives. */
type Explain = (event: EventName | undefined) => Promise<string | null>

const LOOPBACK = '127.0.0.1'

/** Maximum bytes of a body, more than any webhook has. */
const LONGEST_BODY = 16 * 1_048_576

/**
 * Checks `signature` (the header X-Service-Signature): "sha256=" and the hex HMAC-SHA256 of the body's bytes
 * with the secret of the subscription. All interfaces sign in this way.
 */
export function verifySignature(
  body: string | Uint8Array,
  signature: string | undefined,
  secret: string,
): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const received = Buffer.from(signature ?? '')
  return received.length === expected.length && timingSafeEqual(received, expected)
}

/** Starts a receiver, which listens until it is closed: `await using receiver = await receiveWebhooks()`. */
export async function receiveWebhooks(options: ReceiverOptions = {}): Promise<WebhookReceiver> {
  checkOptions('receiveWebhooks()', options, ['secret', 'answer', 'port', 'hostname'])
  const { port = 0, hostname = variable('SUITE_SIM_WEBHOOK_HOST') } = options
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, hostname === undefined ? LOOPBACK : '0.0.0.0', resolve)
  })
  return new WebhookReceiver(server, { ...options, hostname: hostname ?? LOOPBACK })
}

export class WebhookReceiver implements AsyncDisposable {
  /** The URL for subscriptions: "http://127.0.0.1:49152/webhooks". */
  readonly url: string
  /** All received webhooks in order: every attempt, and those with a wrong signature. */
  readonly received: ReceivedWebhook[] = []
  readonly #server: Server
  readonly #secrets: Set<string>
  readonly #waiting = new Set<() => void>()
  /** One of each subscription. */
  readonly #explanations: Explain[] = []
  readonly #returned = new WeakSet<ReceivedWebhook>()
  #answer: Answer

  constructor(server: Server, { secret = [], answer = 200, hostname = LOOPBACK }: ReceiverOptions) {
    const { port } = server.address() as AddressInfo
    this.url = `http://${hostname}:${String(port)}/webhooks`
    this.#server = server
    this.#secrets = new Set(typeof secret === 'string' ? [secret] : secret)
    this.#answer = answer
    server.on('request', (request, response) => {
      this.#take(request, response).catch(() => response.destroy())
    })
  }

  /** Accepts webhooks that this secret signed, too. */
  trust(secret: string): void {
    this.#secrets.add(secret)
  }

  /**
   * Subscribes the receiver in a workspace, and trusts its secret: `receiver.subscribe(workspace, {interface:
   * 'pos'})`.
   */
  async subscribe<
    Subscription extends object,
    Created extends { readonly id?: string; readonly secret: string },
  >(
    workspace: Subscribing<Subscription, Created>,
    subscription: Omit<Subscription, 'url'>,
  ): Promise<Created> {
    const created = await workspace.subscriptions.create({
      ...subscription,
      url: this.url,
    } as unknown as Subscription & { readonly url: string })
    this.trust(created.secret)
    this.#explanations.push(async (event) => {
      const filter = {
        ...(created.id !== undefined && { subscription: created.id }),
        ...(event && { event }),
      }
      return (await workspace.deliveries?.explain(filter)) ?? null
    })
    return created
  }

  /** Sets the response from now on: a status, or a function of the webhook. */
  answerWith(answer: Answer): void {
    this.#answer = answer
  }

  /** Returns the first webhook, past or future, that no earlier `next()` returned. */
  async next<Data = Record<string, unknown>>(options: WaitOptions = {}): Promise<ReceivedWebhook<Data>> {
    checkOptions('receiver.next()', options, WAIT_OPTIONS)
    const found = await this.#until(options, 'another webhook', (matching) => {
      const [first] = matching.filter((each) => !this.#returned.has(each))
      // Marked immediately, because several callers may wait for the next one.
      if (first) this.#returned.add(first)
      return first
    })
    return found as ReceivedWebhook<Data>
  }

  /** Returns the first `count` webhooks when they have arrived, including those that `next()` returned. */
  async wait(count: number, options: WaitOptions = {}): Promise<ReceivedWebhook[]> {
    checkOptions('receiver.wait()', options, WAIT_OPTIONS)
    return this.#until(options, counted(count, 'webhook'), (matching) =>
      matching.length < count ? undefined : matching.slice(0, count),
    )
  }

  /** Deletes all received webhooks. */
  clear(): void {
    this.received.length = 0
  }

  /** Closes all connections and stops listening. */
  async close(): Promise<void> {
    if (!this.#server.listening) return
    await new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve()
      })
      this.#server.closeAllConnections()
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Returns the first result of `pick` for the matching webhooks; those with a wrong signature never match. */
  async #until<Picked>(
    { event, timeout = DEFAULT_TIMEOUT }: WaitOptions,
    what: string,
    pick: (matching: readonly ReceivedWebhook[]) => Picked | undefined,
  ): Promise<Picked> {
    const findMatching = (): ReceivedWebhook[] =>
      this.received.filter((each) => each.verified !== false && (event ?? each.event) === each.event)
    const found = pick(findMatching())
    if (found !== undefined) return found
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const picked = pick(findMatching())
        if (picked === undefined) return
        stop()
        resolve(picked)
      }
      const timer = setTimeout(() => {
        stop()
        this.#timeoutError(`${what}${event === undefined ? '' : ` ${event}`}`, timeout, event).then(
          reject,
          reject,
        )
      }, timeout * 1000)
      const stop = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(check)
      }
      this.#waiting.add(check)
    })
  }

  async #timeoutError(what: string, timeout: number, event: EventName | undefined): Promise<SimulatorError> {
    const events = this.received.map(
      ({ event, verified }) => event + (verified === false ? ' (wrong signature)' : ''),
    )
    return new SimulatorError({
      code: 'timeout',
      message: [
        `Waited ${String(timeout)} s for ${what}. Received in all: ${events.join(', ') || 'nothing'}.`,
        ...(await this.#reasons(event)),
      ].join(' '),
    })
  }

  /** Returns why webhooks are missing, as far as the subscriptions of `subscribe` know. */
  async #reasons(event: EventName | undefined): Promise<string[]> {
    if (this.#explanations.length === 0)
      return this.received.length === 0 ? [`Is ${this.url} the URL of a subscription?`] : []
    const all = this.#explanations.map((explain) =>
      // The server refuses an event that does not exist, with the nearest name.
      explain(event).catch((error: unknown) => (error instanceof Error ? error.message : String(error))),
    )
    return [...new Set(await Promise.all(all))].filter((reason) => reason !== null)
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await bytesOf(request)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const webhook = { ...read(bytes, headers), verified: this.#verify(bytes, headers['x-service-signature']) }
    const status = webhook.verified === false ? 401 : await this.#statusFor(webhook)
    this.received.push({ ...webhook, status })
    response.writeHead(status).end()
    for (const check of [...this.#waiting]) check()
  }

  async #statusFor(webhook: Omit<ReceivedWebhook, 'status'>): Promise<number> {
    return typeof this.#answer === 'number' ? this.#answer : this.#answer(webhook)
  }

  #verify(body: Buffer, signature: string | undefined): boolean | null {
    if (this.#secrets.size === 0) return null
    return [...this.#secrets].some((secret) => verifySignature(body, signature, secret))
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > LONGEST_BODY) throw new Error('the body is too large for a webhook')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Parses a webhook. A truncated body is no JSON; only its text is kept. */
function read(
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
): Omit<ReceivedWebhook, 'status' | 'verified'> {
  const body = bytes.toString()
  const payload = parseObject(body)
  const { id, event, data } = payload
  return {
    // The id of a flat body is that of its record, a number.
    id: typeof id === 'string' ? id : (headers['x-service-delivery'] ?? ''),
    event: headers['x-service-event'] ?? (typeof event === 'string' ? event : ''),
    data: typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : payload,
    payload,
    body,
    headers,
    attempt: Number(headers['x-service-attempt'] ?? 1),
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
