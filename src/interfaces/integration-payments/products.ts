/** Products, which are read-only. Specification part 2, "Integration payments"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import { products as productRecords, productsByCode } from '../../state/integration-payments/products.ts'
import { answer, listData, ListOf, One } from './envelope.ts'
import { Product, ProductParams, ProductQuery } from './shapes/products.ts'

const productText = Product.rendering()

export const products: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Products' })

  at('/v1/products').get({
    id: 'listProducts',
    summary: 'List products',
    fidelity: documentedBut(
      'Assumed: the newest product comes first. Returns products of every status by default.',
    ),
    query: ProductQuery,
    answers: { 200: ListOf('products', Product.item) },
    run({ query: { status, paymentType, ...page }, workspace }) {
      const filters = { status, paymentType }
      const data = listData('products', productRecords.list, productText, workspace, page, filters)
      return answer(workspace, 'Products found', data)
    },
  })

  at('/v1/products/:productCode', { params: ProductParams, record: productsByCode }).get({
    id: 'getProduct',
    summary: 'Get a product',
    fidelity: documentedBut('Assumed: returns 404 ERR_PRODUCT_NOT_FOUND for an unknown code.'),
    answers: { 200: One('product', Product.item) },
    run({ record, workspace }) {
      const product = productText.one(workspace, record)
      return answer(workspace, 'Product found', `{"product":${product}}`)
    },
  })
}
