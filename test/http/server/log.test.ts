/** The log has the redacted URL of a request, and what leads from it to the journal and to a trace. */
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { makeLogger } from '../../../src/http/server/logging/log.ts'
import { controlApp, makeWorkspace } from '../../control/app.ts'
import { receiver, status } from '../../control/receiver.ts'

test('logged URLs contain no credentials', async () => {
  const logger = await makeLogger('silent', false)
  const { req } = logger[Symbol.for('pino.serializers') as never] as {
    req: (request: object) => unknown
  }
  const url = '/zzz?access_token=A&password=P&client_secret=C&sig=S'
  expect(req({ id: 'req-1', method: 'GET', url, headers: { authorization: 'Bearer A' } })).toEqual({
    id: 'req-1',
    method: 'GET',
    url: '/zzz?access_token=[redacted]&password=[redacted]&client_secret=[redacted]&sig=[redacted]',
  })
})

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PRODUCTS = '/workspace/public/v1/products'

/** An app whose log lines the test reads. */
async function logged() {
  const lines: Record<string, unknown>[] = []
  const serializers = (await makeLogger('silent', false))[Symbol.for('pino.serializers') as never]
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>)
  const app = await controlApp({ logger: pino({ level: 'debug', serializers }, { write }) })
  return { app, lines, ...(await makeWorkspace(app)) }
}

test('a request is logged with its workspace, its id in the journal, and the ids that the caller sent', async () => {
  const { app, lines, id, key } = await logged()
  const headers = { authorization: `Bearer ${key}` }
  const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`
  await app.fastify.inject({ url: PRODUCTS, headers: { ...headers, traceparent, 'x-request-id': 'mine' } })
  await app.fastify.inject({
    url: PRODUCTS,
    headers: { ...headers, traceparent: 'none', 'x-request-id': 'a b' },
  })
  const { data } = (await app.sim('GET', `/workspaces/${id}/requests`)).body as { data: { id: string }[] }
  const ofProducts = lines.filter(({ req }) => (req as { url?: string } | undefined)?.url === PRODUCTS)
  const req = { id: expect.stringMatching(/^req-/) as string, method: 'GET', url: PRODUCTS, workspace: id }
  expect(ofProducts).toMatchObject([
    { msg: 'request', status: 200, journal: data[1]?.id },
    { msg: 'request', status: 200, journal: data[0]?.id },
  ])
  expect(ofProducts.map((line) => line['req'])).toEqual([{ ...req, requestId: 'mine', traceId: TRACE }, req])
})

test('an unmatched call and an internal error are logged with the id of their entry', async () => {
  const { app, lines, id, key } = await logged()
  await app.fastify.inject({ url: PRODUCTS, headers: { authorization: 'Bearer nobody' } })
  const unmatched = (await app.sim('GET', '/requests?unmatched=true')).body as { data: { id: string }[] }
  expect(lines.find(({ msg }) => msg === 'a call belongs to no workspace')).toMatchObject({
    journal: unmatched.data[0]?.id,
  })
  app.workspaces.database.sqlite.prepare('ALTER TABLE catalog_products RENAME TO elsewhere').run()
  const { statusCode, headers } = await app.fastify.inject({
    url: PRODUCTS,
    headers: { authorization: `Bearer ${key}` },
  })
  const { data } = (await app.sim('GET', `/workspaces/${id}/requests`)).body as { data: { id: string }[] }
  expect([statusCode, headers['x-request-id']]).toEqual([500, data[0]?.id])
  const errors = lines.filter(({ level }) => level === 50)
  expect(errors).toMatchObject([{ journal: data[0]?.id, req: { workspace: id, url: PRODUCTS } }])
})

test('a webhook that fails is logged with the trace of its call', async () => {
  const { app, lines, id, key } = await logged()
  const sink = await receiver(status(500))
  const path = `/workspaces/${id}`
  await app.sim('POST', `${path}/subscriptions`, { body: { interface: 'catalog', url: sink.url } })
  await app.fastify.inject({
    method: 'POST',
    url: PRODUCTS,
    headers: { authorization: `Bearer ${key}`, traceparent: `00-${TRACE}-00f067aa0ba902b7-01` },
    payload: { name: 'Desk', type: 'physical' },
  })
  await app.sim('POST', `${path}/clock/advance`, { body: { duration: 'PT1S' } })
  const failed = lines.find(({ msg }) => msg === 'webhook failed and will be retried')
  expect(failed).toMatchObject({ workspace: id, status: 500, traceId: TRACE })
})
