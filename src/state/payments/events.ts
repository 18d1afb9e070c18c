/**
 * The events of payments. Specification part 2, "Events", shows the four names but not the event data. Each event is
 * appended in the transaction of its change.
 */
import type { Workspace } from '../workspace/workspace.ts'
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

export type PaymentEventName = keyof PaymentEvents

/** All events of payments, in the order in which they occur for a payment. */
export const PAYMENT_EVENTS = [
  'payment.completed',
  'payment.failed',
  'payment.refunded',
  'settlement.completed',
] as const satisfies readonly PaymentEventName[]

/** Appends an event of the record with this id. Only inside a `write`. */
export function appendPaymentEvent<Name extends PaymentEventName>(
  workspace: Workspace,
  name: Name,
  record: string,
  data: PaymentEvents[Name],
): void {
  workspace.append({ interface: 'payments', name, record, data: { ...data } })
}
