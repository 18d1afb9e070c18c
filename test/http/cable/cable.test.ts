import type { Socket } from 'node:net'
import { createConsumer, adapters } from '@rails/actioncable'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Channels } from '../../../src/http/cable/channel.ts'
import type { CableLimits } from '../../../src/http/cable/server.ts'
import { Refusal } from '../../../src/state/model/refusal.ts'
import { broadcast } from '../../../src/state/timeline/streams.ts'
import { freshApp, type FreshApp } from '../../support/app.ts'
import { plainClient, startCable, turnsUntil, type Cabled, type PlainClient } from '../../support/cables.ts'
import { head, rawClient } from '../../support/sockets.ts'

interface Talk extends FreshApp, Cabled {
  /** The arguments of each call of the action "say". */
  readonly said: unknown[]
  readonly tell: (room: string, message: object | null) => void
  /** A client that is subscribed to a room. */
  readonly listener: (room: string) => Promise<PlainClient>
}

/** Rooms named by their parameters, for clients that know the id of the workspace. */
async function talk(limits: Partial<CableLimits> = {}): Promise<Talk> {
  const fresh = await freshApp()
  const said: unknown[] = []
  const channels: Channels = {
    RoomChannel({ workspace: id, room }, workspaces) {
      const workspace = typeof id === 'string' ? workspaces.find(id) : undefined
      if (!workspace || typeof room !== 'string') return null
      return {
        workspace,
        streams: [room, 'everybody'],
        actions: {
          say: (data) => void said.push(data),
          refuse: () => {
            throw new Refusal('invalid', 'No.')
          },
          break: () => {
            throw new Error('broken')
          },
        },
      }
    },
    BrokenChannel() {
      throw new Error('no channel')
    },
  }
  const cabled = await startCable(fresh.app.workspaces, channels, limits)
  return {
    ...fresh,
    ...cabled,
    said,
    tell: (room, message) => {
      broadcast(fresh.workspace, room, () => message)
    },
    async listener(room) {
      const client = await plainClient(cabled.url)
      client.send('subscribe', roomOf(fresh, room))
      expect((await client.next()).type).toBe('welcome')
      expect((await client.next()).type).toBe('confirm_subscription')
      return client
    },
  }
}

const roomOf = ({ workspace }: Pick<FreshApp, 'workspace'>, room: string) => ({
  channel: 'RoomChannel',
  workspace: workspace.id,
  room,
})

describe('official ActionCable client', () => {
  const own = adapters.WebSocket
  beforeAll(() => {
    // The client requires the WebSocket of a browser.
    adapters.WebSocket = WebSocket as unknown as typeof own
    vi.stubGlobal('addEventListener', () => undefined)
    vi.stubGlobal('removeEventListener', () => undefined)
  })
  afterAll(() => {
    adapters.WebSocket = own
    vi.unstubAllGlobals()
  })

  function consumerOf(url: string) {
    const consumer = createConsumer(url)
    onTestFinished(() => {
      consumer.disconnect()
    })
    return consumer
  }

  test('subscribes, receives broadcasts, performs an action, and receives nothing after it unsubscribes', async () => {
    const { url, tell, said, cable, ...fresh } = await talk()
    const consumer = consumerOf(url)
    const received: unknown[] = []
    const room = await new Promise<ReturnType<typeof consumer.subscriptions.create>>((resolve) => {
      const subscription = consumer.subscriptions.create(roomOf(fresh, 'one'), {
        connected: () => {
          resolve(subscription)
        },
        received: (data: unknown) => received.push(data),
      })
    })
    tell('one', { event: 'conversation.updated', data: { id: 1 } })
    tell('two', { event: 'not for it' })
    tell('everybody', { event: 'last' })
    await turnsUntil(() => received.length === 2)
    expect(received).toEqual([{ event: 'conversation.updated', data: { id: 1 } }, { event: 'last' }])

    room.perform('say', { words: 'hello' })
    await turnsUntil(() => said.length > 0)
    expect(said).toEqual([{ action: 'say', words: 'hello' }])

    room.unsubscribe()
    const other = await plainClient(url)
    other.send('subscribe', roomOf(fresh, 'one'))
    await other.next()
    await other.next()
    tell('one', { event: 'too late' })
    expect((await other.next()).message).toEqual({ event: 'too late' })
    expect(received).toHaveLength(2)
    expect(cable.size).toBe(2)
  })

  test('is rejected if the channel refuses the subscription', async () => {
    const { url, ...fresh } = await talk()
    const consumer = consumerOf(url)
    await new Promise<void>((rejected) => {
      consumer.subscriptions.create({ ...roomOf(fresh, 'one'), workspace: 'another' }, { rejected })
    })
  })

  test('is told to reconnect when the server stops', async () => {
    const { url, close, ...fresh } = await talk()
    const consumer = consumerOf(url)
    const over = new Promise<unknown>((disconnected) => {
      consumer.subscriptions.create(roomOf(fresh, 'one'), { connected: () => void close(), disconnected })
    })
    expect(await over).toEqual({ willAttemptReconnect: true })
  })
})

