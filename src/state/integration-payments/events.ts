/**
 * What integration payments tells of. Specification part 2, "Integration payments events": three names are shown and
 * a cancellation notification without its name, which is assumed; nothing of what the events carry is shown.
 */
import type { Workspace } from '../workspace.ts'

/** In the order in which they follow from one payment, then the cancellation. */
export const INTEGRATION_PAYMENT_EVENTS = [
  'customer.created',
  'payment.success',
  'charge.succeeded',
  'payment_link.cancelled',
] as const

export type IntegrationPaymentEvent = (typeof INTEGRATION_PAYMENT_EVENTS)[number]

/**
 * Appends an event: records as they go over the wire, by name, and the metadata of the link. All events tell of the link,
 * for those that follow from one payment have an order among them. Only inside a `write`.
 */
export function appendPaymentEvent(
  workspace: Workspace,
  name: IntegrationPaymentEvent,
  link: { readonly id: string; readonly metadata: Readonly<Record<string, unknown>> | null },
  records: Readonly<Record<string, unknown>>,
): void {
  const data = { ...records, metadata: link.metadata ?? {} }
  workspace.append({ interface: 'integration-payments', name, record: link.id, data })
}
