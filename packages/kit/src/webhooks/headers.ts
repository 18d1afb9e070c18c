/** Headers of every delivery. */
export const SIGNATURE = 'x-service-signature'
/** Not in the specification, for receivers that distinguish attempts (assumed). */
export const DELIVERY = 'x-service-delivery'
export const ATTEMPT = 'x-service-attempt'

/** Specification part 2, "Webhook signature": "A delivery also carries X-Service-Event with the event name". */
export const EVENT = 'x-service-event'

/** Checks whether a request has headers of deliveries: it comes from a webhook and is not a call. */
export const isDelivery = (headers: Readonly<Record<string, unknown>>): boolean =>
  [EVENT, SIGNATURE, DELIVERY].some((name) => headers[name] !== undefined)
