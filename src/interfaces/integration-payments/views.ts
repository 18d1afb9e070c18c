/** Rows of integration payments as they go over the wire. */
import type { Static } from '@sinclair/typebox'
import { rendering } from '../../http/renderings.ts'
import { iso } from '../../state/clock.ts'
import {
  customerFacts,
  customers,
  type Customer as CustomerRow,
} from '../../state/integration-payments/customers.ts'
import { checkoutUrl, linkFacts, links, type Link } from '../../state/integration-payments/links.ts'
import {
  productFacts,
  products,
  type Product as ProductRow,
} from '../../state/integration-payments/products.ts'
import type { Workspace } from '../../state/workspace.ts'
import type { Customer } from './schemas/customers.ts'
import type { CancelledLink, CollectionLink, CreatedPaymentLink, PaymentLink } from './schemas/links.ts'
import type { Product } from './schemas/products.ts'

const productView = (row: ProductRow, workspace: Workspace): Static<typeof Product> =>
  productFacts(row, workspace)

export const productText = rendering<ProductRow>(productView, products)

const customerView = (row: CustomerRow, workspace: Workspace): Static<typeof Customer> =>
  customerFacts(row, workspace)

export const customerText = rendering<CustomerRow>(customerView, customers)

const linkView = (row: Link, workspace: Workspace): Static<typeof PaymentLink> => linkFacts(row, workspace)

export const linkText = rendering<Link>(linkView, links)

/** A link as it is answered when it is made. */
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

/** A link that has just been cancelled. */
export const cancelledLinkView = (row: Link): Static<typeof CancelledLink> => ({
  hashUrl: row.hashUrl,
  customerName: row.customerName,
  concept: row.concept,
  amount: row.amount,
  status: 'cancelled',
  createdAt: iso(row.createdAt),
  cancelledAt: iso(row.cancelledAt ?? row.updatedAt),
})
