import { expect, test } from 'vitest'
import { freshCatalog } from '../../../support/catalog.ts'

test('gives each row changed by one statement its own, later revision', async () => {
  const { addProduct, fresh } = await freshCatalog()
  for (let made = 0; made < 3; made++) await addProduct()
  const { sqlite } = fresh.workspace.database
  const before = fresh.workspace.database.nextRevision()
  sqlite.prepare('UPDATE catalog_products SET revision = next_revision()').run()
  const rows = sqlite.prepare('SELECT revision FROM catalog_products ORDER BY rowid').all()
  expect(rows).toEqual([1, 2, 3].map((next) => ({ revision: before + next })))
})

test('fails every test with a write that keeps an old revision', async () => {
  const { addProduct, fresh } = await freshCatalog()
  await addProduct()
  const { sqlite } = fresh.workspace.database
  const update = (what: string) => () => sqlite.prepare(`UPDATE catalog_products SET ${what}`).run()
  const refusal = 'catalog_products was written to under an old revision'
  expect(update("unit = 'piece'")).toThrow(refusal)
  expect(update("unit = 'piece', revision = revision - 1")).toThrow(refusal)
  expect(update("unit = 'piece', revision = next_revision()")).not.toThrow()
})
