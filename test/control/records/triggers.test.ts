import { describe, expect, test } from 'vitest'
import { controlApp, error, makeWorkspace } from '../app.ts'
import { receiver } from '../receiver.ts'

async function setup() {
  const app = await controlApp()
  const made = await makeWorkspace(app)
  const path = `/workspaces/${made.id}`
  const pull = (name: string, body?: unknown) =>
    app.sim('POST', `${path}/triggers/${name}`, body === undefined ? {} : { body })
  return { ...app, ...made, app, path, pull }
}

describe('triggers', () => {
  test('are listed with descriptions, parameters and responses', async () => {
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

  test('return 404 with the known names for an unknown name', async () => {
    const { pull } = await setup()
    const answer = await pull('pos.event.explode', {})
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual(
      error(
        'not_found',
        expect.stringMatching(
          /^There is no trigger pos\.event\.explode\. The triggers are .*pos\.event\.emit/,
        ),
      ),
    )
  })

  test('return 404 for an unknown workspace', async () => {
    const { sim } = await controlApp()
    const answer = await sim('POST', '/workspaces/nobody/triggers/pos.event.emit', { body: {} })
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual(error('not_found', 'There is no workspace nobody.'))
  })
})

describe('pos.event.emit', () => {
  test('sends the given data to every subscription, and returns the deliveries', async () => {
    const { app, sim, path, pull, key } = await setup()
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

  test('sends sample data by default', async () => {
    const { sim, path, pull } = await setup()
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

  test('creates no delivery without a subscriber', async () => {
    const { pull } = await setup()
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
  ])('refuses %j and sends nothing', async (body, field) => {
    const { sim, path, pull } = await setup()
    await sim('POST', `${path}/subscriptions`, { body: { interface: 'pos', url: 'http://127.0.0.1:9/' } })
    const answer = await pull('pos.event.emit', body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('validation_error')
    expect(answer.body.error.details[0].field).toBe(field)
    expect((await sim('GET', `${path}/deliveries`)).body).toEqual({ data: [] })
  })

  test.each(['null', '[]', '7'])('refuses the body %s', async (raw) => {
    const { sim, path } = await setup()
    expect((await sim('POST', `${path}/triggers/pos.event.emit`, { raw })).status).toBe(400)
  })
})
