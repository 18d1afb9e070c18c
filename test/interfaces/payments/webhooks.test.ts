/** Webhooks of payments: their fields and their deliveries. Specification part 2, "Payments v1", "Events". */
import { verify } from '@octokit/webhooks-methods'
import { beforeEach, describe, expect, test } from 'vitest'
import { problemsOf } from '../../../src/http/schemas/validation.ts'
import { freshPayments, NOON, refusal, type PageBody, type Payments } from '../../support/payments.ts'
import { receiver } from '../../support/webhooks.ts'

const PAYMENT_EVENTS = ['payment.completed', 'payment.failed', 'payment.refunded', 'settlement.completed']

interface Webhook {
  readonly id: string
  readonly secret?: string
  readonly [field: string]: unknown
}

let payments: Payments

beforeEach(async () => {
  payments = await freshPayments()
})

const URL = 'https://receiver.example.com/payments'
const post = (fields: Record<string, unknown> = {}) =>
  payments.call('POST', '/webhooks', { body: { url: URL, events: ['payment.completed'], ...fields } })
const add = async (fields: Record<string, unknown> = {}) =>
  ((await post(fields)).body as { data: Webhook }).data
const patch = (id: string, body: unknown) => payments.call('PATCH', `/webhooks/${id}`, { body })
const get = async (id: string) => (await payments.ask<{ data: Webhook }>('GET', `/webhooks/${id}`)).data
const list = () => payments.ask<PageBody<Webhook>>('GET', '/webhooks')

describe('webhook', () => {
  test('is created with its own secret, which is returned once', async () => {
    const answer = await post({ events: ['settlement.completed', 'payment.failed', 'payment.failed'] })
    expect(answer.status).toBe(201)
    const { secret, ...webhook } = (answer.body as { data: Webhook }).data
    expect(secret).toMatch(/^whsec_[A-Za-z0-9]{32}$/)
    expect(webhook).toEqual({
      id: expect.stringMatching(/^[a-z][a-z0-9]{23}$/) as unknown,
      url: URL,
      events: ['settlement.completed', 'payment.failed'],
      active: true,
      created_at: NOON,
    })
    expect((await list()).data).toEqual([webhook])
    expect(await get(webhook.id)).toEqual(webhook)
  })

  test('can select the four events of the specification', async () => {
    const { events = [] } = await payments.fresh.definition('payments')
    expect(events.map(({ name }) => name)).toEqual(PAYMENT_EVENTS)
  })

  test('changes only the given fields', async () => {
    const { secret: _secret, ...made } = await add()
    expect(await patch(made.id, { active: false })).toMatchObject({
      status: 200,
      body: { data: { ...made, active: false } },
    })
    const events = ['payment.failed', 'payment.refunded']
    const { body } = await patch(made.id, { events })
    expect(body).toEqual({ data: { ...made, events, active: false } })
    expect(await get(made.id)).toEqual({ ...made, events, active: false })
    expect((await patch(made.id, { active: true, events: ['payment.completed'] })).body).toEqual({
      data: made,
    })
  })

  test.each([
    [{}, 'at least one of events and active'],
    [{ url: 'https://other.example.com/' }, 'at least one of events and active'],
  ])('is not changed by %j', async (body, words) => {
    const { secret: _secret, ...made } = await add()
    expect(await patch(made.id, body)).toMatchObject(
      refusal(422, 'invalid_data', expect.stringContaining(words)),
    )
    expect(await get(made.id)).toEqual(made)
  })
})

describe('delivery', () => {
  test('is signed with the secret, named in its header, and in the format of payments', async () => {
    const sink = await receiver()
    await add({ url: sink.url, secret: 'hush-hush' })
    const transaction = await payments.paid()
    await sink.received(1)
    const { headers = {}, body = '' } = sink.requests[0] ?? {}
    expect(JSON.parse(body)).toEqual({
      id: expect.any(String) as unknown,
      event: 'payment.completed',
      created_at: NOON,
      data: { transaction, payment_link: { id: transaction.link_id, reference: null, metadata: {} } },
    })
    const { fresh } = payments
    const document = await fresh.call('GET', '/_sim/openapi/payments.json')
    expect(document.body).toHaveProperty(
      [
        'webhooks',
        'payment.completed',
        'post',
        'requestBody',
        'content',
        'application/json',
        'schema',
        'required',
      ],
      Object.keys(JSON.parse(body) as object),
    )
    expect(headers['x-service-event']).toBe('payment.completed')
    expect(await verify('hush-hush', body, String(headers['x-service-signature']))).toBe(true)
    expect(await verify('hush-hush', `${body} `, String(headers['x-service-signature']))).toBe(false)
  })

  test('that is lost is sent again with the same id', async () => {
    const sink = await receiver((_received, index) => (index === 0 ? 500 : 200))
    await add({ url: sink.url })
    await payments.paid()
    await sink.received(1)
    const path = `/_sim/workspaces/${payments.fresh.workspace.id}/clock/advance`
    await payments.fresh.call('POST', path, { body: { duration: 'PT1M' } })
    await sink.received(2)
    expect(sink.requests[1]?.body).toBe(sink.requests[0]?.body)
  })

  test('is created for each selected event in its published shape', async () => {
    await add({ url: 'http://127.0.0.1:9/', events: PAYMENT_EVENTS })
    await add({ url: 'http://127.0.0.1:9/', events: ['settlement.completed'] })
    const inactive = await add({ url: 'http://127.0.0.1:9/', events: PAYMENT_EVENTS })
    await patch(inactive.id, { active: false })
    const link = await payments.addLink({ max_payments: 9, metadata: { order: 1 } })
    const { id } = await payments.pay(link.id)
    await payments.pay(link.id, { outcome: 'failed' })
    await payments.pay(link.id, { outcome: 'pending' })
    await payments.refundWholly(id, { amount: 1 })
    const { settlement_id } = await payments.settle()
    await payments.happens('settlement.deposit', { settlement_id })
    const { app, workspace } = payments.fresh
    const deliveredEvents = app.webhooks.list(workspace, { limit: 100 }).map(({ event }) => event)
    expect(deliveredEvents.sort()).toEqual([
      'payment.completed',
      'payment.failed',
      'payment.refunded',
      'settlement.completed',
      'settlement.completed',
    ])
    const emitted = payments.events()
    expect(emitted.map(({ name }) => name)).toEqual([...PAYMENT_EVENTS])
    const { events = [] } = await payments.fresh.definition('payments')
    for (const { name, data } of emitted) {
      const published = events.find((event) => event.name === name)
      expect(problemsOf(published?.payload ?? {}, data)).toEqual([])
    }
  })

  test('is not created by a change that is rolled back', async () => {
    await add({ url: 'http://127.0.0.1:9/', events: PAYMENT_EVENTS })
    const { id } = await payments.paid(100, { outcome: 'pending' })
    await payments.refund(id)
    await payments.pull('settlement.create')
    expect(payments.fresh.app.webhooks.list(payments.fresh.workspace, { limit: 100 })).toEqual([])
  })
})
