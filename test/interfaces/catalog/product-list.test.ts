/** Specification part 1, GET /products: sorts, searches and filters. test/laws/lists.test.ts tests the pages. */
import { describe, expect, test } from 'vitest'
import { freshCatalog, titleFor, type Catalog } from '../../support/catalog.ts'

type Fields = Readonly<Record<string, unknown>>

/** The names of the products on the page, in order. */
const names = async ({ listProducts }: Catalog, query: string): Promise<string[]> =>
  (await listProducts(query)).data.map(({ name }) => name)

const fill = async ({ addProduct }: Catalog, products: readonly Fields[]): Promise<void> => {
  for (const product of products) await addProduct(product)
}

test('returns complete products without plans, and the end of the list', async () => {
  const { call, addProduct } = await freshCatalog()
  const first = await addProduct({ type: 'service', description: 'A', metadata: { a: [1] } })
  const second = await addProduct({ hasVariants: true, basePrice: '1.50' })

  const answer = await call('GET', '/products')

  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ data: [second, first], pagination: { nextCursor: null, hasMore: false } })
})

test('returns the cursor of the next page', async () => {
  const { call, addProduct } = await freshCatalog()
  const first = await addProduct()
  const second = await addProduct()

  const page = await call('GET', '/products?limit=1')
  const { nextCursor } = (page.body as { pagination: { nextCursor: string } }).pagination

  expect(page.body).toEqual({
    data: [second],
    pagination: { nextCursor: expect.stringMatching(/^[A-Za-z0-9_-]+$/) as string, hasMore: true },
  })
  expect((await call('GET', `/products?limit=1&cursor=${nextCursor}`)).body).toEqual({
    data: [first],
    pagination: { nextCursor: null, hasMore: false },
  })
})

describe('sorts', () => {
  test('by created_at according to the clock, not the order of creation', async () => {
    const catalog = await freshCatalog()
    for (const [name, hour] of [
      ['late', '15'],
      ['early', '09'],
      ['noon', '12'],
    ]) {
      catalog.setClock(`2026-11-21T${hour ?? ''}:00:00Z`)
      await catalog.addProduct({ name })
    }

    expect(await names(catalog, '?order=asc')).toEqual(['early', 'noon', 'late'])
    expect(await names(catalog, '')).toEqual(['late', 'noon', 'early'])
  })

  test('by the changed name or price', async () => {
    const catalog = await freshCatalog()
    await fill(catalog, [
      { name: 'a', basePrice: '1' },
      { name: 'b', basePrice: '2' },
    ])
    const [first] = (await catalog.listProducts('?sort=name&order=asc')).data
    await catalog.putProduct(first?.id ?? '', { name: 'c', basePrice: '10' })

    expect(await names(catalog, '?sort=name&order=asc')).toEqual(['b', 'c'])
    expect(await names(catalog, '?sort=base_price&order=asc')).toEqual(['b', 'c'])
  })
})

describe('search', () => {
  const PRODUCTS = [
    { name: 'Standing desk', sku: 'DSK-001', description: 'Oak, 100% solid' },
    { name: 'Chair', sku: 'CHR_001', description: 'Goes with every desk' },
    { name: 'Lámpara Ébano', sku: null, description: null },
    { name: 'Shelf \\ rack', sku: '100', description: 'IKEA-like', category: 'Oak', unit: 'zzz' },
  ]

  test.each([
    ['in the name', 'standing', ['Standing desk']],
    ['in name and description', 'desk', ['Chair', 'Standing desk']],
    ['in the SKU', 'chr', ['Chair']],
    ['in the middle of a word', 'ES WITH EV', ['Chair']],
    ['without case', 'DESK', ['Chair', 'Standing desk']],
    ['without case, also outside of ASCII', 'éBANO', ['Lámpara Ébano']],
    ['without accents', 'lampara ebano', ['Lámpara Ébano']],
    ['unaccented texts for an accented query', 'Stánding', ['Standing desk']],
    ['with a combining accent', 'La\u0301mpara', ['Lámpara Ébano']],
    ['in no other field', 'zzz', []],
    ['a percent sign literally', '100%', ['Standing desk']],
    ['an underscore literally', 'r_0', ['Chair']],
    ['a backslash literally', '\\ r', ['Shelf \\ rack']],
    ['an asterisk literally', '*', []],
    ['a quote literally', "'", []],
    ['nothing for an unknown text', 'table', []],
    ['nothing across two fields', 'desk dsk', []],
  ])('finds %s', async (_how, search, expected) => {
    const catalog = await freshCatalog()
    await fill(catalog, PRODUCTS)

    expect(await names(catalog, `?search=${encodeURIComponent(search)}`)).toEqual(expected)
  })

  test('finds everything for an empty text', async () => {
    const catalog = await freshCatalog()
    await fill(catalog, PRODUCTS)

    expect(await names(catalog, '?search=')).toHaveLength(4)
  })

  test('uses the current values', async () => {
    const { addProduct, putProduct, listProducts } = await freshCatalog()
    const { id } = await addProduct({ name: 'Desk', sku: 'OLD', description: 'Oak' })

    await putProduct(id, { sku: 'NEW', description: null })

    const found = async (search: string) => (await listProducts(`?search=${search}`)).data.length
    expect([await found('old'), await found('new'), await found('oak')]).toEqual([0, 1, 0])
  })
})

