/** The data of the events of payments. */
import type { EventViews } from '../../state/workspace/events.ts'
import type { PaymentEvents } from '../../state/payments/events.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { PaidLink } from './shapes/links.ts'
import { Settlement } from './shapes/reports.ts'
import { Refund, Transaction } from './shapes/transactions.ts'

/** Serializes a payment with the reference and metadata of its link, which identify an order of the receiver. */
const paymentEventData = (
  { transaction, link }: PaymentEvents['payment.completed'],
  workspace: Workspace,
) => ({
  transaction: Transaction.view(transaction, workspace),
  payment_link: link ? PaidLink.view(link, workspace) : null,
})

export const eventViews: EventViews<PaymentEvents> = {
  'payment.completed': paymentEventData,
  'payment.failed': (data, workspace) => ({
    failure_reason: data.transaction.failure,
    ...paymentEventData(data, workspace),
  }),
  'payment.refunded': (data, workspace) => ({
    refund: Refund.view(data.refund, workspace),
    ...paymentEventData(data, workspace),
  }),
  'settlement.completed': ({ settlement }, workspace) => ({
    settlement: Settlement.view(settlement, workspace),
  }),
}
