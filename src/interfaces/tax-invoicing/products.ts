/** Products and services. Specification part 2, "Tax invoicing"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { NO_CONTENT } from '../../http/definition/operation.ts'
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
  rendering: Product.rendering(),
  sort: 'created_at',
  meta: pageMeta,
})

const Single = Assumed(
  'The specification does not show the response. It is a product as in the list, without an envelope.',
  Product.item,
)

export const products: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Products' })
  const list = at('/products')
  const item = at('/products/:product_id', { params: ProductId, record: productRecords })

  list.get({
    id: 'listProducts',
    summary: 'List products and services',
    scope: 'catalogs:read',
    fidelity: documentedBut('Assumed: the default order is newest first.'),
    query: ProductQuery,
    answers: { 200: PageOf(Product.item) },
    run({ query, caller }) {
      const { search, clave_prod_serv } = query
      return collection.page(caller, query, { search, clave_prod_serv })
    },
  })

  list.post({
    id: 'createProduct',
    summary: 'Create a product or service',
    scope: 'catalogs:read',
    fidelity: documentedBut(
      'Assumed: every field except impuestos is required. Keys and taxes are validated like those of invoice lines, with the codes of the authority.',
    ),
    assumedStatus: 'The specification does not show the status. The simulator returns 201, as for invoices.',
    body: ProductCreate,
    answers: { 201: Single },
    run({ body, workspace }) {
      const product = createProduct(workspace, {
        nombreInterno: body.nombre_interno,
        claveProdServ: body.clave_prod_serv,
        descripcion: body.descripcion,
        claveUnidad: body.clave_unidad,
        valorUnitario: priceOf(body.valor_unitario),
        objetoImp: body.objeto_imp,
        impuestos: taxesOf(body.impuestos),
      })
      return collection.text(workspace, product)
    },
  })

  item.get({
    id: 'getProduct',
    summary: 'Get a product or service',
    fidelity: documented,
    answers: { 200: Single },
    run: ({ params, workspace }) => collection.get(workspace, params.product_id),
  })

  item.patch({
    id: 'updateProduct',
    summary: 'Update a product or service',
    description: 'Updates only the fields in the request body.',
    fidelity: documentedBut('Assumed: impuestos replaces all taxes. Existing invoices do not change.'),
    body: ProductUpdate,
    answers: { 200: Single },
    run: ({ record: product, body, workspace }) =>
      collection.text(workspace, updateProduct(workspace, product, fieldsOf(body))),
  })

  item.delete({
    id: 'deleteProduct',
    summary: 'Delete a product or service that no invoice uses',
    fidelity: documentedBut(
      'Assumed: returns 409 if an invoice line has the key and the description of the product, even one from before the product was created.',
    ),
    answers: NO_CONTENT,
    refuses: ['conflict'],
    run: ({ record, workspace }) => {
      deleteProduct(workspace, record)
    },
  })
}

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
