/**
 * What integration payments tells of. Specification part 2, "Integration payments events": three names are shown and
 * a cancellation notification without its name, which is assumed; nothing of what the events carry is shown.
 */
import type { Workspace } from '../workspace.ts'
import type { charges, customers, links } from './tables.ts'

type Customer = typeof customers.$inferSelect

/** All events tell of a link, and echo its metadata. */
interface LinkEvent {
  readonly link: typeof links.$inferSelect
}

/** What each event tells of. */
export interface IntegrationPaymentEvents {
  'customer.created': LinkEvent & { readonly customer: Customer }
  'payment.success': LinkEvent & {
    readonly orderId: string
    /** null where no card was stored. */
    readonly customer: Customer | null
  }
  'charge.succeeded': LinkEvent & { readonly charge: typeof charges.$inferSelect }
  'payment_link.cancelled': LinkEvent
}

export type IntegrationPaymentEvent = keyof IntegrationPaymentEvents

/** In the order in which they follow from one payment, then the cancellation. */
export const INTEGRATION_PAYMENT_EVENTS = [
  'customer.created',
  'payment.success',
  'charge.succeeded',
  'payment_link.cancelled',
] as const satisfies readonly IntegrationPaymentEvent[]

/**
 * Appends an event. The record is the link each time, for those that follow from one payment have an order among them.
 * Only inside a `write`.
 */
export function appendPaymentEvent<Name extends IntegrationPaymentEvent>(
  workspace: Workspace,
  name: Name,
  data: IntegrationPaymentEvents[Name],
): void {
  workspace.append({ interface: 'integration-payments', name, record: data.link.id, data: { ...data } })
}
