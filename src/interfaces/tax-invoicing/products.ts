/** Products and services. Specification part 2, "Tax invoicing"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { checkFirst, NO_CONTENT, noContent, operationsOf } from '../../http/definition/operation.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { Assumed } from '../../http/schemas/schemas.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import { decimal, countDecimals } from '../../state/tax-invoicing/documents/amounts.ts'
import {
  createProduct,
  deleteProduct,
  products as productRecords,
  RATE_DECIMALS,
  updateProduct,
  type NewProduct,
} from '../../state/tax-invoicing/masterData/products.ts'
import type { Tax, Taxes } from '../../state/tax-invoicing/jsonColumns.ts'
import { decimalText } from './shapes/common.ts'
import type { SentTax, SentTaxes } from './shapes/taxes.ts'
import { Product, ProductCreate, ProductId, ProductQuery, ProductUpdate } from './shapes/products.ts'

const collection = numberedCollection({
  records: productRecords,
  rendering: Product.rendering(productRecords),
  sort: 'created_at',
  meta: pageMeta,
})

const Single = Assumed(
  'The specification does not show the response. It is a product as in the list, without an envelope.',
  Product.item,
)

const productOperation = operationsOf({ tag: 'Products' })

export const products: Resource = async (app) => {
  app.get(
    '/products',
    {
      schema: { querystring: ProductQuery },
      config: productOperation({
        id: 'listProducts',
        summary: 'List products and services',
        scope: 'catalogs:read',
        fidelity: documentedBut('Assumed: the default order is newest first.'),
        answers: { 200: PageOf(Product.item) },
      }),
    },
    ({ query, caller }) => {
      const { search, clave_prod_serv } = query
      return collection.page(caller, query, { search, clave_prod_serv })
    },
  )

  app.post(
    '/products',
    {
      schema: { body: ProductCreate },
      config: productOperation({
        id: 'createProduct',
        summary: 'Create a product or service',
        scope: 'catalogs:read',
        fidelity: documentedBut(
          'Assumed: every field except impuestos is required. Keys and taxes are validated like those of invoice lines, with the codes of the authority.',
        ),
        assumedStatus:
          'The specification does not show the status. The simulator returns 201, as for invoices.',
        answers: { 201: Single },
      }),
    },
    ({ body, workspace }, reply) => {
      const product = createProduct(workspace, {
        nombreInterno: body.nombre_interno,
        claveProdServ: body.clave_prod_serv,
        descripcion: body.descripcion,
        claveUnidad: body.clave_unidad,
        valorUnitario: priceOf(body.valor_unitario),
        objetoImp: body.objeto_imp,
        impuestos: taxesOf(body.impuestos),
      })
      reply.code(201)
      return collection.text(workspace, product)
    },
  )

  app.get(
    '/products/:product_id',
    {
      schema: { params: ProductId },
      config: productOperation({
        id: 'getProduct',
        summary: 'Get a product or service',
        fidelity: documented,
        answers: { 200: Single },
      }),
    },
    ({ params, workspace }) => collection.get(workspace, params.product_id),
  )

  app.patch(
    '/products/:product_id',
    {
      preValidation: mustExist,
      schema: { params: ProductId, body: ProductUpdate },
      config: productOperation({
        id: 'updateProduct',
        summary: 'Update a product or service',
        description: 'Updates only the fields in the request body.',
        fidelity: documentedBut('Assumed: impuestos replaces all taxes. Existing invoices do not change.'),
        answers: { 200: Single },
      }),
    },
    ({ params, body, workspace }) => {
      const product = productRecords.get(workspace, params.product_id)
      return collection.text(workspace, updateProduct(workspace, product, fieldsOf(body)))
    },
  )

  app.delete(
    '/products/:product_id',
    {
      schema: { params: ProductId },
      config: productOperation({
        id: 'deleteProduct',
        summary: 'Delete a product or service that no invoice uses',
        fidelity: documentedBut(
          'Assumed: returns 409 if an invoice line has the key and the description of the product, even one from before the product was created.',
        ),
        answers: NO_CONTENT,
        refuses: ['conflict'],
      }),
    },
    ({ params, workspace }, reply) => {
      deleteProduct(workspace, productRecords.get(workspace, params.product_id))
      return noContent(reply)
    },
  )
}

/** Checks that the product exists before the body is validated, so that 404 comes before 422. */
const mustExist = checkFirst<{ product_id: string }>(({ workspace }, params) =>
  productRecords.getHead(workspace, params.product_id),
)

/** Returns the digits of a price without trailing zeros. */
const priceOf = (sent: number | string): string => decimal(decimalText(sent)).toFixed()

const taxOf = ({ impuesto, tipo_factor: tipoFactor, tasa }: Static<typeof SentTax>): Tax => ({
  impuesto,
  tipoFactor,
  tasa: tasa === null || tasa === undefined ? null : rateOf(decimalText(tasa)),
})

/** Pads a rate to the six decimals of the catalog. A more precise rate stays as it is and fails validation later. */
const rateOf = (text: string): string => {
  const rate = decimal(text).toFixed()
  return countDecimals(rate) > RATE_DECIMALS ? rate : decimal(rate).toFixed(RATE_DECIMALS)
}

const taxesOf = ({ traslados = [], retenciones = [] }: Static<typeof SentTaxes> = {}): Taxes<Tax> => ({
  traslados: traslados.map(taxOf),
  retenciones: retenciones.map(taxOf),
})

/** Maps the sent fields to columns: by hand, because prices and rates become texts. */
function fieldsOf(sent: Static<typeof ProductUpdate>): Partial<NewProduct> {
  return {
    ...(sent.nombre_interno !== undefined && { nombreInterno: sent.nombre_interno }),
    ...(sent.clave_prod_serv !== undefined && { claveProdServ: sent.clave_prod_serv }),
    ...(sent.descripcion !== undefined && { descripcion: sent.descripcion }),
    ...(sent.clave_unidad !== undefined && { claveUnidad: sent.clave_unidad }),
    ...(sent.valor_unitario !== undefined && { valorUnitario: priceOf(sent.valor_unitario) }),
    ...(sent.objeto_imp !== undefined && { objetoImp: sent.objeto_imp }),
    ...(sent.impuestos !== undefined && { impuestos: taxesOf(sent.impuestos) }),
  }
}
