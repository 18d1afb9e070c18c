import { describe, expect, test } from 'vitest'
import { controlApp, error, makeWorkspace } from '../app.ts'
import { receiver } from '../receiver.ts'

const CATALOG = '/workspace/public/v1'
const PRODUCTS = `${CATALOG}/products`

describe('resetting a workspace', () => {
  test('restores changed, added and removed records', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app, { fixtures: 'demo' })
    const everything = async () => [
      (await app.sim('GET', `/workspaces/${id}/snapshot`)).text,
      (await app.call('GET', `${PRODUCTS}?limit=100`, key)).text,
      (await app.call('GET', `${CATALOG}/activities?limit=100&sort=title&order=asc`, key)).text,
    ]
    const before = await everything()
    const products = (await app.call('GET', PRODUCTS, key)).body.data as { id: string }[]
    await app.call('PUT', `${PRODUCTS}/${String(products[0]?.id)}`, key, { name: 'Changed' })
    await app.call('DELETE', `${PRODUCTS}/${String(products[1]?.id)}`, key)
    await app.call('POST', PRODUCTS, key, { name: 'Added', type: 'physical' })
    await app.call('POST', `${CATALOG}/activities`, key, { title: 'Added', type: 'task' })
    expect(await everything()).not.toEqual(before)

    const answer = await app.sim('POST', `/workspaces/${id}/reset`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await everything()).toEqual(before)
  })

  test('empties a workspace that was created empty', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app)
    await app.call('POST', PRODUCTS, key, { name: 'Desk', type: 'physical' })
    await app.sim('POST', `/workspaces/${id}/reset`)
    expect((await app.call('GET', PRODUCTS, key)).body.data).toEqual([])
  })

  test('can be repeated, and the workspace stays usable', async () => {
    const app = await controlApp({ seed: 'a' })
    const { id, key } = await makeWorkspace(app, { fixtures: 'demo' })
    for (let round = 0; round < 3; round++) {
      const made = await app.call('POST', PRODUCTS, key, { name: 'Desk', type: 'physical' })
      expect(made.status).toBe(201)
      await app.sim('POST', `/workspaces/${id}/reset`)
      expect((await app.call('GET', PRODUCTS, key)).body.data).toHaveLength(13)
    }
  })

  test('keeps its id, its keys and its users', async () => {
    const app = await controlApp({ seed: 'a' })
    const { id, key } = await makeWorkspace(app)
    const addUser = async (name: string) =>
      (await app.sim('POST', `/workspaces/${id}/users`, { body: { name, email: 'a@example.com' } })).body
        .id as string
    const ana = await addUser('Ana')
    const second = (await app.sim('POST', '/keys', { body: { workspaceId: id, userId: ana } })).body
    await app.sim('POST', `/workspaces/${id}/reset`)

    expect((await app.sim('GET', `/workspaces/${id}`)).status).toBe(200)
    expect((await app.call('GET', PRODUCTS, key)).status).toBe(200)
    const made = await app.call('POST', PRODUCTS, second.key as string, { name: 'Desk', type: 'physical' })
    expect(made.body.data).toMatchObject({ ownerId: ana, ownerName: 'Ana' })
    // A seeded stream of ids restarts with a reset; it must not reuse the id of a user that stays.
    expect(await addUser('Bea')).not.toBe(ana)
  })

  test('restores its settings and its clock', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app, { currency: 'EUR', timezone: 'Europe/Madrid' })
    const before = (await app.sim('GET', `/workspaces/${id}`)).body
    const body = {
      currency: 'USD',
      timezone: 'UTC',
      modules: { products: false },
      plan: { apiAccess: false },
    }
    await app.sim('PATCH', `/workspaces/${id}`, { body })
    await app.sim('PUT', `/workspaces/${id}/clock`, { body: { now: '2040-01-01T00:00:00Z', frozen: true } })
    await app.sim('POST', `/workspaces/${id}/reset`)
    expect((await app.sim('GET', `/workspaces/${id}`)).body).toEqual(before)
    const clock = (await app.sim('GET', `/workspaces/${id}/clock`)).body
    expect(clock.frozen).toBe(false)
    expect(clock.now < '2040').toBe(true)
  })

  test('removes later deliveries and subscriptions', async () => {
    const app = await controlApp()
    const { url } = await receiver()
    const { id, key } = await makeWorkspace(app)
    await app.sim('POST', `/workspaces/${id}/subscriptions`, { body: { interface: 'catalog', url } })
    await app.call('POST', PRODUCTS, key, { name: 'Desk', type: 'physical' })
    await app.sim('GET', `/workspaces/${id}/deliveries?status=delivered&wait=300`)
    await app.sim('POST', `/workspaces/${id}/reset`)
    expect((await app.sim('GET', `/workspaces/${id}/subscriptions`)).body).toEqual({ data: [] })
    expect((await app.sim('GET', `/workspaces/${id}/deliveries`)).body).toEqual({ data: [] })
    await app.call('POST', PRODUCTS, key, { name: 'Desk', type: 'physical' })
    expect((await app.sim('GET', `/workspaces/${id}/deliveries`)).body).toEqual({ data: [] })
  })

  test('restores the names of initial users, also on their records', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app, { fixtures: 'demo' })
    const owner = async () =>
      (await app.call('GET', `${PRODUCTS}?sort=name&limit=1`, key)).body.data[0].ownerName as string
    const before = await owner()
    const snapshot = (await app.sim('GET', `/workspaces/${id}/snapshot`)).body as {
      users: { name: string }[]
    }
    const users = snapshot.users.map((user) => ({ ...user, name: 'Somebody Else' }))
    await app.sim('PUT', `/workspaces/${id}/snapshot`, { body: { ...snapshot, users } })
    expect(await owner()).toBe('Somebody Else')
    await app.sim('POST', `/workspaces/${id}/reset`)
    expect(await owner()).toBe(before)
  })

  test('does not change other workspaces', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app, { fixtures: 'demo' })
    const other = await makeWorkspace(app, { fixtures: 'demo' })
    await app.call('POST', PRODUCTS, other.key, { name: 'Desk', type: 'physical' })
    const before = (await app.sim('GET', `/workspaces/${other.id}/snapshot`)).text
    await app.sim('POST', `/workspaces/${id}/reset`)
    expect((await app.sim('GET', `/workspaces/${other.id}/snapshot`)).text).toBe(before)
  })

  test('returns 404 for an unknown workspace', async () => {
    const { sim } = await controlApp()
    const answer = await sim('POST', '/workspaces/nobody/reset')
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual(error('not_found', 'There is no workspace nobody.'))
  })
})

