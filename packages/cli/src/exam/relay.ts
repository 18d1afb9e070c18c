/**
 * The relay between the dispatcher of the exam and the receiver. It records every delivery with its answer, and a rule
 * decides what happens to it: changed, held, cut off before the receiver or after its answer.
 */
import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { ATTEMPT, DELIVERY, EVENT } from '@suite-sim/kit/webhooks/headers'
import { post, textOf } from '../listen/posting.ts'

export type Headers = Readonly<Record<string, string>>

/** What the receiver answered; without a status if it did not answer. */
export interface Answer {
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
  /** The start of the response body. */
  readonly body: string
  /** Only the header that the dispatcher reads. */
  readonly retryAfter?: string
}

/** One delivery attempt, as the dispatcher sent it. */
export interface Incoming {
  readonly delivery: string
  readonly attempt: number
  readonly event: string
  readonly headers: Headers
  readonly body: string
}

/** The parts of an attempt that a rule changes. */
export type Change = Partial<Pick<Incoming, 'event' | 'headers' | 'body'>>

/** An attempt with its answer: the evidence of the exam. */
export interface Exchange extends Incoming {
  readonly answer: Answer
  /** Whether the receiver got it. */
  readonly isForwarded: boolean
}

type Forward = (change?: Change) => Promise<Answer>

/**
 * Decides about an attempt: returns the answer for the dispatcher, or null to cut the connection. An attempt that a rule
 * answers itself is no evidence, because the receiver did not get it.
 */
export type Rule = (incoming: Incoming, forward: Forward) => Promise<Answer | null>

/** Passes every delivery on. */
export const passOn: Rule = (_incoming, forward) => forward()

const MAX_BODY_BYTES = 16 * 1_048_576
/** Characters of a response that are kept. */
const KEPT_CHARACTERS = 200

/** Headers of a connection, which the relay sends itself. */
const OF_CONNECTION = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'])

/** The answer that a rule gives itself. */
export const KEPT: Answer = { status: 200, error: null, durationMs: 0, body: '' }

const CUT: Answer = { status: null, error: 'cut off by the exam', durationMs: 0, body: '' }

export class Relay {
  rule: Rule = passOn
  /** Of the current property, in the order in which they ended. */
  exchanges: Exchange[] = []
  readonly #server = createServer()
  readonly #receiver: URL
  readonly #timeoutMs: number
  readonly #waiting = new Set<() => void>()

  constructor(receiver: string, timeoutMs: number) {
    this.#receiver = new URL(receiver)
    this.#timeoutMs = timeoutMs
    this.#server.on('request', (request, response) => {
      this.#take(request).then(
        (answer) => {
          const { status = null, retryAfter } = answer ?? {}
          if (status === null) request.socket.destroy()
          else response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end()
        },
        () => request.socket.destroy(),
      )
    })
  }

  /** Starts to listen on a free port of this machine; returns the URL. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}/`
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  /** Sends an attempt to the receiver, also one that it got before. */
  async send(attempt: Incoming): Promise<Exchange> {
    const log = this.exchanges
    const exchange = {
      ...attempt,
      answer: await send(this.#receiver, attempt, this.#timeoutMs),
      isForwarded: true,
    }
    log.push(exchange)
    return exchange
  }

  /**
   * Resolves when the condition holds, which only the end of an exchange changes. Gives up when none has ended for longer
   * than a receiver can take.
   */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) if (!(await this.#nextEnd())) return
  }

  /** Resolves with false if no exchange ends in time. */
  #nextEnd(): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isInTime: boolean): void => {
        clearTimeout(timer)
        this.#waiting.delete(ended)
        resolve(isInTime)
      }
      const ended = (): void => {
        end(true)
      }
      const timer = setTimeout(end, this.#timeoutMs + 3000, false)
      this.#waiting.add(ended)
    })
  }

  async #take(request: IncomingMessage): Promise<Answer | null> {
    const incoming = incomingOf(request, await textOf(request, MAX_BODY_BYTES))
    const log = this.exchanges
    const forwarded: Exchange[] = []
    const answer = await this.rule(incoming, async (change) => {
      const sent = { ...incoming, ...change }
      const received = await send(this.#receiver, sent, this.#timeoutMs)
      forwarded.push({ ...sent, answer: received, isForwarded: true })
      return received
    })
    const [exchange] = forwarded
    if (!exchange) {
      // Without an answer, the rule cut it off; with one, the rule keeps it.
      if (answer === null) log.push({ ...incoming, answer: CUT, isForwarded: false })
    } else if (answer === null && exchange.answer.status !== null) {
      log.push({ ...exchange, answer: { ...exchange.answer, error: 'answer cut off by the exam' } })
    } else log.push(exchange)
    for (const ended of [...this.#waiting]) ended()
    return answer
  }
}

function incomingOf({ headers }: IncomingMessage, body: string): Incoming {
  const kept = Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !OF_CONNECTION.has(name))
      .map(([name, value]) => [name, String(value)]),
  )
  return {
    delivery: kept[DELIVERY] ?? '',
    attempt: Number(kept[ATTEMPT] ?? 1),
    event: kept[EVENT] ?? '',
    headers: kept,
    body,
  }
}

/** Sends an attempt to the receiver. Never throws. */
async function send(url: URL, { headers, body }: Incoming, timeoutMs: number): Promise<Answer> {
  const { status, error, durationMs, ...answer } = await post({ url, headers, body, timeoutMs })
  if (error) return { status: null, error: error.message || (error.code ?? error.name), durationMs, body: '' }
  const retryAfter = answer.headers['retry-after']
  const start = answer.body.slice(0, KEPT_CHARACTERS)
  return { status, error, durationMs, body: start, ...(retryAfter !== undefined && { retryAfter }) }
}
