/** Products. Specification part 1, "Catalog interface"; routes in the order of operations.tsv. */
import { users } from '../../http/lifecycle/namedRecords.ts'
import { cursorCollection } from '../../http/lists/collection.ts'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import {
  createProduct,
  deleteProduct,
  products as productRecords,
  updateProduct,
} from '../../state/catalog/products.ts'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import { One, one, PageOf, Success } from './dialect.ts'
import { Product, ProductId, ProductQuery, ProductWithPlans } from './shapes/products.ts'

const collection = cursorCollection({
  name: 'products',
  list: productRecords.list,
  rendering: Product.rendering(),
})
const withPlans = ProductWithPlans.rendering()

export const products: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Products', module: 'products' })
  const list = at('/products')
  const item = at('/products/:id', { params: ProductId, record: productRecords })

  list.get({
    id: 'listProducts',
    summary: 'List products',
    scope: 'products:read',
    fidelity: documentedBut(
      'Assumed: sorting by name and searching ignore case and accents (N finds Ñ). Prices sort as numbers, and products without a price sort before all others. Products that are equal in the sort order keep the order of their creation. Clients may use sortOrder; no list is sorted by it.',
    ),
    names: { owner_id: users },
    query: ProductQuery,
    answers: { 200: PageOf(Product.item) },
    run({ query, caller }) {
      const { type, status, category, owner_id, search } = query
      return collection.page(caller, query, { type, status, category, owner_id, search })
    },
  })

  item.get({
    id: 'getProduct',
    summary: 'Get a product with its plans',
    scope: 'products:read',
    fidelity: documentedBut('Assumed: a physical product has an empty list of plans.'),
    answers: { 200: One(ProductWithPlans.item) },
    run: ({ record: product, workspace }) => one(withPlans.one(workspace, product)),
  })

  list.post({
    id: 'createProduct',
    summary: 'Create a product',
    scope: 'products:create',
    fidelity: documentedBut(
      'Assumed: an owner must be a user of the workspace. Amounts have at most 15 digits before the point and 6 after it, have no sign, and are returned as they were sent. hasVariants is stored as false for all types except physical.',
    ),
    body: Product.create,
    answers: { 201: One(Product.item) },
    run: ({ body, workspace, caller }) =>
      one(collection.text(workspace, createProduct(workspace, caller.user, body))),
  })

  item.put({
    id: 'updateProduct',
    summary: 'Update a product',
    description: 'Changes only the fields in the request body.',
    scope: 'products:update',
    fidelity: documentedBut(
      'Assumed: null clears a nullable field. metadata is replaced as a whole. Any status may follow any other. A request that changes nothing keeps the time of the last change and sends no event.',
    ),
    body: Product.update,
    answers: { 200: One(Product.item) },
    run: ({ record: product, body, workspace }) =>
      one(collection.text(workspace, updateProduct(workspace, product, body))),
  })

  item.delete({
    id: 'deleteProduct',
    summary: 'Delete a product',
    description: 'Soft-deletes the product: lists no longer include it.',
    scope: 'products:delete',
    fidelity: documented,
    answers: { 200: Success },
    run({ record, workspace }) {
      deleteProduct(workspace, record)
      return { success: true }
    },
  })
}
