/** Contacts, deals, pipelines, automations, activities, reports, webhooks. Specification part 1. */
import type { InterfaceDefinition } from '../../http/mount.ts'
import { activities } from './activities.ts'
import { automations } from './automations.ts'
import { contactImport } from './contactImport.ts'
import { contacts } from './contacts.ts'
import { deals } from './deals.ts'
import { crmDialect } from './dialect.ts'
import { publishedEvents } from './events.ts'
import { pipelines } from './pipelines.ts'
import { reports } from './reports.ts'
import { webhooks } from './webhooks.ts'

export const crm: InterfaceDefinition = {
  name: 'crm',
  title: 'CRM',
  description: 'Contacts, deals, pipelines, automations, activities, reports and webhooks.',
  basePath: '/crm/v1',
  dialect: crmDialect,
  resources: [contacts, contactImport, deals, pipelines, automations, activities, reports, webhooks],
  events: publishedEvents,
}
