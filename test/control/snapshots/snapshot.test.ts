import { describe, expect, test } from 'vitest'
import { controlApp, error, makeWorkspace, type ControlApp } from '../app.ts'

const PRODUCTS = '/workspace/public/v1/products'

interface Snapshot {
  format: string
  workspace: object
  users: { id: string; name: string; email: string }[]
  counters: Record<string, number>
  catalog: Record<string, Record<string, unknown>[]>
  crm: Record<string, object[]>
  webhooks: Record<string, object[]>
}

const take = async (app: ControlApp, id: string) =>
  (await app.sim('GET', `/workspaces/${id}/snapshot`)).body as Snapshot

const put = (app: ControlApp, id: string, body: unknown) =>
  app.sim('PUT', `/workspaces/${id}/snapshot`, { body })

async function demo(app: ControlApp) {
  const made = await makeWorkspace(app, { fixtures: 'small' })
  return { ...made, snapshot: await take(app, made.id) }
}

type Section = Readonly<Record<string, readonly object[]>>

/** The section without its records. */
const emptied = (section: Section) => Object.fromEntries(Object.keys(section).map((name) => [name, []]))

describe('reading a snapshot', () => {
  test('shows settings, users and every record, without computed values', async () => {
    const app = await controlApp()
    const { id, key, userId } = await makeWorkspace(app, { name: 'Mine', currency: 'EUR' })
    await app.sim('PUT', `/workspaces/${id}/clock`, { body: { now: '2030-01-01T12:00:00Z', frozen: true } })
    const made = await app.call('POST', PRODUCTS, key, { name: 'Desk', type: 'physical', basePrice: '9.50' })
    const { catalog, ...rest } = await take(app, id)
    expect(rest).toMatchObject({
      format: 'suite-simulator/1',
      workspace: {
        name: 'Mine',
        currency: 'EUR',
        timezone: 'UTC',
        modules: { products: true },
        plan: { apiAccess: true },
      },
      users: [{ id: userId, name: 'Sim User', email: 'sim.user@example.com', createdAt: expect.any(String) }],
      counters: {},
    })
    expect(catalog).toEqual({
      products: [
        {
          id: made.body.data.id,
          name: 'Desk',
          type: 'physical',
          category: null,
          sku: null,
          description: null,
          basePrice: '9.50',
          currency: 'EUR',
          taxRate: null,
          unit: null,
          status: 'active',
          ownerId: userId,
          hasVariants: false,
          metadata: {},
          sortOrder: 0,
          createdAt: '2030-01-01T12:00:00.000Z',
          updatedAt: '2030-01-01T12:00:00.000Z',
          deletedAt: null,
        },
      ],
      productPlans: [],
      activities: [],
      activityEntities: [],
    })
    expect(rest.webhooks).toEqual({ subscriptions: [] })
  })

  test('contains the subscriptions with their secrets, so that signatures stay the same', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const body = { interface: 'pos', url: 'https://example.com/hooks', secret: 'my own' }
    await app.sim('POST', `/workspaces/${id}/subscriptions`, { body })
    const { webhooks } = await take(app, id)
    expect(webhooks).toEqual({ subscriptions: [expect.objectContaining({ ...body, active: true })] })
  })

  test('returns 404 for an unknown workspace', async () => {
    const { sim } = await controlApp()
    expect((await sim('GET', '/workspaces/nobody/snapshot')).status).toBe(404)
  })
})

