/**
 * The load generator: keep-alive connections that send prepared requests one after the other. It uses bare
 * sockets, because a full HTTP client would need more CPU than the server under test.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { answerQuestions } from '../answering.ts'
import { Messages } from '../framing.ts'

/**
 * Stores raw requests under a name. Each server continues where its last load stopped; with one shared
 * position, a server could get requests that it has just answered.
 */
export interface Prepare {
  readonly prepare: string
  readonly requests: readonly string[]
}

export interface Load {
  readonly load: string
  readonly url: string
  readonly connections: number
  /** The end of the load: a number of requests or of seconds. */
  readonly until: { readonly requests: number } | { readonly seconds: number }
  /** Ms between a response and the next request of a connection. */
  readonly restMs?: number
}

export interface Loaded {
  /** The number of responses. */
  readonly requests: number
  readonly seconds: number
  /** The 99th percentile in ms. */
  readonly p99: number
}

class Prepared {
  readonly #requests: readonly string[]
  readonly #positions = new Map<string, number>()

  constructor(requests: readonly string[]) {
    this.#requests = requests
  }

  next(url: string): string {
    const position = this.#positions.get(url) ?? 0
    this.#positions.set(url, (position + 1) % this.#requests.length)
    return this.#requests[position] ?? ''
  }
}

const prepared = new Map<string, Prepared>()

answerQuestions<Prepare | Load, Loaded | null>((question) => {
  if ('load' in question) return load(question)
  prepared.set(question.prepare, new Prepared(question.requests))
  return null
})

async function load({ load: name, url, connections, until, restMs = 0 }: Load): Promise<Loaded> {
  const requests = prepared.get(name)
  if (!requests) throw new Error(`no requests are prepared as ${name}`)
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(url)))
  let left = 'requests' in until ? until.requests : Infinity
  const durations: number[] = []
  const next = (): string | null => (left-- > 0 ? requests.next(url) : null)
  const count = (ms: number): void => {
    durations.push(ms)
  }
  const began = performance.now()
  if ('seconds' in until) setTimeout(() => (left = 0), until.seconds * 1000)
  await Promise.all(sockets.map((socket) => sendRequests(socket, next, count, restMs)))
  const seconds = (performance.now() - began) / 1000
  durations.sort((one, other) => one - other)
  return { requests: durations.length, seconds, p99: durations[Math.floor(durations.length * 0.99)] ?? NaN }
}

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  return socket
}

/** Sends the requests of `next`, each after the response to the one before, until it returns null. */
function sendRequests(
  socket: Socket,
  next: () => string | null,
  answered: (ms: number) => void,
  restMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const messages = new Messages()
    let sentAt = 0
    const send = (): void => {
      const request = next()
      if (request !== null) {
        sentAt = performance.now()
        socket.write(request)
        return
      }
      socket.off('close', closedTooEarly)
      socket.destroy()
      resolve()
    }
    socket.on('close', closedTooEarly)
    socket.on('data', (chunk) => {
      messages.feed(chunk, (head) => {
        mustSucceed(head)
        answered(performance.now() - sentAt)
        if (restMs === 0) send()
        else setTimeout(send, restMs)
      })
    })
    send()
  })
}

function closedTooEarly(): never {
  throw new Error('the server closed a connection')
}

function mustSucceed(head: string): void {
  // The response to a form is a redirect.
  if (!/[23]/.test(head.charAt(9)))
    throw new Error(`the server responded with ${head.split('\r\n')[0] ?? ''}`)
}
