/**
 * Products of a project. Specification part 2, "Integration payments: product". The interface only reads them; the trigger
 * integration-payments.product.create creates them.
 */
import { sql } from 'drizzle-orm'
import { numbered } from '../storage/queries/listing.ts'
import { record } from '../storage/records/record.ts'
import { refuse, refuseProperty } from '../model/refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { refuseCase } from './cases.ts'
import { products as table } from './tables.ts'

export type Product = typeof table.$inferSelect

type Required = 'productCode' | 'name' | 'paymentType' | 'price' | 'currency'
type Optional = 'requiresSubscription' | 'billingPeriod' | 'billingInterval' | 'description' | 'status'

export type NewProduct = Pick<Product, Required> & { readonly [Field in Optional]?: Product[Field] }

/** Products with every filter of GET /v1/products. */
export const products = record(table, {
  noun: 'product',
  absent: (message) => refuseCase('product_unknown', message),
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: {
      status: (value) => sql`${table.status} = ${value}`,
      paymentType: (value) => sql`${table.paymentType} = ${value}`,
    },
  }),
  snapshot: { section: 'integration-payments', name: 'products' },
})

/** Finds products by their code, which links and the interface use. */
export const productsByCode = products.by('productCode')

/** Returns a product for a new link. It must be active and one_time; addons are allowed. */
export function productForLink(workspace: Workspace, productCode: string): Product {
  const product = productsByCode.get(workspace, productCode)
  if (product.paymentType !== 'one_time') {
    refuseCase('product_not_one_time', `The product ${productCode} is ${product.paymentType}, not one_time.`)
  }
  if (product.status !== 'active') {
    refuseCase('product_not_active', `The product ${productCode} is ${product.status}, not active.`)
  }
  return product
}

/**
 * Adds a product. A recurring product must have a billing period; its interval defaults to 1. A one_time product has neither,
 * and may require a subscription. A code of another product is a conflict.
 */
export function createProduct(workspace: Workspace, fields: NewProduct): Product {
  mustFitPaymentType(fields)
  return workspace.write(() => {
    if (productsByCode.find(workspace, fields.productCode)) {
      refuse('conflict', `productCode must be unique. There is already a product ${fields.productCode}.`)
    }
    const now = workspace.now()
    return products.insert(workspace, {
      requiresSubscription: false,
      ...fields,
      billingInterval: fields.paymentType === 'recurring' ? (fields.billingInterval ?? 1) : null,
      id: workspace.ids.prefixed('prod_'),
      createdAt: now,
      updatedAt: now,
    })
  })
}

function mustFitPaymentType(fields: NewProduct): void {
  const { paymentType, billingPeriod, billingInterval, requiresSubscription } = fields
  const hasPeriod = typeof billingPeriod === 'string'
  if (paymentType === 'recurring') {
    if (!hasPeriod)
      refuseProperty('billingPeriod', 'required', '{billingPeriod} is required for a recurring product')
    if (requiresSubscription) {
      refuseProperty(
        'requiresSubscription',
        'not_allowed',
        '{requiresSubscription} is allowed only for one_time products',
      )
    }
    return
  }
  if (hasPeriod)
    refuseProperty('billingPeriod', 'not_allowed', '{billingPeriod} is allowed only for recurring products')
  if (typeof billingInterval === 'number') {
    refuseProperty(
      'billingInterval',
      'not_allowed',
      '{billingInterval} is allowed only for recurring products',
    )
  }
}
