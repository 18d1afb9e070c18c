import { describe, expect, test } from 'vitest'
import { controlApp, error, makeWorkspace } from '../app.ts'
import { receiver, status } from '../receiver.ts'

const URL_OK = 'https://example.com/hooks'

async function setup() {
  const app = await controlApp()
  const made = await makeWorkspace(app)
  const path = `/workspaces/${made.id}/subscriptions`
  return { ...app, ...made, app, path }
}

describe('creating a subscription', () => {
  test('with an interface and a URL returns one for all its events, with a secret', async () => {
    const { sim, path } = await setup()
    const answer = await sim('POST', path, { body: { interface: 'catalog', url: URL_OK } })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[a-z][a-z0-9]{23}$/),
      interface: 'catalog',
      url: URL_OK,
      events: ['*'],
      active: true,
      secret: expect.stringMatching(/^whsec_\w{32}$/),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
  })

  test('accepts a secret and events, and removes duplicates', async () => {
    const { sim, path } = await setup()
    const events = ['sale.completed', 'stock.low', 'sale.completed']
    const body = { interface: 'pos', url: URL_OK, events, secret: 'my own' }
    const answer = await sim('POST', path, { body })
    expect(answer.body).toMatchObject({ events: ['sale.completed', 'stock.low'], secret: 'my own' })
  })

  test.each([
    [{ url: URL_OK }, 'interface'],
    [{ interface: 'catalog' }, 'url'],
    [{ interface: 'control', url: URL_OK }, 'interface'],
    [{ interface: 'catalog', url: 'nowhere' }, 'url'],
    [{ interface: 'catalog', url: 'ftp://example.com' }, 'url'],
    [{ interface: 'catalog', url: 'http://example.com/hooks' }, 'url'],
    [{ interface: 'catalog', url: URL_OK, events: [] }, 'events'],
    [{ interface: 'catalog', url: URL_OK, events: 'product.created' }, 'events'],
    [{ interface: 'catalog', url: URL_OK, events: ['product.created', 'product.exploded'] }, 'events.1'],
    [{ interface: 'catalog', url: URL_OK, events: ['sale.completed'] }, 'events.0'],
    [{ interface: 'catalog', url: URL_OK, secret: '' }, 'secret'],
    [{ interface: 'catalog', url: URL_OK, secret: 'x'.repeat(201) }, 'secret'],
  ])('refuses %j and creates nothing', async (body, field) => {
    const { sim, path } = await setup()
    const answer = await sim('POST', path, { body })
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('validation_error')
    expect(answer.body.error.details[0].field).toBe(field)
    expect((await sim('GET', path)).body).toEqual({ data: [] })
  })

  test.each(['http://localhost:9999/hooks', 'http://127.0.0.1/hooks', 'http://[::1]:8080/'])(
    'accepts the plain http URL %s of this machine',
    async (url) => {
      const { sim, path } = await setup()
      expect((await sim('POST', path, { body: { interface: 'catalog', url } })).status).toBe(201)
    },
  )

  test('is limited to two hundred per interface', async () => {
    const { sim, path } = await setup()
    const subscribe = (to: string) => sim('POST', path, { body: { interface: to, url: URL_OK } })
    for (let number = 0; number < 200; number += 1) expect((await subscribe('crm')).status).toBe(201)

    const answer = await subscribe('crm')
    const message = 'A workspace holds at most 200 subscriptions of each interface.'
    expect(answer.body).toEqual(error('validation_error', message))
    expect((await subscribe('pos')).status).toBe(201)
  })

  test('returns 404 for an unknown workspace', async () => {
    const { sim } = await controlApp()
    const body = { interface: 'catalog', url: URL_OK }
    expect((await sim('POST', '/workspaces/nobody/subscriptions', { body })).status).toBe(404)
  })
})

describe('listing subscriptions', () => {
  test('shows those of all interfaces, newest first, without secrets', async () => {
    const { app, sim, path, key } = await setup()
    const body = { interface: 'catalog', url: URL_OK }
    const { secret: _secret, ...first } = (await sim('POST', path, { body })).body as { secret: string }
    await app.call('POST', '/pos/public/v1/webhooks', key, { url: URL_OK, events: ['stock.low'] })
    const answer = await sim('GET', path)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual([
      expect.objectContaining({ interface: 'pos', events: ['stock.low'] }),
      { ...first, pending: 0, dead: 0 },
    ])
    expect(answer.text).not.toContain('whsec_')
  })

  test('counts the pending and dead deliveries of each', async () => {
    const { sim, path, id } = await setup()
    const failing = await receiver(status(500))
    const gone = await receiver(status(410))
    for (const { url } of [failing, gone, await receiver()]) {
      await sim('POST', path, { body: { interface: 'pos', url } })
    }
    for (let count = 0; count < 2; count++) {
      await sim('POST', `/workspaces/${id}/triggers/pos.event.emit`, { body: { event: 'stock.low' } })
      await sim('POST', `/workspaces/${id}/clock/advance`, { body: { duration: 'PT0S' } })
    }
    expect(
      (await sim('GET', path)).body.data.map(({ active, pending, dead }: Record<string, unknown>) => ({
        active,
        pending,
        dead,
      })),
    ).toEqual([
      { active: true, pending: 0, dead: 0 },
      { active: false, pending: 0, dead: 1 },
      { active: true, pending: 2, dead: 0 },
    ])
  })

  test('shows nothing of another workspace', async () => {
    const { app, sim, path } = await setup()
    const other = await makeWorkspace(app)
    await sim('POST', path, { body: { interface: 'catalog', url: URL_OK } })
    expect((await sim('GET', `/workspaces/${other.id}/subscriptions`)).body).toEqual({ data: [] })
  })
})

describe('deleting a subscription', () => {
  test('stops its deliveries', async () => {
    const { app, sim, path, key, id } = await setup()
    const { url, received } = await receiver()
    const made = (await sim('POST', path, { body: { interface: 'catalog', url } })).body as { id: string }
    const create = () =>
      app.call('POST', '/workspace/public/v1/products', key, { name: 'Desk', type: 'physical' })
    await create()
    await sim('GET', `/workspaces/${id}/deliveries?status=delivered&wait=300`)
    const answer = await sim('DELETE', `${path}/${made.id}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    await create()
    expect((await sim('GET', `/workspaces/${id}/deliveries`)).body.data).toHaveLength(1)
    expect(received).toHaveLength(1)
    expect((await sim('GET', path)).body).toEqual({ data: [] })
  })

  test('returns 404 for an unknown one or one of another workspace', async () => {
    const { app, sim, path } = await setup()
    const other = await makeWorkspace(app)
    const made = (await sim('POST', path, { body: { interface: 'catalog', url: URL_OK } })).body as {
      id: string
    }
    const nowhere = await sim('DELETE', `${path}/nothing`)
    expect(nowhere.status).toBe(404)
    expect(nowhere.body).toEqual(error('not_found', 'There is no subscription nothing.'))
    expect((await sim('DELETE', `/workspaces/${other.id}/subscriptions/${made.id}`)).status).toBe(404)
    expect((await sim('GET', path)).body.data).toHaveLength(1)
  })
})
