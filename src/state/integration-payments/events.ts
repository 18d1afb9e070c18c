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
    readonly method: NonNullable<LinkEvent['link']['paymentProvider']>
    /** null if no card was stored. */
    readonly customer: Customer | null
  }
  'charge.succeeded': LinkEvent & { readonly charge: typeof charges.$inferSelect }
  'payment_link.cancelled': LinkEvent
}

/** Appends an event. The record is always the link, so that the events of one payment keep their order. Only inside a `write`. */
export function appendPaymentEvent<Name extends keyof IntegrationPaymentEvents>(
  workspace: Workspace,
  name: Name,
  data: IntegrationPaymentEvents[Name],
): void {
  workspace.append({ interface: 'integration-payments', name, record: data.link.id, data: { ...data } })
}
