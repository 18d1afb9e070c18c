/**
 * The events of payments. Specification part 2, "Events", shows the four names but not the event data. Each event is
 * appended in the transaction of its change.
 */
import { appenderOf } from '../workspace/events.ts'
import type { links, refunds, settlements, transactions } from './tables.ts'

interface PaymentEvent {
  readonly transaction: typeof transactions.$inferSelect
  /** undefined for a payment without a link. */
  readonly link: typeof links.$inferSelect | undefined
}

/** The records of each event, in their new state. */
export interface PaymentEvents {
  'payment.completed': PaymentEvent
  'payment.failed': PaymentEvent
  'payment.refunded': PaymentEvent & { readonly refund: typeof refunds.$inferSelect }
  'settlement.completed': { readonly settlement: typeof settlements.$inferSelect }
}

export const appendPaymentEvent = appenderOf<PaymentEvents>('payments')
