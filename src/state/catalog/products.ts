/**
 * Products and what can be done to them. Specification part 1, "Product (catalog interface)", "Product status".
 */
import { Type } from '@sinclair/typebox'
import { and, asc, eq, sql } from 'drizzle-orm'
import { byCursor } from '../listing.ts'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import { refuse, Refusal } from '../refusal.ts'
import { folded, searchedIn } from '../searching.ts'
import { currency, decimal, freeObject, text } from '../shapes.ts'
import type { User } from '../users.ts'
import type { Workspace } from '../workspace.ts'
import { appendCatalogEvent } from './events.ts'
import { productMachine } from './machines.ts'
import { mustBeUser } from './owners.ts'
import { productPlans as planTable, products as table } from './tables.ts'

export type Product = typeof table.$inferSelect
export type ProductPlan = typeof planTable.$inferSelect

/** The fields of a product that a caller may send. */
type SentField =
  | 'name'
  | 'type'
  | 'category'
  | 'sku'
  | 'description'
  | 'basePrice'
  | 'currency'
  | 'taxRate'
  | 'unit'
  | 'status'
  | 'ownerId'
  | 'hasVariants'
  | 'metadata'
  | 'sortOrder'

export type ProductFields = { readonly [Field in SentField]?: Product[Field] }
export type NewProduct = ProductFields & Pick<Product, 'name' | 'type'>

/** Products that are not deleted; listed in every order and with every filter of GET /products. */
export const products = record(table, {
  noun: 'product',
  live: sql`${table.deletedAt} is null`,
  // Kept for physical products only.
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
  snapshot: {
    section: 'catalog',
    name: 'products',
    instants: ['createdAt', 'updatedAt', 'deletedAt'],
    shapes: () => ({
      name: text(200),
      category: Type.String({ maxLength: 100 }),
      sku: Type.String({ maxLength: 50 }),
      unit: Type.String({ maxLength: 20 }),
      basePrice: decimal(),
      taxRate: decimal(),
      currency: currency(),
      metadata: freeObject(),
    }),
  },
})

/** No call makes them; a trigger or a snapshot does. */
export const productPlans = record(planTable, {
  noun: 'plan',
  snapshot: {
    section: 'catalog',
    name: 'productPlans',
    instants: ['createdAt', 'updatedAt'],
    shapes: () => ({ price: decimal(), currency: currency() }),
  },
})

const plansOfProduct = query((orm) =>
  orm
    .select()
    .from(planTable)
    .where(and(ofWorkspace(planTable), eq(planTable.productId, sql.placeholder('productId'))))
    .orderBy(asc(planTable.createdAt), sql`rowid`),
)

/** The plans of a product: those of services, subscriptions and digital goods; physical goods have none. */
export const listPlans = (workspace: Workspace, product: Pick<Product, 'id' | 'type'>): ProductPlan[] =>
  product.type === 'physical' ? [] : plansOfProduct.all(workspace, { productId: product.id })

export interface NewPlan {
  readonly name: string
  /** "49.00" */
  readonly price: string
  /** A month for a subscription, and none for another product, when left out. */
  readonly billingPeriod?: ProductPlan['billingPeriod']
  /** Periods a cycle; 1 when left out. */
  readonly billingInterval?: number
  readonly trialDays?: number
}

/** Gives a product a plan, or defines that of this name anew. */
export function definePlan(workspace: Workspace, product: Product, fields: NewPlan): ProductPlan {
  if (product.type === 'physical') refuse('invalid', `${product.name} is physical, and has no plans.`)
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
    const there = listPlans(workspace, product).find(({ name }) => name === fields.name)
    if (there) return productPlans.update(workspace, there, defined)
    return productPlans.insert(workspace, {
      ...defined,
      id: workspace.ids.nano('plan'),
      productId: product.id,
      currency: product.currency ?? workspace.currency,
      createdAt: now,
    })
  })
}

/** Adds a product. The workspace's currency and the caller stand in for a currency and an owner that were not sent. */
export function createProduct(workspace: Workspace, author: User, fields: NewProduct): Product {
  return workspace.write(() => {
    const now = workspace.now()
    const { ownerId = author.id } = fields
    mustBeUser(workspace, ownerId)
    const product = products.insert(workspace, {
      category: null,
      sku: null,
      description: null,
      basePrice: null,
      currency: workspace.currency,
      taxRate: null,
      unit: null,
      status: productMachine.initial[0],
      hasVariants: false,
      metadata: {},
      sortOrder: 0,
      ...fields,
      ownerId,
      id: workspace.ids.nano('product'),
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    })
    appendCatalogEvent(workspace, 'product.created', product)
    return product
  })
}

/** Changes the fields that were sent; nothing else, and nothing at all when none was. */
export function updateProduct(workspace: Workspace, product: Product, fields: ProductFields): Product {
  if (Object.keys(fields).length === 0) return product
  return workspace.write(() => {
    if (fields.status !== undefined && fields.status !== product.status) {
      const move = productMachine.moveBetween(product.status, fields.status)
      if (move instanceof Refusal) throw move
    }
    if (fields.ownerId !== undefined) mustBeUser(workspace, fields.ownerId)
    const updated = products.update(workspace, product, { ...fields, updatedAt: workspace.now() })
    appendCatalogEvent(workspace, 'product.updated', updated)
    return updated
  })
}

/** Soft: listings and finders omit it from now on, and what refers to it keeps it. */
export function deleteProduct(workspace: Workspace, product: Product): void {
  workspace.write(() => {
    const deletedAt = workspace.now()
    appendCatalogEvent(workspace, 'product.deleted', products.update(workspace, product, { deletedAt }))
  })
}

/** Digits before the point that a price may have; the key pads to it, so that text sorts as numbers do. */
export const PRICE_DIGITS = 15

function priceKey(price: string | null): string {
  if (price === null) return ''
  const [whole = '', fraction = ''] = price.split('.')
  return `${whole.replace(/^0+/, '').padStart(PRICE_DIGITS, '0')}.${fraction.replace(/(?<!0)0+$/, '')}`
}
