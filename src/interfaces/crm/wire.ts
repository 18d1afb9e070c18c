/** The wire definition of the CRM. Specification part 1. */
import type { Wire } from '../../http/definition/definition.ts'
import { publish } from '../../http/definition/events.ts'
import { activities } from './activities.ts'
import { automations } from './automations.ts'
import { contactImport } from './contactImport.ts'
import { contacts } from './contacts.ts'
import { deals } from './deals.ts'
import { crmDialect } from './dialect.ts'
import { events } from './events.ts'
import * as payloads from './payloads.ts'
import { pipelines } from './pipelines.ts'
import { reports } from './reports.ts'
import { crmTriggers } from './triggers.ts'
import { webhooks } from './webhooks.ts'

export const wire: Wire = {
  dialect: crmDialect,
  resources: [contacts, contactImport, deals, pipelines, automations, activities, reports, webhooks],
  events: publish(events, payloads),
  triggers: crmTriggers,
}