describe('putting a snapshot', () => {
  test('back changes nothing', async () => {
    const app = await controlApp()
    const { id, key, snapshot } = await demo(app)
    const list = async () => (await app.call('GET', `${PRODUCTS}?limit=100`, key)).text
    const before = await list()
    const answer = await put(app, id, snapshot)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await take(app, id)).toEqual(snapshot)
    expect(await list()).toBe(before)
  })

  test('undoes later changes', async () => {
    const app = await controlApp({ seed: 'a' })
    const { id, key } = await demo(app)
    await app.call('POST', PRODUCTS, key, { name: 'Kept', type: 'physical' })
    const snapshot = await take(app, id)
    const added = await app.call('POST', PRODUCTS, key, { name: 'Added', type: 'physical' })
    await put(app, id, snapshot)
    expect(await take(app, id)).toEqual(snapshot)
    // The seeded stream continues from that time and returns no existing ids.
    const again = await app.call('POST', PRODUCTS, key, { name: 'Added', type: 'physical' })
    expect(again.body.data.id).toBe(added.body.data.id)
  })

  test('into another workspace makes it equal, with its own users added', async () => {
    const app = await controlApp()
    const { snapshot } = await demo(app)
    const other = await makeWorkspace(app)
    await put(app, other.id, snapshot)
    const { users, ...rest } = await take(app, other.id)
    const { users: expectedUsers, ...expectedRest } = snapshot
    expect(rest).toEqual(expectedRest)
    expect(users).toEqual([expect.objectContaining({ id: other.userId }), ...expectedUsers])
    expect((await app.call('GET', PRODUCTS, other.key)).body.data[0].ownerName).toBe('Tomás Herrera')
  })

  test('keeps the id and the keys, which stay valid', async () => {
    const app = await controlApp()
    const { snapshot } = await demo(app)
    const other = await makeWorkspace(app)
    await put(app, other.id, snapshot)
    expect((await app.sim('GET', `/keys?workspaceId=${other.id}`)).body.data).toHaveLength(1)
    const made = await app.call('POST', PRODUCTS, other.key, { name: 'Desk', type: 'physical' })
    expect(made.body.data.ownerId).toBe(other.userId)
  })

  test('with only the format empties the workspace and keeps settings and users', async () => {
    const app = await controlApp()
    const { id, snapshot } = await demo(app)
    await put(app, id, { format: 'suite-simulator/1' })
    const { format, workspace, users, counters, ...sections } = snapshot
    const empty = Object.entries<Section>(sections).map(([name, section]) => [name, emptied(section)])
    expect(empty.length).toBeGreaterThan(3)
    expect(await take(app, id)).toEqual({
      ...{ format, workspace, users, counters },
      ...Object.fromEntries(empty),
    })
  })

  test('accepts a fixture file and ignores its id and key', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app)
    const body = { format: 'suite-simulator/1', workspace: { id: 'mine', name: 'New' }, key: 'my-key' }
    expect((await put(app, id, body)).status).toBe(204)
    expect((await app.sim('GET', `/workspaces/${id}`)).body).toMatchObject({ id, name: 'New' })
    expect((await app.call('GET', PRODUCTS, key)).status).toBe(200)
    expect((await app.call('GET', PRODUCTS, 'my-key')).status).toBe(401)
  })

  test('fills missing fields with the defaults of the columns', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app)
    const at = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T01:00:00+01:00' }
    const products = [{ id: 'desk', name: 'Desk', type: 'physical', metadata: {}, ...at }]
    expect((await put(app, id, { format: 'suite-simulator/1', catalog: { products } })).status).toBe(204)
    expect((await app.call('GET', `${PRODUCTS}/desk`, key)).body.data).toEqual({
      id: 'desk',
      name: 'Desk',
      type: 'physical',
      category: null,
      sku: null,
      description: null,
      basePrice: null,
      currency: null,
      taxRate: null,
      unit: null,
      status: 'active',
      ownerId: null,
      ownerName: null,
      hasVariants: false,
      metadata: {},
      sortOrder: 0,
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
      plans: [],
    })
  })

  test('schedules due jobs: an activity with a past date becomes overdue', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app)
    const at = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' }
    const activity = { id: 'a', title: 'Call', type: 'call', customData: {}, dueDate: '2026-01-02T00:00:00Z' }
    await put(app, id, { format: 'suite-simulator/1', catalog: { activities: [{ ...activity, ...at }] } })
    const answer = await app.call('GET', '/workspace/public/v1/activities/a', key)
    expect(answer.body.data.status).toBe('overdue')
  })

  test('larger than the limit of other bodies is accepted', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app)
    const at = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' }
    const product = { type: 'physical', metadata: {}, description: 'x'.repeat(1000), ...at }
    const products = Array.from({ length: 1200 }, (_, n) => ({ id: String(n), name: String(n), ...product }))
    const answer = await put(app, id, { format: 'suite-simulator/1', catalog: { products } })
    expect(answer.status).toBe(204)
    expect((await app.call('GET', `${PRODUCTS}/1199`, key)).status).toBe(200)
  })
})

