/** Products. Specification part 1, "Catalog interface"; routes in the order of operations.tsv. */
import { checkFirst, operationsOf } from '../../http/definition/operation.ts'
import { users } from '../../http/lifecycle/namedRecords.ts'
import { cursorCollection } from '../../http/lists/collection.ts'
import { everyCallerIn, cachedResponse } from '../../http/lists/responseCache.ts'
import type { Resource } from '../../http/definition/definition.ts'
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
  rendering: Product.rendering(productRecords),
})
const withPlans = ProductWithPlans.rendering(productRecords)

const productOperation = operationsOf({ tag: 'Products', module: 'products' })

export const products: Resource = async (app) => {
  app.get(
    '/products',
    {
      schema: { querystring: ProductQuery },
      config: productOperation({
        id: 'listProducts',
        summary: 'List products',
        scope: 'products:read',
        fidelity: documentedBut(
          'Assumed: sorting by name and searching ignore case and accents (N finds Ñ). Prices sort as numbers, and products without a price sort before all others. Products that are equal in the sort order keep the order of their creation. Clients may use sortOrder; no list is sorted by it.',
        ),
        names: { owner_id: users },
        answers: { 200: PageOf(Product.item) },
      }),
    },
    ({ query, caller }) => {
      const { type, status, category, owner_id, search } = query
      return collection.page(caller, query, { type, status, category, owner_id, search })
    },
  )

  app.get(
    '/products/:id',
    {
      schema: { params: ProductId },
      config: productOperation({
        id: 'getProduct',
        summary: 'Get a product with its plans',
        scope: 'products:read',
        fidelity: documentedBut('Assumed: a physical product has an empty list of plans.'),
        answers: { 200: One(ProductWithPlans.item) },
      }),
    },
    ({ params, workspace }) =>
      cachedResponse(everyCallerIn(workspace), `product ${params.id}`, () =>
        one(withPlans.find(workspace, params.id) ?? productRecords.noSuch(params.id)),
      ),
  )

  app.post(
    '/products',
    {
      schema: { body: Product.create },
      config: productOperation({
        id: 'createProduct',
        summary: 'Create a product',
        scope: 'products:create',
        fidelity: documentedBut(
          'Assumed: an owner must be a user of the workspace. Amounts have at most 15 digits before the point and 6 after it, have no sign, and are returned as they were sent. hasVariants is stored as false for all types except physical.',
        ),
        answers: { 201: One(Product.item) },
      }),
    },
    ({ body, workspace, caller }, reply) => {
      reply.code(201)
      return one(collection.text(workspace, createProduct(workspace, caller.user, body)))
    },
  )

  app.put(
    '/products/:id',
    {
      preValidation: mustExist,
      schema: { params: ProductId, body: Product.update },
      config: productOperation({
        id: 'updateProduct',
        summary: 'Update a product',
        description: 'Changes only the fields in the request body.',
        scope: 'products:update',
        fidelity: documentedBut(
          'Assumed: null clears a nullable field. metadata is replaced as a whole. Any status may follow any other. A request that changes nothing keeps the time of the last change and sends no event.',
        ),
        answers: { 200: One(Product.item) },
      }),
    },
    ({ params, body, workspace }) => {
      const product = productRecords.get(workspace, params.id)
      return one(collection.text(workspace, updateProduct(workspace, product, body)))
    },
  )

  app.delete(
    '/products/:id',
    {
      schema: { params: ProductId },
      config: productOperation({
        id: 'deleteProduct',
        summary: 'Delete a product',
        description: 'Soft-deletes the product: lists no longer include it.',
        scope: 'products:delete',
        fidelity: documented,
        answers: { 200: Success },
      }),
    },
    ({ params, workspace }) => {
      deleteProduct(workspace, productRecords.get(workspace, params.id))
      return { success: true }
    },
  )
}

/** Refuses an unknown product before the body is validated. */
const mustExist = checkFirst<{ id: string }>(({ workspace }, { id }) => productRecords.getHead(workspace, id))
