/** Snapshots that the server stores by name, and clones of workspaces. */
import { describe, expect, test } from 'vitest'
import { scratchFolder } from '../../support/process.ts'
import { bearer, controlApp, makeWorkspace, type ControlApp, type Made } from '../app.ts'

const PRODUCTS = '/workspace/public/v1/products'

async function setup(options = {}) {
  const app = await controlApp(options)
  const made = await makeWorkspace(app)
  const of = `/workspaces/${made.id}`
  return {
    ...app,
    app,
    made,
    of,
    path: `${of}/snapshots`,
    save: (name: string) => app.sim('POST', `${of}/snapshots`, { body: { name } }),
    restore: (name: string) => app.sim('POST', `${of}/snapshots/${name}/restore`),
    ...productsOf(app, made),
  }
}

function productsOf(app: ControlApp, { key }: Pick<Made, 'key'>) {
  return {
    addProduct: (name: string) => app.call('POST', PRODUCTS, key, { name, type: 'physical' }),
    products: async () =>
      (await app.call('GET', `${PRODUCTS}?sort=name`, key)).body.data
        .map(({ name }: { name: string }) => name)
        .toSorted() as string[],
  }
}

describe('named snapshot', () => {
  test('can be restored several times', async () => {
    const { addProduct, products, save, restore, sim, path } = await setup()
    await addProduct('Desk')
    const saved = await save('one')
    expect(saved).toMatchObject({ status: 201, body: { name: 'one', records: 1 } })
    for (const name of ['Chair', 'Lamp']) {
      await addProduct(name)
      expect(await products()).toEqual(['Desk', name].toSorted())
      expect((await restore('one')).status).toBe(204)
      expect(await products()).toEqual(['Desk'])
    }
    expect((await sim('GET', path)).body.data).toEqual([saved.body])
  })

  test('restores settings, and is kept by a reset', async () => {
    const { addProduct, products, save, restore, sim, of } = await setup()
    await addProduct('Desk')
    await sim('PATCH', of, { body: { currency: 'EUR' } })
    await save('one')
    await sim('POST', `${of}/reset`)
    expect(await products()).toEqual([])
    await restore('one')
    expect(await products()).toEqual(['Desk'])
    expect((await sim('GET', of)).body.currency).toBe('EUR')
  })

  test('is kept after a restart, and removed with its workspace and by a server reset', async () => {
    const db = `${scratchFolder()}/suite.sqlite`
    const first = await setup({ db })
    await first.addProduct('Desk')
    await first.save('one')
    await first.close()
    const second = await controlApp({ db })
    const { sim, workspaces } = second
    expect((await sim('POST', `${first.path}/one/restore`)).status).toBe(204)
    const count = () =>
      workspaces.database.sqlite.prepare('SELECT count(*) FROM saved_snapshots').pluck().get()
    expect(count()).toBe(1)
    await sim('DELETE', first.of)
    expect(count()).toBe(0)
    const other = await makeWorkspace(second)
    await sim('POST', `/workspaces/${other.id}/snapshots`, { body: { name: 'two' } })
    await sim('POST', '/reset')
    expect(count()).toBe(0)
  })

  test('leaves no data behind when it is removed', async () => {
    const { addProduct, save, sim, path, workspaces, records } = await setup()
    await addProduct('Desk')
    const rows = () =>
      workspaces.database.sqlite.prepare('SELECT count(*) FROM catalog_products').pluck().get() as number
    const before = rows()
    await save('one')
    expect(rows()).toBe(before + 1)
    expect((await sim('DELETE', `${path}/one`)).status).toBe(204)
    await expect.poll(rows).toBe(before)
    await records.scopes(workspaces.database).stop()
    expect((await sim('DELETE', `${path}/one`)).status).toBe(404)
    expect((await sim('POST', `${path}/one/restore`)).status).toBe(404)
  })

  test.each([[''], ['a b'], ['-a'], ['a'.repeat(101)]])('refuses the name "%s"', async (name) => {
    const { save } = await setup()
    expect((await save(name)).status).toBe(400)
  })

  test('refuses a name in use, and more than fifty', async () => {
    const { save } = await setup()
    for (let n = 0; n < 50; n++) expect((await save(`s${String(n)}`)).status).toBe(201)
    expect(await save('s1')).toMatchObject({
      status: 409,
      body: {
        error: { message: 'The workspace already has a snapshot s1. Use another name, or delete it first.' },
      },
    })
    expect((await save('s50')).status).toBe(409)
  })
})

