import { join } from 'node:path'
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../../../src/app.ts'
import { controlApp, makeWorkspace } from '../../../control/app.ts'
import { Baseline } from '../../../../src/state/storage/records/baseline.ts'
import { scratchFolder } from '../../../support/process.ts'
import { dumpOf } from '../../../support/records.ts'

interface Snapshot {
  catalog: Record<string, Record<string, unknown>[]>
}

/** Changes that a reset must undo; each is made by putting another snapshot. */
const CHANGES: [string, (catalog: Snapshot['catalog']) => Snapshot['catalog']][] = [
  ['nothing', (catalog) => catalog],
  ['the removal of every record', () => ({})],
  [
    'the removal of the first product',
    (catalog) => ({ ...catalog, ...without(catalog, 'demo-product-00000001') }),
  ],
  [
    'the removal of the last product',
    (catalog) => ({ ...catalog, ...without(catalog, 'demo-product-00000013') }),
  ],
  ['the reversed order of products', (c) => ({ ...c, products: (c['products'] ?? []).toReversed() })],
  [
    'the reversed order of links',
    (c) => ({ ...c, activityEntities: (c['activityEntities'] ?? []).toReversed() }),
  ],
  ['a change of one product', (c) => ({ ...c, products: named(c['products'] ?? [], (n) => n === 4) })],
  ['a change of every product', (c) => ({ ...c, products: named(c['products'] ?? [], () => true) })],
  [
    'an additional product with a plan',
    (c) => ({
      ...c,
      products: [...(c['products'] ?? []), { ...c['products']?.[0], id: 'added' }],
      productPlans: [
        ...(c['productPlans'] ?? []),
        { ...c['productPlans']?.[0], id: 'p', productId: 'added' },
      ],
    }),
  ],
]

const without = ({ products = [], productPlans = [] }: Snapshot['catalog'], removedId: string) => ({
  products: products.filter(({ id }) => id !== removedId),
  productPlans: productPlans.filter(({ productId }) => productId !== removedId),
})

const named = (products: Record<string, unknown>[], isChosen: (index: number) => boolean) =>
  products.map((product, index) =>
    isChosen(index) ? { ...product, name: `Other ${String(index)}` } : product,
  )

/** The demo workspace and its records. */
async function demo() {
  const app = await buildApp({ fixtures: 'small' })
  onTestFinished(() => app.close())
  const workspace = app.workspaces.get('demo')
  const { sqlite } = app.workspaces.database
  return { app, workspace, sqlite, before: dumpOf(app.records, workspace) }
}

describe('reset', () => {
  test.each(CHANGES)('undoes %s, and restores the order', async (_name, change) => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app, { fixtures: 'small' })
    const path = `/workspaces/${id}`
    const seen = async () => [
      (await app.sim('GET', `${path}/snapshot`)).text,
      (await app.call('GET', '/workspace/public/v1/products?limit=100', key)).text,
      (await app.call('GET', '/workspace/public/v1/activities?limit=100', key)).text,
    ]
    const before = await seen()
    const snapshot = JSON.parse(before[0] ?? '') as Snapshot
    const body = { ...snapshot, catalog: change(snapshot.catalog) }
    expect((await app.sim('PUT', `${path}/snapshot`, { body })).status).toBe(204)
    await app.sim('POST', `${path}/reset`)
    expect(await seen()).toEqual(before)
  })

  test('undoes single changes without moving other records', async () => {
    const { app, workspace, sqlite, before } = await demo()
    const w = String(workspace.rowScope)
    const places = () => sqlite.prepare(`SELECT rowid, id FROM catalog_products WHERE workspace = ${w}`).all()
    const placesBefore = places()
    const set = (what: string, sku: string) =>
      sqlite.exec(
        `UPDATE catalog_products SET ${what}, revision = next_revision() WHERE workspace = ${w} AND sku = '${sku}'`,
      )
    set("name = 'Other'", 'DSK-001')
    set('deleted_at = 1', 'LMP-004')
    app.records.reset(workspace)
    expect(dumpOf(app.records, workspace)).toEqual(before)
    expect(places()).toEqual(placesBefore)
  })

  test('moves no record of a table that still has all its records', async () => {
    const { app, workspace, sqlite, before } = await demo()
    const w = String(workspace.rowScope)
    const places = (table: string) =>
      sqlite.prepare(`SELECT rowid FROM ${table} WHERE workspace = ${w}`).all()
    const tables = ['catalog_products', 'catalog_activities', 'crm_contacts', 'payment_transactions']
    const placesBefore = tables.map(places)
    sqlite.exec(`DELETE FROM catalog_product_plans WHERE workspace = ${w} AND rowid % 2 = 0`)
    sqlite.exec(`DELETE FROM crm_automations WHERE workspace = ${w} AND name > 'M'`)
    app.records.reset(workspace)
    expect(dumpOf(app.records, workspace)).toEqual(before)
    expect(tables.map(places)).toEqual(placesBefore)
  })

  test('undoes changes made before the file was opened again', async () => {
    const folder = scratchFolder()
    const open = async () => {
      const app = await buildApp({ db: join(folder, 'suite.sqlite'), fixtures: 'small' })
      return { app, workspace: app.workspaces.get('demo') }
    }
    const first = await open()
    const before = dumpOf(first.app.records, first.workspace)
    const w = String(first.workspace.rowScope)
    first.app.workspaces.database.sqlite.exec(
      `UPDATE catalog_products SET name = 'Other', revision = next_revision() WHERE workspace = ${w};
       UPDATE catalog_product_plans SET name = 'Other' WHERE workspace = ${w}`,
    )
    await first.app.close()

    const { app, workspace } = await open()
    onTestFinished(() => app.close())
    expect(dumpOf(app.records, workspace)).not.toEqual(before)
    app.records.reset(workspace)
    expect(dumpOf(app.records, workspace)).toEqual(before)
  })
})

