/** Serializes the records of integration payments and builds the addresses of their pages. */
import type { Static } from '@sinclair/typebox'
import { iso } from '../../state/model/clock.ts'
import type { Customer as CustomerRow } from '../../state/integration-payments/customers.ts'
import type { Link } from '../../state/integration-payments/links.ts'
import type { Product as ProductRow } from '../../state/integration-payments/products.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Customer } from './schemas/customers.ts'
import type { CancelledLink, CollectionLink, CreatedPaymentLink, PaymentLink } from './schemas/links.ts'
import type { Product } from './schemas/products.ts'

/** The path of the hosted checkout. */
export const PAGES_PATH = '/integration-pay/checkout'

const checkoutUrl = ({ publicUrl, id }: Workspace, { hashUrl }: Link): string =>
  `${publicUrl}${PAGES_PATH}/${id}/${hashUrl}`

export const productView = (product: ProductRow, workspace: Workspace): Static<typeof Product> => ({
  id: product.id,
  projectId: workspace.id,
  productCode: product.productCode,
  name: product.name,
  description: product.description,
  paymentType: product.paymentType,
  requiresSubscription: product.requiresSubscription,
  price: product.price,
  currency: product.currency,
  billingPeriod: product.billingPeriod,
  billingInterval: product.billingInterval,
  status: product.status,
  createdAt: iso(product.createdAt),
  updatedAt: iso(product.updatedAt),
})

export const customerView = (customer: CustomerRow, workspace: Workspace): Static<typeof Customer> => ({
  id: customer.id,
  projectId: workspace.id,
  name: customer.name,
  email: customer.email,
  phone: customer.phone,
  status: customer.status,
  paymentProvider: customer.paymentProvider,
  customerVaultId: customer.customerVaultId,
  cardLast4: customer.cardLast4,
  cardBrand: customer.cardBrand,
  cardBin: customer.cardBin,
  cardExp: customer.cardExp,
  createdAt: iso(customer.createdAt),
  updatedAt: iso(customer.updatedAt),
})

export const linkView = (link: Link, workspace: Workspace): Static<typeof PaymentLink> => ({
  id: link.id,
  hashUrl: link.hashUrl,
  paymentLinkUrl: checkoutUrl(workspace, link),
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

/** Serializes a new collection link. */
export const collectionLinkView = (row: Link, workspace: Workspace): Static<typeof CollectionLink> => ({
  id: row.id,
  paymentLinkUrl: checkoutUrl(workspace, row),
  hashUrl: row.hashUrl,
  customerName: row.customerName,
  customerEmail: row.customerEmail,
  status: row.status,
  isTest: row.isTest,
  expiresAt: iso(row.expiresAt),
  createdAt: iso(row.createdAt),
  redirectUrl: row.redirectUrl,
})

export const createdPaymentLinkView = (
  row: Link,
  workspace: Workspace,
): Static<typeof CreatedPaymentLink> => ({
  ...collectionLinkView(row, workspace),
  concept: row.concept ?? '',
  amount: row.amount ?? 0,
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
