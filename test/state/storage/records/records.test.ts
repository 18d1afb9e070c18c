/** All records of a workspace together: snapshots, resets and removal. */
import { Type } from '@sinclair/typebox'
import { getTableName } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { problemsOf } from '../../../../src/http/schemas/validation.ts'
import { products } from '../../../../src/state/catalog/products.ts'
import { json, table } from '../../../../src/state/storage/columns.ts'
import { Records } from '../../../../src/state/storage/records/records.ts'
import type { Call } from '../../../support/app.ts'
import { freshCatalog, NOON, type Catalog } from '../../../support/catalog.ts'
import { dumpOf, keepBaseline, loadRecords, sweepAll } from '../../../support/records.ts'

/** A catalog with records of every kind and in every state. */
async function filledCatalog(seed: string | null = null) {
  const catalog = await freshCatalog({ seed })
  const product = await catalog.addProduct({
    name: 'Écritoire',
    type: 'service',
    sku: 'ECR-1',
    basePrice: '10.50',
    metadata: { a: [1, { b: null }], text: 'ü' },
  })
  const cheap = await catalog.addProduct({ name: 'able', basePrice: '9', hasVariants: true })
  const deleted = await catalog.addProduct({ name: 'Gone' })
  await catalog.call('DELETE', `/products/${deleted.id}`)
  const linked = await catalog.addActivity({
    entityType: 'deal',
    entityId: 'd1',
    entities: [{ entityType: 'product', entityId: product.id }],
    dueDate: '2026-11-21T13:00:00Z',
    customData: { x: true },
  })
  const done = await catalog.completeActivity((await catalog.addActivity()).id)
  const late = await catalog.addActivity({ dueDate: '2026-11-20' })
  const { records } = catalog.fresh.app
  const { workspace } = catalog.fresh
  void workspace.runDueJobs()
  await loadRecords(catalog.fresh.app, workspace, {
    catalog: {
      ...dumpOf(records, workspace)['catalog'],
      productPlans: [
        {
          id: 'plan',
          productId: product.id,
          name: 'Monthly',
          price: '1.00',
          currency: 'USD',
          billingPeriod: 'month',
          billingInterval: 1,
          trialDays: 0,
          status: 'active',
          createdAt: NOON,
          updatedAt: NOON,
        },
      ],
    },
  })
  return { ...catalog, product, cheap, deleted, linked, done, late, records, workspace }
}

/** The catalog as clients see it. */
const seenOf = async ({ listProducts, listActivities, getProduct }: Catalog, key?: string) => {
  const options = key === undefined ? {} : { key }
  const products = await listProducts('?sort=base_price&order=asc', options)
  return {
    products: products.data,
    plans: await Promise.all(products.data.map(async ({ id }) => (await getProduct(id, options)).plans)),
    found: (await listProducts('?search=ÉCR', options)).data.map(({ name }) => name),
    activities: (await listActivities('', options)).data,
    linked: (await listActivities('?entity_type=deal&entity_id=d1', options)).data.map(({ id }) => id),
    attached: (await listActivities('?entity_type=product', options)).data.map(({ id }) => id),
  }
}

/** A record in a snapshot: what clients see, without resolved references. */
const recordOf = (seen: object) => ({
  ...Object.fromEntries(Object.entries(seen).filter(([name]) => name !== 'ownerName')),
  deletedAt: null,
})

