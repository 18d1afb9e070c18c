/** Taxpayers of Panama, invoices and their cancellation. Specification part 2, "Lite invoicing". */
import { renderedBy } from '../../state/events.ts'
import { liteInvoicingMachines } from '../../state/lite-invoicing/machines.ts'
import { liteInvoicingRecords } from '../../state/lite-invoicing/records.ts'
import type { Entry } from '../entry.ts'
import { eventViews, PAGES_PATH } from './views.ts'

export const liteInvoicing: Entry = {
  name: 'lite-invoicing',
  title: 'Lite invoicing',
  specification: 'part 2, "Lite invoicing"',
  description:
    'Looks taxpayers of Panama up, issues invoices and cancels them. The token identifies the company, which is its workspace; no permission is documented and none is asked for.',
  basePath: '/einvoice-external',
  pagesPath: PAGES_PATH,
  machines: liteInvoicingMachines,
  records: liteInvoicingRecords,
  shows: renderedBy(eventViews),
  wire: async () => (await import('./wire.ts')).wire,
}
