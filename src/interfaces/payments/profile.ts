/**
 * How payments deliver: {id, event, created_at, data} in the spelling of this interface (assumed, for the
 * specification shows no delivery of it) and the X-Service headers. Specification part 2, "Webhook signature".
 */
import { profile } from '../../webhooks/profile.ts'

export const paymentsProfile = profile({ interface: 'payments', eventTime: 'created_at' })
