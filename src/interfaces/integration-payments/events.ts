/**
 * The events of integration payments. Specification part 2, "Integration payments events", shows when each event is sent,
 * but of the event data only that it echoes the metadata.
 */
import type { EventsOf } from '../../http/definition/events.ts'
import type { Charge } from '../../state/integration-payments/completion.ts'
import type { IntegrationPaymentEvents } from '../../state/integration-payments/events.ts'
import type { Link } from '../../state/integration-payments/links.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { assumed, documentedBut } from '../../state/model/fidelity.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type * as payloads from './payloads.ts'
import { Customer } from './shapes/customers.ts'
import { PaymentLink } from './shapes/links.ts'

/** Serializes the payment of a link for event data. */
const paymentView = ({ link, orderId, method }: IntegrationPaymentEvents['payment.success']) => ({
  orderId,
  concept: link.concept,
  amount: link.amount,
  currency: link.currency,
  productCode: link.productCode,
  method,
  card: { brand: link.cardBrand, last4: link.cardLast4 },
  customerEmail: link.customerEmail,
  isTest: link.isTest,
})

const chargeView = (charge: Charge, link: Link, workspace: Workspace) => ({
  id: charge.id,
  projectId: workspace.id,
  orderId: charge.orderId,
  customerId: charge.customerId,
  paymentLinkId: link.id,
  productCode: charge.productCode,
  concept: charge.concept,
  amount: charge.amount,
  currency: charge.currency,
  paymentProvider: charge.paymentProvider,
  card: { brand: charge.cardBrand, last4: charge.cardLast4 },
  status: 'succeeded' as const,
  isTest: charge.isTest,
  createdAt: iso(charge.createdAt),
})

const metadataOf = ({ metadata }: Link) => ({ metadata: metadata ?? {} })

/** The events of one payment in their order, then the cancellation. */
export const events: EventsOf<IntegrationPaymentEvents, typeof payloads> = {
  'customer.created': {
    title: 'A checkout stored the card of a new customer',
    fidelity: documentedBut('The specification shows the name, and that the event follows a stored card.'),
    payload: 'CustomerCreated',
    view: ({ link, customer }, workspace) => ({
      customer: Customer.view(customer, workspace),
      paymentLink: PaymentLink.view(link, workspace),
      ...metadataOf(link),
    }),
  },
  'payment.success': {
    title: 'A hosted payment link was paid',
    fidelity: documentedBut(
      'The specification shows the name, and that the event echoes the metadata. It comes between customer.created and charge.succeeded, the order in which the specification names the three.',
    ),
    payload: 'PaymentSuccess',
    view: (data, workspace) => ({
      payment: paymentView(data),
      ...(data.customer && { customer: Customer.view(data.customer, workspace) }),
      paymentLink: PaymentLink.view(data.link, workspace),
      ...metadataOf(data.link),
    }),
  },
  'charge.succeeded': {
    title: 'A charge succeeded',
    fidelity: documentedBut(
      'The specification shows the name, and that the event follows customer.created for the first payment.',
    ),
    payload: 'ChargeSucceeded',
    view: ({ link, charge }, workspace) => ({
      charge: chargeView(charge, link, workspace),
      ...metadataOf(link),
    }),
  },
  'payment_link.cancelled': {
    title: 'A link was cancelled',
    fidelity: assumed(
      'The specification says "A link cancellation notification exists" but does not show its name.',
    ),
    payload: 'PaymentLinkCancelled',
    view: ({ link }, workspace) => ({ paymentLink: PaymentLink.view(link, workspace), ...metadataOf(link) }),
  },
}
