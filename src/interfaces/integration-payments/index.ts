/** Products, customers with stored cards, hosted links. Specification part 2, "Integration payments". */
import { integrationPaymentMachines } from '../../state/integration-payments/machines.ts'
import { integrationPaymentRecords } from '../../state/integration-payments/records.ts'
import { renderWith } from '../../state/workspace/events.ts'
import type { Entry } from '../entry.ts'
import { PAGES_PATH } from './addresses.ts'
import { eventViews } from './views.ts'

export const integrationPayments: Entry = {
  name: 'integration-payments',
  title: 'Integration payments',
  specification: 'part 2, "Integration payments"',
  description:
    'Products of a project, customers with stored cards, and hosted links that collect and charge.',
  basePath: '/integration-pay',
  pagesPath: PAGES_PATH,
  machines: integrationPaymentMachines,
  records: integrationPaymentRecords,
  renderEvent: renderWith(eventViews),
  wire: async () => (await import('./wire.ts')).wire,
}
