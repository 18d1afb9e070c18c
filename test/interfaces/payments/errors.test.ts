/** The error body of payments and its closed list of codes. Specification part 2, "Errors". */
import { beforeEach, describe, expect, test } from 'vitest'
import { ERROR_CODES, paymentsDialect } from '../../../src/interfaces/payments/dialect.ts'
import { REASONS } from '../../../src/state/model/refusal.ts'
import { freshPayments, INVALID_AMOUNT, refusal, type Payments } from '../../support/payments.ts'

let payments: Payments

beforeEach(async () => {
  payments = await freshPayments()
})

test('has three fields, and equals the sample of the specification', async () => {
  const answer = await payments.call('POST', '/payment-links', { body: { amount: -5 } })
  expect(answer.status).toBe(422)
  expect(answer.body).toEqual(INVALID_AMOUNT)
})

test('uses a code of the list for every refusal', () => {
  for (const reason of REASONS) {
    expect(ERROR_CODES).toContain(paymentsDialect.refusals[reason].code)
    const spoken = {
      ...paymentsDialect.refusals[reason],
      reason,
      message: 'No.',
      details: undefined,
      facts: undefined,
      at: 0,
    }
    expect(ERROR_CODES).toContain((paymentsDialect.body(spoken) as { error: string }).error)
  }
})

describe('status codes of the specification', () => {
  test('400 for parameters and bodies that cannot be parsed', async () => {
    expect(await payments.call('GET', '/transactions?page=x')).toMatchObject(
      refusal(400, 'invalid_parameters'),
    )
    expect(await payments.call('POST', '/payment-links', { raw: '{' })).toMatchObject(
      refusal(400, 'invalid_parameters'),
    )
    expect(await payments.call('GET', '/payment-links/%00')).toMatchObject(refusal(400, 'invalid_parameters'))
  })

  test('401 for a missing, unknown or expired key', async () => {
    const expired = payments.fresh.makeKey({ expiresAt: payments.fresh.workspace.now() })
    for (const key of [null, 'unknown', expired]) {
      const answer = await payments.call('GET', '/payment-links', { key })
      expect(answer).toMatchObject(refusal(401, 'unauthorized'))
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    }
  })

  test('403 for a key of other interfaces', async () => {
    const key = payments.fresh.makeKey({ interfaces: ['pos'] })
    expect(await payments.call('GET', '/payment-links', { key })).toMatchObject(refusal(403, 'forbidden'))
  })

  test('404 for unknown records', async () => {
    for (const path of ['/payment-links/pl_no', '/transactions/txn_no', '/webhooks/no', '/nothing']) {
      expect(await payments.call('GET', path)).toMatchObject(refusal(404, 'not_found'))
    }
  })

  test('405 for other methods, 413 and 415 for bodies that are not read', async () => {
    expect(await payments.call('PUT', '/payment-links')).toMatchObject(refusal(405, 'method_not_allowed'))
    expect(
      await payments.call('POST', '/payment-links', { raw: 'x', contentType: 'text/plain' }),
    ).toMatchObject(refusal(415, 'unsupported_media_type'))
    expect(await payments.call('POST', '/payment-links', { raw: ' '.repeat(1_048_577) })).toMatchObject(
      refusal(413, 'payload_too_large'),
    )
  })

  test('all operations with any key, because no permission is documented', async () => {
    const key = payments.fresh.makeKey({ scopes: [] })
    expect((await payments.call('POST', '/payment-links', { body: { amount: 1 }, key })).status).toBe(201)
    expect((await payments.call('GET', '/transactions', { key })).status).toBe(200)
  })
})
