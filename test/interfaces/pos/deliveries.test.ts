import { verify } from '@octokit/webhooks-methods'
import { expect, test } from 'vitest'
import { problemsOf } from '../../../src/http/schemas/validation.ts'
import { POS_EVENTS } from '../../../src/state/pos/eventNames.ts'
import { emitPosEvent, findPosEvent } from '../../../src/state/pos/events.ts'
import { freshApp, type FreshApp } from '../../support/app.ts'
import { receiver } from '../../support/webhooks.ts'

interface Created {
  readonly webhook: { readonly id: string }
  readonly secret: string
}

async function subscribe(fresh: FreshApp, url: string, events: readonly string[]): Promise<Created> {
  const call = fresh.at<Created>('pos')
  const answer = await call('POST', '/webhooks', { body: { url, events } })
  expect(answer.status).toBe(201)
  return answer.body
}

/** The names of the events with a delivery, oldest first. */
const deliveryNames = ({ app, workspace }: FreshApp): string[] =>
  app.webhooks
    .list(workspace, { limit: 100 })
    .map(({ event }) => event)
    .reverse()

test('delivers each of the 33 events, signed with the secret and in the published shape', async () => {
  const fresh = await freshApp()
  const sink = await receiver()
  const { secret } = await subscribe(fresh, sink.url, POS_EVENTS)

  for (const name of POS_EVENTS) emitPosEvent(fresh.workspace, name)
  await sink.received(POS_EVENTS.length)

  const receivedNames = sink.requests.map(({ headers }) => String(headers['x-service-event']))
  expect(receivedNames.sort()).toEqual([...POS_EVENTS].sort())
  for (const { headers, body } of sink.requests) {
    const delivered = JSON.parse(body) as { event: string; data: unknown }
    expect(Object.keys(delivered)).toEqual(['id', 'event', 'createdAt', 'data'])
    expect(delivered.event).toBe(headers['x-service-event'])
    expect(problemsOf(findPosEvent(delivered.event)?.payload ?? {}, delivered.data)).toEqual([])
    expect(await verify(secret, body, String(headers['x-service-signature']))).toBe(true)
  }
})

test('delivers the stock events of one product in their order after a failed attempt', async () => {
  const fresh = await freshApp()
  fresh.setClock('2026-11-21T10:00:00Z')
  const sink = await receiver((_received, index) => (index === 0 ? 500 : 200))
  await subscribe(fresh, sink.url, ['stock.updated', 'stock.low', 'product.updated'])
  const emit = (event: string, data: object) =>
    fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/triggers/pos.event.emit`, {
      body: { event, data },
    })
  await emit('stock.updated', { productId: 'beans', quantity: 9 })
  await sink.received(1)
  await emit('stock.updated', { productId: 'beans', quantity: 3 })
  await emit('stock.low', { productId: 'beans', quantity: 3 })
  await emit('product.updated', { id: 'beans', price: 3 })
  await emit('stock.updated', { productId: 'cups', quantity: 7 })
  await sink.received(2)
  fresh.setClock('2026-11-21T11:00:00Z')
  await sink.received(6)
  const received = sink.requests.map(({ body }) => {
    const { event, data } = JSON.parse(body) as { event: string; data: Record<string, unknown> }
    return `${event} ${String(data['quantity'] ?? data['price'])}`
  })
  // The product that does not wait is delivered at once.
  expect(received).toEqual([
    'stock.updated 9',
    'stock.updated 7',
    'stock.updated 9',
    'stock.updated 3',
    'stock.low 3',
    'product.updated 3',
  ])
})

test('sends an inactive webhook nothing until it is active again', async () => {
  const fresh = await freshApp()
  const { webhook } = await subscribe(fresh, 'http://127.0.0.1:9/', ['stock.low', 'stock.updated'])
  const activate = (isActive: boolean) =>
    fresh.at('pos')('PUT', `/webhooks/${webhook.id}`, { body: { isActive } })

  await activate(false)
  emitPosEvent(fresh.workspace, 'stock.low')
  expect(deliveryNames(fresh)).toEqual([])

  await activate(true)
  emitPosEvent(fresh.workspace, 'stock.updated')
  expect(deliveryNames(fresh)).toEqual(['stock.updated'])
})
