/** Specification part 2, "Authentication", "Errors", "Envelope": who may call, and how answers are put. */
import { expect, test } from 'vitest'
import { freshProject, NOON, refusal, said } from '../../support/integrationPayments.ts'

const anything = expect.any(String) as unknown
/** Nobody knows whose clock it would be. */
const now = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown

test('a call without X-API-Key is refused with 401 and its code', async () => {
  const { call } = await freshProject()
  expect(said(await call('GET', '/v1/products', { key: null }))).toEqual(
    refusal(
      401,
      'ERR_API_KEY_MISSING',
      'The request has no X-API-Key header. This interface reads X-API-Key: KEY.',
      now,
    ),
  )
})

test('a key that nobody has is refused with 404 and its code', async () => {
  const { call } = await freshProject()
  expect(said(await call('GET', '/v1/products', { key: 'unknown' }))).toEqual(
    refusal(404, 'ERR_ACCOUNT_API_KEY_ALIAS_NOT_FOUND', 'The key is not known.', now),
  )
})

test('a key that has expired is refused with 401', async () => {
  const { call, fresh } = await freshProject()
  const key = fresh.makeKey({ expiresAt: Date.parse(NOON) })
  expect(said(await call('GET', '/v1/products', { key }))).toEqual(
    refusal(401, 'ERR_API_KEY_EXPIRED', anything, now),
  )
})

test('a key of other interfaces is refused with 403', async () => {
  const { call, fresh } = await freshProject()
  const key = fresh.makeKey({ interfaces: ['payments'] })
  expect(said(await call('GET', '/v1/products', { key }))).toEqual(
    refusal(403, 'ERR_FORBIDDEN', anything, now),
  )
})

test('a path that is not there is refused in the same shape', async () => {
  const { call } = await freshProject()
  expect(said(await call('GET', '/v1/charges'))).toEqual(refusal(404, 'ERR_NOT_FOUND', anything))
  expect(said(await call('DELETE', '/v1/customers'))).toEqual(
    refusal(405, 'ERR_METHOD_NOT_ALLOWED', 'DELETE is not possible here; GET, POST is.'),
  )
  expect(said(await call('POST', '/v1/customers', { raw: '{' }))).toEqual(
    refusal(400, 'ERR_MALFORMED_REQUEST', anything),
  )
})

test('an answer tells success, its data, a message and the time on the clock of the workspace', async () => {
  const { call, setClock } = await freshProject()
  const list = () => call('GET', '/v1/customers')
  const envelope = (timestamp: string) => ({
    success: true,
    data: { customers: [], total: 0 },
    message: 'Customers found',
    timestamp,
  })
  expect((await list()).body).toEqual(envelope(NOON))
  // Asked for twice and remembered, the time is still that of the answer.
  expect((await list()).body).toEqual(envelope(NOON))
  setClock('2026-11-21T12:00:01.000Z')
  expect((await list()).body).toEqual(envelope('2026-11-21T12:00:01.000Z'))
})

test('what a test meets of another project is nothing', async () => {
  const { addCustomer, addPaymentLink, call, fresh } = await freshProject()
  const { key } = fresh.tenant()
  const customer = await addCustomer()
  const { hashUrl } = await addPaymentLink()
  for (const [path, name] of [
    ['/v1/products', 'products'],
    ['/v1/customers', 'customers'],
    ['/v1/payment-links', 'paymentLinks'],
  ] as const) {
    expect((await call('GET', path, { key })).body).toMatchObject({ data: { [name]: [], total: 0 } })
  }
  expect((await call('GET', '/v1/products/setup-fee', { key })).status).toBe(404)
  expect((await call('GET', `/v1/customers/${customer.id}`, { key })).status).toBe(404)
  const vault = { body: { customerVaultId: 'x' }, key }
  expect((await call('POST', `/v1/customers/${customer.id}/vault`, vault)).status).toBe(404)
  expect((await call('PATCH', `/v1/payment-links/${hashUrl}/cancel`, { key })).status).toBe(404)
})
