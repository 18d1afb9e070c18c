/** How integration payments deliver: as most interfaces do (assumed, for the specification shows no delivery of them). */
import { INTEGRATION_PAYMENT_EVENTS } from '../../state/integration-payments/events.ts'
import { profile } from '../../webhooks/profile.ts'

export const integrationPaymentsProfile = profile({
  interface: 'integration-payments',
  events: INTEGRATION_PAYMENT_EVENTS,
})