describe('snapshot', () => {
  test('has every record, timestamps as text, and no computed columns', async () => {
    const { records, workspace, product, cheap, deleted, linked, done, late } = await filledCatalog()

    const snapshot = dumpOf(records, workspace)
    expect(snapshot['catalog']?.['products']?.map(({ id }) => id)).toEqual([product.id, cheap.id, deleted.id])
    expect(snapshot['catalog']?.['products']?.[0]).toEqual(recordOf(product))
    expect(snapshot['catalog']?.['products']?.[2]).toMatchObject({ name: 'Gone', deletedAt: NOON })
    expect(snapshot['catalog']?.['activities']?.[0]).toEqual(recordOf(linked))
    expect(snapshot['catalog']?.['activities']).toMatchObject([
      { id: linked.id, status: 'pending' },
      { id: done.id, status: 'completed', completedAt: NOON },
      { id: late.id, status: 'overdue' },
    ])
    expect(snapshot['catalog']?.['activityEntities']).toEqual([
      { activityId: linked.id, entityType: 'deal', entityId: 'd1', main: true },
      { activityId: linked.id, entityType: 'product', entityId: product.id, main: false },
    ])
  })

  test('matches the schema generated from the tables', async () => {
    const { records, workspace } = await filledCatalog()

    const sections = records.sections()
    for (const [name, section] of Object.entries(dumpOf(records, workspace))) {
      expect(problemsOf(sections[name] ?? {}, section)).toEqual([])
    }
  })

  test('generates its schema on first use, and not at the start of the server', () => {
    const words = vi.fn(() => Type.Array(Type.String()))
    const withWords = table('words', { words: json(words) })
    const records = new Records([{ ...products, table: withWords }], [])
    expect(words).not.toHaveBeenCalled()
    records.sections()
    expect(words).toHaveBeenCalledOnce()
  })

  test.each([
    ['a name that is too long', { name: 'x'.repeat(201) }, 'products.0.name'],
    ['a blank name', { name: ' ' }, 'products.0.name'],
    ['an unknown type', { type: 'toy' }, 'products.0.type'],
    ['a price that is a number', { basePrice: 5 }, 'products.0.basePrice'],
    ['a price that is not a decimal', { basePrice: 'five' }, 'products.0.basePrice'],
    ['an unknown currency', { currency: 'QQQ' }, 'products.0.currency'],
    ['a missing id', { id: undefined }, 'products.0.id'],
    ['an invalid time', { createdAt: 'yesterday' }, 'products.0.createdAt'],
    ['metadata that is a list', { metadata: [] }, 'products.0.metadata'],
    ['an unknown field', { colour: 'oak' }, 'products.0.colour'],
    ['a computed field', { nameKey: 'x' }, 'products.0.nameKey'],
  ])('is refused with %s', async (_what, fields, field) => {
    const { records, workspace } = await filledCatalog()
    const [record] = dumpOf(records, workspace)['catalog']?.['products'] ?? []
    const broken = JSON.parse(JSON.stringify({ products: [{ ...record, ...fields }] })) as unknown

    const problems = problemsOf(records.sections()['catalog'] ?? {}, broken)

    expect(problems.map((problem) => problem.field)).toEqual([field])
  })

  test('is the same after it is loaded again, and clients see no difference', async () => {
    const catalog = await filledCatalog()
    const { records, workspace } = catalog
    const snapshot = dumpOf(records, workspace)
    const seen = await seenOf(catalog)
    expect(seen.found).toEqual(['Écritoire'])

    await loadRecords(catalog.fresh.app, workspace, JSON.parse(JSON.stringify(snapshot)) as typeof snapshot)

    expect(dumpOf(records, workspace)).toEqual(snapshot)
    expect(await seenOf(catalog)).toEqual(seen)
  })

  test('creates the same records in another workspace, and does not change the first', async () => {
    const catalog = await filledCatalog()
    const { records, workspace, fresh } = catalog
    const other = fresh.tenant()
    const snapshot = dumpOf(records, workspace)

    await loadRecords(fresh.app, other.workspace, snapshot)
    expect(dumpOf(records, other.workspace)).toEqual(snapshot)
    await catalog.call('DELETE', `/products/${catalog.cheap.id}`, { key: other.key })
    await loadRecords(fresh.app, other.workspace, {})

    expect(dumpOf(records, workspace)).toEqual(snapshot)
  })

  test('replaces all records, and empties sections that it does not name', async () => {
    const catalog = await filledCatalog()
    const { records, workspace, fresh, cheap } = catalog
    const products = dumpOf(records, workspace)['catalog']?.['products']?.filter(({ id }) => id === cheap.id)

    await loadRecords(fresh.app, workspace, { catalog: { products } })

    expect((await catalog.listProducts()).data).toEqual([cheap])
    expect((await catalog.listActivities()).data).toEqual([])
    expect(dumpOf(fresh.app.records, workspace)['catalog']?.['activityEntities']).toEqual([])
  })

  test('is loaded completely or not at all', async () => {
    const { records, workspace, fresh } = await filledCatalog()
    const before = dumpOf(records, workspace)
    const [product] = before['catalog']?.['products'] ?? []
    const [plan] = before['catalog']?.['productPlans'] ?? []

    for (const catalog of [
      { products: [product, product] },
      { products: [product], productPlans: [{ ...plan, productId: 'nowhere' }] },
    ]) {
      await expect(loadRecords(fresh.app, workspace, { catalog })).rejects.toThrow(/UNIQUE|FOREIGN KEY/)
      expect(dumpOf(records, workspace)).toEqual(before)
    }
  })

  test('replaces cached records', async () => {
    const { records, workspace, fresh, listProducts, getProduct, cheap } = await filledCatalog()
    const snapshot = dumpOf(records, workspace)
    expect((await getProduct(cheap.id)).name).toBe('able')
    const renamed = snapshot['catalog']?.['products']?.map((product) => ({ ...product, name: 'Renamed' }))

    await loadRecords(fresh.app, workspace, { catalog: { ...snapshot['catalog'], products: renamed } })

    expect((await getProduct(cheap.id)).name).toBe('Renamed')
    expect((await listProducts()).data.map(({ name }) => name)).toEqual(['Renamed', 'Renamed'])
  })

  test('schedules its due jobs', async () => {
    const { records, workspace, fresh, linked, getActivity, setClock } = await filledCatalog()
    const snapshot = dumpOf(records, workspace)
    const other = fresh.tenant()
    fresh.setClock(NOON, { workspace: other.workspace })
    await loadRecords(fresh.app, other.workspace, snapshot)

    fresh.setClock('2026-11-21T13:00:00Z', { workspace: other.workspace })
    setClock(NOON)

    expect((await getActivity(linked.id, { key: other.key })).status).toBe('overdue')
    expect((await getActivity(linked.id)).status).toBe('pending')
  })
})

