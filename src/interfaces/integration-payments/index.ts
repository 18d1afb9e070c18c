/** Products, customers with stored cards, hosted links. Specification part 2, "Integration payments". */
import { hostedLinkExpiryJob } from '../../state/integration-payments/links.ts'
import { integrationPaymentMachines } from '../../state/integration-payments/machines.ts'
import { integrationPaymentRecords } from '../../state/integration-payments/records.ts'
import type { Entry } from '../entry.ts'

export const integrationPayments: Entry = {
  name: 'integration-payments',
  title: 'Integration payments',
  description: 'Products of a project, customers with stored cards, hosted links that collect and charge.',
  basePath: '/integration-pay',
  pagesPath: '/integration-pay/checkout',
  machines: integrationPaymentMachines,
  records: integrationPaymentRecords,
  jobs: [hostedLinkExpiryJob],
  wire: async () => (await import('./wire.ts')).wire,
}
