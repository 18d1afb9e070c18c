/** Payment links, transactions, refunds, reports, webhooks. Specification part 2, "Payments v1". */
import type { InterfaceDefinition } from '../../http/definition/definition.ts'
import { paymentMachines } from '../../state/payments/machines.ts'
import { paymentRecords } from '../../state/payments/records.ts'
import { renderWith } from '../../state/workspace/events.ts'
import { PAGES_PATH } from './addresses.ts'
import { events } from './events.ts'

export const payments: InterfaceDefinition = {
  name: 'payments',
  title: 'Payments',
  specification: 'part 2, "Payments v1"',
  description:
    'Payment links, transactions, refunds, reports and webhooks. Amounts are integer cents. The specification shows no permissions and no rate limit values, so the simulator enforces none.',
  basePath: '/pay/v1',
  pagesPath: PAGES_PATH,
  machines: paymentMachines,
  records: paymentRecords,
  renderEvent: renderWith(events),
  assumedDelivery:
    'The specification does not show the delivery format of this interface; the simulator sends the deliveries of the point of sale with the spelling of this interface.',
  eventTime: 'created_at',
  load: async () => (await import('./wire.ts')).wire,
}
