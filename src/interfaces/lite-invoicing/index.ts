/** Taxpayers of Panama, invoices and their cancellation. Specification part 2, "Lite invoicing". */
import type { InterfaceDefinition } from '../../http/definition/definition.ts'
import { renderWith } from '../../state/workspace/events.ts'
import { liteInvoicingMachines } from '../../state/lite-invoicing/machines.ts'
import { liteInvoicingRecords } from '../../state/lite-invoicing/records.ts'
import { PAGES_PATH } from './addresses.ts'
import { events } from './events.ts'

export const liteInvoicing: InterfaceDefinition = {
  name: 'lite-invoicing',
  title: 'Lite invoicing',
  specification: 'part 2, "Lite invoicing"',
  description:
    'Look up taxpayers of Panama, and issue and cancel invoices. The token identifies the company, which is a workspace. The specification shows no permissions, so the calls need no scope.',
  basePath: '/einvoice-external',
  pagesPath: PAGES_PATH,
  machines: liteInvoicingMachines,
  records: liteInvoicingRecords,
  renderEvent: renderWith(events),
  load: async () => (await import('./wire.ts')).wire,
}
