/** A receiver of webhooks for tests: it checks who sent them, keeps what came and lets a test wait for more. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { variable } from './environment.ts'
import { SimulatorError } from './errors.ts'
import type { EventName } from './messages.ts'
import { DEFAULT_TIMEOUT } from './waiting.ts'

/** A webhook as it came. */
export interface ReceivedWebhook<Data = Record<string, unknown>> {
  /** The same in every attempt. */
  readonly id: string
  readonly event: string
  /** What the event tells of. */
  readonly data: Data
  /** The whole body: `{id, event, createdAt, data}`. */
  readonly payload: Record<string, unknown>
  /** The bytes that the signature is of, as text. */
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** Which attempt to deliver it this is, counted from 1. */
  readonly attempt: number
  /** Whether its signature is that of one of the secrets; null for a receiver that knows none. */
  readonly verified: boolean | null
  /** What it was answered with. */
  readonly status: number
}

/** What an event tells of, by the types of its interface: `EventData<webhooks, 'payment.completed'>`. */
export type EventData<Webhooks, Event extends keyof Webhooks> = Webhooks[Event] extends {
  readonly post: {
    readonly requestBody: { readonly content: { readonly 'application/json': { readonly data: infer Data } } }
  }
}
  ? Data
  : never

/** A status, or what tells it of a webhook that came. */
export type Answer = number | ((webhook: Omit<ReceivedWebhook, 'status'>) => number | Promise<number>)

export interface ReceiverOptions {
  /** That of the subscription, or of several; what none of them has signed is answered with 401. */
  readonly secret?: string | readonly string[]
  /** What is answered with; 200 unless told otherwise. */
  readonly answer?: Answer
  /** A free one unless told otherwise. */
  readonly port?: number
  /**
   * How a simulator reaches this machine that does not run on it: "host.docker.internal"; what SUITE_SIM_WEBHOOK_HOST says
   * unless given. With it the receiver listens to the network, without it to 127.0.0.1 alone.
   */
  readonly hostname?: string
}

export interface WaitOptions {
  readonly event?: EventName
  /** Seconds after which the wait is given up with a SimulatorError of the code "timeout"; 10 unless told otherwise. */
  readonly timeout?: number
}

/** What subscribes: a workspace of this library. */
interface Subscribing<Subscription, Created> {
  readonly subscriptions: { create(subscription: Subscription & { readonly url: string }): Promise<Created> }
}

const LOOPBACK = '127.0.0.1'

/** Longer bodies than any webhook has. */
const LONGEST_BODY = 16 * 1_048_576

/**
 * Whether `signature` (the header X-Service-Signature) is that of the body under the secret of the subscription:
 * "sha256=" and the hex HMAC-SHA256 of the body's bytes. All interfaces sign so.
 */
export function verifySignature(
  body: string | Uint8Array,
  signature: string | undefined,
  secret: string,
): boolean {
  const wanted = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const shown = Buffer.from(signature ?? '')
  return shown.length === wanted.length && timingSafeEqual(shown, wanted)
}

/** Listens, and is there until it is closed: `await using receiver = await receiveWebhooks()`. */
export async function receiveWebhooks(options: ReceiverOptions = {}): Promise<WebhookReceiver> {
  const { port = 0, hostname = variable('SUITE_SIM_WEBHOOK_HOST') } = options
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, hostname === undefined ? LOOPBACK : '0.0.0.0', resolve)
  })
  return new WebhookReceiver(server, { ...options, hostname: hostname ?? LOOPBACK })
}

export class WebhookReceiver implements AsyncDisposable {
  /** Where to have webhooks sent: "http://127.0.0.1:49152/webhooks". */
  readonly url: string
  /** All that came, in the order in which it came: each attempt, and what was wrongly signed. */
  readonly received: ReceivedWebhook[] = []
  readonly #server: Server
  readonly #secrets: Set<string>
  readonly #waiting = new Set<() => void>()
  readonly #taken = new WeakSet<ReceivedWebhook>()
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

  /** Believes what is signed with this secret, too. */
  trust(secret: string): void {
    this.#secrets.add(secret)
  }

  /** Has a workspace send its webhooks here, and believes them: `receiver.subscribe(workspace, {interface: 'pos'})`. */
  async subscribe<Subscription extends object, Created extends { readonly secret: string }>(
    workspace: Subscribing<Subscription, Created>,
    subscription: Omit<Subscription, 'url'>,
  ): Promise<Created> {
    const created = await workspace.subscriptions.create({
      ...subscription,
      url: this.url,
    } as unknown as Subscription & { readonly url: string })
    this.trust(created.secret)
    return created
  }

  /** What is answered with from now on: a status, or a function of the webhook. */
  answerWith(answer: Answer): void {
    this.#answer = answer
  }

  /** The first webhook that came, or comes, and that no `next()` answered with before. */
  async next<Data = Record<string, unknown>>(options: WaitOptions = {}): Promise<ReceivedWebhook<Data>> {
    const found = await this.#until(options, 'another webhook', (there) => {
      const [first] = there.filter((each) => !this.#taken.has(each))
      // At once, for others may wait for the next one at the same time.
      if (first) this.#taken.add(first)
      return first
    })
    return found as ReceivedWebhook<Data>
  }

  /** The first `count` webhooks, once so many have come; those that `next()` answered with count, too. */
  wait(count: number, options: WaitOptions = {}): Promise<ReceivedWebhook[]> {
    return this.#until(options, `${String(count)} webhooks`, (there) =>
      there.length < count ? undefined : there.slice(0, count),
    )
  }

  /** Forgets all that came. */
  clear(): void {
    this.received.length = 0
  }

  /** Hangs up, and listens no more. */
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

  /** What `pick` makes of those that match, as soon as it makes something; what was wrongly signed never matches. */
  async #until<Picked>(
    { event, timeout = DEFAULT_TIMEOUT }: WaitOptions,
    what: string,
    pick: (there: readonly ReceivedWebhook[]) => Picked | undefined,
  ): Promise<Picked> {
    const there = (): ReceivedWebhook[] =>
      this.received.filter((each) => each.verified !== false && (event ?? each.event) === each.event)
    const found = pick(there())
    if (found !== undefined) return found
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const picked = pick(there())
        if (picked === undefined) return
        over()
        resolve(picked)
      }
      const timer = setTimeout(() => {
        over()
        reject(this.#inVain(`${what}${event === undefined ? '' : ` ${event}`}`, timeout))
      }, timeout * 1000)
      const over = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(look)
      }
      this.#waiting.add(look)
    })
  }

  #inVain(what: string, timeout: number): SimulatorError {
    const told = this.received.map(
      ({ event, verified }) => event + (verified === false ? ' (wrongly signed)' : ''),
    )
    return new SimulatorError({
      code: 'timeout',
      message: `Waited ${String(timeout)} s for ${what}. Received in all: ${told.join(', ') || 'nothing'}.`,
    })
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
    for (const look of [...this.#waiting]) look()
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
    if (length > LONGEST_BODY) throw new Error('the body is too long for a webhook')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A body that was cut on its way is no JSON; it is kept as text. */
function read(
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
): Omit<ReceivedWebhook, 'status' | 'verified'> {
  const body = bytes.toString()
  const payload = parsed(body)
  const { id, event, data } = payload
  return {
    id: typeof id === 'string' ? id : '',
    event: headers['x-service-event'] ?? (typeof event === 'string' ? event : ''),
    data: (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>,
    payload,
    body,
    headers,
    attempt: Number(headers['x-service-attempt'] ?? 1),
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