describe('reset of single changes', () => {
  test('restores a table whose first record was deleted, although other records are in the positions needed', async () => {
    const { app, workspace, sqlite, before } = await demo()
    const first = `SELECT min(rowid) FROM catalog_products WHERE workspace = ${String(workspace.rowScope)}`
    const removed = sqlite.prepare(`DELETE FROM catalog_products WHERE rowid = (${first})`).run()
    expect(removed.changes).toBe(1)
    app.records.reset(workspace)
    expect(dumpOf(app.records, workspace)).toEqual(before)
  })

  test('keeps a record that moved to a parent added later', async () => {
    const { app, workspace, sqlite, before } = await demo()
    const w = String(workspace.rowScope)
    sqlite.exec(
      `CREATE TEMP TABLE added AS SELECT * FROM catalog_products WHERE workspace = ${w} LIMIT 1;
       UPDATE added SET id = 'added'; INSERT INTO catalog_products SELECT * FROM added`,
    )
    const moved = sqlite
      .prepare(`UPDATE catalog_product_plans SET product_id = 'added' WHERE workspace = ${w}`)
      .run()
    expect(moved.changes).toBeGreaterThan(0)
    app.records.reset(workspace)
    expect(dumpOf(app.records, workspace)).toEqual(before)
  })

  test('restores every combination of columns', async () => {
    const app = await buildApp()
    onTestFinished(() => app.close())
    const { sqlite } = app.workspaces.database
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    sqlite.exec(
      `CREATE TABLE sheets (workspace INTEGER, id INTEGER, ${names.join(', ')}, PRIMARY KEY (workspace, id));
       ${names
         .slice(2)
         .map((name) => `CREATE INDEX by_${name} ON sheets (workspace, "${name}")`)
         .join('; ')}`,
    )
    const workspace = app.workspaces.create({ name: 'Test' }, (made) => made)
    for (let id = 0; id < 64; id++) {
      sqlite
        .prepare('INSERT INTO sheets VALUES (?, ?, ?, NULL, ?, ?, ?, ?)')
        .run(workspace.rowScope, id, id, 'text', 0.5, id % 2, '')
    }
    const rows = () => sqlite.prepare('SELECT * FROM sheets WHERE workspace > 0 ORDER BY rowid').all()
    const baseline = new Baseline([sheets])
    const { baselineScope, rowScope } = workspace
    sqlite
      .prepare(
        'INSERT INTO sheets SELECT ?, id, a, b, c, d, e, f FROM sheets WHERE workspace = ? ORDER BY rowid',
      )
      .run(baselineScope, rowScope)
    const before = rows()
    for (let id = 1; id < 64; id++) {
      const changed = names.filter((_name, bit) => (id >> bit) % 2 === 1)
      sqlite
        .prepare(
          `UPDATE sheets SET ${changed.map((name) => `${name} = 'other'`).join(', ')} WHERE workspace > 0 AND id = ?`,
        )
        .run(id)
    }
    workspace.write(() => {
      baseline.restore(workspace)
    })
    expect(rows()).toEqual(before)
  })
})

const sheets = sqliteTable(
  'sheets',
  {
    workspace: integer().notNull(),
    id: integer().notNull(),
    a: integer(),
    b: text(),
    c: text(),
    d: integer(),
    e: integer(),
    f: text(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.id] })],
)

describe('unique records', () => {
  const pages = sqliteTable(
    'pages',
    { workspace: integer().notNull(), id: text().notNull(), slug: text().notNull() },
    (table) => [primaryKey({ columns: [table.workspace, table.id] })],
  )

  test('are restored although they have exchanged their names', async () => {
    const app = await buildApp()
    onTestFinished(() => app.close())
    const { sqlite } = app.workspaces.database
    sqlite.exec(
      'CREATE TABLE pages (workspace INTEGER, id TEXT, slug TEXT, PRIMARY KEY (workspace, id), UNIQUE (workspace, slug))',
    )
    const workspace = app.workspaces.create({ name: 'Test' }, (made) => made)
    const ids = Array.from({ length: 20 }, (_, index) => String(index))
    for (const id of ids)
      sqlite.prepare('INSERT INTO pages VALUES (?, ?, ?)').run(workspace.rowScope, id, `s${id}`)
    const rows = () =>
      sqlite.prepare('SELECT id, slug FROM pages WHERE workspace = ? ORDER BY rowid').all(workspace.rowScope)
    const baseline = new Baseline([pages])
    const { baselineScope, rowScope } = workspace
    sqlite
      .prepare('INSERT INTO pages SELECT ?, id, slug FROM pages WHERE workspace = ? ORDER BY rowid')
      .run(baselineScope, rowScope)
    const before = rows()
    const rename = (id: string, slug: string) =>
      sqlite
        .prepare('UPDATE pages SET slug = ? WHERE workspace = ? AND id = ?')
        .run(slug, workspace.rowScope, id)
    rename('0', 'spare')
    rename('1', 's0')
    rename('0', 's1')
    workspace.write(() => {
      baseline.restore(workspace)
    })
    expect(rows()).toEqual(before)
  })
})
