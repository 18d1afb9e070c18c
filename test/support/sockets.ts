/** Clients that send raw bytes to a server, as no HTTP library does. */
import { connect, type Socket } from 'node:net'
import { once, type EventEmitter } from 'node:events'
import { onTestFinished } from 'vitest'

export interface RawClient {
  readonly socket: Socket
  /** The bytes received so far. */
  received(): string
  send(text: string): void
  /** Resolves when the bytes were sent or the connection has ended. */
  sendAll(bytes: string | Uint8Array): Promise<void>
  /** Starts to read, for a client created with `reads: false`. */
  read(): void
  /** Resolves when the server has sent this text. */
  until(text: string): Promise<void>
  /** Resolves with everything received after the server has closed the connection. */
  readonly closed: Promise<string>
}

/** Connects to the server at this URL, and disconnects after the test. */
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

/** Resolves with the first of these events or an error, and removes all listeners. */
export async function firstOf(emitter: EventEmitter, ...names: string[]): Promise<void> {
  const over = new AbortController()
  const { signal } = over
  await Promise.race(names.map((name) => once(emitter, name, { signal }))).catch(() => null)
  over.abort()
}

/** The head of a request; without a body unless the headers declare one. */
export const head = (method: string, path: string, headers: Readonly<Record<string, string>> = {}): string =>
  [
    `${method} ${path} HTTP/1.1`,
    ...Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')
