/** Products, customers with stored cards, hosted links. Specification part 2, "Integration payments". */
import type { InterfaceDefinition } from '../../http/definition/definition.ts'
import { integrationPaymentMachines } from '../../state/integration-payments/machines.ts'
import { integrationPaymentRecords } from '../../state/integration-payments/records.ts'
import { renderWith } from '../../state/workspace/events.ts'
import { PAGES_PATH } from './addresses.ts'
import { events } from './events.ts'

export const integrationPayments: InterfaceDefinition = {
  name: 'integration-payments',
  title: 'Integration payments',
  specification: 'part 2, "Integration payments"',
  description:
    'Products of a project, customers with stored cards, and hosted links that collect and charge.',
  basePath: '/integration-pay',
  pagesPath: PAGES_PATH,
  machines: integrationPaymentMachines,
  records: integrationPaymentRecords,
  renderEvent: renderWith(events),
  assumedDelivery:
    'The specification shows only that events echo the metadata of the link; the simulator sends the deliveries of the point of sale, with the records of the event by name in data.',
  load: async () => (await import('./wire.ts')).wire,
}
