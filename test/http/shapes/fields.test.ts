/** Records as JSON text: SQLite writes the plain fields of pages, and the server single records. */
import { real, sqliteTable } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fieldRendering } from '../../../src/http/shapes/fields.ts'
import { Product } from '../../../src/interfaces/catalog/shapes/products.ts'
import { Layout } from '../../../src/interfaces/signage/shapes/layouts.ts'
import {
  createProduct,
  products as productRecords,
  type NewProduct,
} from '../../../src/state/catalog/products.ts'
import { createLayout, layouts as layoutRecords } from '../../../src/state/signage/layouts.ts'
import { freshApp } from '../../support/app.ts'
import { freshState, type FreshState } from '../../support/state.ts'
import { withStatements } from '../../support/statements.ts'

const productText = Product.rendering()

const NEWEST = { sort: 'created_at', order: 'desc', limit: 1, filters: {}, after: null } as const
/** The newest product in a list. */
const pageText = ({ workspace }: FreshState): string =>
  productText.join(workspace, productRecords.list.read(workspace, NEWEST, productText.select).rows)

/** Any text that a body may contain, without NUL. */
const text = fc
  .string({ unit: 'binary', maxLength: 20 })
  .map((any) => any.replaceAll('\0', ''))
  .filter((any) => any.isWellFormed())

const newProducts: fc.Arbitrary<NewProduct> = fc.record({
  name: text,
  type: fc.constantFrom('physical', 'service'),
  category: fc.option(text, { nil: null }),
  description: fc.option(text, { nil: null }),
  basePrice: fc.constantFrom(null, '0', '489.00'),
  ownerId: fc.constant(null),
  hasVariants: fc.boolean(),
  sortOrder: fc.maxSafeInteger(),
  metadata: fc.dictionary(
    text.filter((name) => name !== '__proto__'),
    fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')) as unknown),
    { noNullPrototype: true },
  ),
})

test('writes the same text in a list and of a single record, for any record', () => {
  const state = freshState()
  const { workspace, user } = state
  fc.assert(
    fc.property(newProducts, (fields) => {
      const made = createProduct(workspace, user, fields)
      const found = productRecords.get(workspace, made.id)
      const written = productText.one(workspace, found)
      expect(pageText(state)).toBe(written)
      expect(JSON.parse(written)).toMatchObject({ ...fields, hasVariants: found.hasVariants })
    }),
  )
})

test('writes the same text of what a record shows of others, which a page reads once', async () => {
  const { workspace } = await freshApp()
  const layoutText = Layout.rendering()
  const zone = { contentType: null, contentId: null, x: 0, y: 0, width: '100%', height: 50 } as const
  const made = [1, 2, 0].map((zones, index) =>
    createLayout(workspace, {
      name: `Layout ${String(index)}`,
      resolution: '1920x1080',
      zones: Array.from({ length: zones }, (_, place) => ({ ...zone, id: `zone-${String(place)}` })),
    }),
  )
  const written = made.map((layout) => layoutText.one(workspace, layout))
  expect(Layout.views(made, workspace).map((view) => JSON.stringify(view))).toEqual(written)
  expect(written.map((text) => (JSON.parse(text) as { zones: unknown[] }).zones)).toMatchObject([
    [{ id: 'zone-0' }],
    [{ id: 'zone-0' }, { id: 'zone-1' }],
    [],
  ])
  const query = { sort: 'created_at', order: 'asc', limit: 5, offset: 0, filters: {} } as const
  const { result, statements } = await withStatements(() => {
    const { rows: cells } = layoutRecords.list.read(workspace, query, layoutText.select)
    return Promise.resolve(layoutText.join(workspace, cells))
  })
  expect(result).toBe(written.join(','))
  expect(statements).toHaveLength(2)
})

test.each([
  ['quotes and backslashes', 'a "b" \\ c'],
  [
    'each control character',
    Array.from({ length: 31 }, (_, index) => String.fromCharCode(index + 1)).join(''),
  ],
  ['line separators that old JavaScript refuses', '\u2028\u2029\u007f</script>'],
  ['characters outside the basic plane', '𝒳 👩‍👩‍👧'],
])('writes %s like JSON.stringify', (_what, name) => {
  const state = freshState()
  createProduct(state.workspace, state.user, { name, type: 'service' })
  expect(pageText(state)).toContain(`"name":${JSON.stringify(name)},`)
})

test('refuses a column that SQLite would write differently', () => {
  const measures = sqliteTable('measures', { width: real().notNull() })
  expect(() => fieldRendering<object, { width: number }>({ width: measures.width }, () => [])).toThrow(
    'SQLiteReal cannot be serialized by SQLite',
  )
})

describe('a resolved reference', () => {
  test('shows the new name of a user in every record at once', () => {
    const state = freshState()
    const { workspace, user } = state
    createProduct(workspace, user, { name: 'a', type: 'service' })
    expect(pageText(state)).toContain('"ownerName":"Test User"')
    workspace.addUser({ id: user.id, name: 'Another "Name"', email: user.email })
    expect(pageText(state)).toContain('"ownerName":"Another \\"Name\\""')
  })
})
