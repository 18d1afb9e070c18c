import { describe, expect, test } from 'vitest'
import { controlApp, error, makeWorkspace } from './app.ts'
import { receiver } from './receiver.ts'

async function world() {
  const app = await controlApp()
  const made = await makeWorkspace(app)
  const path = `/workspaces/${made.id}`
  const pull = (name: string, body?: unknown) =>
    app.sim('POST', `${path}/triggers/${name}`, body === undefined ? {} : { body })
  return { ...app, ...made, app, path, pull }
}

describe('triggers', () => {
  test('are listed with what they do, what they take and what they answer with', async () => {
    const { sim } = await controlApp()
    const answer = await sim('GET', '/triggers')
    expect(answer.status).toBe(200)
    const emit = answer.body.data.find(({ name }: { name: string }) => name === 'pos.event.emit')
    expect(emit).toMatchObject({
      summary: expect.stringMatching(/\S/),
      body: { type: 'object', required: ['event'] },
      result: { type: 'object', required: ['eventId', 'deliveries'] },
      fidelity: { status: 'assumed', why: expect.stringMatching(/\S/) },
    })
    expect(emit.body.properties.event.enum).toHaveLength(33)
  })

  test('one that is not there is a 404 that names the known ones', async () => {
    const { pull } = await world()
    const answer = await pull('pos.event.explode', {})
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual(
      error(
        'not_found',
        expect.stringMatching(/^There is no trigger pos\.event\.explode; there are .*pos\.event\.emit/),
      ),
    )
  })

  test('in a workspace that is not there are a 404', async () => {
    const { sim } = await controlApp()
    const answer = await sim('POST', '/workspaces/nobody/triggers/pos.event.emit', { body: {} })
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual(error('not_found', 'There is no workspace nobody.'))
  })
})

describe('pos.event.emit', () => {
  test('sends the data that is given to every subscription, and names the deliveries', async () => {
    const { app, sim, path, pull, key } = await world()
    const { url } = await receiver()
    await sim('POST', `${path}/subscriptions`, { body: { interface: 'pos', url } })
    await app.call('POST', '/pos/public/v1/webhooks', key, { url, events: ['sale.completed'] })
    await sim('POST', `${path}/subscriptions`, { body: { interface: 'catalog', url } })
    const data = { id: 'sale-1', number: 'F-001', total: 107 }
    const answer = await pull('pos.event.emit', { event: 'sale.completed', data })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      eventId: expect.any(String),
      deliveries: [expect.any(String), expect.any(String)],
    })
    const listed = (await sim('GET', `${path}/deliveries`)).body.data as {
      id: string
      payload: { id: string; data: object }
    }[]
    expect(listed.map(({ id }) => id).sort()).toEqual([...answer.body.deliveries].sort())
    for (const { payload } of listed) expect(payload).toMatchObject({ id: answer.body.eventId, data })
  })

  test('sends a sample when no data is given', async () => {
    const { sim, path, pull } = await world()
    const { url } = await receiver()
    await sim('POST', `${path}/subscriptions`, { body: { interface: 'pos', url } })
    await pull('pos.event.emit', { event: 'sale.completed' })
    const { data } = (await sim('GET', `${path}/deliveries`)).body as {
      data: { payload: { data: object } }[]
    }
    expect(data[0]?.payload.data).toMatchObject({
      id: expect.any(String),
      number: expect.any(String),
      total: expect.any(Number),
    })
  })

  test('without a subscriber makes no delivery', async () => {
    const { pull } = await world()
    expect((await pull('pos.event.emit', { event: 'stock.low' })).body.deliveries).toEqual([])
  })

  test.each([
    [undefined, 'event'],
    [{}, 'event'],
    [{ event: 'sale.exploded' }, 'event'],
    [{ event: 7 }, 'event'],
    [{ event: 'stock.low', data: 'none' }, 'data'],
    [{ event: 'stock.low', data: [] }, 'data'],
    [{ event: 'stock.low', data: null }, 'data'],
  ])('%j is refused and nothing is sent', async (body, field) => {
    const { sim, path, pull } = await world()
    await sim('POST', `${path}/subscriptions`, { body: { interface: 'pos', url: 'http://127.0.0.1:9/' } })
    const answer = await pull('pos.event.emit', body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('validation_error')
    expect(answer.body.error.details[0].field).toBe(field)
    expect((await sim('GET', `${path}/deliveries`)).body).toEqual({ data: [] })
  })

  test.each(['null', '[]', '7'])('the body %s is refused', async (raw) => {
    const { sim, path } = await world()
    expect((await sim('POST', `${path}/triggers/pos.event.emit`, { raw })).status).toBe(400)
  })
})