describe('an invalid snapshot', () => {
  type Change = (snapshot: Snapshot) => unknown
  const cases: [string, Change, string][] = [
    ['has another format', (s) => ({ ...s, format: 'other/1' }), 'format'],
    ['has no format', ({ format: _format, ...s }) => s, 'format'],
    ['has an unknown section', (s) => ({ ...s, sales: {} }), 'sales'],
    ['has an unknown list', (s) => ({ ...s, catalog: { ...s.catalog, brands: [] } }), 'catalog.brands'],
    ['has a section that is a list', (s) => ({ ...s, catalog: [] }), 'catalog'],
    ['has an invalid list', (s) => ({ ...s, catalog: { products: {} } }), 'catalog.products'],
    ['has an unknown setting', (s) => ({ ...s, workspace: { color: 'red' } }), 'workspace.color'],
    ['has an unknown currency', (s) => ({ ...s, workspace: { currency: 'XXQ' } }), 'workspace.currency'],
    ['has an unknown module', (s) => ({ ...s, workspace: { modules: { x: true } } }), 'workspace.modules.x'],
    ['has a user without a name', (s) => ({ ...s, users: [{ id: 'u', email: 'a@b.co' }] }), 'users.0.name'],
    [
      'has a duplicate user',
      (s) => ({ ...s, users: [...s.users, { ...s.users[0], name: 'Double' }] }),
      'users.4.id',
    ],
    ['has an invalid counter', (s) => ({ ...s, counters: { invoice: 1.5 } }), 'counters.invoice'],
    ...(
      [
        ['a record with an unknown field', { color: 'red' }, 'color'],
        ['a computed column', { nameKey: 'desk' }, 'nameKey'],
        ['a workspace of its own', { workspace: 2 }, 'workspace'],
        ['an unknown type', { type: 'virtual' }, 'type'],
        ['an unknown status', { status: 'gone' }, 'status'],
        ['a blank name', { name: ' ' }, 'name'],
        ['a price that is a number', { basePrice: 9.5 }, 'basePrice'],
        ['a price that is not a decimal', { basePrice: '9,50' }, 'basePrice'],
        ['metadata that is a text', { metadata: 'none' }, 'metadata'],
        ['an invalid time', { createdAt: 'yesterday' }, 'createdAt'],
        ['null in a required field', { id: null }, 'id'],
        ['a number that is not exact', { sortOrder: 2 ** 60 }, 'sortOrder'],
      ] as [string, object, string][]
    ).map(([name, change, field]): [string, Change, string] => [
      `has ${name}`,
      (s) => ({
        ...s,
        catalog: { ...s.catalog, products: [{ ...s.catalog['products']?.[0], ...change }] },
      }),
      `catalog.products.0.${field}`,
    ]),
  ]

  test('is refused with the field that does not fit, and changes nothing', async () => {
    const app = await controlApp()
    const { id, snapshot } = await demo(app)
    for (const [name, change, field] of cases) {
      const { status, body } = await put(app, id, change(snapshot))
      expect([name, status, body.error]).toEqual([
        name,
        400,
        {
          code: 'validation_error',
          message: expect.stringMatching(/^The snapshot does not fit: /) as string,
          details: expect.arrayContaining([expect.objectContaining({ field })]) as object[],
        },
      ])
      expect(await take(app, id), name).toEqual(snapshot)
    }
  })

  test('is refused with the errors outside and inside of its records', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const answer = await put(app, id, { format: 'other/1', catalog: { products: [{}] } })
    const fields = answer.body.error.details.map((detail: { field: string }) => detail.field)
    expect(fields).toEqual(expect.arrayContaining(['format', 'catalog.products.0.id']))
  })

  const SUBSCRIPTIONS = [
    [{ events: 'sale.completed' }, 'events'],
    [{ events: [] }, 'events'],
    [{ events: [7] }, 'events.0'],
    [{ events: {} }, 'events'],
    [{ secret: '' }, 'secret'],
    [{ interface: '' }, 'interface'],
    [{ active: 1 }, 'active'],
    [{ url: 'nowhere' }, null],
  ] as const

  test('that has an invalid subscription is refused', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const body = { interface: 'pos', url: 'https://example.com/hooks' }
    await app.sim('POST', `/workspaces/${id}/subscriptions`, { body })
    const snapshot = await take(app, id)
    for (const [change, field] of SUBSCRIPTIONS) {
      const subscriptions = [{ ...snapshot.webhooks['subscriptions']?.[0], ...change }]
      const answer = await put(app, id, { ...snapshot, webhooks: { subscriptions } })
      expect([change, answer.status]).toEqual([change, 400])
      if (field !== null) expect(answer.body.error.details[0].field).toBe(`webhooks.subscriptions.0.${field}`)
      expect(await take(app, id)).toEqual(snapshot)
    }
  })

  test('can have up to 10,000 users together with those of the workspace, and changes nothing with more', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const withUsers = (count: number) => ({
      format: 'suite-simulator/1',
      workspace: { name: 'Restored' },
      users: Array.from({ length: count }, (_, n) => ({
        id: `u${String(n)}`,
        name: 'Ana',
        email: 'ana@example.com',
      })),
    })
    const before = await take(app, id)
    for (const [count, message] of [
      [10_000, 'A workspace has at most 10000 users.'],
      [10_001, 'The snapshot does not fit: users must have at most 10000 items.'],
    ] as const) {
      const answer = await put(app, id, withUsers(count))
      expect([answer.status, answer.body.error.message]).toEqual([400, message])
    }
    expect(await take(app, id)).toEqual(before)
    for (let times = 0; times < 2; times++) {
      expect((await put(app, id, withUsers(9999))).status).toBe(204)
    }
    expect((await take(app, id)).users).toHaveLength(10_000)
  })

  test('that has two records with the same id is refused, and changes nothing, not even users', async () => {
    const app = await controlApp()
    const { id, snapshot } = await demo(app)
    const [first] = snapshot.catalog['products'] ?? []
    const users = [...snapshot.users, { id: 'new', name: 'New', email: 'new@example.com' }]
    const workspace = { name: 'Other' }
    const body = { ...snapshot, users, workspace, catalog: { products: [first, first] } }
    const answer = await put(app, id, body)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(
      error('validation_error', 'The snapshot does not fit: two records have the same catalog_products.id.'),
    )
    expect(await take(app, id)).toEqual(snapshot)
    const key = await app.sim('POST', '/keys', { body: { workspaceId: id, userId: 'new' } })
    expect(key.status).toBe(400)
  })

  test('that has a record with an unknown reference is refused and changes nothing', async () => {
    const app = await controlApp()
    const { id, snapshot } = await demo(app)
    const { products: _products, ...rest } = snapshot.catalog
    const answer = await put(app, id, { ...snapshot, catalog: rest })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(
      error('validation_error', 'The snapshot does not fit: a record refers to one that is not in it.'),
    )
    expect(await take(app, id)).toEqual(snapshot)
  })

  test('that has invalid data outside its records is refused', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const sizes = [32 * 1024 * 1024, 32 * 1024 * 1024 + 1].map(async (size) => {
      const raw = '{"format":"suite-simulator/1"}'.padEnd(size)
      return (await app.sim('PUT', `/workspaces/${id}/snapshot`, { raw })).status
    })
    expect(await Promise.all(sizes)).toEqual([204, 413])
  })

  test('that is no object is refused', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    for (const raw of ['null', '[]', '7', '"demo"']) {
      const { status, body } = await app.sim('PUT', `/workspaces/${id}/snapshot`, { raw })
      expect([raw, status, body.error.code]).toEqual([raw, 400, 'validation_error'])
    }
  })

  test('for an unknown workspace returns 404 first', async () => {
    const { sim } = await controlApp()
    expect((await sim('PUT', '/workspaces/nobody/snapshot', { body: {} })).status).toBe(404)
  })
})
