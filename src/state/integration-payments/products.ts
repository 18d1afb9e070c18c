/**
 * Products of a project, which the interface only reads. Specification part 2, "Integration payments: product". They
 * are made outside of it, by the trigger integration-payments.product.create.
 */
import { and, eq, sql } from 'drizzle-orm'
import { iso } from '../clock.ts'
import { numberedList } from '../listing.ts'
import { rowReader } from '../reading.ts'
import { refuse, refuseField } from '../refusal.ts'
import { rows } from '../rows.ts'
import type { Workspace } from '../workspace.ts'
import { refuseCase } from './cases.ts'
import { products } from './tables.ts'

export type Product = typeof products.$inferSelect

type Required = 'productCode' | 'name' | 'paymentType' | 'price' | 'currency'
type Optional = 'requiresSubscription' | 'billingPeriod' | 'billingInterval' | 'description' | 'status'

export type NewProduct = Pick<Product, Required> & { readonly [Field in Optional]?: Product[Field] }

export const productRows = rows(products)

/** Products with every filter of GET /v1/products. */
export const listProducts = numberedList({
  table: products,
  sorts: { created_at: products.createdAt },
  filters: {
    status: (value) => sql`${products.status} = ${value}`,
    paymentType: (value) => sql`${products.paymentType} = ${value}`,
  },
})

const byCode = rowReader<Product>(
  products,
  and(
    eq(products.workspace, sql.placeholder('workspace')),
    eq(products.productCode, sql.placeholder('productCode')),
  ),
)

const productWithCode = (workspace: Workspace, productCode: string): Product | undefined =>
  byCode.first(workspace.database, { workspace: workspace.number, productCode })

/** The product with this code, or a refusal. */
export const findProduct = (workspace: Workspace, productCode: string): Product =>
  productWithCode(workspace, productCode) ??
  refuseCase('product_unknown', `There is no product ${productCode}.`)

/** The product, if a link may be made for it: it has to be a one_time one, addons included, that is active. */
export function productForLink(workspace: Workspace, productCode: string): Product {
  const product = findProduct(workspace, productCode)
  if (product.paymentType !== 'one_time') {
    refuseCase('product_not_one_time', `The product ${productCode} is ${product.paymentType}, not one_time.`)
  }
  if (product.status !== 'active') {
    refuseCase('product_not_active', `The product ${productCode} is ${product.status}, not active.`)
  }
  return product
}

/**
 * Adds a product. A recurring one has a billing period, and an interval of 1 unless told otherwise; a one_time one has
 * neither, and it alone may require a subscription. A code that another product has is a conflict.
 */
export function createProduct(workspace: Workspace, fields: NewProduct): Product {
  mustFitPaymentType(fields)
  return workspace.write(() => {
    if (productWithCode(workspace, fields.productCode)) {
      refuse('conflict', `There is a product ${fields.productCode} already.`)
    }
    const now = workspace.now()
    const product: Product = {
      description: null,
      requiresSubscription: false,
      billingPeriod: null,
      status: 'active',
      ...fields,
      billingInterval: fields.paymentType === 'recurring' ? (fields.billingInterval ?? 1) : null,
      workspace: workspace.number,
      id: workspace.ids.prefixed('prod_'),
      createdAt: now,
      updatedAt: now,
      revision: workspace.database.nextRevision(),
    }
    productRows.insert(workspace.database, product)
    return product
  })
}

function mustFitPaymentType(fields: NewProduct): void {
  const { paymentType, billingPeriod, billingInterval, requiresSubscription } = fields
  const hasPeriod = typeof billingPeriod === 'string'
  if (paymentType === 'recurring') {
    if (!hasPeriod)
      refuseField('billingPeriod', 'required', 'billingPeriod is required of a recurring product')
    if (requiresSubscription) {
      refuseField('requiresSubscription', 'not_allowed', 'requiresSubscription is for one_time products')
    }
    return
  }
  if (hasPeriod) refuseField('billingPeriod', 'not_allowed', 'billingPeriod is for recurring products')
  if (typeof billingInterval === 'number') {
    refuseField('billingInterval', 'not_allowed', 'billingInterval is for recurring products')
  }
}

/** The product as it goes over the wire. */
export const productFacts = (product: Product, workspace: Workspace) => ({
  id: product.id,
  projectId: workspace.id,
  productCode: product.productCode,
  name: product.name,
  description: product.description,
  paymentType: product.paymentType,
  requiresSubscription: product.requiresSubscription,
  price: product.price,
  currency: product.currency,
  billingPeriod: product.billingPeriod,
  billingInterval: product.billingInterval,
  status: product.status,
  createdAt: iso(product.createdAt),
  updatedAt: iso(product.updatedAt),
})
