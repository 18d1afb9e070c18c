/** Serializes links, whose responses leave out fields, and the data of events. */
import type { Static } from '@sinclair/typebox'
import { iso } from '../../state/model/clock.ts'
import type { EventViews } from '../../state/workspace/events.ts'
import type { Charge } from '../../state/integration-payments/completion.ts'
import type { IntegrationPaymentEvents } from '../../state/integration-payments/events.ts'
import type { Link } from '../../state/integration-payments/links.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { checkoutAddress } from './addresses.ts'
import { Customer } from './shapes/customers.ts'
import type { CancelledLink, PaymentLink } from './shapes/links.ts'

export const linkView = (link: Link, workspace: Workspace): Static<typeof PaymentLink> => ({
  id: link.id,
  hashUrl: link.hashUrl,
  paymentLinkUrl: checkoutAddress(workspace, link.hashUrl),
  linkType: link.linkType,
  customerName: link.customerName,
  concept: link.concept,
  amount: link.amount,
  status: link.status,
  isTest: link.isTest,
  ...(link.paymentMethods !== null && { paymentMethods: [...link.paymentMethods] }),
  requestCustomerEmail: link.requestCustomerEmail,
  ...(link.redirectUrl !== null && { redirectUrl: link.redirectUrl }),
  ...(link.metadata !== null && { metadata: link.metadata }),
  createdAt: iso(link.createdAt),
  expiresAt: iso(link.expiresAt),
  ...(link.completedAt !== null && { completedAt: iso(link.completedAt) }),
  ...(link.cancelledAt !== null && { cancelledAt: iso(link.cancelledAt) }),
})

/** Serializes a link that was just cancelled. */
export const cancelledLinkView = (row: Link): Static<typeof CancelledLink> => ({
  hashUrl: row.hashUrl,
  customerName: row.customerName,
  concept: row.concept,
  amount: row.amount,
  status: 'cancelled',
  createdAt: iso(row.createdAt),
  cancelledAt: iso(row.cancelledAt ?? row.updatedAt),
})

// ---------------------------------------------------------------- events

/** Serializes the payment of a link for event data. */
const paymentView = (link: Link, orderId: string) => ({
  orderId,
  concept: link.concept,
  amount: link.amount,
  currency: link.currency,
  productCode: link.productCode,
  method: link.paymentProvider,
  card: { brand: link.cardBrand, last4: link.cardLast4 },
  customerEmail: link.customerEmail,
  isTest: link.isTest,
})

const chargeView = (charge: Charge, workspace: Workspace) => ({
  id: charge.id,
  projectId: workspace.id,
  orderId: charge.orderId,
  customerId: charge.customerId,
  paymentLinkId: charge.linkId,
  productCode: charge.productCode,
  concept: charge.concept,
  amount: charge.amount,
  currency: charge.currency,
  paymentProvider: charge.paymentProvider,
  card: { brand: charge.cardBrand, last4: charge.cardLast4 },
  status: 'succeeded',
  isTest: charge.isTest,
  createdAt: iso(charge.createdAt),
})

const metadataOf = ({ metadata }: Link) => ({ metadata: metadata ?? {} })

export const eventViews: EventViews<IntegrationPaymentEvents> = {
  'customer.created': ({ link, customer }, workspace) => ({
    customer: Customer.view(customer, workspace),
    paymentLink: linkView(link, workspace),
    ...metadataOf(link),
  }),
  'payment.success': ({ link, orderId, customer }, workspace) => ({
    payment: paymentView(link, orderId),
    ...(customer && { customer: Customer.view(customer, workspace) }),
    paymentLink: linkView(link, workspace),
    ...metadataOf(link),
  }),
  'charge.succeeded': ({ link, charge }, workspace) => ({
    charge: chargeView(charge, workspace),
    ...metadataOf(link),
  }),
  'payment_link.cancelled': ({ link }, workspace) => ({
    paymentLink: linkView(link, workspace),
    ...metadataOf(link),
  }),
}
