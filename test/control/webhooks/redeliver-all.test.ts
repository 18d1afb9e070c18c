/** `POST /_sim/workspaces/{id}/deliveries/redeliver`: sends all matching deliveries again. */
import { describe, expect, test } from 'vitest'
import { controlApp, makeWorkspace } from '../app.ts'
import { receiver, type Receiver } from '../receiver.ts'

const NOON = '2030-01-01T12:00:00.000Z'

/** A workspace with a frozen clock, and a receiver that answers 500 until it is mended. */
async function setup() {
  const app = await controlApp()
  const { id } = await makeWorkspace(app)
  const path = `/workspaces/${id}`
  let answer = 500
  const to: Receiver = await receiver((response) => {
    response.writeHead(answer).end()
  })
  await app.sim('PUT', `${path}/clock`, { body: { now: NOON, frozen: true } })
  const subscribe = async (interfaceName = 'pos') =>
    (await app.sim('POST', `${path}/subscriptions`, { body: { interface: interfaceName, url: to.url } }))
      .body as {
      id: string
    }
  return {
    ...app,
    path,
    to,
    subscribe,
    mend: () => {
      answer = 200
    },
    emit: async (event: string, record: string) =>
      app.sim('POST', `${path}/triggers/pos.event.emit`, { body: { event, data: { id: record } } }),
    advance: async (duration: string) => app.sim('POST', `${path}/clock/advance`, { body: { duration } }),
    redeliver: async (body?: object) =>
      app.sim('POST', `${path}/deliveries/redeliver`, body === undefined ? {} : { body }),
    of: async (status: string) =>
      (
        (await app.sim('GET', `${path}/deliveries?limit=1000&status=${status}`)).body as {
          data: { event: string }[]
        }
      ).data,
  }
}

describe('redelivering all', () => {
  test('sends the dead deliveries again by default, those of one record in the order of its events', async () => {
    const { subscribe, emit, advance, mend, redeliver, of, to } = await setup()
    await subscribe()
    for (const event of ['stock.low', 'stock.updated']) await emit(event, 'one')
    await emit('stock.low', 'two')
    // Each delivery of a record starts its schedule when the one before is dead.
    await advance('P4D')
    expect(await of('dead')).toHaveLength(3)
    const before = to.received.length
    mend()
    expect(await redeliver()).toMatchObject({ status: 202, body: { count: 3 } })
    await advance('PT0S')
    expect(await of('delivered')).toHaveLength(3)
    const again = to.received
      .slice(before)
      .map(({ body }) => JSON.parse(body) as { event: string; data: { id: string } })
      .filter(({ data }) => data.id === 'one')
    expect(again.map(({ event }) => event)).toEqual(['stock.low', 'stock.updated'])
    expect(await redeliver()).toMatchObject({ status: 202, body: { count: 0 } })
  })

  test('filters by status, interface, event and instant', async () => {
    const { subscribe, emit, advance, mend, redeliver, to } = await setup()
    mend()
    await subscribe()
    await emit('stock.low', 'one')
    await emit('stock.updated', 'two')
    await advance('PT1H')
    await emit('stock.low', 'three')
    await advance('PT0S')
    const count = async (filter: object) => ((await redeliver(filter)).body as { count: number }).count
    expect(await count({})).toBe(0)
    expect(await count({ status: 'delivered', interface: 'payments' })).toBe(0)
    expect(await count({ status: 'delivered', event: 'stock.low', since: '2030-01-01T13:00:00Z' })).toBe(1)
    await advance('PT0S')
    expect(await count({ status: 'delivered', since: '2030-01-01T13:00:00.001Z' })).toBe(0)
    expect(await count({ status: 'delivered', event: 'stock.low', interface: 'pos' })).toBe(2)
    await advance('PT0S')
    expect(await count({ status: 'delivered' })).toBe(3)
    await advance('PT0S')
    expect(to.received).toHaveLength(3 + 1 + 2 + 3)
  })

  test('leaves out deliveries whose subscription was deleted', async () => {
    const { subscribe, emit, advance, redeliver, of, sim, path } = await setup()
    const { id } = await subscribe()
    await emit('stock.low', 'one')
    await advance('PT0S')
    await sim('DELETE', `${path}/subscriptions/${id}`)
    expect(await of('dead')).toHaveLength(1)
    expect(await redeliver()).toMatchObject({ status: 202, body: { count: 0 } })
    expect(await of('dead')).toHaveLength(1)
  })

  test('answers other calls while it works on thousands', async () => {
    const { subscribe, sim, path, mend, redeliver, advance, of } = await setup()
    mend()
    await subscribe()
    await sim('POST', `${path}/faults`, { body: { delivery: 'drop' } })
    for (let day = 0; day < 10; day++)
      await sim('POST', `${path}/triggers/pos.day.run`, { body: { sales: 100 } })
    await advance('PT0S')
    const pending = (await of('pending')).length
    expect(pending).toBe(1000)
    await sim('DELETE', `${path}/faults`)
    const order: string[] = []
    await Promise.all([
      redeliver({ status: 'pending' }).then(({ body }) => {
        order.push('redelivered')
        expect((body as { count: number }).count).toBeGreaterThanOrEqual(pending)
      }),
      sim('GET', `${path}/clock`).then(() => order.push('clock')),
    ])
    expect(order[0]).toBe('clock')
  })

  test.each([
    [{ status: 'ded' }, 'status'],
    [{ interface: 'poss' }, 'interface'],
    [{ event: 'stock.lo' }, 'did you mean stock.low?'],
    [{ event: 'stock.low', interface: 'payments' }, 'stock.low is one of pos'],
    [{ since: 'yesterday' }, 'since'],
    [{ sinse: NOON }, 'did you mean since?'],
  ])('refuses %j', async (body, words) => {
    const { redeliver } = await setup()
    const answer = await redeliver(body)
    expect(answer.status).toBe(400)
    expect((answer.body as { error: { message: string } }).error.message).toContain(words)
  })

  test('refuses an unknown workspace', async () => {
    const { sim } = await setup()
    expect((await sim('POST', '/workspaces/none/deliveries/redeliver')).status).toBe(404)
  })
})
