/**
 * The load: keep-alive connections that send one prepared request after the other and wait for each answer. Written
 * on bare sockets because a full HTTP client would need more of the machine than the server that it asks.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { answerQuestions } from '../answering.ts'
import { Messages } from '../framing.ts'

/** Keeps requests, as they go over the wire, under a name. Every load goes on in them where the last one stopped. */
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
  /** Further requests that are sent on a connection of their own, so many a second, and not counted. */
  readonly beside?: { readonly load: string; readonly perSecond: number }
}

export interface Loaded {
  /** Answered. */
  readonly requests: number
  readonly seconds: number
}

class Prepared {
  readonly #requests: readonly string[]
  #next = 0

  constructor(requests: readonly string[]) {
    this.#requests = requests
  }

  next(): string {
    const request = this.#requests[this.#next] ?? ''
    this.#next = (this.#next + 1) % this.#requests.length
    return request
  }
}

const prepared = new Map<string, Prepared>()

answerQuestions<Prepare | Load, Loaded | null>((question) => {
  if ('load' in question) return load(question)
  prepared.set(question.prepare, new Prepared(question.requests))
  return null
})

function requestsOf(name: string): Prepared {
  const found = prepared.get(name)
  if (!found) throw new Error(`nothing was prepared as ${name}`)
  return found
}

async function load({ load: name, url, connections, until, beside }: Load): Promise<Loaded> {
  const requests = requestsOf(name)
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(url)))
  const stopBeside = beside && (await sendBeside(url, beside))
  let left = 'requests' in until ? until.requests : Infinity
  let answered = 0
  const began = performance.now()
  const timer = 'seconds' in until && setTimeout(() => (left = 0), until.seconds * 1000)
  await Promise.all(
    sockets.map((socket) =>
      converse(
        socket,
        () => (left-- > 0 ? requests.next() : null),
        () => answered++,
      ),
    ),
  )
  const seconds = (performance.now() - began) / 1000
  if (timer) clearTimeout(timer)
  await stopBeside?.()
  return { requests: answered, seconds }
}

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  return socket
}

/** Sends what `next` gives, each when the one before is answered, until it gives null. */
function converse(socket: Socket, next: () => string | null, answered: () => void): Promise<void> {
  return new Promise((resolve) => {
    const messages = new Messages()
    const send = (): void => {
      const request = next()
      if (request !== null) socket.write(request)
      else {
        resolve()
        socket.destroy()
      }
    }
    socket.on('data', (chunk) => {
      messages.feed(chunk, (head) => {
        mustBeWell(head)
        answered()
        send()
      })
    })
    socket.on('close', () => {
      if (!socket.destroyed || next() !== null) throw new Error('the server closed a connection')
    })
    send()
  })
}

function mustBeWell(head: string): void {
  if (head.charAt(9) !== '2') throw new Error(`the server answered ${head.split('\r\n')[0] ?? ''}`)
}

/** Sends at a steady pace; the function that comes back stops it and waits for the last answer. */
async function sendBeside(
  url: string,
  { load: name, perSecond }: { load: string; perSecond: number },
): Promise<() => Promise<void>> {
  const requests = requestsOf(name)
  const socket = await open(url)
  const messages = new Messages()
  let waiting = false
  let settled: (() => void) | null = null
  socket.on('data', (chunk) => {
    messages.feed(chunk, (head) => {
      mustBeWell(head)
      waiting = false
      settled?.()
    })
  })
  const timer = setInterval(() => {
    if (waiting) return
    waiting = true
    socket.write(requests.next())
  }, 1000 / perSecond)
  return async () => {
    clearInterval(timer)
    if (waiting) await new Promise<void>((resolve) => (settled = resolve))
    socket.destroy()
  }
}
