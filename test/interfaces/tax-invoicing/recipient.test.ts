/** The page on which a user acts as the recipient of an invoice with a requested cancellation. */
import { expect, test } from 'vitest'
import { asForm, redirectOf, pathOf, titleOf } from '../../support/payers.ts'
import { freshInvoicing, type Invoicing, type InvoiceBody } from '../../support/taxInvoicing.ts'

async function pending({ issue, ask }: Invoicing): Promise<{ id: string; url: string; path: string }> {
  const { id } = await issue()
  const { cancellation } = await ask<InvoiceBody>('POST', `/invoices/${id}/cancel`, { motivo: '02' })
  const url = cancellation?.decision_url ?? ''
  return { id, url, path: pathOf(url) }
}

test.each([
  ['accept', 'cancelled', 'cancelled', 'This invoice is cancelled'],
  ['reject', 'active', 'rejected', 'This invoice is active'],
])('lets the recipient %s', async (decision, status, outcome, heading) => {
  const invoicing = await freshInvoicing()
  const { fresh, getInvoice } = invoicing
  const { id, path } = await pending(invoicing)
  expect(titleOf(await fresh.call('GET', path))).toBe(
    'ESCUELA KEMPER URGATE asks to cancel this invoice – A-1',
  )
  const decided = await fresh.call('POST', path, asForm({ decision }))
  expect(decided.status).toBe(303)
  expect(await getInvoice(id)).toMatchObject({
    status,
    cancellation: { status: outcome, resolved_by: 'recipient', decision_url: null },
  })
  expect(titleOf(await fresh.call('GET', redirectOf(decided, path)))).toBe(`${heading} – A-1`)
  expect(await fresh.call('POST', path, asForm({ decision }))).toMatchObject({ status: 409 })
})

test.each([{}, { decision: '' }, { decision: 'perhaps' }])(
  'ignores the decision %j, and a visit of the page',
  async (fields) => {
    const invoicing = await freshInvoicing()
    const { id, path } = await pending(invoicing)
    expect(await invoicing.fresh.call('GET', path)).toMatchObject({ status: 200 })
    expect(await invoicing.fresh.call('POST', path, asForm(fields))).toMatchObject({ status: 422 })
    expect(await invoicing.getInvoice(id)).toMatchObject({ status: 'cancellation_pending' })
  },
)

test('treats silence until the last instant as consent, also on the page', async () => {
  const invoicing = await freshInvoicing()
  const { fresh, getInvoice } = invoicing
  const { id, path } = await pending(invoicing)
  const { cancellation } = await getInvoice(id)
  fresh.setClock(cancellation?.expires_at ?? '')
  expect(titleOf(await fresh.call('GET', path))).toBe('This invoice is cancelled – A-1')
  expect(await fresh.call('POST', path, asForm({ decision: 'reject' }))).toMatchObject({ status: 409 })
})

test('shows that no cancellation is requested, and returns 404 for an unknown invoice', async () => {
  const { fresh, issue } = await freshInvoicing()
  const { uuid } = await issue()
  const base = `/einvoicing/recipient/${fresh.workspace.id}`
  expect(titleOf(await fresh.call('GET', `${base}/${uuid}`))).toBe('This invoice is active – A-1')
  expect(await fresh.call('POST', `${base}/${uuid}`, asForm({ decision: 'accept' }))).toMatchObject({
    status: 409,
  })
  expect(await fresh.call('GET', `${base}/${crypto.randomUUID()}`)).toMatchObject({ status: 404 })
})
