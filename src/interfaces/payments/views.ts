/** Serializes the records of payments and builds the addresses of their pages. */
import type { Static } from '@sinclair/typebox'
import { iso, isoOrNull } from '../../state/model/clock.ts'
import type { EventViews } from '../../state/workspace/events.ts'
import type { PaymentEvents } from '../../state/payments/events.ts'
import type { Link as LinkRow } from '../../state/payments/links.ts'
import { refundsOf, type Refund as RefundRow } from '../../state/payments/refunds.ts'
import type { Settlement as SettlementRow } from '../../state/payments/settlements.ts'
import type { Transaction as TransactionRow } from '../../state/payments/transactions.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Link } from './schemas/links.ts'
import type { Settlement } from './schemas/reports.ts'
import type { Refund, Transaction } from './schemas/transactions.ts'

/** The path of the hosted payment pages and receipts. */
export const PAGES_PATH = '/pay/links'

const pageAddress = ({ id, publicUrl }: Workspace, page: string): string =>
  `${publicUrl}${PAGES_PATH}/${id}/${page}`

export const linkView = (link: LinkRow, workspace: Workspace): Static<typeof Link> => ({
  id: link.id,
  amount: link.amount,
  currency: link.currency,
  description: link.description,
  url: pageAddress(workspace, link.id),
  status: link.status,
  payment_methods: [...link.paymentMethods],
  logo_url: link.logoUrl,
  expires_at: isoOrNull(link.expiresAt),
  max_payments: link.maxPayments,
  reference: link.reference,
  metadata: link.metadata,
  created_at: iso(link.createdAt),
  paid_at: isoOrNull(link.paidAt),
})

export const transactionView = (
  transaction: TransactionRow,
  workspace: Workspace,
): Static<typeof Transaction> => ({
  id: transaction.id,
  link_id: transaction.linkId,
  amount: transaction.amount,
  currency: transaction.currency,
  description: transaction.description,
  status: transaction.status,
  payment_method: transaction.paymentMethod,
  card_last_four: transaction.cardLastFour,
  customer: { email: transaction.customerEmail, name: transaction.customerName },
  // The receipt exists once the payment is completed.
  receipt_url: transaction.completedAt === null ? null : pageAddress(workspace, `receipts/${transaction.id}`),
  created_at: iso(transaction.createdAt),
  completed_at: isoOrNull(transaction.completedAt),
  refunded_amount: transaction.refundedAmount,
  refunds: refundsOf(workspace, transaction.id).map((refund) => ({
    ...refundView(refund),
    completed_at: isoOrNull(refund.completedAt),
    failure_reason: refund.failureReason,
  })),
})

export const refundView = (refund: RefundRow): Static<typeof Refund> => ({
  id: refund.id,
  transaction_id: refund.transactionId,
  amount: refund.amount,
  status: refund.status,
  reason: refund.reason,
  created_at: iso(refund.createdAt),
})

export const settlementView = (settlement: SettlementRow): Static<typeof Settlement> => ({
  id: settlement.id,
  amount: settlement.amount,
  fees: settlement.fees,
  net_amount: settlement.netAmount,
  currency: settlement.currency,
  transactions_count: settlement.transactionsCount,
  status: settlement.status,
  bank_account_last_four: settlement.bankAccountLastFour,
  deposited_at: isoOrNull(settlement.depositedAt),
  period_from: iso(settlement.periodFrom),
  period_to: iso(settlement.periodTo),
})

// ---------------------------------------------------------------- events

/** Serializes a payment with the reference and metadata of its link, which identify an order of the receiver. */
const paymentEventData = (
  { transaction, link }: PaymentEvents['payment.completed'],
  workspace: Workspace,
) => ({
  transaction: transactionView(transaction, workspace),
  payment_link: link ? { id: link.id, reference: link.reference, metadata: link.metadata } : null,
})

export const eventViews: EventViews<PaymentEvents> = {
  'payment.completed': paymentEventData,
  'payment.failed': (data, workspace) => ({
    failure_reason: data.transaction.failure,
    ...paymentEventData(data, workspace),
  }),
  'payment.refunded': (data, workspace) => ({
    refund: refundView(data.refund),
    ...paymentEventData(data, workspace),
  }),
  'settlement.completed': ({ settlement }) => ({ settlement: settlementView(settlement) }),
}
