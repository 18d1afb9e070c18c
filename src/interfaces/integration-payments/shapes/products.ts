/** Wire shapes of products. Specification part 2, "Integration payments: product". */
import { Type } from '@sinclair/typebox'
import { Currency, Int, OneOf } from '../../../http/schemas/schemas.ts'
import { PAYMENT_TYPES, PRODUCT_STATUSES, products } from '../../../state/integration-payments/tables.ts'
import { shape } from '../../../http/shapes/shape.ts'
import { assumedPageQuery, Cents, Id, projectId } from './common.ts'

/** The schema of a product code. The example is a one_time product of the demo workspace. */
export const ProductCode = () => Type.String({ minLength: 1, examples: ['assembly'] })

export const Product = shape({ item: 'Product' }, products, {
  fields: () => ({
    id: { schema: Id('prod_') },
    projectId: projectId(),
    productCode: { schema: ProductCode() },
    name: { words: { examples: ['Assembly'] } },
    description: {},
    paymentType: {},
    requiresSubscription: {
      words: {
        description: 'true for a one_time product that is an addon, charged on an active subscription.',
      },
    },
    price: { schema: Cents(7500) },
    currency: { schema: Currency() },
    billingPeriod: { words: { description: 'null for one_time.' } },
    billingInterval: { schema: Int({ minimum: 1, description: 'Periods per cycle; null for one_time.' }) },
    status: {},
    createdAt: {},
    updatedAt: {},
  }),
})

export const ProductParams = Type.Object({ productCode: Type.String({ examples: ['assembly'] }) })

export const ProductQuery = Type.Object({
  status: Type.Optional(OneOf(PRODUCT_STATUSES)),
  paymentType: Type.Optional(OneOf(PAYMENT_TYPES)),
  ...assumedPageQuery,
})