describe('cable', () => {
  test('negotiates its protocol, and uses it for clients that name none', async () => {
    const { url } = await talk()
    const named = await plainClient(url, ['something-else', 'actioncable-v1-json'])
    expect(named.socket.protocol).toBe('actioncable-v1-json')
    const unnamed = await plainClient(url, [])
    expect(unnamed.socket.protocol).toBe('')
    expect(await unnamed.next()).toEqual({ type: 'welcome' })
  })

  test('sends pings', async () => {
    const { url } = await talk({ beatMs: 5 })
    const { socket } = await plainClient(url)
    const ping = await new Promise<unknown>((resolve) =>
      socket.on('message', (data: Buffer) => {
        const frame = JSON.parse(data.toString()) as { type: string }
        if (frame.type === 'ping') resolve(frame)
      }),
    )
    expect(ping).toEqual({ type: 'ping', message: expect.any(Number) })
  })

  test.each([
    ['an unknown channel', '{"channel":"AnotherChannel"}'],
    ['an inherited property name', '{"channel":"constructor"}'],
    ['no channel', '{}'],
    ['a value that is not an object', '[]'],
    ['invalid JSON', 'RoomChannel'],
  ])('rejects %s', async (_what, identifier) => {
    const { url } = await talk()
    const client = await plainClient(url)
    await client.next()
    client.send('subscribe', identifier)
    expect(await client.next()).toEqual({ type: 'reject_subscription', identifier })
  })

  test('ignores and does not log unknown commands', async () => {
    const { listener, failures, said, ...fresh } = await talk()
    const client = await listener('one')
    const room = roomOf(fresh, 'one')
    for (const text of ['', '[]', 'null', '{"command":"subscribe"}', '{"command":7,"identifier":7}']) {
      client.socket.send(text)
    }
    client.socket.send(Buffer.from('{}'), { binary: true })
    client.send('message', room, { action: 'constructor' })
    client.send('message', room, { action: 7 })
    client.send('message', room, [])
    client.send('message', { ...room, room: 'another' }, { action: 'say' })
    client.send('message', room, { action: 'refuse' })
    client.send('unsubscribe', { ...room, room: 'another' })
    client.send('subscribe', 'x'.repeat(2001))
    // A repeated subscription sends nothing.
    client.send('subscribe', room)
    client.send('subscribe', 'x'.repeat(2000))
    expect((await client.next()).type).toBe('reject_subscription')
    expect([failures, said]).toEqual([[], []])
  })

  test('reports internal errors and continues', async () => {
    const { listener, failures, workspace, tell, ...fresh } = await talk()
    const client = await listener('one')
    client.send('message', roomOf({ ...fresh, workspace }, 'one'), { action: 'break' })
    client.send('subscribe', { channel: 'BrokenChannel' })
    await turnsUntil(() => failures.length === 2)
    broadcast(workspace, 'one', () => {
      throw new Error('no words')
    })
    tell('one', { still: 'there' })
    expect((await client.next()).message).toEqual({ still: 'there' })
    expect(failures.map((error) => (error as Error).message)).toEqual(['broken', 'no channel', 'no words'])
  })

  test('accepts 100 subscriptions of a client, and no more', async () => {
    const { url, tell, ...fresh } = await talk()
    const client = await plainClient(url)
    await client.next()
    for (let room = 1; room <= 101; room++) client.send('subscribe', roomOf(fresh, String(room)))
    const types = []
    for (let room = 1; room <= 101; room++) types.push((await client.next()).type)
    expect(types).toEqual([...Array<string>(100).fill('confirm_subscription'), 'reject_subscription'])
    client.send('unsubscribe', roomOf(fresh, '1'))
    client.send('subscribe', roomOf(fresh, '101'))
    expect((await client.next()).type).toBe('confirm_subscription')
    tell('1', { event: 'nobody hears' })
    tell('101', { event: 'heard' })
    expect((await client.next()).message).toEqual({ event: 'heard' })
  })

  test('limits the number of clients, until one leaves', async () => {
    const { url, cable } = await talk({ maxClients: 1 })
    const first = await plainClient(url)
    await expect(plainClient(url)).rejects.toThrow('503')
    first.socket.close()
    await turnsUntil(() => cable.size === 0)
    await plainClient(url)
  })

  test('limits the number of clients of an address, until one leaves', async () => {
    const { url, cable } = await talk({ maxOfAddress: 2 })
    const first = await plainClient(url)
    await plainClient(url)
    await expect(plainClient(url)).rejects.toThrow('429')
    first.socket.close()
    await turnsUntil(() => cable.size === 1)
    await plainClient(url)
  })

  test('limits the number of clients of a workspace, until one leaves; others are accepted', async () => {
    const { url, cable, listener, tenant, ...fresh } = await talk({ maxOfWorkspace: 2 })
    const first = await listener('one')
    const second = await listener('one')
    second.send('subscribe', roomOf(fresh, 'two'))
    expect((await second.next()).type).toBe('confirm_subscription')
    const third = await plainClient(url)
    await third.next()
    third.send('subscribe', roomOf(fresh, 'one'))
    expect((await third.next()).type).toBe('reject_subscription')
    third.send('subscribe', roomOf(tenant(), 'one'))
    expect((await third.next()).type).toBe('confirm_subscription')
    first.socket.close()
    await turnsUntil(() => cable.size === 2)
    third.send('subscribe', roomOf(fresh, 'one'))
    expect((await third.next()).type).toBe('confirm_subscription')
  })

  test('closes a client that does not subscribe in time, and no other', async () => {
    const { url, cable, listener, tell, ...fresh } = await talk({ beatMs: 5, subscribeMs: 50 })
    const subscriber = await listener('one')
    const silent = await plainClient(url)
    const rejected = await plainClient(url)
    rejected.send('subscribe', { channel: 'NoChannel' })
    expect([(await rejected.next()).type, (await rejected.next()).type]).toEqual([
      'welcome',
      'reject_subscription',
    ])
    expect((await silent.next()).type).toBe('welcome')
    const idle = { type: 'disconnect', reason: 'no_subscription', reconnect: false }
    expect([await silent.next(), await rejected.next()]).toEqual([idle, idle])
    await Promise.all([silent.closed, rejected.closed])
    tell('one', { event: 'still heard' })
    expect((await subscriber.next()).message).toEqual({ event: 'still heard' })
    subscriber.send('unsubscribe', roomOf(fresh, 'one'))
    expect(await subscriber.next()).toEqual(idle)
    await subscriber.closed
    await turnsUntil(() => cable.size === 0)
  })

  test('terminates a client that does not read the disconnect message', async () => {
    const { url, cable } = await talk({ beatMs: 5, subscribeMs: 10, goodbyeMs: 10 })
    const client = await plainClient(url)
    client.socket.pause()
    await turnsUntil(() => cable.size === 0)
  })

  test('closes the connection on a command of more than 64 KiB', async () => {
    const { listener } = await talk()
    const client = await listener('one')
    client.socket.send('x'.repeat(65_536))
    client.socket.send('x'.repeat(65_537))
    expect(await client.closed).toBe(1009)
  })

  test('broadcasts after the commit, with the data at that time', async () => {
    const { listener, workspace, tell } = await talk()
    const client = await listener('one')
    let state = 'before'
    workspace.write(() => {
      broadcast(workspace, 'one', () => ({ state }))
      state = 'after'
    })
    tell('one', null)
    tell('one', { event: 'last' })
    expect((await client.next()).message).toEqual({ state: 'after' })
    expect((await client.next()).message).toEqual({ event: 'last' })
  })

  test('broadcasts nothing of one workspace to another', async () => {
    const { listener, tell, tenant } = await talk()
    const client = await listener('one')
    broadcast(tenant().workspace, 'one', () => ({ event: "another's" }))
    tell('one', { event: 'own' })
    expect((await client.next()).message).toEqual({ event: 'own' })
  })

  test('continues to broadcast after a reset of the records', async () => {
    const { listener, tell, call, workspace } = await talk()
    const client = await listener('one')
    expect((await call('POST', `/_sim/workspaces/${workspace.id}/reset`)).status).toBe(204)
    tell('one', { event: 'afterwards' })
    expect((await client.next()).message).toEqual({ event: 'afterwards' })
  })
})

