/**
 * The load: keep-alive connections that send one prepared request after the other and wait for each answer. Written
 * on bare sockets because a full HTTP client would need more of the machine than the server that it asks.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { answerQuestions } from '../answering.ts'
import { Messages } from '../framing.ts'

/**
 * Keeps requests, as they go over the wire, under a name. Each server is asked on from where its last load stopped:
 * with one position for all, a server could be asked again for what it has just answered.
 */
export interface Prepare {
  readonly prepare: string
  readonly requests: readonly string[]
}

export interface Load {
  readonly load: string
  readonly url: string
  readonly connections: number
  /** Ends after so many requests, or after so many seconds. */
  readonly until: { readonly requests: number } | { readonly seconds: number }
  /** How long a connection rests between an answer and its next request. */
  readonly restMs?: number
}

export interface Loaded {
  /** Answered. */
  readonly requests: number
  readonly seconds: number
  /** Ms that the slowest of a hundred took. */
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
  if (!requests) throw new Error(`nothing was prepared as ${name}`)
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(url)))
  let left = 'requests' in until ? until.requests : Infinity
  const took: number[] = []
  const next = (): string | null => (left-- > 0 ? requests.next(url) : null)
  const count = (ms: number): void => {
    took.push(ms)
  }
  const began = performance.now()
  if ('seconds' in until) setTimeout(() => (left = 0), until.seconds * 1000)
  await Promise.all(sockets.map((socket) => converse(socket, next, count, restMs)))
  const seconds = (performance.now() - began) / 1000
  took.sort((one, other) => one - other)
  return { requests: took.length, seconds, p99: took[Math.floor(took.length * 0.99)] ?? NaN }
}

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  return socket
}

/** Sends what `next` gives, each when the one before is answered, until it gives null. */
function converse(
  socket: Socket,
  next: () => string | null,
  answered: (ms: number) => void,
  restMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const messages = new Messages()
    let asked = 0
    const send = (): void => {
      const request = next()
      if (request !== null) {
        asked = performance.now()
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
        mustBeWell(head)
        answered(performance.now() - asked)
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

function mustBeWell(head: string): void {
  // A form is answered with a redirect.
  if (!/[23]/.test(head.charAt(9))) throw new Error(`the server answered ${head.split('\r\n')[0] ?? ''}`)
}
