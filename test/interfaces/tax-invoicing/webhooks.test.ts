/** The events of tax invoicing; test/laws/webhooks.test.ts tests its webhooks. */
import { expect, test } from 'vitest'
import { freshInvoicing } from '../../support/taxInvoicing.ts'

test('publishes the six events of the specification', async () => {
  const { fresh } = await freshInvoicing()
  const { events = [] } = await fresh.definition('tax-invoicing')
  expect(events.map(({ name }) => name)).toEqual([
    'invoice.created',
    'invoice.cancelled',
    'invoice.cancellation_accepted',
    'invoice.cancellation_rejected',
    'payment_receipt.created',
    'certificate.expiring',
  ])
})
