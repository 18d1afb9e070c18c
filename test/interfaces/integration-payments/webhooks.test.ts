/** Specification part 2, "Integration payments events", "Webhook signature": the deliveries to subscribers. */
import { verify } from '@octokit/webhooks-methods'
import { expect, test } from 'vitest'
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
