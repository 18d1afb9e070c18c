/** How integration payments deliver: as most interfaces do (assumed, for the specification shows no delivery of them). */
import { profile } from '../../webhooks/profile.ts'

export const integrationPaymentsProfile = profile({ interface: 'integration-payments' })
