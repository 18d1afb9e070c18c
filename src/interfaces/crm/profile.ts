/** How the CRM delivers: as most interfaces do (assumed, for the specification shows no delivery of it). */
import { CRM_EVENTS } from '../../state/crm/events.ts'
import { profile } from '../../webhooks/profile.ts'

export const crmProfile = profile({ interface: 'crm', events: CRM_EVENTS })
