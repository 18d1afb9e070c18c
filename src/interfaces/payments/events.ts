/** The events of payments. Specification part 2, "Events", shows the four names but not the event data. */
import type { EventsOf } from '../../http/definition/events.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import { refundEvent } from '../../state/payments/readings.ts'
import type { PaymentEvents } from '../../state/payments/events.ts'
import { failureOf } from '../../state/shared/cards.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type * as payloads from './payloads.ts'
import { PaidLink } from './shapes/links.ts'
import { Settlement } from './shapes/reports.ts'
import { Refund, Transaction } from './shapes/transactions.ts'

const fidelity = documentedBut('The specification shows the name; the event data is assumed.')

/** Serializes a payment with the reference and metadata of its link, which identify an order of the receiver. */
const paymentView = ({ transaction, link }: PaymentEvents['payment.completed'], workspace: Workspace) => ({
  transaction: Transaction.view(transaction, workspace),
  payment_link: link ? PaidLink.view(link, workspace) : null,
})

/** In the order in which they occur for a payment. */
export const events: EventsOf<PaymentEvents, typeof payloads> = {
  'payment.completed': {
    title: 'A payment was completed',
    fidelity,
    payload: 'PaymentCompleted',
    view: paymentView,
  },
  'payment.failed': {
    title: 'A payment failed',
    fidelity,
    payload: 'PaymentFailed',
    view: (data, workspace) => ({
      failure_reason: failureOf(data.transaction.failure),
      ...paymentView(data, workspace),
    }),
  },
  'payment.refunded': {
    title: 'A payment was refunded in full or in part',
    readings: [refundEvent],
    fidelity,
    payload: 'PaymentRefunded',
    view: (data, workspace) => ({
      refund: Refund.view(data.refund, workspace),
      ...paymentView(data, workspace),
    }),
  },
  'settlement.completed': {
    title: 'A settlement was deposited',
    fidelity,
    payload: 'SettlementCompleted',
    view: ({ settlement }, workspace) => ({ settlement: Settlement.view(settlement, workspace) }),
  },
}
