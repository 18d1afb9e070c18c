/** Products and services on the wire. Specification part 2, "Tax invoicing". */
import { Type } from '@sinclair/typebox'
import { Assumed, assumedDefault, named, OneOf, SearchText } from '../../../http/schemas/schemas.ts'
import { demoId, Id } from '../../../http/schemas/wireShapes.ts'
import { made, shape, valueOf } from '../../../http/shapes/shape.ts'
import { products } from '../../../state/tax-invoicing/tables.ts'
import { amount, notBlank, pageQuery, SentDecimal, SortOrder, xmlText } from './common.ts'
import { SentProductTaxes, Taxes, taxView } from './taxes.ts'

const keyWords = (description: string, example: string) => ({
  'x-wording': 'must be a key of digits and letters',
  description,
  examples: [example],
})

// The bodies are written by hand, because prices and rates are texts in the table and numbers on the wire.
const sent = {
  nombre_interno: valueOf(
    products.nombreInterno,
    notBlank('Office chair, mesh', { description: 'The name that the company uses.' }),
  ),
  clave_prod_serv: valueOf(
    products.claveProdServ,
    keyWords('A key of /sat-catalogs/products, or another key of an existing product family.', '56101500'),
  ),
  descripcion: valueOf(
    products.descripcion,
    xmlText('Silla de oficina', {
      description:
        'The description of invoice lines. It must not contain |. Repeated spaces and line breaks become one space.',
    }),
  ),
  clave_unidad: valueOf(products.claveUnidad, keyWords('A key of /sat-catalogs/units.', 'H87')),
  valor_unitario: SentDecimal(2890, { description: 'Without taxes. At most six decimals.' }),
  objeto_imp: valueOf(
    products.objetoImp,
    keyWords('A key of c_ObjetoImp. 01: not subject to tax. 02: subject to the taxes in impuestos.', '02'),
  ),
  impuestos: SentProductTaxes,
}

const EXAMPLE = {
  nombre_interno: 'Office chair, mesh',
  clave_prod_serv: '56101500',
  descripcion: 'Silla de oficina',
  clave_unidad: 'H87',
  valor_unitario: 2890,
  objeto_imp: '02',
  impuestos: {
    traslados: [{ impuesto: '002', tipo_factor: 'Tasa', tasa: 0.16 }],
    retenciones: [],
  },
}

export const ProductCreate = named(
  'ProductCreate',
  Type.Object({ ...sent, impuestos: Type.Optional(sent.impuestos) }, { examples: [EXAMPLE] }),
)

export const ProductUpdate = named(
  'ProductUpdate',
  Assumed(
    'The specification does not show the request body. It has the fields of a new product, all optional.',
    Type.Partial(Type.Object(sent), { examples: [{ valor_unitario: 2990 }] }),
  ),
)

export const Product = shape({ item: 'Product' }, products, {
  fields: () => ({
    id: { schema: Id('prod_') },
    nombre_interno: { words: { examples: ['Office chair, mesh'] } },
    clave_prod_serv: { words: { examples: ['56101500'] } },
    descripcion: { words: { examples: ['Silla de oficina'] } },
    clave_unidad: { words: { examples: ['H87'] } },
    valor_unitario: amount(products.valorUnitario, 2890),
    objeto_imp: { words: { examples: ['02'] } },
    impuestos: made(Taxes, [products.impuestos], ([{ traslados, retenciones }]) => ({
      traslados: traslados.map(taxView),
      retenciones: retenciones.map(taxView),
    })),
    usage_count: {
      bounded: true,
      words: {
        description:
          'The number of invoice lines with this key and description, even from before the product (assumed).',
      },
    },
    created_at: {},
  }),
})

/** The product of the demo workspace that no invoice uses, so that the example can delete it. */
const UNUSED = 6

export const ProductId = Type.Object({ product_id: Id('prod_', { examples: [demoId('prod_', UNUSED)] }) })

export const ProductQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(
    SearchText({
      maxLength: 200,
      description:
        'Part of the internal name, the key or the description. Ignores case and accents (assumed).',
    }),
  ),
  clave_prod_serv: Type.Optional(Type.String({ maxLength: 8, examples: ['56101500'] })),
  sort_by: OneOf(['name', 'price', 'created_at', 'usage_count'], assumedDefault('created_at')),
  sort_order: SortOrder('desc'),
})
