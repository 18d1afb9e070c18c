import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchFolder } from '../../support/process.ts'
import { controlApp, makeWorkspace, type ControlApp } from '../app.ts'
import { receiver, status, type Received } from '../receiver.ts'

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const NOON = '2030-01-01T12:00:00.000Z'

async function setup(db?: string) {
  const app = await controlApp(db === undefined ? {} : { db })
  const { id, key } = await makeWorkspace(app)
  const path = `/workspaces/${id}`
  await app.sim('PUT', `${path}/clock`, { body: { now: NOON, frozen: true } })
  const subscribe = (of: string, url: string) =>
    app.sim('POST', `${path}/subscriptions`, { body: { interface: of, url } })
  const makeProduct = (headers: Readonly<Record<string, string>>) =>
    app.fastify.inject({
      method: 'POST',
      url: '/workspace/public/v1/products',
      headers: { authorization: `Bearer ${key}`, ...headers },
      payload: { name: 'Desk', type: 'physical' },
    })
  const emit = (headers: Readonly<Record<string, string>>) =>
    app.sim('POST', `${path}/triggers/pos.event.emit`, { body: { event: 'stock.low' }, headers })
  return { app, path, subscribe, makeProduct, emit }
}

/** Completes all attempts that become due within the duration. */
const advance = ({ sim }: ControlApp, path: string, duration = 'PT0S') =>
  sim('POST', `${path}/clock/advance`, { body: { duration } })

const tracesOf = (received: readonly Received[]): unknown[] =>
  received.map(({ headers: { traceparent, tracestate } }) => [traceparent, tracestate])

test('sends the trace of a call and of a trigger unchanged with its webhooks', async () => {
  const { app, path, subscribe, makeProduct, emit } = await setup()
  const sink = await receiver()
  await subscribe('catalog', sink.url)
  await subscribe('pos', sink.url)
  await makeProduct({ traceparent: PARENT, tracestate: 'congo=t61rcWkgMzE' })
  await advance(app, path)
  await emit({ traceparent: PARENT })
  await advance(app, path)
  await makeProduct({})
  await advance(app, path)
  expect(tracesOf(sink.received)).toEqual([
    [PARENT, 'congo=t61rcWkgMzE'],
    [PARENT, undefined],
    [undefined, undefined],
  ])
})

test.each([
  ['upper case', PARENT.toUpperCase()],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
  ['a parent id of zeros', `00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01`],
  ['version ff', PARENT.replace(/^00/, 'ff')],
  ['more than four fields', `${PARENT}-00`],
  ['two values', `${PARENT}, ${PARENT}`],
  ['another text', 'hello'],
])('omits a traceparent with %s, and its tracestate', async (_what, traceparent) => {
  const { app, path, subscribe, makeProduct } = await setup()
  const sink = await receiver()
  await subscribe('catalog', sink.url)
  await makeProduct({ traceparent, tracestate: 'congo=t61rcWkgMzE' })
  await advance(app, path)
  expect(tracesOf(sink.received)).toEqual([[undefined, undefined]])
})

test.each([
  [512, 'x'.repeat(512)],
  [513, undefined],
])('sends a tracestate only up to 512 characters: %i', async (length, passedOn) => {
  const { app, path, subscribe, makeProduct } = await setup()
  const sink = await receiver()
  await subscribe('catalog', sink.url)
  await makeProduct({ traceparent: PARENT, tracestate: 'x'.repeat(length) })
  await advance(app, path)
  expect(tracesOf(sink.received)).toEqual([[PARENT, passedOn]])
})

test('sends the trace with retries and redeliveries, also after a restart', async () => {
  const db = join(scratchFolder(), 'suite.sqlite')
  const { app, path, subscribe, makeProduct } = await setup(db)
  const sink = await receiver((response, count) => {
    status(count === 1 ? 500 : 200)(response)
  })
  await subscribe('catalog', sink.url)
  await makeProduct({ traceparent: PARENT })
  await advance(app, path)
  await app.close()

  const again = await controlApp({ db })
  await advance(again, path, 'PT1M')
  const [{ id }] = (await again.sim('GET', `${path}/deliveries`)).body.data as [{ id: string }]
  await again.sim('POST', `${path}/deliveries/${id}/redeliver`)
  await advance(again, path)
  expect(tracesOf(sink.received)).toEqual([
    [PARENT, undefined],
    [PARENT, undefined],
    [PARENT, undefined],
  ])
})
