/**
 * What happens to payments. Specification part 2, "Events": the four names are shown; what the events carry is not.
 * Each is appended in the transaction of the change.
 */
import type { Workspace } from '../workspace.ts'
import type { links, refunds, settlements, transactions } from './tables.ts'

interface PaymentEvent {
  readonly transaction: typeof transactions.$inferSelect
  /** undefined where the payment was made by none. */
  readonly link: typeof links.$inferSelect | undefined
}

/** What each event tells of: records as they now are. */
export interface PaymentEvents {
  'payment.completed': PaymentEvent
  'payment.failed': PaymentEvent
  'payment.refunded': PaymentEvent & { readonly refund: typeof refunds.$inferSelect }
  'settlement.completed': { readonly settlement: typeof settlements.$inferSelect }
}

export type PaymentEventName = keyof PaymentEvents

/** Every event of the payments interface, in the order of a payment's life. */
export const PAYMENT_EVENTS = [
  'payment.completed',
  'payment.failed',
  'payment.refunded',
  'settlement.completed',
] as const satisfies readonly PaymentEventName[]

/** Tells of the record with this id. Only inside a `write`. */
export function appendPaymentEvent<Name extends PaymentEventName>(
  workspace: Workspace,
  name: Name,
  record: string,
  data: PaymentEvents[Name],
): void {
  workspace.append({ interface: 'payments', name, record, data: { ...data } })
}
