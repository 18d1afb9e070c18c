/** What every delivery carries beside its event, in the order in which it is sent. */
export const SIGNATURE = 'x-service-signature'
/** Beyond the specification, for receivers that want to tell attempts apart (assumed). */
export const DELIVERY = 'x-service-delivery'
export const ATTEMPT = 'x-service-attempt'

/** Specification part 2, "Webhook signature": "A delivery also carries X-Service-Event with the event name". */
export const EVENT = 'x-service-event'

/** Whether a request carries what only deliveries do: it comes from a webhook, and nobody meant it as a call. */
export const isDelivery = (headers: Readonly<Record<string, unknown>>): boolean =>
  [EVENT, SIGNATURE, DELIVERY].some((name) => headers[name] !== undefined)
