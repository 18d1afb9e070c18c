/** Products and their plans on the wire. Specification part 1, "Product (catalog interface)", "Endpoints", "Limits". */
import { Type } from '@sinclair/typebox'
import { Decimal, documentedLimits, OneOf, SearchText } from '../../../http/schemas/schemas.ts'
import { made, shape } from '../../../http/shapes/shape.ts'
import { productMachine } from '../../../state/catalog/machines.ts'
import { listPlans } from '../../../state/catalog/products.ts'
import { PRODUCT_TYPES, productPlans, products } from '../../../state/catalog/tables.ts'
import { Id, IdParameter, notBlank, order, ownerName, pageQuery, pick, PRODUCT, USER } from './common.ts'

export const Product = shape(
  { item: 'Product', create: 'ProductCreate', update: 'ProductUpdate' },
  products,
  {
    fields: () => ({
      id: { schema: Id(PRODUCT) },
      name: { sent: 'both', required: true, bounded: true, words: notBlank('Standing desk') },
      type: { sent: 'both', required: true },
      category: {
        sent: 'both',
        bounded: true,
        words: { ...documentedLimits('maxLength'), examples: ['Furniture'] },
      },
      sku: {
        sent: 'both',
        bounded: true,
        words: { ...documentedLimits('maxLength'), examples: ['DSK-001'] },
      },
      description: { sent: 'both', words: { description: 'Free text.' } },
      basePrice: { sent: 'both', schema: Decimal() },
      currency: {
        sent: 'both',
        words: { description: 'Defaults to the currency of the workspace.', examples: ['USD'] },
      },
      taxRate: { sent: 'both', schema: Decimal({ description: '7.00 means 7%.', examples: ['7.00'] }) },
      unit: { sent: 'both', bounded: true, words: { ...documentedLimits('maxLength'), examples: ['piece'] } },
      status: { sent: 'both' },
      ownerId: {
        sent: 'both',
        schema: Type.String({
          description: 'Responsible user. Defaults to the user of the API key.',
          examples: [USER],
        }),
      },
      ownerName: ownerName(products.ownerId, {
        description: 'Full name of the owner; resolved by the service.',
      }),
      hasVariants: {
        sent: 'both',
        words: {
          description: 'Applies to type physical only; false for all others.',
        },
      },
      metadata: { sent: 'both', words: { description: 'Free key-value data.' } },
      sortOrder: {
        sent: 'both',
        bounded: true,
        words: { description: 'Order in listings.' },
      },
      createdAt: {},
      updatedAt: {},
    }),
  },
)

export const Plan = shape({ item: 'Plan' }, productPlans, {
  assumed:
    'The specification shows the plans array and not its entries; the simulator returns the fields that subscription catalogs usually have.',
  fields: () => ({
    id: { schema: Id('demo-plan-00000000001') },
    name: {},
    price: { schema: Decimal() },
    currency: { words: { examples: ['USD'] } },
    billingPeriod: {},
    billingInterval: {},
    trialDays: {},
    status: {},
    createdAt: {},
    updatedAt: {},
  }),
})

export const ProductWithPlans = shape({ item: 'ProductWithPlans' }, products, {
  fields: () => ({
    ...Product.fields(),
    plans: made(Type.Array(Plan.item), [products.id, products.type], ([id, type], workspace) =>
      Plan.views(listPlans(workspace, { id, type }), workspace),
    ),
  }),
})

export const ProductEvent = shape({ item: 'ProductEventData' }, products, {
  assumed:
    'The specification shows no events of the catalog; the simulator sends the fields that identify a product.',
  fields: () =>
    pick(Product.fields(), [
      'id',
      'name',
      'type',
      'category',
      'sku',
      'basePrice',
      'currency',
      'status',
      'ownerId',
      'createdAt',
      'updatedAt',
    ]),
})

export const ProductId = IdParameter(PRODUCT)

export const ProductQuery = Type.Object({
  ...pageQuery,
  sort: OneOf(['created_at', 'name', 'base_price'], { default: 'created_at' }),
  order,
  search: Type.Optional(SearchText({ description: 'Searches name, SKU and description.' })),
  type: Type.Optional(OneOf(PRODUCT_TYPES)),
  status: Type.Optional(OneOf(productMachine.states)),
  category: Type.Optional(Type.String()),
  owner_id: Type.Optional(Type.String({ examples: [USER] })),
})