describe('resetting the server', () => {
  test('removes every workspace and creates that of the fixture again, with its key', async () => {
    const app = await controlApp({ fixtures: 'demo' })
    const before = (await app.sim('GET', '/workspaces/demo/snapshot')).body
    const other = await makeWorkspace(app)
    await app.call('POST', PRODUCTS, 'demo-key', { name: 'Desk', type: 'physical' })
    await app.sim('POST', '/keys', { body: { workspaceId: 'demo' } })
    await app.sim('POST', '/workspaces/demo/users', { body: { name: 'Ana', email: 'ana@example.com' } })

    const answer = await app.sim('POST', '/reset')
    expect([answer.status, answer.text]).toEqual([204, ''])
    const { data } = (await app.sim('GET', '/workspaces')).body as { data: object[] }
    expect(data).toEqual([expect.objectContaining({ id: 'demo', accountId: 1 })])
    expect((await app.sim('GET', '/workspaces/demo/snapshot')).body).toEqual(before)
    expect((await app.sim('GET', '/keys?workspaceId=demo')).body.data).toHaveLength(1)
    expect((await app.call('GET', PRODUCTS, 'demo-key')).body.data).toHaveLength(13)
    expect((await app.call('GET', PRODUCTS, other.key)).status).toBe(401)
  })

  test('without a fixture leaves no workspace', async () => {
    const app = await controlApp()
    await makeWorkspace(app)
    await app.sim('POST', '/reset')
    expect((await app.sim('GET', '/workspaces')).body).toEqual({ data: [] })
  })

  test('restores a deleted demo workspace', async () => {
    const app = await controlApp({ fixtures: 'demo' })
    await app.sim('DELETE', '/workspaces/demo')
    expect((await app.call('GET', PRODUCTS, 'demo-key')).status).toBe(401)
    await app.sim('POST', '/reset')
    expect((await app.call('GET', PRODUCTS, 'demo-key')).status).toBe(200)
  })

  test('with a seed returns the same ids and keys again', async () => {
    const app = await controlApp({ seed: 'again', fixtures: 'demo' })
    const made = async () => {
      const { id, key, userId } = await makeWorkspace(app)
      const product = await app.call('POST', PRODUCTS, key, { name: 'Desk', type: 'physical' })
      return [id, key, userId, product.body.data.id as string]
    }
    const before = await made()
    expect(await made()).not.toEqual(before)
    await app.sim('POST', '/reset')
    expect(await made()).toEqual(before)
  })

  test('hides data of an old workspace from a new one with the same number', async () => {
    const app = await controlApp()
    const { url, received } = await receiver()
    const old = await makeWorkspace(app, { fixtures: 'demo' })
    await app.sim('POST', `/workspaces/${old.id}/subscriptions`, { body: { interface: 'catalog', url } })
    await app.call('POST', PRODUCTS, old.key, { name: 'Desk', type: 'physical' })
    await app.sim('GET', `/workspaces/${old.id}/deliveries?status=delivered&wait=300`)
    await app.sim('POST', '/reset')

    const { id, key } = await makeWorkspace(app)
    expect((await app.sim('GET', `/workspaces/${id}`)).body.accountId).toBe(1)
    expect((await app.call('GET', PRODUCTS, key)).body.data).toEqual([])
    await app.call('POST', PRODUCTS, key, { name: 'Desk', type: 'physical' })
    expect((await app.sim('GET', `/workspaces/${id}/deliveries`)).body).toEqual({ data: [] })
    expect(received).toHaveLength(1)
  })
})
