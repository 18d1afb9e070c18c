/**
 * How payments deliver: {id, event, created_at, data} in the spelling of this interface (assumed, for the
 * specification shows no delivery of it) and the X-Service headers. Specification part 2, "Webhook signature".
 */
import { iso } from '../../state/clock.ts'
import { PAYMENT_EVENTS } from '../../state/payments/events.ts'
import { profile } from '../../webhooks/profile.ts'

/** What a delivery calls the time of its event. */
export const EVENT_TIME = 'created_at'

export const paymentsProfile = profile({
  interface: 'payments',
  events: PAYMENT_EVENTS,
  envelope: ({ id, name, at, data }) => ({ id, event: name, [EVENT_TIME]: iso(at), data }),
})
