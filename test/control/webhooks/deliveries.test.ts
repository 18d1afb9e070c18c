import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { controlApp, error, makeWorkspace } from '../app.ts'
import { receiver, status, type Receiver } from '../receiver.ts'

const NOON = '2030-01-01T12:00:00.000Z'

/** A workspace with a frozen clock and a subscription to all events of the point of sale. */
async function setup(to?: Receiver, options: Parameters<typeof controlApp>[0] = {}) {
  const app = await controlApp(options)
  const made = await makeWorkspace(app)
  const path = `/workspaces/${made.id}`
  const { url, received } = to ?? (await receiver())
  await app.sim('PUT', `${path}/clock`, { body: { now: NOON, frozen: true } })
  const body = { interface: 'pos', url, secret: 'my own' }
  const subscription = (await app.sim('POST', `${path}/subscriptions`, { body })).body as { id: string }
  const emit = async (event = 'stock.low', data: object = { id: 's1' }) =>
    (await app.sim('POST', `${path}/triggers/pos.event.emit`, { body: { event, data } })).body as {
      eventId: string
      deliveries: string[]
    }
  return { ...app, ...made, app, path, url, received, subscription, emit }
}

describe('listing deliveries', () => {
  test("shows the request, its result and the delivery's state", async () => {
    const { sim, path, url, emit, received, subscription } = await setup()
    const { eventId, deliveries } = await emit()
    const answer = await sim('GET', `${path}/deliveries?status=delivered&wait=300&count=1`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      data: [
        {
          id: deliveries[0],
          subscriptionId: subscription.id,
          createdAt: NOON,
          interface: 'pos',
          event: 'stock.low',
          url,
          status: 'delivered',
          attempts: [{ at: NOON, status: 200, durationMs: expect.any(Number), error: null }],
          nextAttemptAt: null,
          payload: {
            id: eventId,
            event: 'stock.low',
            createdAt: NOON,
            data: expect.objectContaining({ id: 's1' }),
          },
        },
      ],
    })
    expect(JSON.parse(received[0]?.body ?? '')).toEqual(answer.body.data[0].payload)
  })

  test('shows a failed attempt and the time of the next one', async () => {
    const { sim, path, emit } = await setup(await receiver(status(500)))
    await emit()
    // Returns after the attempt is recorded.
    await sim('POST', `${path}/clock/advance`, { body: { duration: 'PT0S' } })
    const { data } = (await sim('GET', `${path}/deliveries`)).body as {
      data: { status: string; nextAttemptAt: string; attempts: unknown[] }[]
    }
    expect(data[0]).toMatchObject({
      status: 'pending',
      attempts: [{ at: NOON, status: 500, error: expect.any(String) }],
      nextAttemptAt: expect.stringMatching(/^2030-01-01T12:00:0[456]/),
    })
  })

  test('returns the newest first, 25 by default', async () => {
    const { sim, path, emit } = await setup()
    for (let n = 0; n < 27; n++) await emit('stock.low', { n })
    const numbers = async (query: string) =>
      (await sim('GET', `${path}/deliveries${query}`)).body.data.map(
        (each: { payload: { data: { n: number } } }) => each.payload.data.n,
      ) as number[]
    expect(await numbers('')).toEqual(Array.from({ length: 25 }, (_, index) => 26 - index))
    expect(await numbers('?limit=1')).toEqual([26])
    expect(await numbers('?limit=1000')).toHaveLength(27)
    expect(await numbers('?count=26')).toHaveLength(26)
    expect(await numbers('?count=26&limit=2')).toEqual([26, 25])
  })

  test('filters by interface, event, status and subscription, alone and combined', async () => {
    const { app, sim, path, key, emit, url, subscription } = await setup()
    const body = { interface: 'catalog', url }
    const other = (await sim('POST', `${path}/subscriptions`, { body })).body as { id: string }
    await emit('stock.low')
    await emit('sale.completed')
    await app.call('POST', '/workspace/public/v1/products', key, { name: 'Desk', type: 'physical' })
    await sim('GET', `${path}/deliveries?status=delivered&wait=300&count=3`)
    const events = async (query: string) =>
      (await sim('GET', `${path}/deliveries?${query}`)).body.data.map(
        ({ event }: { event: string }) => event,
      ) as string[]
    expect(await events('')).toEqual(['product.created', 'sale.completed', 'stock.low'])
    expect(await events('interface=pos')).toEqual(['sale.completed', 'stock.low'])
    expect(await events('event=stock.low')).toEqual(['stock.low'])
    expect(await events('event=product.deleted')).toEqual([])
    expect(await events('status=delivered')).toHaveLength(3)
    expect(await events('status=dead')).toEqual([])
    expect(await events('interface=pos&event=stock.low&status=delivered')).toEqual(['stock.low'])
    expect(await events(`subscription=${subscription.id}`)).toEqual(['sale.completed', 'stock.low'])
    expect(await events(`subscription=${other.id}`)).toEqual(['product.created'])
    expect(await events(`subscription=${subscription.id}&event=stock.low&status=delivered`)).toEqual([
      'stock.low',
    ])
    await sim('DELETE', `${path}/subscriptions/${other.id}`)
    expect(await events(`subscription=${other.id}`)).toEqual(['product.created'])
  })

  test.each([
    [
      'event=sale.complted',
      'event must be the name of an event, not "sale.complted"; did you mean sale.completed?',
    ],
    [
      'event=nothing',
      'event must be the name of an event, not "nothing"; GET /_sim/workspaces/{id}/coverage lists them',
    ],
    [
      'interface=catalog&event=sale.completed',
      'event must be the name of an event of catalog, not "sale.completed"; sale.completed is one of pos',
    ],
    [
      'subscription=nobody',
      'subscription must be the id of a subscription; GET /_sim/workspaces/{id}/subscriptions lists them',
    ],
  ])('refuses %s, which no delivery can match', async (query, message) => {
    const { sim, path } = await setup()
    const { status, body } = await sim('GET', `${path}/deliveries?${query}`)
    expect({ status, message: body.error.message }).toEqual({ status: 400, message })
  })

  test('shows nothing of another workspace', async () => {
    const { app, sim, emit } = await setup()
    await emit()
    const other = await makeWorkspace(app)
    expect((await sim('GET', `/workspaces/${other.id}/deliveries`)).body).toEqual({ data: [] })
  })

  test.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=many', 'limit'],
    ['wait=-1', 'wait'],
    ['wait=301', 'wait'],
    ['wait=long', 'wait'],
    ['count=0', 'count'],
    ['count=1001', 'count'],
    ['count=1.5', 'count'],
    ['status=lost', 'status'],
    ['interface=control', 'interface'],
  ])('refuses %s', async (query, field) => {
    const { sim, path } = await setup()
    const answer = await sim('GET', `${path}/deliveries?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.error.details[0].field).toBe(field)
  })

  test('returns 404 for an unknown workspace', async () => {
    const { sim } = await controlApp()
    expect((await sim('GET', '/workspaces/nobody/deliveries?wait=300')).status).toBe(404)
  })
})

describe('waiting for deliveries', () => {
  test('returns at once if enough already match, with any wait', async () => {
    const { sim, path, emit } = await setup()
    await emit()
    await emit()
    const answer = await sim('GET', `${path}/deliveries?wait=300&count=2`)
    expect(answer.body.data).toHaveLength(2)
  })

  test('returns as soon as enough match', async () => {
    const { sim, path, emit } = await setup()
    let isAnswered = false
    const waiting = sim('GET', `${path}/deliveries?event=sale.completed&wait=300&count=2`).then((answer) => {
      isAnswered = true
      return answer
    })
    await emit('sale.completed')
    await emit('stock.low')
    expect(isAnswered).toBe(false)
    await emit('sale.completed')
    expect((await waiting).body.data).toHaveLength(2)
  })

  test('returns when a status is reached', async () => {
    let finish: (() => void) | undefined
    const slow = await receiver((response) => {
      finish = () => response.end()
      started()
    })
    let started = (): void => undefined
    const arrived = new Promise<void>((resolve) => {
      started = resolve
    })
    const { sim, path, emit } = await setup(slow)
    await emit()
    const waiting = sim('GET', `${path}/deliveries?status=delivered&wait=300`)
    await arrived
    finish?.()
    expect((await waiting).body.data).toMatchObject([{ status: 'delivered' }])
  })

  test('returns the current deliveries after the timeout', async () => {
    const { sim, path, emit } = await setup()
    await emit()
    const answer = await sim('GET', `${path}/deliveries?wait=0.02&count=2`)
    expect([answer.status, answer.body.data.length]).toEqual([200, 1])
  })

  test('returns 404 when the workspace is deleted', async () => {
    const { sim, path } = await setup()
    const waiting = sim('GET', `${path}/deliveries?wait=300`)
    await sim('DELETE', path)
    expect((await waiting).status).toBe(404)
  })

  test('returns 404 when the server is reset, even if a workspace with the same id exists again', async () => {
    const { sim } = await controlApp({ fixtures: 'small' })
    const waiting = sim('GET', '/workspaces/demo/deliveries?wait=300')
    await sim('POST', '/reset')
    expect((await waiting).status).toBe(404)
  })

  test('returns the current deliveries when the server closes', async () => {
    const { sim, path, close } = await setup(undefined, { ownApp: true })
    const waiting = sim('GET', `${path}/deliveries?wait=300`)
    await sim('GET', '/health')
    await close()
    expect((await waiting).body).toMatchObject({ data: [] })
  })

  test('ends when the client disconnects', async () => {
    const { fastify, listen, close, id } = await setup(undefined, { ownApp: true })
    await listen({ host: '127.0.0.1', port: 0 })
    const { server } = fastify
    const { port } = server.address() as AddressInfo
    const isOver = new Promise<void>((resolve) => {
      server.once('request', (_request, response) => {
        response.once('close', resolve)
      })
    })
    const call = request({ host: '127.0.0.1', port, path: `/_sim/workspaces/${id}/deliveries?wait=300` })
    call.on('error', () => undefined)
    const isSent = new Promise<void>((resolve) =>
      server.once('request', () => {
        resolve()
      }),
    )
    call.end()
    await isSent
    call.destroy()
    await isOver
    // Closing waits for running requests, so it would take until the end of the wait.
    await close()
    expect(server.listening).toBe(false)
  })
})

describe('sending a delivery again', () => {
  test('sends the same id and bytes once more', async () => {
    const { sim, path, emit, received } = await setup()
    const { deliveries } = await emit()
    await sim('GET', `${path}/deliveries?status=delivered&wait=300`)
    const answer = await sim('POST', `${path}/deliveries/${String(deliveries[0])}/redeliver`)
    expect([answer.status, answer.text]).toEqual([202, ''])
    await sim('POST', `${path}/clock/advance`, { body: { duration: 'PT0S' } })
    const { data } = (await sim('GET', `${path}/deliveries`)).body as {
      data: { status: string; attempts: unknown[] }[]
    }
    expect(data).toMatchObject([{ status: 'delivered', attempts: [{ status: 200 }, { status: 200 }] }])
    expect(received).toHaveLength(2)
    expect(received[1]?.body).toBe(received[0]?.body)
  })

  test('revives a dead delivery', async () => {
    let code = 500
    const { sim, path, emit } = await setup(
      await receiver((response) => {
        response.writeHead(code).end()
      }),
    )
    const { deliveries } = await emit()
    await sim('POST', `${path}/clock/advance`, { body: { duration: 'P2D' } })
    expect((await sim('GET', `${path}/deliveries?status=dead`)).body.data).toHaveLength(1)
    code = 204
    await sim('POST', `${path}/deliveries/${String(deliveries[0])}/redeliver`)
    const answer = await sim('GET', `${path}/deliveries?status=delivered&wait=300`)
    expect(answer.body.data[0].attempts).toHaveLength(9)
  })

  test('returns a conflict if the subscription is not active', async () => {
    const { call, key, sim, path, emit, subscription } = await setup()
    const { deliveries } = await emit()
    await call('PUT', `/pos/public/v1/webhooks/${subscription.id}`, key, { isActive: false })
    const answer = await sim('POST', `${path}/deliveries/${String(deliveries[0])}/redeliver`)
    expect(answer.status).toBe(409)
    expect(answer.body).toEqual(error('conflict', 'The subscription of this delivery is not active.'))
  })

  test('returns a conflict if the subscription was deleted', async () => {
    const { sim, path, emit, subscription } = await setup()
    const { deliveries } = await emit()
    await sim('DELETE', `${path}/subscriptions/${subscription.id}`)
    const answer = await sim('POST', `${path}/deliveries/${String(deliveries[0])}/redeliver`)
    expect(answer.status).toBe(409)
    expect(answer.body).toEqual(error('conflict', 'The subscription of this delivery was deleted.'))
  })

  test('returns 404 for an unknown delivery or one of another workspace', async () => {
    const { app, sim, path, emit } = await setup()
    const { deliveries } = await emit()
    const other = await makeWorkspace(app)
    expect((await sim('POST', `${path}/deliveries/nothing/redeliver`)).status).toBe(404)
    const strange = `/workspaces/${other.id}/deliveries/${String(deliveries[0])}/redeliver`
    expect((await sim('POST', strange)).status).toBe(404)
  })
})
