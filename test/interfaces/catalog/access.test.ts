/**
 * Specification part 1, "Authentication", "Errors": permissions that are special to the catalog. Rules for every
 * operation are tested in test/laws/access.test.ts.
 */
import { describe, expect, test } from 'vitest'
import type { Method } from '../../support/app.ts'
import { freshCatalog, NOON, refusal, type Catalog } from '../../support/catalog.ts'

interface Operation {
  readonly method: Method
  /** `:id` stands for the id of an existing record. */
  readonly path: string
  readonly status: number
  readonly body?: object
}

const OPERATIONS: readonly Operation[] = [
  { method: 'GET', path: '/products', status: 200 },
  { method: 'GET', path: '/products/:id', status: 200 },
  {
    method: 'POST',
    path: '/products',
    status: 201,
    body: { name: 'Desk', type: 'physical' },
  },
  { method: 'PUT', path: '/products/:id', status: 200, body: { sku: 'A' } },
  { method: 'DELETE', path: '/products/:id', status: 200 },
  { method: 'GET', path: '/activities', status: 200 },
  { method: 'GET', path: '/activities/:id', status: 200 },
  {
    method: 'POST',
    path: '/activities',
    status: 201,
    body: { title: 'Call', type: 'call' },
  },
  { method: 'PUT', path: '/activities/:id', status: 200, body: { notes: 'A' } },
  { method: 'DELETE', path: '/activities/:id', status: 200 },
  { method: 'PATCH', path: '/activities/:id/complete', status: 200 },
]

const titled = OPERATIONS.map((operation) => [`${operation.method} ${operation.path}`, operation] as const)

/** A catalog with a product and an activity, and a function that calls an operation on them. */
async function setup() {
  const catalog = await freshCatalog()
  const product = await catalog.addProduct()
  const activity = await catalog.addActivity()
  const perform = ({ method, path, body }: Operation, key?: string | null) =>
    catalog.call(method, path.replace(':id', path.startsWith('/products') ? product.id : activity.id), {
      ...(key !== undefined && { key }),
      ...(body && { body }),
    })
  return { ...catalog, product, activity, perform }
}

describe('key', () => {
  test('expires by the clock of its own workspace', async () => {
    const { fresh, call } = await freshCatalog()
    const other = fresh.tenant()
    const key = fresh.makeKey({ expiresAt: Date.parse('2031-01-01T00:00:00Z') })

    fresh.setClock('2040-01-01T00:00:00Z', { workspace: other.workspace })
    expect((await call('GET', '/products', { key })).status).toBe(200)
    fresh.setClock('2040-01-01T00:00:00Z')
    expect(await call('GET', '/products', { key })).toMatchObject(refusal(401, 'unauthorized'))
    fresh.setClock(NOON)
    expect((await call('GET', '/products', { key })).status).toBe(200)
  })

  test.each(['bearer KEY', 'BEARER KEY', 'Bearer   KEY'])('is found in "%s"', async (header) => {
    const { fresh, call } = await freshCatalog()

    const answer = await call('GET', '/products', {
      key: null,
      headers: { authorization: header.replace('KEY', fresh.key) },
    })

    expect(answer.status).toBe(200)
  })
})

const READINGS = ['interface', 'products'] as const

describe('with the products module switched off', () => {
  const switchOff = (catalog: Catalog, products: boolean) => {
    catalog.fresh.workspace.change({ modules: { products } })
  }

  test.each(
    titled.flatMap(([title, operation]) => READINGS.map((reading) => [title, reading, operation] as const)),
  )(
    '%s returns the error of the module under the reading %s, and works again when it is on',
    async (_title, reading, operation) => {
      const catalog = await setup()
      catalog.fresh.workspace.change({ readings: { 'catalog.products_module': reading } })
      switchOff(catalog, false)
      const before = catalog.fresh.dump()

      const answer = await catalog.perform(operation)

      if (reading === 'interface' || operation.path.startsWith('/products')) {
        expect(answer.status).toBe(403)
        expect(answer.body).toEqual({
          error: {
            code: 'module_not_active',
            message: 'The products module is not active in this workspace.',
          },
        })
        expect(catalog.fresh.dump()).toEqual(before)
        switchOff(catalog, true)
        expect((await catalog.perform(operation)).status).toBe(operation.status)
      } else {
        expect(answer.status).toBe(operation.status)
      }
    },
  )

  test('other workspaces are not affected', async () => {
    const catalog = await freshCatalog()
    const { key } = catalog.fresh.tenant()
    switchOff(catalog, false)

    expect((await catalog.call('GET', '/products', { key })).status).toBe(200)
  })

  test('a missing permission is reported first', async () => {
    const catalog = await freshCatalog()
    switchOff(catalog, false)

    expect(
      await catalog.call('GET', '/products', { key: catalog.fresh.makeKey({ scopes: [] }) }),
    ).toMatchObject(refusal(403, 'forbidden'))
  })
})

