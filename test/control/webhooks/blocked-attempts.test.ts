import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { reasonHeldBack } from '../../../src/webhooks/deliveries/heldBack.ts'
import { controlApp, makeWorkspace } from '../app.ts'
import { receiver, status } from '../receiver.ts'

const NOON = '2030-01-01T12:00:00.000Z'

async function setup(url: string) {
  const app = await controlApp()
  const { id, key } = await makeWorkspace(app)
  const path = `/workspaces/${id}`
  await app.sim('PUT', `${path}/clock`, { body: { now: NOON, frozen: true } })
  await app.sim('POST', `${path}/subscriptions`, { body: { interface: 'catalog', url } })
  const change = (method: 'POST' | 'PUT', at: string, body: object) =>
    app.call(method, `/workspace/public/v1/products${at}`, key, body)
  const make = async () =>
    (await change('POST', '', { name: 'Desk', type: 'physical' })).body.data as { id: string }
  const due = async () => (await app.sim('GET', `${path}/clock/due`)).body.data as object[]
  const deliveries = async () =>
    (await app.sim('GET', `${path}/deliveries`)).body.data as { id: string; nextAttemptAt: string }[]
  return { ...app, path, change, make, due, deliveries }
}

test('names the blocking delivery of the record and its time in a waiting attempt', async () => {
  const { sim, path, change, make, due, deliveries } = await setup((await receiver(status(500))).url)
  const { id } = await make()
  await sim('POST', `${path}/clock/advance`, { body: { duration: 'PT0S' } })
  expect(await due()).toEqual([
    {
      job: 'webhooks.attempt',
      at: (await deliveries())[0]?.nextAttemptAt,
      delivery: (await deliveries())[0]?.id,
      heldBackBy: null,
    },
  ])
  await change('PUT', `/${id}`, { name: 'Table' })
  const [second, first] = await deliveries()
  expect(await due()).toEqual([
    {
      job: 'webhooks.attempt',
      at: NOON,
      delivery: second?.id,
      heldBackBy: `delivery ${String(first?.id)} of the same record, which is retried at ${String(first?.nextAttemptAt)}`,
    },
    { job: 'webhooks.attempt', at: first?.nextAttemptAt, delivery: first?.id, heldBackBy: null },
  ])
})

test('shows an attempt as in progress until its receiver responds', async () => {
  const pendingResponses: ServerResponse[] = []
  let arrive: () => void
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  const sink = await receiver((response) => {
    pendingResponses.push(response)
    arrive()
  })
  const { make, due, sim, path } = await setup(sink.url)
  await make()
  await arrived
  expect(await due()).toMatchObject([{ at: NOON, heldBackBy: 'its attempt, which is in flight' }])
  for (const response of pendingResponses) response.end()
  await sim('GET', `${path}/deliveries?status=delivered&wait=300&count=1`)
  expect(await due()).toEqual([])
})

const FREE = {
  origin: 'http://127.0.0.1:9',
  isListenerAway: false,
  isSending: true,
  isInFlight: false,
  inFlightToOrigin: 4,
  isOriginLimitReached: false,
  isThrottled: false,
  isTotalLimitReached: false,
  isBlocked: false,
}

test.each([
  [{ isSending: false, isListenerAway: true }, 'its listener, which is not connected'],
  [{ isSending: false }, 'the server, which is not sending now'],
  [{ isOriginLimitReached: true }, 'the slots of http://127.0.0.1:9: 4 attempts to it are in flight'],
  [{ isThrottled: true }, 'receivers that do not respond, which use all slots that they may have'],
  [{ isTotalLimitReached: true }, 'the slots of the server: the maximum number of attempts is in flight'],
  [{ isBlocked: true }, 'an attempt for the same record that is still in flight'],
  [{}, 'the queue, which sends it next'],
])('blocks an attempt with %j by %s', (standing, words) => {
  expect(reasonHeldBack({ ...FREE, ...standing })).toBe(words)
})
