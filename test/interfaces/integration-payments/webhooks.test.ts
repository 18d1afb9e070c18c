/** Specification part 2, "Integration payments events", "Webhook signature": the deliveries to subscribers. */
import { verify } from '@octokit/webhooks-methods'
import { describe, expect, test } from 'vitest'
import { freshProject, NOON, type Project } from '../../support/integrationPayments.ts'
import { receiver } from '../../support/webhooks.ts'

const INTEGRATION_PAYMENT_EVENTS = [
  'customer.created',
  'payment.success',
  'charge.succeeded',
  'payment_link.cancelled',
]

const subscribe = async (
  { fresh }: Project,
  body: Record<string, unknown>,
): Promise<{ id: string; secret: string }> => {
  const path = `/_sim/workspaces/${fresh.workspace.id}/subscriptions`
  const answer = await fresh.call('POST', path, { body: { interface: 'integration-payments', ...body } })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body as { id: string; secret: string }
}

test('publishes every event and accepts it in a subscription', async () => {
  const project = await freshProject()
  const { events = [] } = await project.fresh.definition('integration-payments')
  expect(events.map(({ name }) => name)).toEqual(INTEGRATION_PAYMENT_EVENTS)
  await subscribe(project, { url: 'https://receiver.example.com/', events: INTEGRATION_PAYMENT_EVENTS })
  await expect(
    subscribe(project, { url: 'https://receiver.example.com/', events: ['payment.failed'] }),
  ).rejects.toThrow('events')
})

test('delivers the events of a payment in order, each signed and in its envelope', async () => {
  const project = await freshProject()
  const sink = await receiver()
  const { secret } = await subscribe(project, { url: sink.url, events: ['*'] })
  const { hashUrl } = await project.addPaymentLink({ metadata: { orderRef: 'A-1' } })
  await project.pull('link.complete', { hashUrl })
  await sink.received(3)
  const { app, workspace } = project.fresh
  const deliveryList = app.webhooks.list(workspace, { limit: 10 }).reverse()
  expect(deliveryList.map(({ event }) => event)).toEqual([
    'customer.created',
    'payment.success',
    'charge.succeeded',
  ])
  const events = new Map(project.events().map(({ name, data }) => [name, data]))
  for (const { headers, body } of sink.requests) {
    const sent = JSON.parse(body) as { id: string; event: string }
    expect(sent).toEqual({
      id: expect.stringMatching(/^[a-z][a-z0-9]{23}$/) as unknown,
      event: headers['x-service-event'],
      createdAt: NOON,
      data: events.get(sent.event),
    })
    expect(await verify(secret, body, String(headers['x-service-signature']))).toBe(true)
    expect(await verify(secret, `${body} `, String(headers['x-service-signature']))).toBe(false)
  }
  expect(new Set(sink.requests.map(({ headers }) => headers['x-service-event'])).size).toBe(3)
})

describe('subscription', () => {
  test('gets only the events that it names', async () => {
    const project = await freshProject()
    const sink = await receiver()
    await subscribe(project, { url: sink.url, events: ['payment_link.cancelled'] })
    const [paid, cancelled] = [await project.addPaymentLink(), await project.addPaymentLink()]
    await project.pull('link.complete', { hashUrl: paid.hashUrl })
    await project.ask('PATCH', `/v1/payment-links/${cancelled.hashUrl}/cancel`)
    await sink.received(1)
    expect(JSON.parse(sink.requests[0]?.body ?? '')).toMatchObject({
      event: 'payment_link.cancelled',
      data: { paymentLink: { hashUrl: cancelled.hashUrl, status: 'cancelled' }, metadata: {} },
    })
    const { app, workspace } = project.fresh
    expect(app.webhooks.list(workspace, { limit: 10 })).toHaveLength(1)
  })

  test('of another interface or workspace gets nothing', async () => {
    const project = await freshProject()
    const url = 'http://127.0.0.1:9/'
    await subscribe(project, { interface: 'pos', url, events: ['*'] })
    const { hashUrl } = await project.addPaymentLink()
    await project.pull('link.complete', { hashUrl })
    const { app, workspace } = project.fresh
    expect(app.webhooks.list(workspace, { limit: 10 })).toEqual([])
  })
})

test('delivers to a receiver that was unreachable before', async () => {
  const project = await freshProject()
  const sink = await receiver((_received, index) => (index === 0 ? 500 : 200))
  await subscribe(project, { url: sink.url, events: ['customer.created'] })
  const { hashUrl } = await project.addCollectionLink()
  await project.pull('link.complete', { hashUrl })
  const { fresh } = project
  const deliveries = `/_sim/workspaces/${fresh.workspace.id}/deliveries`
  await sink.received(1)
  // The attempt must be recorded before the clock moves.
  await expect
    .poll(async () => (await fresh.call('GET', deliveries)).body)
    .toMatchObject({ data: [{ attempts: [{ status: 500 }] }] })
  await fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/clock/advance`, {
    body: { duration: 'PT1H' },
  })
  const { body } = await fresh.call('GET', deliveries)
  expect(body).toMatchObject({
    data: [{ status: 'delivered', attempts: [{ status: 500 }, { status: 200 }] }],
  })
  expect(sink.requests[1]?.body).toBe(sink.requests[0]?.body)
})
