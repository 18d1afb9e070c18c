import { describe, expect, test } from 'vitest'
import { controlApp, error, makeWorkspace } from '../app.ts'
import { sweepAll } from '../../support/records.ts'

const PRODUCTS = '/workspace/public/v1/products'
const NO_BODY = {}

describe('creating a workspace', () => {
  test('without a body returns an empty one with a user and a key', async () => {
    const { sim } = await controlApp()
    const answer = await sim('POST', '/workspaces', NO_BODY)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      workspace: {
        id: expect.stringMatching(/^[\w-]{21}$/),
        name: 'Workspace',
        accountId: 1,
        currency: 'USD',
        timezone: 'UTC',
        modules: { products: true },
        plan: { apiAccess: true },
        testCards: true,
        cases: false,
        progression: 'clock',
        readings: {
          'scopes.unlisted': 'area',
          'tax-invoicing.cancellation_exempt': 'threshold',
          'catalog.products_module': 'interface',
          'recruiting.vacancy_status': 'free',
          'recruiting.delete_vacancy': '204',
          'payments.refund_event': 'completed',
          'integration-payments.invalid_state': '400',
          'integration-payments.unknown_key': '404',
          'conversations.webhook_payload': 'nested',
          'conversations.message_type': 'integer',
        },
        ttl: null,
        labels: {},
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
      user: { id: expect.stringMatching(/^[\w-]{21}$/), name: 'Sim User', email: 'sim.user@example.com' },
      key: expect.stringMatching(/^sim_\w{32}$/),
      controlToken: expect.stringMatching(/^simctl_\w{32}$/),
    })
  })

  test('accepts name, currency and timezone', async () => {
    const { sim } = await controlApp()
    const body = { name: 'Checkout tests', currency: 'PAB', timezone: 'America/Panama' }
    const answer = await sim('POST', '/workspaces', { body })
    expect(answer.body.workspace).toMatchObject(body)
  })

  test.each([
    ['america/mexico_city', 'America/Mexico_City'],
    ['US/Eastern', 'America/New_York'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['asia/kolkata', 'Asia/Kolkata'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['utc', 'UTC'],
    ['Etc/UTC', 'UTC'],
  ])('stores the time zone %s as %s', async (timezone, stored) => {
    const { sim } = await controlApp()
    const { workspace } = (await sim('POST', '/workspaces', { body: { timezone } })).body
    expect(workspace.timezone).toBe(stored)
    const patched = await sim('PATCH', `/workspaces/${String(workspace.id)}`, { body: { timezone } })
    expect(patched.body).toMatchObject({ timezone: stored })
  })

  test('returns a key that works at once with all permissions', async () => {
    const app = await controlApp()
    const { key } = await makeWorkspace(app, { currency: 'EUR' })
    const answer = await app.call('POST', PRODUCTS, key, { name: 'Desk', type: 'physical' })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({ currency: 'EUR', ownerName: 'Sim User' })
  })

  test.each(['demo', 'small'])(
    'with the %s data creates the demo records with a new id and key',
    async (fixtures) => {
      const app = await controlApp({ fixtures: 'demo' })
      const answer = await app.sim('POST', '/workspaces', { body: { fixtures } })
      expect(answer.status).toBe(201)
      expect(answer.body.workspace).toMatchObject({
        name: 'Almendro Office Furnishing',
        currency: 'USD',
        timezone: 'America/Panama',
        accountId: 2,
      })
      expect(answer.body.workspace.id).not.toBe('demo')
      expect(answer.body.key).not.toBe('demo-key')
      expect(answer.body.user).toEqual({
        id: 'demo-user-00000000001',
        name: 'Ana Ríos',
        email: 'ana.rios@example.com',
      })
      const own = await app.call('GET', PRODUCTS, answer.body.key as string)
      expect(own.body.data).toHaveLength(13)
      expect(own.body).toEqual((await app.call('GET', PRODUCTS, 'demo-key')).body)
    },
  )

  test('prefers fields of the body over those of the fixture', async () => {
    const { sim } = await controlApp()
    const body = { fixtures: 'demo', name: 'Mine', currency: 'EUR' }
    const answer = await sim('POST', '/workspaces', { body })
    expect(answer.body.workspace).toMatchObject({
      name: 'Mine',
      currency: 'EUR',
      timezone: 'America/Panama',
    })
  })

  test('with a snapshot creates its records', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app)
    await app.call('POST', PRODUCTS, key, { name: 'Desk', type: 'physical' })
    const snapshot = (await app.sim('GET', `/workspaces/${id}/snapshot`)).body as object
    const copy = await makeWorkspace(app, { fixtures: snapshot })
    expect((await app.sim('GET', `/workspaces/${copy.id}/snapshot`)).body).toEqual(snapshot)
    expect((await app.call('GET', PRODUCTS, copy.key)).body).toEqual(
      (await app.call('GET', PRODUCTS, key)).body,
    )
  })

  test('with an invalid snapshot creates nothing', async () => {
    const { sim } = await controlApp()
    const fixtures = { format: 'suite-simulator/1', catalog: { products: [{ name: 'Desk' }] } }
    const answer = await sim('POST', '/workspaces', { body: { fixtures } })
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('validation_error')
    expect(answer.body.error.details).toContainEqual({
      field: 'fixtures.catalog.products.0.id',
      code: 'required',
      message: 'catalog.products.0.id is required',
    })
    expect((await sim('GET', '/workspaces')).body).toEqual({ data: [] })
  })

  test('with records that contradict each other creates nothing', async () => {
    const { sim } = await controlApp()
    const plan = { id: 'p', productId: 'nowhere', name: 'Plan', price: '1', currency: 'USD' }
    const at = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' }
    const fixtures = { format: 'suite-simulator/1', catalog: { productPlans: [{ ...plan, ...at }] } }
    const answer = await sim('POST', '/workspaces', { body: { fixtures } })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(
      error('validation_error', 'The snapshot does not fit: a record refers to one that is not in it.'),
    )
    expect((await sim('GET', '/workspaces')).body).toEqual({ data: [] })
    expect((await sim('POST', '/workspaces')).body.workspace.accountId).toBe(1)
  })

  test.each([
    ['a blank name', { name: '  ' }, 'name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
    ['a name that is not a string', { name: 7 }, 'name'],
    ['an unknown currency', { currency: 'XXQ' }, 'currency'],
    ['a currency in lower case', { currency: 'usd' }, 'currency'],
    ['an unknown timezone', { timezone: 'Panama/Nowhere' }, 'timezone'],
    ['unknown fixtures', { fixtures: 'other' }, 'fixtures'],
    ['fixtures that are a list', { fixtures: [] }, 'fixtures'],
  ])('refuses %s', async (_name, body, field) => {
    const { sim } = await controlApp()
    const answer = await sim('POST', '/workspaces', { body })
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('validation_error')
    expect(answer.body.error.details[0].field).toBe(field)
    expect((await sim('GET', '/workspaces')).body).toEqual({ data: [] })
  })

  test('accepts a name of 200 characters', async () => {
    const { sim } = await controlApp()
    expect((await sim('POST', '/workspaces', { body: { name: 'x'.repeat(200) } })).status).toBe(201)
  })

  test.each([['null'], ['[]'], ['"demo"'], ['7']])('refuses the body %s', async (raw) => {
    const { sim } = await controlApp()
    const answer = await sim('POST', '/workspaces', { raw })
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('validation_error')
  })

  test('refuses a field that is too large in words without a snapshot', async () => {
    const { sim } = await controlApp()
    const answer = await sim('POST', '/workspaces', { body: { name: 'x'.repeat(33 * 1024 * 1024) } })
    expect(answer.status).toBe(413)
    expect(answer.body).toEqual(
      error('payload_too_large', 'The body is too large: only the records of a snapshot may exceed 32 MiB.'),
    )
  })

  test('refuses invalid JSON', async () => {
    const { sim } = await controlApp()
    const answer = await sim('POST', '/workspaces', { raw: '{' })
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('malformed_request')
  })
})

