/** Products. Specification part 1, "Catalog interface"; routes in the order of operations.tsv. */
import { before, operation, type Operation } from '../../http/operation.ts'
import { cursorPage } from '../../http/pages.ts'
import { remembered, rendering } from '../../http/renderings.ts'
import type { Resource } from '../../http/mount.ts'
import {
  createProduct,
  deleteProduct,
  findProduct,
  findProductHead,
  listPlans,
  listProducts,
  productRows,
  updateProduct,
  type Product as ProductRow,
} from '../../state/catalog/actions.ts'
import { documented } from '../../state/fidelity.ts'
import { One, one, PageOf, Success } from './dialect.ts'
import { Product, ProductCreate, ProductId, ProductQuery, ProductUpdate, ProductWithPlans } from './schemas.ts'
import { productView, productWithPlansView } from './views.ts'

const productText = rendering<ProductRow>(productView, productRows.findAll)

const productWithPlansText = rendering<ProductRow>(
  (row, workspace) => productWithPlansView(row, workspace, listPlans(workspace, row)),
  productRows.findAll,
)

const productOperation = (described: Omit<Operation, 'tag' | 'module' | 'fidelity'>) =>
  operation({ ...described, tag: 'Products', module: 'products', fidelity: documented })

export const products: Resource = async (app) => {
  app.get(
    '/products',
    {
      schema: { querystring: ProductQuery },
      config: productOperation({
        id: 'listProducts',
        summary: 'List products',
        scope: 'products:read',
        answers: { 200: PageOf(Product) },
      }),
    },
    ({ query, workspace }) => {
      const { type, status, category, owner_id, search } = query
      return cursorPage('products', listProducts, productText, workspace, query, {
        type,
        status,
        category,
        owner_id,
        search: search?.toLowerCase(),
      })
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
        answers: { 200: One(ProductWithPlans) },
      }),
    },
    ({ params, workspace }) =>
      remembered(workspace, `product ${params.id}`, () =>
        one(productWithPlansText.many(workspace, [findProductHead(workspace, params.id)])),
      ),
  )

  app.post(
    '/products',
    {
      schema: { body: ProductCreate },
      config: productOperation({
        id: 'createProduct',
        summary: 'Create a product',
        scope: 'products:create',
        answers: { 201: One(Product) },
      }),
    },
    ({ body, workspace, caller }, reply) => {
      reply.code(201)
      return one(productText.one(workspace, createProduct(workspace, caller.user, body)))
    },
  )

  app.put(
    '/products/:id',
    {
      preValidation: mustExist,
      schema: { params: ProductId, body: ProductUpdate },
      config: productOperation({
        id: 'updateProduct',
        summary: 'Update a product',
        description: 'Only the fields that are sent change.',
        scope: 'products:update',
        answers: { 200: One(Product) },
      }),
    },
    ({ params, body, workspace }) => {
      const product = findProduct(workspace, params.id)
      return one(productText.one(workspace, updateProduct(workspace, product, body)))
    },
  )

  app.delete(
    '/products/:id',
    {
      schema: { params: ProductId },
      config: productOperation({
        id: 'deleteProduct',
        summary: 'Delete a product',
        description: 'Soft: listings omit it from now on.',
        scope: 'products:delete',
        answers: { 200: Success },
      }),
    },
    ({ params, workspace }) => {
      deleteProduct(workspace, findProduct(workspace, params.id))
      return { success: true }
    },
  )
}

/** That the product exists is asked before the body is judged. */
const mustExist = before<{ id: string }>(({ workspace }, { id }) => findProductHead(workspace, id))
