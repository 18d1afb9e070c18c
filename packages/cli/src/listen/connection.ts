/** The connection of `listen` to the server: one WebSocket, opened again whenever it is lost. */
import type { AttemptResult } from '@suite-sim/kit/webhooks/attempts'
import type { ListenerDelivery } from '@suite-sim/kit/webhooks/listening'
import { setTimeout as pause } from 'node:timers/promises'
import type { IncomingMessage } from 'node:http'
import type { WebSocket as Socket, RawData } from 'ws'
import { addWorkspaceHint, causeOf, type Remote, type StreamEntry } from '@suite-sim/kit/terminal/remote'
import { CommandError, UsageError } from '@suite-sim/kit/terminal/problem'
import type { Target } from './targets.ts'

/** What the command asks for; see `ListenMessage` of the control plane. */
export interface ListenRequest {
  readonly session: string
  readonly secret: string
  readonly routes: readonly Target[]
  readonly interface: string | null
  readonly events: readonly string[] | null
}

export interface Ready {
  /** The timeout of one attempt. */
  readonly timeoutMs: number
  /** The interfaces of each route. */
  readonly routes: readonly (readonly string[])[]
}

export interface ListenHandlers {
  /** Called after each connect, before the first delivery is passed on. */
  ready(ready: Ready, isAgain: boolean): void
  entry(entry: StreamEntry): void
  delivery(delivery: ListenerDelivery, ended: (result: AttemptResult) => void): void
  /** Called when the connection was lost, with the ms until the next attempt. */
  lost(reason: string, delayMs: number): void
}

/** Ms until the first attempt to connect again, doubled after each one. */
const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 10_000

/** Ms to open a connection, and to close it. */
const HANDSHAKE_MS = 10_000
const CLOSING_MS = 1000

/** Ms without a ping after which the connection counts as lost; the server pings every 15 s. */
const SILENCE_MS = 45_000

const UNACCEPTABLE = 1008
const MAX_ERROR_BYTES = 65_536

type Message =
  | ({ readonly type: 'ready' } & Ready)
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'entry'; readonly entry: StreamEntry }
  | ({ readonly type: 'delivery' } & ListenerDelivery)

/** Why a connection ended. */
interface Ended {
  readonly reason: string
  readonly wasReady: boolean
  /** True if another attempt would end in the same way. */
  readonly error: CommandError | null
}

/** Follows a workspace until `signal` is aborted. Throws if the first connection fails, or the server refuses. */
export async function follow(
  remote: Remote,
  path: string,
  request: ListenRequest,
  handlers: ListenHandlers,
  signal: AbortSignal,
): Promise<void> {
  const { WebSocket } = await import('ws')
  let after: string | null = null
  let isAgain = false
  let delayMs = FIRST_DELAY_MS
  const noting: ListenHandlers = {
    ...handlers,
    entry(entry) {
      after = entry.id
      handlers.entry(entry)
    },
  }
  const isStopped = (): boolean => signal.aborted
  while (!isStopped()) {
    const { url, headers } = remote.webSocket(`${path}/listen`)
    const client = new WebSocket(url, {
      headers,
      handshakeTimeout: HANDSHAKE_MS,
      perMessageDeflate: false,
      skipUTF8Validation: true,
    })
    const first = { type: 'listen', ...request, timeline: true, after }
    const { reason, wasReady, error } = await converse(client, first, isAgain, noting, signal)
    if (isStopped()) return
    if (error) throw error
    if (!wasReady && !isAgain) throw new CommandError(`${remote.url} does not respond: ${reason}`)
    if (wasReady) delayMs = FIRST_DELAY_MS
    isAgain = true
    handlers.lost(reason, delayMs)
    await pause(delayMs, undefined, { signal }).catch(() => undefined)
    delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)
  }
}

/** Sends the first message, and handles those of the server until the connection ends. */
function converse(
  client: Socket,
  first: object,
  isAgain: boolean,
  handlers: ListenHandlers,
  signal: AbortSignal,
): Promise<Ended> {
  return new Promise((resolve) => {
    let wasReady = false
    let reason = ''
    let failure: CommandError | null = null
    const silence = setTimeout(() => {
      reason = 'the server was silent'
      client.terminate()
    }, SILENCE_MS)
    const stop = (): void => {
      // Tells the server that this listener does not come back.
      client.close(1000)
      setTimeout(() => {
        client.terminate()
      }, CLOSING_MS).unref()
    }
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    const send = (message: object): void => {
      if (client.readyState === client.OPEN) client.send(JSON.stringify(message))
    }
    const take = (message: Message): void => {
      switch (message.type) {
        case 'ready':
          wasReady = true
          handlers.ready(message, isAgain)
          break
        case 'refused':
          failure = new UsageError(message.message)
          break
        case 'entry':
          handlers.entry(message.entry)
          break
        case 'delivery':
          handlers.delivery(message, (result) => {
            send({ type: 'result', number: message.number, ...result })
          })
      }
    }
    client.on('open', () => {
      send(first)
    })
    client.on('ping', () => silence.refresh())
    client.on('message', (data: RawData) => {
      silence.refresh()
      take(JSON.parse(textOf(data)) as Message)
    })
    client.on('unexpected-response', (_request, response) => {
      void errorOf(response).then(({ message, isFinal }) => {
        reason = message
        if (isFinal || !isAgain) failure = new CommandError(message)
        client.terminate()
      })
    })
    client.on('error', (error) => {
      reason ||= causeOf(error)
    })
    client.on('close', (code, text) => {
      clearTimeout(silence)
      signal.removeEventListener('abort', stop)
      if (code === UNACCEPTABLE) failure ??= new CommandError('the server refused a message of this command')
      resolve({ reason: reason || text.toString() || 'the connection was closed', wasReady, error: failure })
    })
  })
}

/** Reads the error of a server or proxy that did not open the connection. */
async function errorOf(response: IncomingMessage): Promise<{ message: string; isFinal: boolean }> {
  const { statusCode = 0, headers } = response
  let text = ''
  try {
    for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
      text += chunk
      if (text.length > MAX_ERROR_BYTES) break
    }
  } catch {
    // The status says enough.
  }
  // A proxy answers 5xx while the server restarts.
  const isFinal = statusCode < 500 && statusCode !== 429
  if (headers.location !== undefined)
    return { message: `the server responded with ${String(statusCode)}; use ${headers.location}`, isFinal }
  try {
    const { error } = JSON.parse(text) as { error: { message: string } }
    return { message: addWorkspaceHint(error.message), isFinal }
  } catch {
    const hint = 'if a proxy is in front of the server, it must pass WebSockets'
    return { message: `the server responded with ${String(statusCode)}; ${hint}`, isFinal }
  }
}

const textOf = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer)).toString()