describe('listing and getting workspaces', () => {
  test('returns them in order of creation', async () => {
    const app = await controlApp()
    const first = await makeWorkspace(app, { name: 'First' })
    const second = await makeWorkspace(app, { name: 'Second' })
    const { body } = await app.sim('GET', '/workspaces')
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([first.id, second.id])
    const { usage, ...settings } = (await app.sim('GET', `/workspaces/${second.id}`)).body
    expect(settings).toEqual(body.data[1])
    expect(usage).toEqual({ bytes: 0, records: 0, storedFileBytes: 0, maxBytes: 1024 ** 3 })
  })

  test('returns 404 for an unknown one', async () => {
    const { sim } = await controlApp()
    const answer = await sim('GET', '/workspaces/nobody')
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual(error('not_found', 'There is no workspace nobody.'))
  })
})

describe('deleting a workspace', () => {
  test('removes its records, users and keys, and does not change others', async () => {
    const app = await controlApp()
    const removed = await makeWorkspace(app, { fixtures: 'demo' })
    const remaining = await makeWorkspace(app, { fixtures: 'demo' })
    const before = (await app.sim('GET', `/workspaces/${remaining.id}/snapshot`)).body
    const answer = await app.sim('DELETE', `/workspaces/${removed.id}`)
    expect([answer.status, answer.text]).toEqual([204, ''])

    expect((await app.sim('GET', `/workspaces/${removed.id}`)).status).toBe(404)
    expect((await app.sim('DELETE', `/workspaces/${removed.id}`)).status).toBe(404)
    expect((await app.call('GET', PRODUCTS, removed.key)).status).toBe(401)
    expect((await app.sim('GET', `/workspaces/${remaining.id}/snapshot`)).body).toEqual(before)
    expect((await app.call('GET', PRODUCTS, remaining.key)).status).toBe(200)
  })

  test('leaves no row in any table', async () => {
    const app = await controlApp({ fixtures: 'none' })
    const { sqlite } = app.workspaces.database
    const tables = sqlite
      .prepare<[], { name: string }>(
        "SELECT m.name FROM sqlite_master m WHERE type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE name = 'workspace')",
      )
      .all()
      .map(({ name }) => name)
    const rows = () =>
      tables.flatMap((name) => {
        const { n } = sqlite
          .prepare<[], { n: number }>(`SELECT count(*) AS n FROM "${name}" WHERE workspace <> 0`)
          .get() ?? { n: -1 }
        return n === 0 ? [] : [[name, n]]
      })
    // With another time zone than that of the fixture, whose baseline workspaces share.
    const { id, key } = await makeWorkspace(app, { fixtures: 'demo', timezone: 'Asia/Tokyo' })
    await app.sim('POST', `/workspaces/${id}/subscriptions`, {
      body: { interface: 'catalog', url: 'http://127.0.0.1:9/' },
    })
    await app.call('POST', PRODUCTS, key, { name: 'Desk', type: 'physical' })
    expect(rows().length).toBeGreaterThan(5)
    await app.sim('DELETE', `/workspaces/${id}`)
    await sweepAll(app)
    expect(rows()).toEqual([])
  })
})

