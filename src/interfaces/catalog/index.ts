/** Catalog and activities. Specification part 1. */
import type { InterfaceDefinition } from '../../http/definition/definition.ts'
import { catalogMachines } from '../../state/catalog/machines.ts'
import { catalogRecords } from '../../state/catalog/records.ts'
import { renderWith } from '../../state/workspace/events.ts'
import { events } from './events.ts'

export const catalog: InterfaceDefinition = {
  name: 'catalog',
  title: 'Catalog and activities',
  specification: 'part 1, "Catalog interface"',
  description:
    'Products and services of a workspace, and activities linked to its business entities. The activities of the catalog are separate from those of the CRM (/crm/v1/activities). They may name a contact or a deal of the CRM, which is not looked up.',
  basePath: '/workspace/public/v1',
  machines: catalogMachines,
  records: catalogRecords,
  renderEvent: renderWith(events),
  load: async () => (await import('./wire.ts')).wire,
}