describe('clone', () => {
  test('has the records, users and clock of the original, and is independent', async () => {
    const { app, addProduct, products, sim, of, made } = await setup()
    await addProduct('Desk')
    await sim('PUT', `${of}/clock`, { body: { now: '2031-01-01T00:00:00Z', frozen: true } })
    const { status, body } = await sim('POST', `${of}/clone`, { body: { name: 'Second' } })
    expect(status).toBe(201)
    expect(body.workspace).toMatchObject({ name: 'Second' })
    expect(body.workspace.id).not.toBe(made.id)
    expect(body.user.id).toBe(made.userId)
    const clone = productsOf(app, body)
    expect(await clone.products()).toEqual(['Desk'])
    const cloned = `/workspaces/${String(body.workspace.id)}`
    expect((await sim('GET', `${cloned}/clock`)).body).toEqual({
      now: '2031-01-01T00:00:00.000Z',
      frozen: true,
    })
    await clone.addProduct('Lamp')
    expect(await products()).toEqual(['Desk'])
    await sim('POST', `${cloned}/reset`)
    expect(await clone.products()).toEqual(['Desk'])
  })

  test('has its first clock again after a reset, and the original has real time', async () => {
    const { sim, of } = await setup()
    const clockOf = async (path: string) =>
      (await sim('GET', `${path}/clock`)).body as { now: string; frozen: boolean }
    const cloned = async () => `/workspaces/${String((await sim('POST', `${of}/clone`)).body.workspace.id)}`
    const real = await cloned()
    await sim('PUT', `${of}/clock`, { body: { now: '2031-01-01T00:00:00Z', frozen: true } })
    const frozen = await cloned()
    await sim('PUT', `${of}/clock`, { body: { now: '2041-01-01T00:00:00Z', frozen: false } })
    const running = await cloned()
    for (const each of [real, frozen, running, of]) {
      await sim('PUT', `${each}/clock`, { body: { now: '2051-01-01T00:00:00Z', frozen: true } })
      expect((await sim('POST', `${each}/reset`)).status).toBe(204)
    }
    expect(await clockOf(frozen)).toEqual({ now: '2031-01-01T00:00:00.000Z', frozen: true })
    expect((await clockOf(running)).now).toMatch(/^2041-01-01T00:/)
    for (const each of [real, of]) {
      const { now, frozen: isFrozen } = await clockOf(each)
      expect(isFrozen).toBe(false)
      expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(600_000)
    }
  })

  test('of the demo equals the demo, including files', async () => {
    const app = await controlApp({ fixtures: 'demo' })
    const { body } = await app.sim('POST', '/workspaces/demo/clone')
    const sections = async (id: string) => (await app.sim('GET', `/workspaces/${id}/records`)).body
    expect(await sections(body.workspace.id)).toEqual(await sections('demo'))
    expect(body.workspace.name).toMatch(/ \(clone\)$/)
  })
})