/** A workspace created with these records, and its key. */
async function madeFurnished() {
  const catalog = await filledCatalog()
  const { fresh, records } = catalog
  const snapshot = dumpOf(records, catalog.workspace)
  const { workspace, key } = fresh.app.workspaces.create({ name: 'Furnished' }, (made) => {
    made.clock.set(Date.parse(NOON), true)
    made.addUser(fresh.user)
    return { workspace: made, key: fresh.app.workspaces.keys.add(made, {}).key }
  })
  await loadRecords(fresh.app, workspace, snapshot)
  await keepBaseline(fresh.app, workspace)
  const call: Call = (method, path, options) => catalog.call(method, path, { key, ...options })
  return { ...catalog, workspace, key, call, origin: snapshot }
}

describe('reset', () => {
  test.each([
    ['nothing', []],
    ['additions', ['add']],
    ['changes', ['change']],
    ['deletions', ['remove']],
    ['other links', ['relink']],
    ['time', ['wait']],
    ['another snapshot', ['load']],
    ['all of that', ['add', 'change', 'remove', 'relink', 'wait', 'add']],
    ['all of that and an empty snapshot', ['add', 'change', 'remove', 'relink', 'wait', 'empty', 'add']],
  ])('restores the initial records after %s', async (_what, steps) => {
    const catalog = await madeFurnished()
    const { records, workspace, product, cheap, linked, call, key, origin, fresh } = catalog
    const seen = await seenOf(catalog, key)
    const actions: Record<string, () => Promise<unknown>> = {
      add: async () => {
        await catalog.addProduct({}, { key })
        return catalog.addActivity({ entityType: 'deal', entityId: 'd1' }, { key })
      },
      change: () => call('PUT', `/products/${product.id}`, { body: { name: 'Changed', type: 'physical' } }),
      remove: () => call('DELETE', `/products/${cheap.id}`),
      relink: () =>
        call('PUT', `/activities/${linked.id}`, {
          body: { entities: [], entityType: 'deal', entityId: 'd2' },
        }),
      wait: async () => {
        fresh.setClock('2027-01-01', { workspace })
        fresh.setClock(NOON, { workspace })
      },
      load: () =>
        loadRecords(fresh.app, workspace, {
          catalog: { products: origin['catalog']?.['products']?.toReversed() },
        }),
      empty: () => loadRecords(fresh.app, workspace, {}),
    }
    for (const step of steps) await actions[step]?.()
    if (steps.length > 0) expect(dumpOf(records, workspace)).not.toEqual(origin)

    records.reset(workspace)

    expect(dumpOf(records, workspace)).toEqual(origin)
    expect(await seenOf(catalog, key)).toEqual(seen)
  })

  test('can be repeated', async () => {
    const { records, workspace, key, origin, addProduct, listProducts } = await madeFurnished()

    for (let round = 0; round < 3; round++) {
      await addProduct({}, { key })
      records.reset(workspace)
      expect(dumpOf(records, workspace)).toEqual(origin)
    }
    expect((await listProducts('', { key })).data).toHaveLength(2)
    expect(workspace.users()).toHaveLength(1)
  })

  test('does not change other workspaces', async () => {
    const { fresh, addProduct, listProducts } = await freshCatalog()
    const other = fresh.tenant()
    const product = await addProduct({}, { key: other.key })
    await addProduct()

    fresh.app.records.reset(fresh.workspace)

    expect((await listProducts()).data).toEqual([])
    expect((await listProducts('', { key: other.key })).data).toEqual([product])
  })

  test('restarts a seeded stream of ids', async () => {
    const { fresh, addProduct } = await freshCatalog({ seed: 'one' })
    const first = await addProduct()

    fresh.app.records.reset(fresh.workspace)

    expect(await addProduct()).toEqual(first)
  })

  test('schedules due jobs again', async () => {
    const { records, workspace, key, fresh, linked, getActivity } = await madeFurnished()
    const status = async () => (await getActivity(linked.id, { key })).status
    fresh.setClock('2026-11-21T13:00:00Z', { workspace })
    expect(await status()).toBe('overdue')

    fresh.setClock(NOON, { workspace })
    records.reset(workspace)

    expect(await status()).toBe('pending')
    fresh.setClock('2026-11-21T13:00:00Z', { workspace })
    expect(await status()).toBe('overdue')
  })
})

test('removes all rows of the workspace from every record table, and no others', async () => {
  const { records, workspace, fresh, addProduct, listProducts } = await madeFurnished()
  const other = fresh.tenant()
  const product = await addProduct({}, { key: other.key })

  records.remove(workspace)
  await sweepAll(fresh.app)

  const { rowScope, baselineScope, tenantId } = workspace
  const { sqlite } = workspace.database
  for (const table of [
    ...records.sets.map(({ table }) => getTableName(table)),
    'counters',
    'users',
    'events',
  ]) {
    const { count } = sqlite
      .prepare<number[], { count: number }>(
        `SELECT count(*) AS count FROM "${table}" WHERE "workspace" IN (?, ?, ?, ?)`,
      )
      .get(rowScope, baselineScope, tenantId, -tenantId) ?? { count: NaN }
    expect(count, table).toBe(0)
  }
  expect((await listProducts('', { key: other.key })).data).toEqual([product])
})
