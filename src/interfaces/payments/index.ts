/** Payment links, transactions, refunds, reports, webhooks. Specification part 2, "Payments v1". */
import { linkExpiryJob } from '../../state/payments/links.ts'
import { paymentMachines } from '../../state/payments/machines.ts'
import { paymentRecords } from '../../state/payments/records.ts'
import type { Entry } from '../entry.ts'

export const payments: Entry = {
  name: 'payments',
  title: 'Payments',
  description:
    'Payment links, transactions, refunds, reports and webhooks; amounts are integer cents. No permission is documented and none is asked for; no value of a rate limit is shown and none is enforced.',
  basePath: '/pay/v1',
  pagesPath: '/pay/links',
  machines: paymentMachines,
  records: paymentRecords,
  jobs: [linkExpiryJob],
  // The spelling of this interface (assumed, for the specification shows no delivery of it).
  delivery: { timeField: 'created_at' },
  wire: async () => (await import('./wire.ts')).wire,
}