describe('changing the settings of a workspace', () => {
  test('changes only the given fields', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const { usage, ...before } = (await app.sim('GET', `/workspaces/${id}`)).body
    const body = { currency: 'PAB', plan: { apiAccess: false } }
    const answer = await app.sim('PATCH', `/workspaces/${id}`, { body })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ ...before, ...body })
    expect((await app.sim('GET', `/workspaces/${id}`)).body).toEqual({ ...answer.body, usage })
  })

  test('accepts an empty change', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const { usage, ...before } = (await app.sim('GET', `/workspaces/${id}`)).body
    const answer = await app.sim('PATCH', `/workspaces/${id}`, { body: {} })
    expect([answer.status, { ...answer.body, usage }]).toEqual([200, { ...before, usage }])
  })

  test('makes the catalog return 403 without the products module, and 200 with it', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app)
    const other = await makeWorkspace(app)
    const products = async (products: boolean) => {
      await app.sim('PATCH', `/workspaces/${id}`, { body: { modules: { products } } })
      return (await app.call('GET', PRODUCTS, key)).status
    }
    expect(await products(false)).toBe(403)
    expect((await app.call('GET', '/workspace/public/v1/activities', key)).status).toBe(403)
    expect((await app.call('GET', PRODUCTS, other.key)).status).toBe(200)
    expect(await products(true)).toBe(200)
  })

  test('applies the new currency to new products', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app)
    await app.sim('PATCH', `/workspaces/${id}`, { body: { currency: 'MXN' } })
    const answer = await app.call('POST', PRODUCTS, key, { name: 'Desk', type: 'physical' })
    expect(answer.body.data.currency).toBe('MXN')
  })

  test.each([
    [{ currency: 'XXQ' }, 'currency'],
    [{ timezone: 'Nowhere' }, 'timezone'],
    [{ modules: { products: 'yes' } }, 'modules.products'],
    [{ modules: { sales: true } }, 'modules.sales'],
    [{ plan: { apiAccess: 1 } }, 'plan.apiAccess'],
    [{ plan: { gold: true } }, 'plan.gold'],
    [{ plan: true }, 'plan'],
  ])('refuses %j and changes nothing', async (body, field) => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const before = (await app.sim('GET', `/workspaces/${id}`)).body
    const answer = await app.sim('PATCH', `/workspaces/${id}`, { body })
    expect(answer.status).toBe(400)
    expect(answer.body.error.details[0].field).toBe(field)
    expect((await app.sim('GET', `/workspaces/${id}`)).body).toEqual(before)
  })

  test('returns 404 for an unknown workspace', async () => {
    const { sim } = await controlApp()
    expect((await sim('PATCH', '/workspaces/nobody', { body: {} })).status).toBe(404)
  })
})

