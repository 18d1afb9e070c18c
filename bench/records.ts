/** The products of the bench: the same in every run, in another order than their ids. */
import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'

/** The key and the id of the server's first workspace. */
export const KEY = 'bench-key'
export const WORKSPACE = 'bench'

const CATEGORIES = 100

/** Number of records that are written to a file at once. */
const BATCH = 1000

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

const USER = { id: 'bench-user', name: 'Sim User', email: 'sim.user@example.com' }

/** Returns a product as the snapshot has it. */
export function productRecord(index: number): object {
  const at = new Date(FIRST_CREATED + index * 1000).toISOString()
  return {
    ...newProduct(index),
    id: productId(index),
    currency: 'USD',
    status: 'active',
    ownerId: USER.id,
    sortOrder: 0,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }
}

/** Writes a snapshot with `count` products: the content of a fixture file. One string would be too long for a million. */
export function writeSnapshot(file: string, count: number): void {
  const head = {
    format: 'suite-simulator/1',
    workspace: { id: WORKSPACE, name: 'Bench' },
    key: KEY,
    users: [USER],
  }
  const out = openSync(file, 'w')
  writeSync(out, `${JSON.stringify(head).slice(0, -1)},"catalog":{"products":`)
  writeProducts(out, count)
  writeSync(out, '}}')
  closeSync(out)
}

/** Writes a JSON array of products. */
export function writeProducts(
  out: number,
  count: number,
  recordOf: (index: number) => object = productRecord,
): void {
  for (let first = 0; first < count; first += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, count - first) }, (_, place) =>
      JSON.stringify(recordOf(first + place)),
    )
    writeSync(out, `${first === 0 ? '[' : ','}${records.join()}`)
  }
  writeSync(out, count === 0 ? '[]' : ']')
}
