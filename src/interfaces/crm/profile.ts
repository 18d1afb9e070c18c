/** How the CRM delivers: as most interfaces do (assumed, for the specification shows no delivery of it). */
import { profile } from '../../webhooks/profile.ts'

export const crmProfile = profile({ interface: 'crm' })
