/**
 * Connections that request another protocol. WebSockets at the address of a cable are upgraded. Those at the address of
 * a route go to the route like any other call. All others get a normal HTTP response, which RFC 9110 (7.8) allows and
 * clients that offer HTTP/2 rely on.
 */
import { ServerResponse, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Part } from './parts.ts'
import { headRefusal, type RequestChecks } from './requestChecks.ts'

/** Handles upgrades; `failed` gets the error of a part that could not be built. */
export function handleUpgrades(
  server: Server,
  parts: readonly Part[],
  checks: RequestChecks,
  failed: (error: Error, request: IncomingMessage) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isWebSocket = asksForWebSocket(request)
    if (isWebSocket) checks.checkWebSocket(request)
    const url = request.url ?? ''
    const part = isWebSocket ? parts.find((candidate) => candidate.hasCableAt(url)) : undefined
    if (part && !headRefusal(request)) upgradeTo(part, request, socket, head, failed)
    else if (part || (isWebSocket && parts.some((candidate) => candidate.hasWebSocketAt(url))))
      answerByRoute(server, request, socket, head)
    else answerWithoutUpgrade(server, request, socket, head)
  })
}

/** The status of a response whose connection became another one: RFC 9110, 15.2.2. */
export const SWITCHING_PROTOCOLS = 101

const asksForWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'

const SERVER_ERROR = 'HTTP/1.1 500 Internal Server Error\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'

function upgradeTo(
  part: Part,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  failed: (error: Error, request: IncomingMessage) => void,
): void {
  // Until the cable takes over, no other listener handles the socket's errors.
  const destroySocket = (): void => void socket.destroy()
  socket.on('error', destroySocket)
  part.cable().then(
    (cable) => {
      socket.off('error', destroySocket)
      cable.take(request, socket, head)
    },
    (error: unknown) => {
      failed(error instanceof Error ? error : new Error(String(error)), request)
      socket.end(SERVER_ERROR, destroySocket)
    },
  )
}

interface Upgrade {
  readonly response: ServerResponse
  readonly socket: Duplex
  readonly head: Buffer
}

/** The upgrades that routes answer. */
const upgrades = new WeakMap<IncomingMessage, Upgrade>()

/** Passes the request to its route, so that all steps of a call apply: credentials, errors, the workspace. */
function answerByRoute(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket as Socket)
  const destroySocket = (): void => void socket.destroy()
  socket.on('error', destroySocket)
  socket.once('close', () => response.emit('close'))
  response.once('finish', () => {
    socket.end(destroySocket)
  })
  upgrades.set(request, { response, socket, head })
  server.emit('request', request, response)
}

/** Returns the connection of a request for a WebSocket, whose handler must take it over; null for other requests. */
export function takeUpgrade(request: IncomingMessage): Pick<Upgrade, 'socket' | 'head'> | null {
  const upgrade = upgrades.get(request)
  if (!upgrade) return null
  upgrades.delete(request)
  const { response, socket, head } = upgrade
  response.detachSocket(socket as Socket)
  response.statusCode = SWITCHING_PROTOCOLS
  // The server no longer waits for a response.
  response.emit('close')
  return { socket, head }
}

/**
 * Responds as if no upgrade was requested. Node has stopped parsing this connection, so the request (without
 * the upgrade headers) goes back in front of the data received since, and the server gets the connection
 * again.
 */
function answerWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.unshift(Buffer.concat([Buffer.from(headWithoutUpgrade(request), 'latin1'), head]))
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket)
}

function headWithoutUpgrade({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    const value = rawHeaders[index + 1] ?? ''
    const rest = name.toLowerCase() === 'connection' ? withoutToken(value) : value
    if (name.toLowerCase() !== 'upgrade' && rest !== '') lines.push(`${name}: ${rest}`)
    else if (value === '') lines.push(`${name}:`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Returns the `Connection` header without the upgrade tokens. */
const withoutToken = (value: string): string =>
  value
    .split(',')
    .map((token) => token.trim())
    .filter((token) => !/^(?:upgrade|http2-settings)$/i.test(token))
    .join(', ')
