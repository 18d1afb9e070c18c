/** The connection of a listener (`suite-sim listen`): a WebSocket with deliveries, their results, and the timeline. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer, type RawData } from 'ws'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { MAX_LISTENERS, type Connected, type Listeners } from '../../webhooks/listeners/listeners.ts'
import { followTimeline } from '../journal/timelineViews.ts'
import type { ControlContext } from '../shared/context.ts'
import {
  parseListen,
  parseResult,
  routesOf,
  UnacceptableMessage,
  type EventsOf,
  type ListenMessage,
} from './listenMessages.ts'

/** Maximum bytes of a message of the listener. */
const MAX_MESSAGE = 65_536

/** Maximum bytes that wait for the listener; with more, it is disconnected. */
const MAX_UNREAD = 16_777_216

/** Ms until the first message, and between two pings; a listener that misses one is disconnected. */
const FIRST_MESSAGE_MS = 10_000
const PING_MS = 15_000

/** Close codes: RFC 6455, 7.4.1. */
const NORMAL = 1000
const UNACCEPTABLE = 1008
const TRY_AGAIN = 1012

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  maxPayload: MAX_MESSAGE,
  perMessageDeflate: false,
})

/** Takes over the connection of a listener. */
export function takeListener(
  context: Pick<ControlContext, 'interfaces' | 'webhooks'>,
  workspace: Workspace,
  request: IncomingMessage,
  { socket, head }: { readonly socket: Duplex; readonly head: Buffer },
): void {
  server.handleUpgrade(request, socket, head, (client) => {
    new ListenerSocket(context, workspace, client).start()
  })
}

class ListenerSocket {
  readonly #context: Pick<ControlContext, 'interfaces' | 'webhooks'>
  readonly #workspace: Workspace
  readonly #client: WebSocket
  #connected: Connected | null = null
  #hasListened = false
  #isAlive = true
  #unfollow = (): void => undefined

  constructor(
    context: Pick<ControlContext, 'interfaces' | 'webhooks'>,
    workspace: Workspace,
    client: WebSocket,
  ) {
    this.#context = context
    this.#workspace = workspace
    this.#client = client
  }

  start(): void {
    const client = this.#client
    const late = setTimeout(() => {
      if (!this.#hasListened) this.#refuse('the first message did not come in time')
    }, FIRST_MESSAGE_MS).unref()
    const pings = setInterval(() => {
      if (!this.#isAlive) client.terminate()
      else client.ping()
      this.#isAlive = false
    }, PING_MS).unref()
    const { lifetime } = this.#workspace
    const release = lifetime.hold()
    client.on('pong', () => {
      this.#isAlive = true
      // Counts for a ttl that was set after the connection was opened.
      lifetime.touch()
    })
    client.on('error', () => {
      client.terminate()
    })
    client.on('message', (data, isBinary) => {
      this.#take(isBinary ? '' : textOf(data)).catch((error: unknown) => {
        this.#refuse(error instanceof UnacceptableMessage ? error.message : 'the server failed; see its log')
      })
    })
    client.on('close', (code) => {
      clearTimeout(late)
      clearInterval(pings)
      release()
      this.#unfollow()
      this.#connected?.disconnect(code === NORMAL)
    })
  }

  async #take(text: string): Promise<void> {
    this.#isAlive = true
    if (this.#hasListened) {
      const { number, result } = parseResult(text)
      this.#connected?.session.reported(number, result)
      return
    }
    const message = parseListen(text)
    this.#hasListened = true
    const routes = routesOf(message, await this.#events())
    if (this.#client.readyState === WebSocket.OPEN) this.#listen(message, routes)
  }

  /** Sends `ready` first, because the listener can get deliveries as soon as it is connected. */
  #listen(message: ListenMessage, routes: ReturnType<typeof routesOf>): void {
    const { listeners } = this.#context.webhooks
    const workspace = this.#workspace
    if (!workspace.isRegistered) throw new UnacceptableMessage('the workspace was deleted')
    mustFit(listeners, workspace, message)
    this.#send({
      type: 'ready',
      timeoutMs: listeners.timeoutMs,
      routes: routes.map(({ events }) => [...events.keys()]),
    })
    this.#connected = listeners.connect(
      workspace,
      { session: message.session, secret: message.secret, routes },
      {
        send: (delivery) => {
          this.#send({ type: 'delivery', ...delivery })
        },
        close: (reason) => {
          this.#client.close(TRY_AGAIN, reason)
        },
      },
    )
    if (!message.timeline) return
    this.#unfollow = followTimeline(workspace, message.after ?? '', (entry) => {
      this.#send({ type: 'entry', entry })
    })
  }

  async #events(): Promise<EventsOf> {
    const all = await Promise.all(
      this.#context.interfaces.map(async (each) => {
        const { events = [] } = await each.load()
        return [each.name as InterfaceName, events.map(({ name }) => name)] as const
      }),
    )
    return new Map(all.filter(([, events]) => events.length > 0))
  }

  #refuse(message: string): void {
    this.#send({ type: 'refused', message })
    this.#client.close(UNACCEPTABLE, 'refused')
  }

  #send(message: object): void {
    if (this.#client.readyState !== WebSocket.OPEN) return
    this.#client.send(JSON.stringify(message))
    if (this.#client.bufferedAmount > MAX_UNREAD) this.#client.terminate()
  }
}

function mustFit(listeners: Listeners, workspace: Workspace, { session }: ListenMessage): void {
  if (listeners.isTaken(workspace, session))
    throw new UnacceptableMessage('the session belongs to a listener of another workspace')
  if (listeners.countOthers(workspace, session) >= MAX_LISTENERS)
    throw new UnacceptableMessage(`a workspace has at most ${String(MAX_LISTENERS)} listeners`)
}

const textOf = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer)).toString()