describe('a client that stops reading', () => {
  const LARGE = 'x'.repeat(65_536)

  test('is disconnected when too much is buffered, and others receive everything in order', async () => {
    const { listener, tell, cable } = await talk({ maxBuffered: 262_144 })
    const reading = await listener('one')
    const silent = await listener('one')
    silent.socket.pause()
    let count = 0
    while (cable.size === 2) {
      tell('one', { number: ++count, LARGE })
      expect((await reading.next()).message).toEqual({ number: count, LARGE })
    }
    tell('one', { event: 'last' })
    expect((await reading.next()).message).toEqual({ event: 'last' })
    expect(cable.size).toBe(1)
  })

  test('is disconnected after some pings, however little is buffered', async () => {
    const { listener, tell, cable } = await talk({ maxBuffered: 1e9, beatMs: 5, patience: 3 })
    const reading = await listener('one')
    const silent = await listener('one')
    silent.socket.pause()
    for (let count = 1; count <= 200; count++) {
      tell('one', { count, LARGE })
      await reading.next()
    }
    await turnsUntil(() => cable.size === 1)
    tell('one', { event: 'last' })
    expect((await reading.next()).message).toEqual({ event: 'last' })
  })

  test('does not delay a stop', async () => {
    const { listener, tell, close } = await talk({ maxBuffered: 1e9, goodbyeMs: 20 })
    const silent = await listener('one')
    silent.socket.pause()
    for (let count = 1; count <= 200; count++) tell('one', { count, LARGE })
    await close()
  })
})

