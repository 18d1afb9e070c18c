/** Wire shapes of products. Specification part 2, "Integration payments: product". */
import { Type } from '@sinclair/typebox'
import { Currency, Instant, Int, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import {
  BILLING_PERIODS,
  PAYMENT_TYPES,
  PRODUCT_STATUSES,
} from '../../../state/integration-payments/tables.ts'
import { assumedPageQuery } from '../envelope.ts'
import { Cents, Id, ProjectId } from './common.ts'

/** The schema of a product code. The example is a one_time product of the demo workspace. */
export const ProductCode = () => Type.String({ minLength: 1, examples: ['assembly'] })

export const Product = named(
  'Product',
  Type.Object({
    id: Id('prod_'),
    projectId: ProjectId(),
    productCode: ProductCode(),
    name: Type.String({ examples: ['Assembly'] }),
    description: Nullable(Type.String()),
    paymentType: OneOf(PAYMENT_TYPES),
    requiresSubscription: Type.Boolean({
      description: 'true for a one_time product that is an addon, charged on an active subscription.',
    }),
    price: Cents(7500),
    currency: Currency(),
    billingPeriod: Nullable(OneOf(BILLING_PERIODS, { description: 'null for one_time.' })),
    billingInterval: Nullable(Int({ minimum: 1, description: 'Periods per cycle; null for one_time.' })),
    status: OneOf(PRODUCT_STATUSES),
    createdAt: Instant(),
    updatedAt: Instant(),
  }),
)

export const ProductParams = Type.Object({ productCode: Type.String({ examples: ['assembly'] }) })

export const ProductQuery = Type.Object({
  status: Type.Optional(OneOf(PRODUCT_STATUSES)),
  paymentType: Type.Optional(OneOf(PAYMENT_TYPES)),
  ...assumedPageQuery,
})
