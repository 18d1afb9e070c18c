/** Properties of all lists, over random records and random pages. */
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  createProduct,
  deleteProduct,
  products as productRecords,
  updateProduct,
  type Product,
} from '../../../../src/state/catalog/products.ts'
import { Database } from '../../../../src/state/storage/database/database.ts'
import { products } from '../../../../src/state/catalog/tables.ts'
import { indexer, ROWS_WITHOUT_INDEX } from '../../../../src/state/storage/queries/indexes.ts'
import type { Position } from '../../../../src/state/storage/queries/pageEnds.ts'
import { users } from '../../../../src/state/storage/tables.ts'
import { Registry } from '../../../../src/state/workspace/registry.ts'
import { scratchFolder } from '../../../support/process.ts'
import { freshState, MIGRATIONS, NOON, type FreshState } from '../../../support/state.ts'
import { runs } from '../../../support/extent.ts'

type Sort = 'created_at' | 'name' | 'base_price'

interface ProductInput {
  readonly name: string
  readonly basePrice: string | null
  /** Minutes after noon; several records share one. */
  readonly minute: number
  readonly type: 'physical' | 'service'
}

const newProducts: fc.Arbitrary<ProductInput> = fc.record({
  // Only a few names, so that there are ties, and some that differ only in case.
  name: fc.constantFrom('a', 'A', 'b', 'B', 'ab', 'e', 'é', 'z', '10', '9'),
  basePrice: fc.constantFrom(
    null,
    '0',
    '0.5',
    '9',
    '09.0',
    '9.99',
    '10',
    '10.00',
    '10.5',
    '100',
    '999999999',
  ),
  minute: fc.nat({ max: 3 }),
  type: fc.constantFrom('physical', 'service'),
})

const SORTS: readonly Sort[] = ['created_at', 'name', 'base_price']

const query = fc.record({
  sort: fc.constantFrom(...SORTS),
  order: fc.constantFrom('asc', 'desc'),
  limit: fc.integer({ min: 1, max: 12 }),
  filters: fc.constantFrom({}, { type: 'physical' }),
})

type Query = typeof query extends fc.Arbitrary<infer Value> ? Value : never

function make({ workspace, user }: FreshState, { minute, ...fields }: ProductInput): Product {
  return workspace.clock.at(NOON + minute * 60_000, () => createProduct(workspace, user, fields))
}

const keyOf = (product: Product, sort: Sort): number | string =>
  sort === 'created_at'
    ? product.createdAt
    : sort === 'name'
      ? product.name.toLowerCase().replace('é', 'e')
      : Number(product.basePrice ?? -1)

/** The ids that a list must return; `products` are in order of creation. */
function expected(products: readonly Product[], { sort, order, filters }: Query): string[] {
  const matching = products.filter(({ type }) => !('type' in filters) || type === filters.type)
  const sorted = matching.toSorted((a, b) => {
    const [one, other] = [keyOf(a, sort), keyOf(b, sort)]
    return one < other ? -1 : one > other ? 1 : 0
  })
  const ids = sorted.map(({ id }) => id)
  return order === 'asc' ? ids : ids.toReversed()
}

/** Reads all pages of a list; `between` runs after each page but the last. */
function pages(
  { workspace }: FreshState,
  wantedPages: Query,
  between = (_page: number): void => undefined,
): string[][] {
  const met: string[][] = []
  let after: Position | null = null
  do {
    if (met.length > 0) between(met.length)
    // A position is sent as JSON.
    const position = JSON.parse(JSON.stringify(after)) as Position | null
    const page = productRecords.list(workspace, { ...wantedPages, after: position })
    met.push(page.heads.map(({ id }) => id))
    after = page.next
  } while (after !== null)
  return met
}

/** All runs of a property share one database, each with its own workspace. */
const runsOf = (state: FreshState) => (): FreshState => ({ ...state, ...state.tenancy() })