describe('a connection that asks for another protocol', () => {
  async function listening() {
    const fresh = await freshApp({ ownApp: true })
    return { ...fresh, url: await fresh.app.listen({ host: '127.0.0.1', port: 0 }) }
  }
  const WISH = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' }

  test('gets an HTTP response to its body, and may send more requests', async () => {
    const { url } = await listening()
    const client = await rawClient(url)
    const body = JSON.stringify({ name: 'By another protocol' })
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
    client.send(head('POST', '/_sim/workspaces', { ...WISH, ...headers }) + body)
    await client.until('By another protocol')
    expect(client.received()).toMatch(/^HTTP\/1\.1 201 /)
    client.send(head('GET', '/_sim/health', { ...WISH, connection: 'upgrade, close' }))
    expect(await client.closed).toMatch(/HTTP\/1\.1 200 OK.*"status":"ok"/s)
  })

  test('gets an HTTP response if its body arrives late', async () => {
    const { url } = await listening()
    const client = await rawClient(url)
    const body = JSON.stringify({ name: 'Late' })
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
    client.send(head('POST', '/_sim/workspaces', { ...WISH, ...headers }))
    client.send(body.slice(0, 5))
    client.send(body.slice(5))
    await client.until('"Late"')
  })

  test('gets a response to each request, and leaves nothing behind', async () => {
    const { url, app } = await listening()
    const sockets: Socket[] = []
    app.fastify.server.on('connection', (socket: Socket) => sockets.push(socket))
    const client = await rawClient(url)
    const listenersOf = (socket?: Socket): number[] =>
      (socket?.eventNames() ?? []).map((name) => socket?.listenerCount(name) ?? 0)
    let early: number[] = []
    for (let attempt = 1; attempt <= 8; attempt++) {
      client.send(head('GET', `/_sim/nowhere-${String(attempt)}-`, WISH))
      await client.until(`nowhere-${String(attempt)}-`)
      if (attempt === 3) early = listenersOf(sockets[0])
    }
    expect(listenersOf(sockets.at(-1))).toEqual(early)
  })

  test('gets an HTTP response if the path has no WebSocket', async () => {
    const { url } = await listening()
    await expect(plainClient(`${url.replace('http', 'ws')}/_sim/health`)).rejects.toThrow('200')
    await expect(plainClient(`${url.replace('http', 'ws')}/nowhere`)).rejects.toThrow('404')
  })

  test('is refused as usual if it is not a request', async () => {
    const { url } = await listening()
    const client = await rawClient(url)
    client.send('GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nbroken\r\n\r\n')
    expect(await client.closed).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('is refused if its handshake is not that of a WebSocket', async () => {
    const { url } = await talk()
    const client = await rawClient(url.replace('ws', 'http'))
    client.send(head('GET', '/talk/cable', { connection: 'upgrade', upgrade: 'websocket' }))
    expect(await client.closed).toMatch(/^HTTP\/1\.1 400 /)
  })
})
