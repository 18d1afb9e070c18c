/**
 * The events of integration payments. Specification part 2, "Integration payments events", shows three names. It mentions a
 * cancellation notification, whose name is assumed, and does not show the event data.
 */
import type { Workspace } from '../workspace/workspace.ts'
import type { charges, customers, links } from './tables.ts'

type Customer = typeof customers.$inferSelect

/** The link of the event, whose metadata the event echoes. */
interface LinkEvent {
  readonly link: typeof links.$inferSelect
}

/** The records of each event. */
export interface IntegrationPaymentEvents {
  'customer.created': LinkEvent & { readonly customer: Customer }
  'payment.success': LinkEvent & {
    readonly orderId: string
    /** null if no card was stored. */
    readonly customer: Customer | null
  }
  'charge.succeeded': LinkEvent & { readonly charge: typeof charges.$inferSelect }
  'payment_link.cancelled': LinkEvent
}

export type IntegrationPaymentEvent = keyof IntegrationPaymentEvents

/** The events of one payment in their order, then the cancellation. */
export const INTEGRATION_PAYMENT_EVENTS = [
  'customer.created',
  'payment.success',
  'charge.succeeded',
  'payment_link.cancelled',
] as const satisfies readonly IntegrationPaymentEvent[]

/** Appends an event. The record is always the link, so that the events of one payment keep their order. Only inside a `write`. */
export function appendPaymentEvent<Name extends IntegrationPaymentEvent>(
  workspace: Workspace,
  name: Name,
  data: IntegrationPaymentEvents[Name],
): void {
  workspace.append({ interface: 'integration-payments', name, record: data.link.id, data: { ...data } })
}
