/** The schemas of the event data of integration payments; all but the metadata are assumed. */
import { Type, type TProperties } from '@sinclair/typebox'
import { Currency, FreeObject, Instant, named, Nullable, OneOf } from '../../http/schemas/schemas.ts'
import { LINK_METHODS, PROCESSORS } from '../../state/integration-payments/tables.ts'
import { cardFields, Cents, Email, Id, ProjectId } from './shapes/common.ts'
import { Customer } from './shapes/customers.ts'
import { PaymentLink } from './shapes/links.ts'
import { ProductCode } from './shapes/products.ts'

const data = <Fields extends TProperties>(name: string, properties: Fields) =>
  named(
    `${name}Data`,
    Type.Object({
      ...properties,
      metadata: FreeObject({ description: 'The metadata of the link; empty if none was sent.' }),
    }),
  )

const Card = Type.Object({
  brand: Nullable(cardFields.cardBrand),
  last4: Nullable(cardFields.cardLast4),
})

const orderId = Id('ord_')

const Payment = Type.Object({
  orderId,
  concept: Nullable(Type.String({ examples: ['Setup fee'] })),
  amount: Nullable(Cents(4900)),
  currency: Currency(),
  productCode: Nullable(ProductCode()),
  method: OneOf(LINK_METHODS),
  card: Card,
  customerEmail: Nullable(Email()),
  isTest: Type.Boolean(),
})

const Charge = Type.Object({
  id: Id('ch_'),
  projectId: ProjectId(),
  orderId,
  customerId: Id('cus_'),
  paymentLinkId: Id('link_'),
  productCode: ProductCode(),
  concept: Type.String({ examples: ['Setup fee'] }),
  amount: Cents(4900),
  currency: Currency(),
  paymentProvider: OneOf(PROCESSORS),
  card: Card,
  status: Type.Literal('succeeded'),
  isTest: Type.Boolean(),
  createdAt: Instant(),
})

export const CustomerCreated = data('CustomerCreated', {
  customer: Customer.item,
  paymentLink: PaymentLink.item,
})
export const PaymentSuccess = data('PaymentSuccess', {
  payment: Payment,
  customer: Type.Optional(Customer.item),
  paymentLink: PaymentLink.item,
})
export const ChargeSucceeded = data('ChargeSucceeded', { charge: Charge })
export const PaymentLinkCancelled = data('PaymentLinkCancelled', { paymentLink: PaymentLink.item })
