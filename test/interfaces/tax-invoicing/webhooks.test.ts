/** Webhooks: subscriptions and deliveries. */
import { expect, test } from 'vitest'
import { freshInvoicing, refusalOf } from '../../support/taxInvoicing.ts'

const URL = 'https://receiver.example.com/invoices'

test('returns a generated secret once', async () => {
  const { call } = await freshInvoicing()
  const made = await call('POST', '/webhooks', { body: { url: URL, events: ['invoice.created'] } })
  expect(made).toMatchObject({
    status: 201,
    body: { url: URL, events: ['invoice.created'], active: true, secret: expect.any(String) as string },
  })
  const own = await call('POST', '/webhooks', {
    body: { url: URL, events: ['certificate.expiring'], secret: 'my own' },
  })
  expect(own.body).not.toHaveProperty('secret')
})

test.each([
  [{ events: ['invoice.created'] }, 'url'],
  [{ url: URL }, 'events'],
  [{ url: URL, events: [] }, 'events'],
  [{ url: URL, events: ['invoice.paid'] }, 'events.0'],
  [{ url: 'http://receiver.example.com', events: ['invoice.created'] }, 'url'],
  [{ url: URL, events: ['invoice.created'], secret: '' }, 'secret'],
])('refuses %j', async (body, field) => {
  const { call } = await freshInvoicing()
  expect(refusalOf(await call('POST', '/webhooks', { body }))).toEqual([422, 'validation_error', field])
})

test.each([
  'invoice.created',
  'invoice.cancelled',
  'invoice.cancellation_accepted',
  'invoice.cancellation_rejected',
  'payment_receipt.created',
  'certificate.expiring',
])('accepts the event %s', async (name) => {
  const { call } = await freshInvoicing()
  expect(await call('POST', '/webhooks', { body: { url: URL, events: [name] } })).toMatchObject({
    status: 201,
    body: { events: [name] },
  })
})
