/**
 * A connection that sends arbitrary bytes to the server, most of which HTTP clients refuse to send. Reads responses
 * strictly according to HTTP/1.1.
 */
import { connect, type Socket } from 'node:net'

export interface WireAnswer {
  readonly status: number
  /** By lowercase names. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The result of a request. */
export type Outcome =
  | { readonly kind: 'answered'; readonly answer: WireAnswer; readonly ms: number }
  | { readonly kind: 'closed'; readonly ms: number }
  | { readonly kind: 'hung'; readonly ms: number }

export class Connection {
  readonly #port: number
  #socket: Socket | null = null

  constructor(port: number) {
    this.#port = port
  }

  /** Sends one correctly framed request. Reuses the connection if the server keeps it open. */
  async send(bytes: Buffer, method: string, deadlineMs: number): Promise<Outcome> {
    const reused = this.#socket
    const outcome = await this.#sendOn(reused ?? connect(this.#port, '127.0.0.1'), bytes, method, deadlineMs)
    // A server may close an idle connection at any time, and then has not read the request.
    if (outcome.kind === 'closed' && reused) {
      return this.#sendOn(connect(this.#port, '127.0.0.1'), bytes, method, deadlineMs)
    }
    return outcome
  }

  #sendOn(socket: Socket, bytes: Buffer, method: string, deadlineMs: number): Promise<Outcome> {
    const started = performance.now()
    this.#socket = null
    return new Promise((resolve) => {
      let chunks: Buffer[] = []
      let expected = 0
      let received = 0
      const done = (outcome: Omit<Outcome, 'ms'>, keep = false): void => {
        clearTimeout(timer)
        socket.removeAllListeners()
        socket.on('error', () => undefined)
        if (keep) this.#keep(socket)
        else socket.destroy()
        resolve({ ...outcome, ms: performance.now() - started } as Outcome)
      }
      const timer = setTimeout(() => {
        done({ kind: 'hung' })
      }, deadlineMs)
      const look = (ended: boolean): void => {
        // Joining the chunks of a long response at every chunk would take quadratic time.
        if (received < expected && !ended) return
        chunks = [Buffer.concat(chunks)]
        const read = readAnswer(chunks[0] ?? Buffer.alloc(0), method, ended)
        if ('needs' in read) expected = read.needs
        else done({ kind: 'answered', answer: read.answer } as Outcome, !ended && read.keeps && !read.rest)
      }
      socket.setNoDelay(true)
      socket.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        received += chunk.length
        look(false)
      })
      const over = (): void => {
        look(true)
        done({ kind: 'closed' })
      }
      socket.on('error', over)
      socket.on('close', over)
      socket.write(bytes)
    })
  }

  #keep(socket: Socket): void {
    this.#socket = socket
    socket.once('close', () => {
      if (this.#socket === socket) this.#socket = null
    })
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = null
  }
}

/** Sends arbitrary bytes on a new connection, ends the sending side, and reads all responses. */
export function exchange(port: number, bytes: Buffer, deadlineMs: number): Promise<Exchanged> {
  const started = performance.now()
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const done = (hung: boolean): void => {
      clearTimeout(timer)
      socket.removeAllListeners()
      socket.on('error', () => undefined)
      socket.destroy()
      resolve({ hung, answers: readAnswers(Buffer.concat(chunks)), ms: performance.now() - started })
    }
    const timer = setTimeout(() => {
      done(true)
    }, deadlineMs)
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    for (const event of ['error', 'close', 'end']) {
      socket.on(event, () => {
        done(false)
      })
    }
    socket.end(bytes)
  })
}

export interface Exchanged {
  readonly hung: boolean
  readonly answers: readonly WireAnswer[]
  readonly ms: number
}

function readAnswers(bytes: Buffer): WireAnswer[] {
  const answers: WireAnswer[] = []
  let rest = bytes
  while (rest.length > 0) {
    const read = readAnswer(rest, 'GET', true)
    if ('needs' in read) break
    answers.push(read.answer)
    rest = rest.subarray(read.length)
  }
  return answers
}

type Read =
  | { readonly needs: number }
  | { readonly answer: WireAnswer; readonly keeps: boolean; readonly rest: boolean; readonly length: number }

/** The first response in the bytes, or the number of bytes needed before the next attempt. */
function readAnswer(bytes: Buffer, method: string, ended: boolean): Read {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return { needs: bytes.length + 1 }
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const bodyStart = headEnd + 4
  if (status >= 100 && status < 200) {
    const read = readAnswer(bytes.subarray(bodyStart), method, ended)
    return 'needs' in read ? { needs: bodyStart + read.needs } : { ...read, length: read.length + bodyStart }
  }
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  const body = readBody(bytes, bodyStart, { status, headers, method, ended })
  if ('needs' in body) return body
  const { text, length } = body
  const keeps = headers['connection'] !== 'close'
  return { answer: { status, headers, text }, keeps, rest: length < bytes.length, length }
}

interface Framing {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly method: string
  readonly ended: boolean
}

function readBody(
  bytes: Buffer,
  start: number,
  { status, headers, method, ended }: Framing,
): { needs: number } | { text: string; length: number } {
  if (method === 'HEAD' || status === 204 || status === 304) return { text: '', length: start }
  // A stream of events has no end, so its head is the response.
  if (headers['content-type']?.startsWith('text/event-stream')) return { text: '', length: start }
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes, start)
  const declared = headers['content-length']
  if (declared === undefined) {
    return ended ? { text: bytes.toString('utf8', start), length: bytes.length } : { needs: bytes.length + 1 }
  }
  const end = start + Number(declared)
  return bytes.length < end ? { needs: end } : { text: bytes.toString('utf8', start, end), length: end }
}

function readChunks(bytes: Buffer, start: number): { needs: number } | { text: string; length: number } {
  const parts: Buffer[] = []
  let at = start
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return { needs: bytes.length + 1 }
    const size = parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (bytes.length < next) return { needs: next }
    if (size === 0) return { text: Buffer.concat(parts).toString('utf8'), length: next }
    parts.push(bytes.subarray(lineEnd + 2, next - 2))
    at = next
  }
}
