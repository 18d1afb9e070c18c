/** The events and the page of invoices; both are assumed. */
import { expect, test } from 'vitest'
import { CANAL, freshLiteInvoicing, NOON } from '../../support/liteInvoicing.ts'
import { eventsOf } from '../../support/events.ts'

test('emits events for issuing and canceling', async () => {
  const lite = await freshLiteInvoicing()
  const invoice = await lite.issue({ client: { taxReceiverType: '01', ...CANAL } })
  await lite.cancel({ id: invoice.id, reason: 'The customer returned it' })
  const client = { taxReceiverType: '01', ...CANAL, email: null }
  expect(eventsOf(lite.fresh.workspace, 'lite-invoicing')).toEqual([
    { name: 'invoice.issued', data: { invoice: { ...invoice, client, canceledAt: null, reason: null } } },
    {
      name: 'invoice.canceled',
      data: {
        invoice: {
          ...invoice,
          status: 'canceled',
          client,
          canceledAt: NOON,
          reason: 'The customer returned it',
        },
      },
    },
  ])
})

test('shows the issued invoice and its cancellation on a page', async () => {
  const { issue, cancel, fresh } = await freshLiteInvoicing()
  const { id, cufe, documentUrl } = await issue({
    client: { taxReceiverType: '01', ...CANAL, taxName: 'Canal <Logistics>' },
    items: [{ description: 'Office chair', qty: 2, price: 149.9, taxes: [{ code: '01' }] }],
    payments: [{ type: '02', amount: 320.79 }],
  })
  const path = documentUrl.slice(fresh.app.workspaces.publicUrl.current.length)
  const issued = await fresh.call('GET', path)
  expect(issued.status).toBe(200)
  for (const text of [
    '0000000001',
    cufe,
    'Canal &lt;Logistics&gt;',
    'DV 12',
    '149.9',
    '7 %',
    'B/. 320.79',
    'Cash',
  ])
    expect(issued.text).toContain(text)
  expect(issued.text).not.toContain('Canceled')

  await cancel({ id, reason: 'The customer returned it' })
  const canceled = await fresh.call('GET', path)
  expect(canceled.text).toContain('<title>Canceled: Invoice 0000000001</title>')
  expect(canceled.text).toContain('The customer returned it')
})

test('returns 404 for the page of another workspace or of an unknown invoice', async () => {
  const { issue, fresh } = await freshLiteInvoicing()
  const { cufe } = await issue()
  const { workspace } = fresh.tenant()
  const at = (id: string, code: string) => fresh.call('GET', `/einvoice-external/invoices/${id}/${code}`)
  expect((await at(workspace.id, cufe)).status).toBe(404)
  expect((await at(fresh.workspace.id, `${cufe}0`)).status).toBe(404)
})