describe('pages of a list', () => {
  test('together contain the whole list in order, and all but the last are full', () => {
    const nextState = runsOf(freshState())

    fc.assert(
      fc.property(fc.array(newProducts, { maxLength: 40 }), query, (records, listQuery) => {
        const state = nextState()
        const products = records.map((record) => make(state, record))

        const met = pages(state, listQuery)

        expect(met.flat()).toEqual(expected(products, listQuery))
        for (const page of met.slice(0, -1)) expect(page).toHaveLength(listQuery.limit)
        expect(met.at(-1)?.length).toBeLessThanOrEqual(listQuery.limit)
        if (products.length > 0 && met.length > 1) expect(met.at(-1)).not.toEqual([])
      }),
      { numRuns: runs(150) },
    )
  })

  test('contain each permanent record exactly once, whatever is added or removed in between', () => {
    const nextState = runsOf(freshState())

    fc.assert(
      fc.property(
        fc.array(newProducts, { minLength: 5, maxLength: 30 }),
        query,
        fc.array(fc.record({ made: fc.array(newProducts, { maxLength: 3 }), removed: fc.nat({ max: 40 }) }), {
          minLength: 1,
          maxLength: 30,
        }),
        (records, listQuery, mutations) => {
          const state = nextState()
          const products = records.map((record) => make(state, record))
          const removed = new Set<string>()

          const met = pages(state, listQuery, (page) => {
            const change = mutations[page - 1]
            if (!change) return
            for (const record of change.made) make(state, record)
            const leaving = products[change.removed]
            if (leaving && !removed.has(leaving.id)) {
              deleteProduct(state.workspace, productRecords.get(state.workspace, leaving.id))
              removed.add(leaving.id)
            }
          }).flat()

          expect(new Set(met).size).toBe(met.length)
          const throughout = expected(products, listQuery).filter((id) => !removed.has(id))
          const ids = new Set(throughout)
          expect(met.filter((id) => ids.has(id))).toEqual(throughout)
        },
      ),
      { numRuns: runs(150) },
    )
  })

  test('follow changes of the sort key', () => {
    const nextState = runsOf(freshState())

    fc.assert(
      fc.property(
        fc.array(fc.tuple(newProducts, newProducts), { minLength: 1, maxLength: 15 }),
        query,
        (changes, listQuery) => {
          const state = nextState()
          const made = changes.map(([before]) => make(state, before))
          const changed = made.map((product, index) => {
            const { name, basePrice, type } = changes[index]?.[1] ?? product
            return updateProduct(state.workspace, product, { name, basePrice, type })
          })

          expect(pages(state, listQuery).flat()).toEqual(expected(changed, listQuery))
        },
      ),
      { numRuns: runs(100) },
    )
  })
})

test('shows the revision of the last change of each record', () => {
  const state = freshState()
  const listQuery = { sort: 'name', order: 'asc', limit: 10, filters: {}, after: null } as const
  const product = make(state, { name: 'a', basePrice: null, minute: 0, type: 'physical' })
  const heads = () => productRecords.list(state.workspace, listQuery).heads

  const rowid = expect.any(Number) as number
  expect(heads()).toEqual([{ id: product.id, revision: product.revision, rowid }])
  const updated = updateProduct(state.workspace, product, { name: 'b' })
  expect(updated.revision).toBeGreaterThan(product.revision)
  expect(heads()).toEqual([{ id: product.id, revision: updated.revision, rowid }])
})

