/**
 * Errors of Node's HTTP parser: no HTTP, a head that is too large or incomplete. The client gets an error in
 * the format of the interface whose address the request line names, or else in that of the control plane.
 */
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { systemNow } from '@suite-sim/kit/time/machineClock'
import type { Dialect } from '../definition/dialect.ts'
import type { Part } from './parts.ts'
import { REQUEST_ID, sentRequestId } from './logging/requestId.ts'

/** The error that Node passes. */
interface ParserError extends Error {
  readonly code?: string
  /** The parser's message: "Invalid method encountered". */
  readonly reason?: string
  /** The last bytes received. */
  readonly rawPacket?: unknown
}

interface Verdict {
  /** null is the interface's status for a malformed request. */
  readonly status: number | null
  readonly message: string
}

/** The code of a request without encryption at the port of an HTTPS server. */
export const PLAIN_HTTP = 'SIM_PLAIN_HTTP'

const VERDICTS: Readonly<Record<string, Verdict>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The head of the request is larger than 16 KiB.' },
  [PLAIN_HTTP]: {
    status: 400,
    message: 'This port speaks HTTPS. Use https:// instead of http:// in the URL.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The extensions of a chunk are too large.' },
}

/** Maximum bytes of a packet that are searched for a request line. */
const LONGEST_LINE = 16_384

export class ClientErrors {
  readonly #parts: readonly Part[]
  readonly #fallback: Part
  readonly #nextId: () => string
  /** The last request of each connection that was parsed. */
  readonly #exchanges = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>()

  constructor(parts: readonly Part[], fallback: Part, nextId: () => string) {
    this.#parts = parts
    this.#fallback = fallback
    this.#nextId = nextId
  }

  /** Records the requests of the server, and refuses an `Expect` that is not supported. */
  watch(server: Server): void {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#exchanges.set(request.socket, { request, response })
    })
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      const verdict = { status: 417, message: 'Expect may only ask for 100-continue.' }
      void this.#render(request.url ?? '', verdict).then(({ status, text }) => {
        const headers = {
          'content-type': TYPE,
          'x-content-type-options': 'nosniff',
          [REQUEST_ID]: sentRequestId(request.headers) ?? this.#nextId(),
          'content-length': Buffer.byteLength(text),
          connection: 'close',
        }
        response.writeHead(status, headers).end(text)
      })
    })
  }

  /** Handles Node's `clientError`: a connection whose request could not be parsed. */
  readonly answer = (error: ParserError, socket: Socket): void => {
    const exchange = this.#exchanges.get(socket)
    const isUnanswered = exchange !== undefined && !exchange.response.writableEnded
    const isLost = /^(?:ECONNRESET$|ERR_SSL_|ERR_TLS_)/.test(error.code ?? '')
    if (isLost || !socket.writable || (isUnanswered && exchange.response.headersSent)) {
      socket.destroy()
      return
    }
    const verdict = VERDICTS[error.code ?? ''] ?? {
      status: null,
      message: `The request is not valid HTTP: ${error.reason ?? error.message}.`,
    }
    const url = isUnanswered ? (exchange.request.url ?? '') : addressIn(error.rawPacket)
    void this.#render(url, verdict).then(({ status, text }) => {
      const head = [
        `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
        `content-type: ${TYPE}`,
        `content-length: ${String(Buffer.byteLength(text))}`,
        'x-content-type-options: nosniff',
        `${REQUEST_ID}: ${this.#nextId()}`,
        'connection: close',
      ]
      socket.write(`${head.join('\r\n')}\r\n\r\n${text}`)
      socket.destroySoon()
    })
  }

  async #render(url: string, verdict: Verdict): Promise<{ status: number; text: string }> {
    const { definition } = await (this.#parts.find((part) => part.isAt(url)) ?? this.#fallback).open()
    return errorResponse(definition.dialect, verdict)
  }
}

const TYPE = 'application/json; charset=utf-8'

function errorResponse(
  dialect: Dialect,
  { status: chosen, message }: Verdict,
): { status: number; text: string } {
  const { status: own, code } = dialect.refusals.malformed
  const status = chosen ?? own
  const body = dialect.body({
    reason: 'malformed',
    status,
    code,
    message,
    details: undefined,
    facts: undefined,
    at: systemNow(),
  })
  return { status, text: JSON.stringify(body) }
}

/** Returns the address in the request line at the start of the bytes; '' if it has none. */
function addressIn(bytes: unknown): string {
  if (!Buffer.isBuffer(bytes)) return ''
  const [line = ''] = bytes.toString('latin1', 0, LONGEST_LINE).split('\n', 1)
  const [, address = ''] = line.split(' ', 2)
  return address.startsWith('/') ? address : ''
}
