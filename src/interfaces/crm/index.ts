/** Contacts, deals, pipelines, automations, activities, reports, webhooks. Specification part 1. */
import type { InterfaceDefinition } from '../../http/definition/definition.ts'
import { crmAutomations } from '../../state/crm/automations/runs.ts'
import { crmMachines } from '../../state/crm/machines.ts'
import { crmRecords } from '../../state/crm/records.ts'
import { renderWith } from '../../state/workspace/events.ts'
import { events } from './events.ts'

export const crm: InterfaceDefinition = {
  name: 'crm',
  title: 'CRM',
  specification: 'part 1, "CRM"',
  description:
    'Contacts, deals, pipelines, automations, activities, reports and webhooks. The activities of the CRM are separate from those of the catalog interface (/workspace/public/v1/activities), also if those name a contact or a deal.',
  basePath: '/crm/v1',
  machines: crmMachines,
  records: crmRecords,
  renderEvent: renderWith(events),
  followers: [crmAutomations],
  assumedDelivery:
    'The specification does not show the delivery format, the signature and the retries of this interface; the simulator delivers like the point of sale.',
  load: async () => (await import('./wire.ts')).wire,
}