describe('indexes of a list', () => {
  const filled = (records: number): FreshState => {
    const state = freshState()
    state.workspace.write(() => {
      for (const record of fc.sample(newProducts, { numRuns: records, seed: 1 })) make(state, record)
    })
    return state
  }
  const first = { sort: 'created_at', order: 'desc', limit: 25, filters: {}, after: null } as const
  const indexesOf = ({ database }: FreshState): unknown[] =>
    database.sqlite
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'catalog_products_by_%' ORDER BY 1",
      )
      .all()
      .map((row) => (row as { name: string }).name)

  test('serve every order and every filter of one value', () => {
    const { database, workspace } = filled(ROWS_WITHOUT_INDEX)
    const plans: string[] = []
    const prepare = database.sqlite.prepare.bind(database.sqlite)
    database.sqlite.prepare = (source: string) => {
      if (source.startsWith('select "id", "revision"')) {
        const rows = prepare(`EXPLAIN QUERY PLAN ${source}`).all(
          ...Array.from({ length: source.split('?').length - 1 }, () => 0),
        ) as { detail: string }[]
        plans.push(rows.map(({ detail }) => detail).join('; '))
      }
      return prepare(source)
    }

    for (const sort of ['created_at', 'name', 'base_price'] as const) {
      for (const order of ['asc', 'desc'] as const) {
        for (const after of [null, [sort === 'created_at' ? 0 : '', 0]] as const) {
          productRecords.list(workspace, { sort, order, limit: 25, filters: {}, after })
        }
      }
    }
    for (const filters of [
      { type: 'physical' },
      { status: 'active' },
      { category: 'a' },
      { owner_id: 'a' },
    ]) {
      productRecords.list(workspace, { ...first, filters })
    }

    expect(plans).toHaveLength(16)
    for (const plan of plans) {
      expect(plan).toMatch(/USING (COVERING )?INDEX catalog_products_/)
      expect(plan).not.toContain('TEMP B-TREE')
    }
  })

  test('are created on the first such query of a large workspace, and only then', () => {
    const state = filled(ROWS_WITHOUT_INDEX)
    productRecords.list(state.workspace, first)
    productRecords.list(state.workspace, { ...first, filters: { search: 'a' } })
    expect(indexesOf(state)).toEqual([])

    productRecords.list(state.workspace, { ...first, sort: 'name' })
    expect(indexesOf(state)).toEqual(['catalog_products_by_name_key'])
    productRecords.list(state.workspace, { ...first, sort: 'name', filters: { type: 'physical' } })
    expect(indexesOf(state)).toEqual(['catalog_products_by_name_key', 'catalog_products_by_type_created_at'])
  })

  test('are not created for a small workspace until it has grown', () => {
    const state = filled(ROWS_WITHOUT_INDEX - 1)
    const byName = { ...first, sort: 'name' } as const
    productRecords.list(state.workspace, byName)
    expect(indexesOf(state)).toEqual([])

    make(state, { name: 'a', basePrice: null, minute: 0, type: 'physical' })
    productRecords.list(state.tenancy().workspace, byName)
    expect(indexesOf(state)).toEqual([])
    productRecords.list(state.workspace, byName)
    expect(indexesOf(state)).toEqual(['catalog_products_by_name_key'])
  })

  test('are created after a write that needs them, because they would commit it', () => {
    const state = filled(ROWS_WITHOUT_INDEX)
    const byName = { ...first, sort: 'name' } as const
    state.workspace.write(() => productRecords.list(state.workspace, byName))
    expect(indexesOf(state)).toEqual([])

    state.database.flush()
    expect(indexesOf(state)).toHaveLength(1)
  })

  test('are not created if the write that needs them is lost', () => {
    const state = filled(ROWS_WITHOUT_INDEX)
    const byName = { ...first, sort: 'name' } as const
    const lose = () => {
      state.workspace.write(() => {
        productRecords.list(state.workspace, byName)
        state.database.sqlite.prepare('ROLLBACK').run()
        throw new Error('lost')
      })
    }
    expect(lose).toThrow('lost')
    expect(indexesOf(state)).toEqual([])
  })

  test('do not change the results', () => {
    const state = filled(0)
    const products = fc
      .sample(newProducts, { numRuns: ROWS_WITHOUT_INDEX + 100, seed: 2 })
      .map((record) => make(state, record))

    // A few random queries need not use every sort and filter.
    for (const sort of SORTS) productRecords.list(state.workspace, { ...first, sort })
    productRecords.list(state.workspace, { ...first, filters: { type: 'physical' } })
    fc.assert(
      fc.property(query, (listQuery) => {
        const all = { ...listQuery, limit: 100 }
        expect(pages(state, all).flat()).toEqual(expected(products, all))
      }),
      { numRuns: runs(30) },
    )
    expect(indexesOf(state)).toHaveLength(3)
  })

  test('exist when the file is opened again, and are not created again', () => {
    const folder = scratchFolder()
    const definition = 'CREATE INDEX IF NOT EXISTS "catalog_products_by_name_key"'
    const state = filled(ROWS_WITHOUT_INDEX)
    const byName = { ...first, sort: 'name' } as const
    productRecords.list(state.workspace, byName)
    const file = join(folder, 'copy.sqlite')
    state.database.sqlite.prepare(`VACUUM INTO '${file}'`).run()

    const copy = new Database(file, MIGRATIONS)
    onTestFinished(() => {
      copy.close()
    })
    const executed = vi.spyOn(copy.sqlite, 'exec')
    const workspace = new Registry(copy).get(state.workspace.id)
    const listed = productRecords.list(workspace, byName).heads.map(({ id }) => id)

    expect(listed).toEqual(productRecords.list(state.workspace, byName).heads.map(({ id }) => id))
    expect(executed.mock.calls.map(([text]) => text.slice(0, definition.length))).toEqual([definition])
  })

  test('throw each time if they name an unknown column', () => {
    const { workspace } = filled(ROWS_WITHOUT_INDEX)
    const makeIndexes = indexer(products, undefined, { address: [users.email] })

    const ask = () => {
      makeIndexes(workspace, ['address'])
    }
    expect(ask).toThrow('no such column')
    expect(ask).toThrow('no such column')
  })

  test('are omitted if there is no space for them', () => {
    const state = filled(ROWS_WITHOUT_INDEX)
    const byName = { ...first, sort: 'name' } as const
    const pages = state.database.sqlite.pragma('page_count', { simple: true }) as number
    state.database.sqlite.pragma(`max_page_count = ${String(pages)}`)

    expect(productRecords.list(state.workspace, byName).heads).toHaveLength(25)
    expect(indexesOf(state)).toEqual([])
  })
})
