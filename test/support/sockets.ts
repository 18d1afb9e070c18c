/** Clients that speak to a server byte by byte, as no HTTP library would. */
import { connect, type Socket } from 'node:net'
import { once, type EventEmitter } from 'node:events'
import { onTestFinished } from 'vitest'

export interface RawClient {
  readonly socket: Socket
  /** What the server has sent so far. */
  received(): string
  send(text: string): void
  /** Resolves when the bytes have left, or when the connection has ended. */
  sendAll(bytes: string | Uint8Array): Promise<void>
  /** Starts to read, for a client that was made with `reads: false`. */
  read(): void
  /** Resolves when the server has sent this. */
  until(text: string): Promise<void>
  /** Resolves with all that the server has sent when it has closed the connection. */
  readonly closed: Promise<string>
}

/** Connects to the server at this URL; the connection is gone after the test. */
export async function rawClient(url: string, { reads = true } = {}): Promise<RawClient> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  let received = ''
  socket.setEncoding('latin1')
  const read = (): void => void socket.on('data', (text) => (received += String(text)))
  if (reads) read()
  await once(socket, 'connect')
  return {
    socket,
    received: () => received,
    send: (text) => void socket.write(text),
    sendAll: (bytes) =>
      new Promise((resolve) => {
        socket.write(bytes, () => {
          resolve()
        })
      }),
    read,
    async until(text) {
      while (!received.includes(text)) {
        if (socket.closed) throw new Error(`the connection was closed after ${JSON.stringify(received)}`)
        await firstOf(socket, 'data', 'close')
      }
    },
    closed: new Promise((resolve) => {
      socket.once('close', () => {
        resolve(received)
      })
    }),
  }
}

/** Resolves with the first of these events, an error included, and listens to none of them any longer. */
export async function firstOf(emitter: EventEmitter, ...names: string[]): Promise<void> {
  const over = new AbortController()
  const { signal } = over
  await Promise.race(names.map((name) => once(emitter, name, { signal }))).catch(() => null)
  over.abort()
}

/** The head of a request, without a body unless it is told of one. */
export const head = (method: string, path: string, headers: Readonly<Record<string, string>> = {}): string =>
  [
    `${method} ${path} HTTP/1.1`,
    ...Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')
