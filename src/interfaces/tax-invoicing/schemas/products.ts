/** Wire shapes of products and services. Specification part 2, "Tax invoicing". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, Int, named, OneOf } from '../../../http/schemas/schemas.ts'
import { demoId, Id, pageQuery, Text } from '../../../http/schemas/wireShapes.ts'
import { LONGEST_DESCRIPTION, LONGEST_PRODUCT_NAME } from '../../../state/tax-invoicing/tables.ts'
import { Decimal, SentDecimal, SentTaxes, SortOrder, Taxes } from './common.ts'
import { XmlText } from './invoices.ts'

const Key = (maxLength: number, description: string, example: string) =>
  Type.String({
    pattern: `^[0-9A-Za-z]{1,${String(maxLength)}}$`,
    'x-wording': 'must be a key of digits and letters',
    description,
    examples: [example],
  })

const sent = {
  nombre_interno: Text(LONGEST_PRODUCT_NAME, 'Office chair, mesh', {
    description: 'The name that the company uses.',
  }),
  clave_prod_serv: Key(
    8,
    'A key of /sat-catalogs/products, or another key of an existing product family.',
    '56101500',
  ),
  descripcion: XmlText(LONGEST_DESCRIPTION, 'Silla de oficina', {
    description:
      'The description of invoice lines. It must not contain |. Repeated spaces and line breaks become one space.',
  }),
  clave_unidad: Key(3, 'A key of /sat-catalogs/units.', 'H87'),
  valor_unitario: SentDecimal(2890, { description: 'Without taxes. At most six decimals.' }),
  objeto_imp: Key(
    2,
    'A key of c_ObjetoImp. 01: not subject to tax. 02: subject to the taxes in impuestos.',
    '02',
  ),
  impuestos: SentTaxes,
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

export const Product = named(
  'Product',
  Type.Object({
    id: Id('prod_'),
    nombre_interno: Type.String({ examples: ['Office chair, mesh'] }),
    clave_prod_serv: Type.String({ examples: ['56101500'] }),
    descripcion: Type.String({ examples: ['Silla de oficina'] }),
    clave_unidad: Type.String({ examples: ['H87'] }),
    valor_unitario: Decimal(2890),
    objeto_imp: Type.String({ examples: ['02'] }),
    impuestos: Taxes,
    usage_count: Int({
      minimum: 0,
      description:
        'The number of invoice lines with this key and description since the product was created (assumed).',
    }),
    created_at: Instant(),
  }),
)

/** The product of the demo workspace that no invoice uses, so that the example can delete it. */
const UNUSED = 6

export const ProductId = Type.Object({ product_id: Id('prod_', { examples: [demoId('prod_', UNUSED)] }) })

export const ProductQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Part of the internal name, the key or the description. Ignores case and accents (assumed).',
    }),
  ),
  clave_prod_serv: Type.Optional(Type.String({ maxLength: 8, examples: ['56101500'] })),
  sort_by: OneOf(['name', 'price', 'created_at', 'usage_count'], { default: 'created_at' }),
  sort_order: SortOrder('desc'),
})
