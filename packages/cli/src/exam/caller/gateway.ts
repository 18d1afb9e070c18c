/**
 * The gateway between the client of a run and the simulator. It counts the calls, and a rule can act before an answer
 * reaches the client, or change it.
 */
import { once } from 'node:events'
import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as sendSecureRequest } from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { idOf, recordsIn } from './answers.ts'

/** An answer of the simulator, before the client has it. */
export interface Passing {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly status: number
  /** The number of the call, from 1. */
  readonly number: number
  /** The parsed body; undefined if it is no JSON. */
  readonly json: unknown
}

/** A page of a list that the client has read. */
export interface Page {
  /** Without the query. */
  readonly path: string
  /** The ids of its records. */
  readonly ids: readonly string[]
}

/** Acts before the answer reaches the client. Returns another body, or undefined to leave it as it is. */
export type Rule = (passing: Passing) => unknown

export class Gateway {
  rule: Rule = () => undefined
  /** Is called at the start of each call of an interface with its number. */
  onCall: (number: number) => void = () => undefined
  /** In the order in which they were answered; whole, unlike bodies in the journal. */
  readonly pages: Page[] = []
  #count = 0
  readonly #target: URL
  readonly #server = createServer()
  readonly #sockets = new Set<Socket>()

  constructor(target: string) {
    this.#target = new URL(target)
    this.#server.on('request', (request, response) => {
      this.#pass(request, response)
    })
    this.#server.on('upgrade', (request, socket, head) => {
      this.#upgrade(request, socket, head)
    })
    // A client that waits for the next call must not time out.
    this.#server.keepAliveTimeout = 60_000
  }

  /** Starts to listen on a free port of this machine; returns the URL. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #pass(request: IncomingMessage, response: ServerResponse): void {
    const { method = 'GET', url = '/', headers } = request
    const isCall = !url.startsWith('/_sim')
    const number = isCall ? ++this.#count : 0
    if (isCall) this.onCall(number)
    const { protocol, hostname, port } = this.#target
    const send = protocol === 'https:' ? sendSecureRequest : sendRequest
    // A rule reads answers, so that they must not be compressed.
    const { 'accept-encoding': _encoding, ...rest } = headers
    // On a connection of its own: one that is kept alive could end before its answer.
    const sent = send({ hostname, port, method, path: url, headers: { ...rest, connection: 'close' } })
    const cut = (): void => {
      request.socket.destroy()
    }
    sent.on('error', cut)
    sent.on('response', (answer) => {
      answer.on('error', cut)
      if (isCall)
        this.#change({ method, path: url.split('?', 1)[0] ?? '', number }, answer, response).catch(cut)
      else {
        response.writeHead(answer.statusCode ?? 502, headersOf(answer))
        answer.pipe(response)
      }
    })
    response.on('close', () => {
      if (!response.writableFinished) sent.destroy()
    })
    request.pipe(sent)
  }

  async #change(
    call: Pick<Passing, 'method' | 'path' | 'number'>,
    answer: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk)
    const status = answer.statusCode ?? 502
    const body = Buffer.concat(chunks)
    const isJson = answer.headers['content-type']?.includes('json') === true
    const json = isJson ? parsed(body) : undefined
    const records = call.method === 'GET' && status === 200 ? recordsIn(json) : null
    if (records) this.pages.push({ path: call.path, ids: records.map((each) => idOf(each) ?? '') })
    const changed = await this.rule({ ...call, status, json })
    const sent = changed === undefined ? body : Buffer.from(JSON.stringify(changed))
    const length = changed === undefined ? {} : { 'content-length': String(sent.length) }
    response.writeHead(status, { ...headersOf(answer), ...length })
    response.end(sent)
  }

  /** Passes a WebSocket on. */
  #upgrade({ method = 'GET', url = '/', rawHeaders }: IncomingMessage, client: Duplex, head: Buffer): void {
    const { hostname, port } = this.#target
    const server = connect(Number(port || 80), hostname, () => {
      const lines = Array.from({ length: rawHeaders.length / 2 }, (_, index) =>
        rawHeaders.slice(2 * index, 2 * index + 2).join(': '),
      )
      server.write(`${[`${method} ${url} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)
      server.write(head)
      server.pipe(client).pipe(server)
    })
    this.#sockets.add(server)
    const end = (): void => {
      this.#sockets.delete(server)
      server.destroy()
      client.destroy()
    }
    for (const socket of [server, client]) socket.on('error', end).on('close', end)
  }
}

function headersOf({ headers }: IncomingMessage): IncomingMessage['headers'] {
  const { connection: _connection, 'transfer-encoding': _encoding, ...rest } = headers
  return rest
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown
  } catch {
    return undefined
  }
}
