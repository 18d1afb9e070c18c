/**
 * Creates, updates and deletes products and their plans. Specification part 1, "Product (catalog interface)",
 * "Product status".
 */
import { and, asc, eq, sql } from 'drizzle-orm'
import { byCursor } from '../storage/queries/listing.ts'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import type { recordKey, withTimes } from '../storage/columns.ts'
import { record } from '../storage/records/record.ts'
import { refuse, Refusal } from '../model/refusal.ts'
import { folded, searchedIn } from '../storage/queries/searchColumns.ts'
import type { User } from '../workspace/users.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { appendCatalogEvent } from './events.ts'
import { productMachine } from './machines.ts'
import { mustBeUser } from './owners.ts'
import { productPlans as planTable, products as table } from './tables.ts'

export type Product = typeof table.$inferSelect
export type ProductPlan = typeof planTable.$inferSelect

/** The fields of a product that a request may have. */
export type ProductFields = Partial<
  Omit<Product, keyof typeof recordKey | keyof typeof withTimes | Derived | 'deletedAt'>
>
type Derived = 'nameKey' | 'searchKey' | 'priceKey'
export type NewProduct = ProductFields & Pick<Product, 'name' | 'type'>

/** Products that are not deleted, with every order and filter of GET /products. */
export const products = record(table, {
  noun: 'product',
  live: sql`${table.deletedAt} is null`,
  // Only physical products have variants.
  normal: ({ type, hasVariants }) => ({ hasVariants: type === 'physical' && hasVariants }),
  derived: {
    nameKey: folded(({ name }) => [name]),
    searchKey: folded(({ name, sku, description }) => [name, sku, description]),
    priceKey: ({ basePrice }) => priceKey(basePrice),
  },
  list: byCursor({
    sorts: { created_at: table.createdAt, name: table.nameKey, base_price: table.priceKey },
    filters: {
      type: (value) => sql`${table.type} = ${value}`,
      status: (value) => sql`${table.status} = ${value}`,
      category: (value) => sql`${table.category} = ${value}`,
      owner_id: (value) => sql`${table.ownerId} = ${value}`,
      search: searchedIn(table.searchKey),
    },
    indexes: {
      name: [table.nameKey],
      base_price: [table.priceKey],
      type: [table.type, table.createdAt],
      status: [table.status, table.createdAt],
      category: [table.category, table.createdAt],
      owner_id: [table.ownerId, table.createdAt],
    },
  }),
  snapshot: { section: 'catalog', name: 'products' },
})

/** The plans of products. No call creates them; a trigger or a snapshot does. */
export const productPlans = record(planTable, {
  noun: 'plan',
  snapshot: { section: 'catalog', name: 'productPlans' },
})

const plansOfProduct = query((orm) =>
  orm
    .select()
    .from(planTable)
    .where(and(ofWorkspace(planTable), eq(planTable.productId, sql.placeholder('productId'))))
    .orderBy(asc(planTable.createdAt), sql`rowid`),
)

/** Returns the plans of a product; physical products have none. */
export const listPlans = (workspace: Workspace, product: Pick<Product, 'id' | 'type'>): ProductPlan[] =>
  product.type === 'physical' ? [] : plansOfProduct.all(workspace, { productId: product.id })

export interface NewPlan {
  readonly name: string
  /** "49.00" */
  readonly price: string
  /** Defaults to month for a subscription, and to none for other products. */
  readonly billingPeriod?: ProductPlan['billingPeriod']
  /** Periods per cycle. Defaults to 1. */
  readonly billingInterval?: number
  readonly trialDays?: number
}

/** Creates a plan of a product, or replaces the one with this name. */
export function definePlan(workspace: Workspace, product: Product, fields: NewPlan): ProductPlan {
  if (product.type === 'physical')
    refuse('invalid', `${product.name} is a physical product, which has no plans.`)
  return workspace.write(() => {
    const now = workspace.now()
    const billingPeriod = fields.billingPeriod ?? (product.type === 'subscription' ? 'month' : null)
    const defined = {
      name: fields.name,
      price: fields.price,
      billingPeriod,
      billingInterval: billingPeriod === null ? null : (fields.billingInterval ?? 1),
      trialDays: fields.trialDays ?? 0,
      status: 'active' as const,
      updatedAt: now,
    }
    const existing = listPlans(workspace, product).find(({ name }) => name === fields.name)
    if (existing) return productPlans.update(workspace, existing, defined)
    return productPlans.insert(workspace, {
      ...defined,
      id: workspace.ids.nano('plan'),
      productId: product.id,
      currency: product.currency ?? workspace.currency,
      createdAt: now,
    })
  })
}

/** Creates a product. The currency defaults to that of the workspace, and the owner to the caller. */
export function createProduct(workspace: Workspace, author: User, fields: NewProduct): Product {
  return workspace.write(() => {
    const now = workspace.now()
    const { ownerId = author.id } = fields
    mustBeUser(workspace, ownerId)
    const product = products.insert(workspace, {
      currency: workspace.currency,
      metadata: {},
      ...fields,
      ownerId,
      id: workspace.ids.nano('product'),
      createdAt: now,
      updatedAt: now,
    })
    appendCatalogEvent(workspace, 'product.created', product)
    return product
  })
}

/** Updates the given fields; without a change, does nothing. */
export function updateProduct(workspace: Workspace, product: Product, fields: ProductFields): Product {
  return workspace.write(() => {
    if (fields.status !== undefined && fields.status !== product.status) {
      const move = productMachine.moveBetween(product.status, fields.status)
      if (move instanceof Refusal) throw move
    }
    if (fields.ownerId !== undefined) mustBeUser(workspace, fields.ownerId)
    if (!products.isChange(product, fields)) return product
    const updated = products.update(workspace, product, { ...fields, updatedAt: workspace.now() })
    appendCatalogEvent(workspace, 'product.updated', updated)
    return updated
  })
}

/** Soft-deletes a product: lists no longer include it, and records that refer to it keep it. */
export function deleteProduct(workspace: Workspace, product: Product): void {
  workspace.write(() => {
    const deletedAt = workspace.now()
    appendCatalogEvent(workspace, 'product.deleted', products.update(workspace, product, { deletedAt }))
  })
}

/**
 * The maximum number of digits before the point of a price. The sort key is padded to it, so that strings sort like
 * numbers.
 */
export const PRICE_DIGITS = 15

function priceKey(price: string | null): string {
  if (price === null) return ''
  const [whole = '', fraction = ''] = price.split('.')
  return `${whole.replace(/^0+/, '').padStart(PRICE_DIGITS, '0')}.${fraction.replace(/(?<!0)0+$/, '')}`
}
