/** `POST /_sim/workspaces/{id}/deliveries`: delivers a sample of an event that did not occur. */
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { controlApp, makeWorkspace } from '../app.ts'
import { receiver } from '../receiver.ts'

const NOON = '2030-01-01T12:00:00.000Z'

async function setup() {
  const app = await controlApp()
  const { id } = await makeWorkspace(app)
  const path = `/workspaces/${id}`
  const to = await receiver((response) => {
    response.end()
  })
  await app.sim('PUT', `${path}/clock`, { body: { now: NOON, frozen: true } })
  const body = { interface: 'payments', url: to.url, secret: 'a-secret' }
  await app.sim('POST', `${path}/subscriptions`, { body })
  const deliver = (sample: object) => app.sim('POST', `${path}/deliveries`, { body: sample })
  const received = async () => {
    await app.sim('GET', `${path}/deliveries?status=delivered&wait=10&count=1`)
    return to.received[0]
  }
  return { ...app, path, received, deliver }
}

test('a sample reaches the subscriptions, signed, with the data and the time of the call', async () => {
  const { deliver, received, sim, path } = await setup()
  const event = { interface: 'payments', event: 'payment.completed' }
  const { status, body } = await deliver({ ...event, data: { any: 'thing' }, at: '2029-12-31T23:59:55Z' })
  expect(status).toBe(201)
  const { eventId, deliveries } = body as { eventId: string; deliveries: string[] }
  expect(deliveries).toHaveLength(1)
  const sent = await received()
  expect(JSON.parse(sent?.body ?? '')).toEqual({
    id: eventId,
    event: 'payment.completed',
    created_at: '2029-12-31T23:59:55.000Z',
    data: { any: 'thing' },
  })
  expect(sent?.headers['x-service-delivery']).toBe(deliveries[0])
  expect(sent?.headers['x-service-signature']).toBe(
    `sha256=${createHmac('sha256', 'a-secret')
      .update(sent?.body ?? '')
      .digest('hex')}`,
  )
  expect((await sim('GET', `${path}/timeline?kind=event`)).body).toMatchObject({ data: [] })
})

test('without data and time, it has the published example and the time of the workspace', async () => {
  const { deliver, received, sim } = await setup()
  await deliver({ interface: 'payments', event: 'payment.completed' })
  const sent = await received()
  const document = (await sim('GET', '/openapi/payments.json')).body as {
    webhooks: Record<
      string,
      { post: { requestBody: { content: Record<string, { example: { data: object } }> } } }
    >
  }
  const published = document.webhooks['payment.completed']?.post.requestBody.content['application/json']
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({ created_at: NOON, data: published?.example.data })
})

test('an event of another interface is refused with its name, and one without a subscription goes nowhere', async () => {
  const { deliver } = await setup()
  expect(await deliver({ interface: 'payments', event: 'payment.complete' })).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('did you mean payment.completed?') } },
  })
  expect(await deliver({ interface: 'pos', event: 'sale.completed' })).toMatchObject({
    status: 201,
    body: { deliveries: [] },
  })
})

test('data without the records that a body shows are refused with the field, and send nothing', async () => {
  const { deliver, sim, path } = await setup()
  const readings = { 'conversations.webhook_payload': 'flat' }
  await sim('PATCH', path, { body: { readings } })
  const url = 'https://hooks.example.com/in'
  await sim('POST', `${path}/subscriptions`, { body: { interface: 'conversations', url } })
  const event = { interface: 'conversations', event: 'message_created' }
  expect(await deliver({ ...event, data: { message: { inbox_id: 7777 } } })).toMatchObject({
    status: 400,
    body: {
      error: {
        code: 'validation_error',
        message: expect.stringMatching(
          /^data must name records of this workspace.* There is no inbox 7777\.$/,
        ),
        details: [{ field: 'data' }],
      },
    },
  })
  expect((await sim('GET', `${path}/deliveries`)).body).toMatchObject({ data: [] })
})
