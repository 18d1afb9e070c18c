/** Specification part 2, "Authentication", "Errors", "Envelope": credentials, and the envelope of responses. */
import { expect, test } from 'vitest'
import { freshProject, NOON, refusal, statusAndBody } from '../../support/integrationPayments.ts'

const anything = expect.any(String) as unknown
/** Without a known key the time is that of the machine. */
const now = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown

test('returns 401 and its code without X-API-Key', async () => {
  const { call } = await freshProject()
  expect(statusAndBody(await call('GET', '/v1/products', { key: null }))).toEqual(
    refusal(
      401,
      'ERR_API_KEY_MISSING',
      'The request has no X-API-Key header. This interface reads X-API-Key: KEY.',
      now,
    ),
  )
})

test('returns 404 and its code for an unknown key', async () => {
  const { call } = await freshProject()
  expect(statusAndBody(await call('GET', '/v1/products', { key: 'unknown' }))).toEqual(
    refusal(
      404,
      'ERR_ACCOUNT_API_KEY_ALIAS_NOT_FOUND',
      'The key is unknown. This interface reads X-API-Key: KEY; the request has a value of X-API-Key that no workspace has.',
      now,
    ),
  )
})

test('returns 401 for an expired key', async () => {
  const { call, fresh } = await freshProject()
  const key = fresh.makeKey({ expiresAt: Date.parse(NOON) })
  expect(statusAndBody(await call('GET', '/v1/products', { key }))).toEqual(
    refusal(401, 'ERR_API_KEY_EXPIRED', anything, now),
  )
})

test('returns 403 for a key of other interfaces', async () => {
  const { call, fresh } = await freshProject()
  const key = fresh.makeKey({ interfaces: ['payments'] })
  expect(statusAndBody(await call('GET', '/v1/products', { key }))).toEqual(
    refusal(403, 'ERR_FORBIDDEN', anything, now),
  )
})

test('returns an error in the same shape for an unknown path', async () => {
  const { call } = await freshProject()
  expect(statusAndBody(await call('GET', '/v1/charges'))).toEqual(refusal(404, 'ERR_NOT_FOUND', anything))
  expect(statusAndBody(await call('DELETE', '/v1/customers'))).toEqual(
    refusal(405, 'ERR_METHOD_NOT_ALLOWED', 'DELETE is not possible here; GET and POST are.'),
  )
  expect(statusAndBody(await call('POST', '/v1/customers', { raw: '{' }))).toEqual(
    refusal(400, 'ERR_MALFORMED_REQUEST', anything),
  )
})

test('returns success, data, a message and the time of the workspace', async () => {
  const { call, setClock } = await freshProject()
  const list = () => call('GET', '/v1/customers')
  const envelope = (timestamp: string) => ({
    success: true,
    data: { customers: [], total: 0 },
    message: 'Customers found',
    timestamp,
  })
  expect((await list()).body).toEqual(envelope(NOON))
  // A cached response still has the current time.
  expect((await list()).body).toEqual(envelope(NOON))
  setClock('2026-11-21T12:00:01.000Z')
  expect((await list()).body).toEqual(envelope('2026-11-21T12:00:01.000Z'))
})