describe.each([
  ['activities:read:own', ['activities:read:own']],
  ['activities:read:own and activities:read', ['activities:read', 'activities:read:own']],
])('a key with %s', (_title, reading) => {
  const limited = async () => {
    const catalog = await freshCatalog()
    const { workspace } = catalog.fresh
    const user = workspace.addUser({ name: 'Second User', email: 'second.user@example.com' })
    const key = catalog.fresh.makeKey({
      userId: user.id,
      scopes: [...reading, 'activities:create', 'activities:update', 'activities:delete'],
    })
    const own = await catalog.addActivity({ ownerId: user.id, entityType: 'deal', entityId: '1' })
    const others = await catalog.addActivity({ entityType: 'deal', entityId: '1' })
    const nobodys = await catalog.addActivity({ ownerId: null, entityType: 'deal', entityId: '1' })
    return { ...catalog, user, key, own, others, nobodys }
  }

  test('lists only the activities of its user, with any filter', async () => {
    const { listActivities, fresh, user, key, own } = await limited()

    for (const query of ['', `?owner_id=${user.id}`, '?entity_type=deal', '?status=pending&search=call']) {
      expect((await listActivities(query, { key })).data).toEqual([own])
    }
    expect((await listActivities(`?owner_id=${fresh.user.id}`, { key })).data).toEqual([])
    expect((await listActivities('', { key: fresh.key })).data).toHaveLength(3)
  })

  test('pages only through its own activities', async () => {
    const { listActivities, addActivity, key, own, user } = await limited()
    const second = await addActivity({ ownerId: user.id })

    const page = await listActivities('?limit=1', { key })

    expect(page.data).toEqual([second])
    expect(
      (await listActivities(`?limit=1&cursor=${page.pagination.nextCursor ?? ''}`, { key })).data,
    ).toEqual([own])
  })

  test('cannot use a cursor of a key that sees all', async () => {
    const { call, listActivities, key } = await limited()
    const { pagination } = await listActivities('?limit=1')

    expect(
      await call('GET', `/activities?limit=1&cursor=${pagination.nextCursor ?? ''}`, { key }),
    ).toMatchObject(refusal(400, 'invalid_cursor'))
  })

  test('gets, updates, completes and deletes an activity of its user', async () => {
    const { call, key, own } = await limited()
    const path = `/activities/${own.id}`

    expect((await call('GET', path, { key })).body).toEqual({ data: own })
    expect((await call('PUT', path, { key, body: { notes: 'Mine' } })).status).toBe(200)
    expect((await call('PATCH', `${path}/complete`, { key })).status).toBe(200)
    expect((await call('DELETE', path, { key })).status).toBe(200)
  })

  test('gets 404 for activities of others and unknown ones, and changes nothing', async () => {
    const { call, fresh, key, others, nobodys } = await limited()
    const before = fresh.dump()

    for (const { id } of [others, nobodys]) {
      for (const answer of [
        await call('GET', `/activities/${id}`, { key }),
        await call('PUT', `/activities/${id}`, { key, body: { notes: 'Mine' } }),
        await call('PUT', `/activities/${id}`, { key, body: { title: '' } }),
        await call('DELETE', `/activities/${id}`, { key }),
        await call('PATCH', `/activities/${id}/complete`, { key }),
      ]) {
        expect(answer.status).toBe(404)
        expect(answer.body).toEqual({ error: { code: 'not_found', message: `There is no activity ${id}.` } })
      }
    }
    expect(fresh.dump()).toEqual(before)
  })

  test('no longer sees an activity after giving it to another user', async () => {
    const { call, fresh, key, own } = await limited()

    const transferred = await call('PUT', `/activities/${own.id}`, { key, body: { ownerId: fresh.user.id } })

    expect(transferred.status).toBe(200)
    expect(await call('GET', `/activities/${own.id}`, { key })).toMatchObject(refusal(404, 'not_found'))
  })
})

describe('order of the checks', () => {
  test('is the key, then the permission, then the record, then the body', async () => {
    const { fresh, call } = await freshCatalog()
    const reading = fresh.makeKey({ scopes: ['products:read'] })
    const body = { name: '' }

    expect((await call('PUT', '/products/none', { key: 'nobody', body })).status).toBe(401)
    expect((await call('PUT', '/products/none', { key: reading, body })).status).toBe(403)
    expect((await call('PUT', '/products/none', { body })).status).toBe(404)
  })
})

describe('unknown path or method', () => {
  test.each([
    ['PATCH', '/products/a', 'GET, PUT, DELETE', 'GET, PUT, and DELETE are'],
    ['PATCH', '/activities/a', 'GET, PUT, DELETE', 'GET, PUT, and DELETE are'],
    ['POST', '/activities/a/complete', 'PATCH', 'PATCH is'],
  ] as const)('%s %s returns 405 with the supported methods', async (method, path, allow, possible) => {
    const { call } = await freshCatalog()

    const answer = await call(method, path)

    expect(answer.status).toBe(405)
    expect(answer.headers['allow']).toBe(allow)
    expect(answer.body).toEqual({
      error: { code: 'method_not_allowed', message: `${method} is not possible here; ${possible}.` },
    })
  })

  test('reveals nothing without a key', async () => {
    const { call } = await freshCatalog()

    expect(await call('GET', '/nothing', { key: null })).toMatchObject(refusal(401, 'unauthorized'))
  })
})

describe('id', () => {
  test('of a product does not find an activity', async () => {
    const { call, product, activity } = await setup()

    expect((await call('GET', `/activities/${product.id}`)).status).toBe(404)
    expect((await call('GET', `/products/${activity.id}`)).status).toBe(404)
  })

  test('is case-sensitive', async () => {
    const { call, product } = await setup()
    const other = product.id.replace(/[a-zA-Z]/, (letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    )

    expect((await call('GET', `/products/${other}`)).status).toBe(404)
  })
})
