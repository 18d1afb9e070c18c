/** The products of the bench: the same in every run, in another order than their ids. */
import { createHash } from 'node:crypto'

/** The key and the id of the server's first workspace. */
export const KEY = 'bench-key'
export const WORKSPACE = 'bench'

const CATEGORIES = 100

const FIRST_CREATED = Date.parse('2026-01-01T00:00:00.000Z')

/** Returns an id of the simulator's length, spread over an index like its ids. */
export const productId = (index: number): string =>
  createHash('sha256')
    .update(`product ${String(index)}`)
    .digest('base64url')
    .slice(0, 21)

export const categoryOf = (index: number): string => `Category ${String(index % CATEGORIES)}`

/** Returns the body of a create call. */
export const newProduct = (index: number): object => ({
  name: `Product ${String(index)}`,
  type: 'physical',
  category: categoryOf(index),
  sku: `SKU-${String(index)}`,
  description: 'Electric, 140 x 70 cm, memory for four heights.',
  basePrice: '489.00',
  taxRate: '7.00',
  unit: 'piece',
  hasVariants: true,
  metadata: { warrantyMonths: 24, color: 'oak' },
})

/** Returns a snapshot with `count` products; also the content of a fixture file. */
export function snapshot(count: number): object {
  const user = { id: 'bench-user', name: 'Sim User', email: 'sim.user@example.com' }
  const products = Array.from({ length: count }, (_, index) => {
    const at = new Date(FIRST_CREATED + index * 1000).toISOString()
    return {
      ...newProduct(index),
      id: productId(index),
      currency: 'USD',
      status: 'active',
      ownerId: user.id,
      sortOrder: 0,
      createdAt: at,
      updatedAt: at,
      deletedAt: null,
    }
  })
  return {
    format: 'suite-simulator/1',
    workspace: { id: WORKSPACE, name: 'Bench' },
    key: KEY,
    users: [user],
    catalog: { products },
  }
}