describe('a named snapshot as the fixtures of a new workspace', () => {
  const create = (app: ControlApp, fixtures: object, more = {}) =>
    app.sim('POST', '/workspaces', { body: { fixtures, ...more } })

  test('gives it the records and settings, and is independent of it', async () => {
    const { app, sim, addProduct, save, made, of } = await setup()
    await addProduct('Desk')
    await sim('PATCH', of, { body: { currency: 'PAB' } })
    await save('before-sale')
    await addProduct('Lamp')
    const { status, body } = await create(
      app,
      { workspace: made.id, snapshot: 'before-sale' },
      { id: 'second', key: 'second-key', timezone: 'America/Panama' },
    )
    expect(status).toBe(201)
    expect(body).toMatchObject({
      workspace: { id: 'second', currency: 'PAB', timezone: 'America/Panama', labels: {}, ttl: null },
      user: { id: made.userId },
      key: 'second-key',
    })
    const second = productsOf(app, body)
    expect(await second.products()).toEqual(['Desk'])
    expect((await sim('DELETE', of)).status).toBe(204)
    await second.addProduct('Chair')
    expect((await sim('POST', '/workspaces/second/reset')).status).toBe(204)
    expect(await second.products()).toEqual(['Desk'])
  })

  test('has all sections and files of the demo', async () => {
    const app = await controlApp({ fixtures: 'demo' })
    await app.sim('POST', '/workspaces/demo/snapshots', { body: { name: 'year' } })
    const { body } = await create(app, { workspace: 'demo', snapshot: 'year' })
    const sections = async (id: string) => (await app.sim('GET', `/workspaces/${id}/records`)).body
    expect(await sections(body.workspace.id)).toEqual(await sections('demo'))
  })

  test.each([
    [{ workspace: 'shpo', snapshot: 'start-of-sale' }, 404, 'There is no workspace shpo; did you mean shop?'],
    [{ workspace: 'elsewhere', snapshot: 'x' }, 404, 'There is no workspace elsewhere.'],
    [
      { workspace: 'shop', snapshot: 'start-of-sales' },
      404,
      'The workspace shop has no snapshot start-of-sales; did you mean start-of-sale?',
    ],
    [
      { workspace: 'shop', snapshot: 'x' },
      404,
      'The workspace shop has no snapshot x; its snapshots are start-of-sale',
    ],
    [
      { workspace: 'empty', snapshot: 'x' },
      404,
      'The workspace empty has no snapshot x; POST /_sim/workspaces/{id}/snapshots saves one',
    ],
    [{ workspace: 'shop' }, 400, 'fixtures.snapshot is required'],
    [{ snapshot: 'start-of-sale' }, 400, 'fixtures.workspace is required'],
    [{ workspace: 5, snapshot: 'x' }, 400, 'fixtures.workspace must be a string'],
    [
      { workspace: 'shop', snapshot: 'x', sanpshot: 'y' },
      400,
      'fixtures.sanpshot is not a known field; did you mean snapshot?',
    ],
  ])('is refused if it does not exist: %j', async (fixtures, status, message) => {
    const app = await controlApp()
    await app.sim('POST', '/workspaces', { body: { id: 'shop' } })
    await app.sim('POST', '/workspaces', { body: { id: 'empty' } })
    await app.sim('POST', '/workspaces/shop/snapshots', { body: { name: 'start-of-sale' } })
    const refused = await create(app, fixtures)
    expect([refused.status, refused.body.error.message]).toEqual([status, message])
    expect((await app.sim('GET', '/workspaces')).body.data).toHaveLength(2)
  })

  test.each([{}, { adminToken: 'right' }])(
    'is closed to the control token of a workspace: %j',
    async (options) => {
      const app = await controlApp(options)
      const body = { id: 'shop' }
      const { controlToken } = (await app.sim('POST', '/workspaces', { body, ...bearer('right') })).body
      const own = bearer(controlToken as string)
      await app.sim('POST', '/workspaces/shop/snapshots', { body: { name: 'one' }, ...own })
      const fixtures = { workspace: 'shop', snapshot: 'one' }
      const refused = await app.sim('POST', '/workspaces', { body: { fixtures }, ...own })
      expect([refused.status, refused.body.error.message]).toEqual([
        403,
        expect.stringContaining('This call concerns the whole server.'),
      ])
    },
  )
})
