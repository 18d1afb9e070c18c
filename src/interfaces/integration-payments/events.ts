/**
 * The published events of integration payments. Specification part 2, "Integration payments events", shows when each event
 * is sent, but of the event data only that it echoes the metadata.
 */
import { Type, type TProperties } from '@sinclair/typebox'
import type { PublishedEvent } from '../../http/definition/definition.ts'
import { Assumed, Currency, FreeObject, Instant, named, Nullable, OneOf } from '../../http/schemas/schemas.ts'
import { assumed, documentedBut } from '../../state/model/fidelity.ts'
import type { IntegrationPaymentEvent } from '../../state/integration-payments/events.ts'
import { LINK_METHODS, PROCESSORS } from '../../state/integration-payments/tables.ts'
import { cardFields, Cents, Email, Id, ProjectId } from './shapes/common.ts'
import { Customer } from './shapes/customers.ts'
import { PaymentLink } from './shapes/links.ts'
import { ProductCode } from './shapes/products.ts'

const Data = (name: string, properties: TProperties) =>
  named(
    `${name}Data`,
    Assumed(
      'The specification shows only the metadata of the event data; the simulator also sends the records of the event by name.',
      Type.Object({
        ...properties,
        metadata: FreeObject({ description: 'The metadata of the link; empty if none was sent.' }),
      }),
    ),
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

interface Described extends PublishedEvent {
  readonly name: IntegrationPaymentEvent
}

export const publishedEvents: readonly Described[] = [
  {
    name: 'customer.created',
    title: 'A checkout stored the card of a new customer',
    payload: Data('CustomerCreated', { customer: Customer.item, paymentLink: PaymentLink }),
    fidelity: documentedBut('The specification shows the name, and that the event follows a stored card.'),
  },
  {
    name: 'payment.success',
    title: 'A hosted payment link was paid',
    payload: Data('PaymentSuccess', {
      payment: Payment,
      customer: Type.Optional(Customer.item),
      paymentLink: PaymentLink,
    }),
    fidelity: documentedBut(
      'The specification shows the name, and that the event echoes the metadata. It comes between customer.created and charge.succeeded, the order in which the specification names the three.',
    ),
  },
  {
    name: 'charge.succeeded',
    title: 'A charge succeeded',
    payload: Data('ChargeSucceeded', { charge: Charge }),
    fidelity: documentedBut(
      'The specification shows the name, and that the event follows customer.created for the first payment.',
    ),
  },
  {
    name: 'payment_link.cancelled',
    title: 'A link was cancelled',
    payload: Data('PaymentLinkCancelled', { paymentLink: PaymentLink }),
    fidelity: assumed(
      'The specification says "A link cancellation notification exists" but does not show its name.',
    ),
  },
]