describe('filters', () => {
  const filled = async () => {
    const catalog = await freshCatalog()
    const second = catalog.fresh.workspace.addUser({ name: 'Second User', email: 'second.user@example.com' })
    await fill(catalog, [
      { name: 'a', type: 'physical', status: 'active', category: 'Office' },
      { name: 'b', type: 'physical', status: 'draft', category: 'office', ownerId: second.id },
      { name: 'c', type: 'service', status: 'active', category: 'Office', ownerId: second.id },
      { name: 'd', type: 'subscription', status: 'archived', category: null, ownerId: null },
      { name: 'e', type: 'digital', status: 'active', category: 'Home & Garden' },
    ])
    return { catalog, second }
  }

  test.each([
    ['category=Office', ['c', 'a']],
    ['category=office', ['b']],
    ['category=Home%20%26%20Garden', ['e']],
    ['category=Off', []],
    ['category=', []],
    ['type=physical&status=active', ['a']],
    ['type=service&status=active&category=Office&search=C', ['c']],
    ['type=service&status=draft', []],
    ['status=active&search=a', ['a']],
    ['status=active&sort=name&order=asc', ['a', 'c', 'e']],
  ])('by %s', async (query, expected) => {
    const { catalog } = await filled()

    expect(await names(catalog, `?${query}`)).toEqual(expected)
  })

  test('by owner', async () => {
    const { catalog, second } = await filled()

    expect(await names(catalog, `?owner_id=${second.id}`)).toEqual(['c', 'b'])
    expect(await names(catalog, `?owner_id=${catalog.fresh.user.id}`)).toEqual(['e', 'a'])
    expect(await names(catalog, `?owner_id=${second.id}&type=physical`)).toEqual(['b'])
  })

  test('by current values', async () => {
    const { catalog } = await filled()
    const [a] = (await catalog.listProducts('?search=a&type=physical')).data

    await catalog.putProduct(a?.id ?? '', { type: 'service', status: 'archived', category: 'Home' })

    expect(await names(catalog, '?status=archived')).toEqual(['d', 'a'])
    expect(await names(catalog, '?type=service')).toEqual(['c', 'a'])
    expect(await names(catalog, '?category=Home')).toEqual(['a'])
    expect(await names(catalog, '?category=Office')).toEqual(['c'])
  })

  test('by a combination across pages', async () => {
    const catalog = await freshCatalog()
    for (let number = 0; number < 9; number++) {
      await catalog.addProduct({ name: `p${String(number)}`, status: number % 3 === 0 ? 'draft' : 'active' })
    }
    const query = '?status=active&search=P&sort=name&order=asc&limit=4'

    const first = await catalog.listProducts(query)
    const second = await catalog.listProducts(`${query}&cursor=${first.pagination.nextCursor ?? ''}`)

    expect(first.data.map(({ name }) => name)).toEqual(['p1', 'p2', 'p4', 'p5'])
    expect(second.data.map(({ name }) => name)).toEqual(['p7', 'p8'])
    expect(second.pagination).toEqual({ nextCursor: null, hasMore: false })
  })
})

test.each(
  ["'; drop table catalog_products; --", '%_', '\\', '"', '日本', '🪑'].map((text) => [titleFor(text), text]),
)('treats searches and filters as values, not as patterns or statements: %s', async (_title, text) => {
  const catalog = await freshCatalog()
  await fill(catalog, [{ name: 'plain' }, { name: `with ${text} in it`, category: text }])

  expect(await names(catalog, `?search=${encodeURIComponent(text)}`)).toEqual([`with ${text} in it`])
  expect(await names(catalog, `?category=${encodeURIComponent(text)}`)).toEqual([`with ${text} in it`])
})
