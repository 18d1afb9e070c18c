/** Records as text: SQLite, which writes them for gets and lists, and the server, which writes what was just changed. */
import { integer, real, sqliteTable, text as textColumn } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fieldRendering, fieldView } from '../../src/http/fields.ts'
import { productFields } from '../../src/interfaces/catalog/views.ts'
import {
  createProduct,
  deleteProduct,
  products as productRecords,
  type NewProduct,
} from '../../src/state/catalog/products.ts'
import { products } from '../../src/state/catalog/tables.ts'
import { rows } from '../../src/state/rows.ts'
import { freshState, type FreshState } from '../support/state.ts'

const productText = fieldRendering(products, productRecords, productFields)
const productView = fieldView(products, productFields)

const NEWEST = { sort: 'created_at', order: 'desc', limit: 1, filters: {}, after: null } as const
/** The newest product, out of a list. */
const pageText = ({ workspace }: FreshState): string =>
  productText.join(workspace, productRecords.list.read(workspace, NEWEST, productText.select).rows)

/** Text as bodies may hold it: any, but no NUL. */
const text = fc
  .string({ unit: 'binary', maxLength: 20 })
  .map((any) => any.replaceAll('\0', ''))
  .filter((any) => any.isWellFormed())

const wanted: fc.Arbitrary<NewProduct> = fc.record({
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

test('whatever a record holds, its text is the same from a get, from a list, after a change and in an event', () => {
  const state = freshState()
  const { workspace, user } = state
  fc.assert(
    fc.property(wanted, (fields) => {
      const made = createProduct(workspace, user, fields)
      const found = productRecords.get(workspace, made.id)
      const written = productText.one(workspace, found)
      expect(productText.find(workspace, made.id)).toBe(written)
      expect(pageText(state)).toBe(written)
      expect(JSON.stringify(productView(found, workspace))).toBe(written)
      expect(JSON.parse(written)).toMatchObject({ ...fields, hasVariants: found.hasVariants })
    }),
  )
})

test('a view shows the fields that it names, in that order', () => {
  const { workspace, user } = freshState()
  const product = createProduct(workspace, user, { name: 'Desk', type: 'physical' })
  const view = fieldView(products, productFields, ['updatedAt', 'ownerName', 'metadata'])
  expect(JSON.stringify(view(product, workspace))).toBe(
    '{"updatedAt":"2026-11-21T12:00:00.000Z","ownerName":"Test User","metadata":{}}',
  )
})

test.each([
  ['quotes and backslashes', 'a "b" \\ c'],
  [
    'each control character',
    Array.from({ length: 31 }, (_, index) => String.fromCharCode(index + 1)).join(''),
  ],
  ['what only old JavaScript minds', '\u2028\u2029\u007f</script>'],
  ['characters beyond the first plane', '𝒳 👩‍👩‍👧'],
])('%s are written as JSON.stringify writes them', (_what, name) => {
  const { workspace, user } = freshState()
  const { id } = createProduct(workspace, user, { name, type: 'service' })
  expect(productText.find(workspace, id)).toContain(`"name":${JSON.stringify(name)},`)
})

test('a column that SQLite would write in another way is refused as it is', () => {
  const measures = sqliteTable('measures', {
    workspace: integer().notNull(),
    id: textColumn().notNull(),
    width: real().notNull(),
  })
  const shape = { id: measures.id, width: measures.width }
  expect(() =>
    fieldRendering<object, { id: string; width: number }>(measures, rows(measures), shape),
  ).toThrow('SQLiteReal is not shown as it is')
})

describe('a text is of this moment:', () => {
  test('a user whose name changes has the new one in every record at once', () => {
    const state = freshState()
    const { workspace, user } = state
    const { id } = createProduct(workspace, user, { name: 'a', type: 'service' })
    expect(productText.find(workspace, id)).toContain('"ownerName":"Test User"')
    workspace.addUser({ id: user.id, name: 'Another "Name"', email: user.email })
    expect(productText.find(workspace, id)).toContain('"ownerName":"Another \\"Name\\""')
    expect(pageText(state)).toContain('"ownerName":"Another \\"Name\\""')
  })

  test('a record that is gone has none', () => {
    const state = freshState()
    const { workspace, user } = state
    const product = createProduct(workspace, user, { name: 'a', type: 'service' })
    deleteProduct(workspace, product)
    expect(productText.find(workspace, product.id)).toBeUndefined()
    expect(pageText(state)).toBe('')
  })

  test('a record of another workspace has none', () => {
    const { workspace, user, tenancy } = freshState()
    const { id } = createProduct(workspace, user, { name: 'a', type: 'service' })
    expect(productText.find(tenancy().workspace, id)).toBeUndefined()
  })
})