describe('adding a user', () => {
  test('returns the user, who can then own records and keys', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const body = { name: 'Ana Ríos', email: 'ana.rios@example.com' }
    const answer = await app.sim('POST', `/workspaces/${id}/users`, { body })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ id: expect.stringMatching(/^[\w-]{21}$/), ...body })

    const userId = answer.body.id as string
    const { key } = (await app.sim('POST', '/keys', { body: { workspaceId: id, userId } })).body as {
      key: string
    }
    const product = await app.call('POST', PRODUCTS, key, { name: 'Desk', type: 'physical' })
    expect(product.body.data).toMatchObject({ ownerId: userId, ownerName: 'Ana Ríos' })
  })

  test('adds the user to no other workspace', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const other = await makeWorkspace(app)
    const body = { name: 'Ana Ríos', email: 'ana.rios@example.com' }
    const user = (await app.sim('POST', `/workspaces/${id}/users`, { body })).body as { id: string }
    const product = { name: 'Desk', type: 'physical', ownerId: user.id }
    expect((await app.call('POST', PRODUCTS, other.key, product)).status).toBe(400)
  })

  test.each([
    [{ email: 'a@example.com' }, 'name'],
    [{ name: 'Ana' }, 'email'],
    [{ name: ' ', email: 'a@example.com' }, 'name'],
    [{ name: 'Ana', email: 'no address' }, 'email'],
    [{ name: 'Ana', email: null }, 'email'],
  ])('refuses %j', async (body, field) => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const answer = await app.sim('POST', `/workspaces/${id}/users`, { body })
    expect(answer.status).toBe(400)
    expect(answer.body.error.details[0].field).toBe(field)
  })

  test('returns 404 for an unknown workspace', async () => {
    const { sim } = await controlApp()
    const body = { name: 'Ana', email: 'ana@example.com' }
    expect((await sim('POST', '/workspaces/nobody/users', { body })).status).toBe(404)
  })
})
