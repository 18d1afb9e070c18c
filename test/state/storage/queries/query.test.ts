/** Custom reads, which are limited to the workspace automatically. */
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createProduct } from '../../../../src/state/catalog/products.ts'
import { products } from '../../../../src/state/catalog/tables.ts'
import { ofWorkspace, query } from '../../../../src/state/storage/queries/query.ts'
import { freshState } from '../../../support/state.ts'

const named = query((orm) =>
  orm
    .select({ name: products.name, hasVariants: products.hasVariants })
    .from(products)
    .where(sql`${ofWorkspace(products)} and ${eq(products.name, sql.placeholder('name'))}`)
    .orderBy(sql`rowid`),
)

test('reads only rows of the workspace of the query', () => {
  const { workspace, user, tenancy } = freshState()
  const other = tenancy()
  createProduct(workspace, user, { name: 'Desk', type: 'physical', hasVariants: true })
  createProduct(workspace, user, { name: 'Desk', type: 'service' })
  createProduct(other.workspace, other.user, { name: 'Chair', type: 'service' })

  const [first, second] = named.all(workspace, { name: 'Desk' })
  expect([first, second]).toEqual([
    { name: 'Desk', hasVariants: true },
    { name: 'Desk', hasVariants: false },
  ])
  expect(named.first(workspace, { name: 'Desk' })).toEqual(first)
  expect(named.firstCells(workspace, { name: 'Desk' })).toEqual(['Desk', 1])
  expect(named.all(workspace, { name: 'Chair' })).toEqual([])
  expect(named.first(other.workspace, { name: 'Desk' })).toBeUndefined()
  expect(named.firstCells(other.workspace, { name: 'Desk' })).toBeUndefined()
})

test('fails for a query across workspaces', () => {
  const { workspace } = freshState()
  const all = query((orm) => orm.select().from(products))
  const ofOne = query((orm) => orm.select().from(products).where(eq(products.workspace, 1)))

  expect(() => all.all(workspace)).toThrow('a query reads across workspaces: select')
  expect(() => ofOne.first(workspace)).toThrow('a query reads across workspaces: select')
  expect(() => ofOne.firstCells(workspace)).toThrow('a query reads across workspaces: select')
})

test('sets the workspace only from the context, and refuses writes in a query', () => {
  const { workspace } = freshState()
  const compiled = () => {
    // @ts-expect-error the number is put in by the query
    named.all(workspace, { name: 'Desk', workspace: 2 })
    // @ts-expect-error there is nothing to write with
    query((orm) => orm.delete(products))
  }
  expect(compiled).toBeTypeOf('function')
})
