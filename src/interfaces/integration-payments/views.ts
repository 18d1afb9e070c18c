/** Serializes links, whose responses leave out fields. */
import type { Static } from '@sinclair/typebox'
import { iso } from '../../state/model/clock.ts'
import type { Link } from '../../state/integration-payments/links.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { checkoutAddress } from './addresses.ts'
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
