/** Electronic tax invoices, payment receipts, clients, products, catalogs and reports. Specification part 2, "Tax invoicing". */
import type { InterfaceDefinition } from '../../http/definition/definition.ts'
import { renderWith } from '../../state/workspace/events.ts'
import { taxInvoicingMachines } from '../../state/tax-invoicing/machines.ts'
import { taxInvoicingRecords } from '../../state/tax-invoicing/records.ts'
import { BASE_PATH, PAGES_PATH } from './addresses.ts'
import { events } from './events.ts'

export const taxInvoicing: InterfaceDefinition = {
  name: 'tax-invoicing',
  title: 'Tax invoicing',
  specification: 'part 2, "Tax invoicing"',
  description:
    'Electronic tax invoices, payment receipts, clients, products, the catalogs of the authority and reports.',
  basePath: BASE_PATH,
  pagesPath: PAGES_PATH,
  machines: taxInvoicingMachines,
  records: taxInvoicingRecords,
  renderEvent: renderWith(events),
  assumedDelivery:
    'The specification does not show the delivery format of this interface. The simulator sends the body of the deliveries of the point of sale.',
  load: async () => (await import('./wire.ts')).wire,
}
