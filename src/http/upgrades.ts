/**
 * Connections that ask for another protocol than HTTP. WebSockets at the address of a cable get it; everybody else is
 * answered as if nothing had been asked, which RFC 9110 (7.8) allows and clients that offer HTTP/2 rely on.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Part } from './parts.ts'

/** `failed` is told of a part that could not be put together. */
export function takeUpgrades(
  server: Server,
  parts: readonly Part[],
  failed: (error: Error, request: IncomingMessage) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const part = asksForWebSocket(request)
      ? parts.find((candidate) => candidate.hasCableAt(request.url ?? ''))
      : undefined
    if (part) handOver(part, request, socket, head, failed)
    else answerWithout(server, request, socket, head)
  })
}

const asksForWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'

const NOT_POSSIBLE = 'HTTP/1.1 500 Internal Server Error\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'

function handOver(
  part: Part,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  failed: (error: Error, request: IncomingMessage) => void,
): void {
  // Until it is taken over nobody else would hear of its end.
  const gone = (): void => void socket.destroy()
  socket.on('error', gone)
  part.cable().then(
    (cable) => {
      socket.off('error', gone)
      cable.take(request, socket, head)
    },
    (error: unknown) => {
      failed(error instanceof Error ? error : new Error(String(error)), request)
      socket.end(NOT_POSSIBLE, gone)
    },
  )
}

/**
 * Node has stopped reading requests from a connection that asks for an upgrade. The request is put back in front of what
 * has come since, without the wish, and the connection given to the server anew.
 */
function answerWithout(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.unshift(Buffer.concat([Buffer.from(headWithoutWish(request), 'latin1'), head]))
  server.emit('connection', socket)
}

function headWithoutWish({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place] ?? ''
    const value = rawHeaders[place + 1] ?? ''
    const kept = name.toLowerCase() === 'connection' ? withoutToken(value) : value
    if (name.toLowerCase() !== 'upgrade' && kept !== '') lines.push(`${name}: ${kept}`)
    else if (value === '') lines.push(`${name}:`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** What is left of a `Connection` that no longer speaks of the upgrade. */
const withoutToken = (value: string): string =>
  value
    .split(',')
    .map((token) => token.trim())
    .filter((token) => !/^(?:upgrade|http2-settings)$/i.test(token))
    .join(', ')
