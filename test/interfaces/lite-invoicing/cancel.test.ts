/** Canceling invoices. Specification part 2, "Lite invoice". */
import { expect, test } from 'vitest'
import { freshLiteInvoicing, NOON, refusal } from '../../support/liteInvoicing.ts'

test('cancels an issued invoice', async () => {
  const { issue, cancel } = await freshLiteInvoicing()
  const { id } = await issue()
  const answer = await cancel({ id, reason: 'The customer returned it' })
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ success: true, result: { id, canceled: true, canceledAt: NOON } })
})

test('cancels it once, and keeps the time of the cancellation', async () => {
  const { issue, cancel, fresh } = await freshLiteInvoicing()
  const { id } = await issue()
  await cancel({ id })
  fresh.setClock('2026-11-22T17:00:00.000Z')
  const before = fresh.dump()
  const again = await cancel({ id, reason: 'The customer returned it' })
  expect(again).toMatchObject(refusal(409, 'INVOICE_ALREADY_CANCELED'))
  expect(fresh.dump()).toEqual(before)
})

const dots = (length: number) => '.'.repeat(length)

test.each([
  [undefined, 200],
  [dots(14), 400],
  [dots(15), 200],
  [dots(255), 200],
  [dots(256), 400],
  ['🙂'.repeat(255), 200],
  ['🙂'.repeat(256), 400],
  [`${dots(14)} `, 200],
  [`${dots(254)} `, 200],
  [`${dots(255)} `, 400],
  [' '.repeat(15), 400],
  ['', 400],
  [null, 400],
  [123_456_789_012_345, 400],
])('returns for the reason %j the status %i', async (reason, status) => {
  const { issue, cancel } = await freshLiteInvoicing()
  const { id } = await issue()
  expect((await cancel({ id, reason })).status).toBe(status)
  // The refused call has changed nothing.
  expect((await cancel({ id })).status).toBe(status === 200 ? 409 : 200)
})

test('returns not found for an unknown invoice', async () => {
  const { cancel } = await freshLiteInvoicing()
  expect(await cancel({ id: 1 })).toMatchObject(refusal(404, 'INVOICE_NOT_FOUND'))
})

test('returns not found for an invoice of another company', async () => {
  const { issue, call, fresh } = await freshLiteInvoicing()
  const { id } = await issue()
  const { key } = fresh.tenant()
  const foreign = await call('POST', '/invoicing/lite/cancel', { key, body: { id } })
  expect(foreign).toMatchObject(refusal(404, 'INVOICE_NOT_FOUND'))
  expect((await call('POST', '/invoicing/lite/cancel', { body: { id } })).status).toBe(200)
})

test.each([null, 'nobody'])('refuses the token %j', async (key) => {
  const { call } = await freshLiteInvoicing()
  const answer = await call('POST', '/invoicing/lite/cancel', { key, body: { id: 1 } })
  expect(answer).toMatchObject(refusal(401, 'UNAUTHORIZED'))
})
