/**
 * What happens to payments. Specification part 2, "Events": the four names are shown; what the events carry is not.
 * Each is appended in the transaction of the change.
 */
import type { AppendedEvent } from '../workspace.ts'
import type { Workspace } from '../workspace.ts'

/** Every event of the payments interface, in the order of a payment's life. */
export const PAYMENT_EVENTS = [
  'payment.completed',
  'payment.failed',
  'payment.refunded',
  'settlement.completed',
] as const

export type PaymentEventName = (typeof PAYMENT_EVENTS)[number]

/** Tells of the record with this id; `data` holds records as they go over the wire, by name. Only inside a `write`. */
export const appendPaymentEvent = (
  workspace: Workspace,
  name: PaymentEventName,
  record: string,
  data: Readonly<Record<string, unknown>>,
): AppendedEvent => workspace.append({ interface: 'payments', name, record, data })
