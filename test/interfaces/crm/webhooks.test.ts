/** CRM webhooks: their fields and their deliveries. */
import { verify } from '@octokit/webhooks-methods'
import { beforeEach, describe, expect, test } from 'vitest'
import { CRM_EVENTS } from '../../../src/state/crm/eventNames.ts'
import { freshSales, type Sales } from '../../support/deals.ts'
import { receiver } from '../../support/webhooks.ts'

interface Webhook {
  readonly id: string
  readonly url: string
  readonly secret?: string
  readonly [field: string]: unknown
}

let sales: Sales

beforeEach(async () => {
  sales = await freshSales()
})

const URL = 'https://receiver.example.com/crm'
const post = (fields: Record<string, unknown> = {}) =>
  sales.call('POST', '/webhooks', { body: { url: URL, events: ['deal.won'], ...fields } })
const add = async (fields: Record<string, unknown> = {}): Promise<Webhook> =>
  (await post(fields)).body as Webhook

test('publishes every event', async () => {
  const { events = [] } = await sales.fresh.definition('crm')
  expect(events.map(({ name }) => name)).toEqual(CRM_EVENTS)
})

describe('delivery', () => {
  test('is signed with the secret and contains the record as in the response', async () => {
    const sink = await receiver()
    await add({ url: sink.url, secret: 'hush-hush', events: ['contact.created'] })
    const contact = await sales.addContact({ email: 'ana@example.com' })
    await sink.received(1)
    const { headers = {}, body = '' } = sink.requests[0] ?? {}
    expect(JSON.parse(body)).toEqual({
      id: expect.any(String) as unknown,
      event: 'contact.created',
      createdAt: '2026-11-21T12:00:00.000Z',
      data: { contact },
    })
    expect(headers['x-service-event']).toBe('contact.created')
    expect(await verify('hush-hush', body, String(headers['x-service-signature']))).toBe(true)
  })

  test('is created once for each selected event, and never for an inactive webhook', async () => {
    await add({ url: 'http://127.0.0.1:9/', events: ['contact.updated', 'contact.created'] })
    await add({ url: 'http://127.0.0.1:9/', events: [...CRM_EVENTS], active: false })
    const { id } = await sales.addContact()
    await sales.ask('PATCH', `/contacts/${id}`, { name: 'Ana B' })
    await sales.ask('DELETE', `/contacts/${id}`)
    const { app, workspace } = sales.fresh
    const deliveredEvents = app.webhooks.list(workspace, { limit: 100 }).map(({ event }) => event)
    expect(deliveredEvents.sort()).toEqual(['contact.created', 'contact.updated'])
  })
})
