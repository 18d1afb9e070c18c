/** A cable server on its own port with test channels, and clients that subscribe to them. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { Cable, type CableLimits } from '../../src/http/cable/server.ts'
import type { Channels } from '../../src/http/cable/channel.ts'
import { Connections } from '../../src/http/server/connections.ts'
import { Part, type OpenedPart } from '../../src/http/server/parts.ts'
import { createFront, createServerFactory } from '../../src/http/server/server.ts'
import type { Registry } from '../../src/state/workspace/registry.ts'

export interface Cabled {
  readonly cable: Cable
  /** "ws://127.0.0.1:40123/talk/cable" */
  readonly url: string
  /** The errors that the cable reported. */
  readonly failures: unknown[]
  readonly close: () => Promise<void>
}

export async function startCable(
  workspaces: Registry,
  channels: Channels,
  limits: Partial<CableLimits> = {},
): Promise<Cabled> {
  const failures: unknown[] = []
  const cable = new Cable({ channels, workspaces, failed: (error) => failures.push(error), limits })
  const makeServer = createServerFactory(false)
  const opened = { server: makeServer(() => undefined), cable } as unknown as OpenedPart
  const part = new Part({ name: 'talk', basePath: '/talk', cablePath: '/talk/cable' }, () =>
    Promise.resolve(opened),
  )
  const front = createFront(makeServer, false, [part], part, new Connections())
  const { port } = new URL(await front.listen({ host: '127.0.0.1', port: 0 }))
  let closing: Promise<void> | null = null
  const close = () => (closing ??= Promise.resolve(front.close()))
  onTestFinished(close)
  return { cable, url: `ws://127.0.0.1:${port}/talk/cable`, failures, close }
}

export interface Frame {
  readonly type?: string
  readonly identifier?: string
  readonly message?: unknown
  readonly reason?: string
  readonly reconnect?: boolean
}

/** A client that receives every raw frame. */
export interface PlainClient {
  readonly socket: WebSocket
  /** Returns the next frame that is not a ping. */
  readonly next: () => Promise<Frame>
  readonly send: (command: string, identifier: unknown, data?: unknown) => void
  /** The code with which the connection was closed. */
  readonly closed: Promise<number>
}

export async function plainClient(url: string, protocols = ['actioncable-v1-json']): Promise<PlainClient> {
  const socket = new WebSocket(url, protocols)
  onTestFinished(() => {
    socket.terminate()
  })
  const frames: Frame[] = []
  let wake: (() => void) | null = null
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as Frame
    if (frame.type !== 'ping') frames.push(frame)
    wake?.()
  })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await new Promise((resolve, reject) => {
    socket.once('open', resolve).once('error', reject)
  })
  return {
    socket,
    closed,
    async next() {
      for (;;) {
        const frame = frames.shift()
        if (frame) return frame
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    send(command, identifier, data) {
      const name = typeof identifier === 'string' ? identifier : JSON.stringify(identifier)
      socket.send(
        JSON.stringify({
          command,
          identifier: name,
          ...(data !== undefined && { data: JSON.stringify(data) }),
        }),
      )
    },
  }
}

/** Lets the event loop run until the condition holds. */
export async function turnsUntil(holds: () => boolean): Promise<void> {
  while (!holds()) await nextTurn()
}
