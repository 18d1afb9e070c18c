/** The taxpayers and invoices of the demo. */
import { expect, test } from 'vitest'
import { freshApp } from '../../support/app.ts'

test('has taxpayers of both types', async () => {
  const { call } = await freshApp({ fixtures: 'demo' })
  const find = async (query: string) =>
    (await call('GET', `/einvoice-external/invoicing/ruc/info?${query}`, { key: 'demo-key' })).body
  expect(await find('ruc=155712345-2-2022&type=2')).toMatchObject({
    result: { name: 'Canal Logistics', dv: 12 },
  })
  expect(await find('ruc=8-442-445&type=1')).toMatchObject({ result: { name: 'Beatriz Mora', dv: 8 } })
})

test.each([
  [1, 200],
  [2, 409],
  [3, 200],
  [4, 200],
  [5, 404],
])('cancels the demo invoice %i and returns %i', async (id, status) => {
  const { call } = await freshApp({ fixtures: 'demo' })
  const answer = await call('POST', '/einvoice-external/invoicing/lite/cancel', {
    key: 'demo-key',
    body: { id },
  })
  expect(answer.status).toBe(status)
})
