/** X-Request-Id: each answer has one, which leads to the journal and to the log. */
import { describe, expect, test } from 'vitest'
import { head, rawClient } from '../../support/sockets.ts'
import { controlApp, makeWorkspace, type ControlApp } from '../../control/app.ts'

const PRODUCTS = '/workspace/public/v1/products'

async function setup(options: Parameters<typeof controlApp>[0] = {}) {
  const app = await controlApp(options)
  const made = await makeWorkspace(app)
  const path = `/workspaces/${made.id}`
  const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    app.fastify.inject({ url, headers: { authorization: `Bearer ${made.key}`, ...headers } })
  return { app, path, get, ...made }
}

const newest = async ({ sim }: ControlApp, path: string) =>
  (await sim('GET', `${path}/requests`)).body.data[0] as { readonly id: string; readonly requestId?: string }

describe('X-Request-Id of an answer', () => {
  test('is the id of the call in the journal', async () => {
    const { app, path, get } = await setup()
    for (const [url, status] of [
      [PRODUCTS, 200],
      [`${PRODUCTS}/nobody`, 404],
      ['/workspace/public/v1/nothing', 404],
    ] as const) {
      const { statusCode, headers } = await get(url)
      const entry = await newest(app, path)
      expect([statusCode, headers['x-request-id']]).toEqual([status, entry.id])
      expect(entry).not.toHaveProperty('requestId')
      expect(entry).not.toHaveProperty(['response', 'headers', 'x-request-id'])
    }
  })

  test.each([['a'], ['checkout-7f3a/2'], ['~'.repeat(128)], ['!"#$%&\'()*+,-./:;<=>?@[]^_`{|}']])(
    'is that of the caller: %s',
    async (sent) => {
      const { app, path, get } = await setup()
      expect((await get(PRODUCTS, { 'x-request-id': sent })).headers['x-request-id']).toBe(sent)
      expect((await newest(app, path)).requestId).toBe(sent)
      expect((await get('/_sim/health', { 'x-request-id': sent })).headers['x-request-id']).toBe(sent)
    },
  )

  test.each([
    ['129 characters', 'x'.repeat(129)],
    ['a blank', 'a b'],
    ['no character', ''],
    ['a tab', 'a\tb'],
    ['a letter beyond ASCII', 'é'],
  ])('is that of the journal if the caller sends %s', async (_what, sent) => {
    const { app, path, get } = await setup()
    const { headers } = await get(PRODUCTS, { 'x-request-id': sent })
    const entry = await newest(app, path)
    expect(headers['x-request-id']).toBe(entry.id)
    expect(entry).not.toHaveProperty('requestId')
  })

  test('is not shown twice if the caller sends the id of the journal', async () => {
    const { app, path, get } = await setup()
    await get(PRODUCTS, { 'x-request-id': 'req_1' })
    expect(await newest(app, path)).toMatchObject({ id: 'req_1' })
    expect(await newest(app, path)).not.toHaveProperty('requestId')
  })

  test.each([
    ['an unknown key', PRODUCTS, 401],
    ['an unknown path', '/nowhere', 404],
    ['an unknown file', '/files/nothing', 404],
  ])('is the id of an unmatched call with %s', async (_what, url, status) => {
    const { app } = await setup()
    const { statusCode, headers } = await app.fastify.inject({
      url,
      headers: { authorization: 'Bearer nobody' },
    })
    const { data } = (await app.sim('GET', '/requests?unmatched=true')).body as { data: { id: string }[] }
    expect([statusCode, headers['x-request-id']]).toEqual([status, data[0]?.id])
    expect(headers['x-request-id']).toMatch(/^unm_\d+$/)
  })

  test.each([
    ['the control plane', '/_sim/workspaces', 200],
    ['a health check', '/_sim/health/live', 200],
    ['the metrics', '/_sim/metrics', 200],
    ['an unknown workspace', '/_sim/workspaces/nobody', 404],
    ['a hosted page', '/pay/links/nothing', 404],
    ['the index', '/', 200],
    ['an impossible URL', '/%zz', 400],
  ])('is the number of the request for %s', async (_what, url, status) => {
    const { app } = await setup()
    const { statusCode, headers } = await app.fastify.inject(url)
    expect([statusCode, headers['x-request-id']]).toEqual([status, expect.stringMatching(/^req-[\da-z]+$/)])
    const headed = await app.fastify.inject({ method: 'HEAD', url: '/_sim/health' })
    expect(headed.headers['x-request-id']).toMatch(/^req-[\da-z]+$/)
  })

  test('is also that of an injected fault, unless the fault has its own', async () => {
    const { app, path, get } = await setup()
    await app.sim('POST', `${path}/faults`, { body: { interface: 'catalog', status: 503, times: 1 } })
    const { statusCode, headers } = await get(PRODUCTS, { 'x-request-id': 'mine' })
    expect([statusCode, headers['x-request-id']]).toEqual([503, 'mine'])
    const own = { interface: 'catalog', status: 500, times: 1, headers: { 'X-Request-Id': 'of the fault' } }
    await app.sim('POST', `${path}/faults`, { body: own })
    expect((await get(PRODUCTS, { 'x-request-id': 'mine' })).headers['x-request-id']).toBe('of the fault')
  })

  test('is in answers that bypass the routes: preflights, streams and requests that are not HTTP', async () => {
    const { app, path, get } = await setup({ ownApp: true, cors: ['http://localhost:5173'] })
    const { headers } = await app.fastify.inject({
      method: 'OPTIONS',
      url: PRODUCTS,
      headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'GET' },
    })
    expect(headers['x-request-id']).toMatch(/^req-/)
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const stop = new AbortController()
    const stream = await fetch(`${url}/_sim${path}/timeline/stream`, {
      signal: stop.signal,
      headers: { 'x-request-id': 'stream-1' },
    })
    expect(stream.headers.get('x-request-id')).toBe('stream-1')
    stop.abort()
    for (const text of ['NONSENSE\r\n\r\n', head('POST', PRODUCTS, { expect: 'magic' })]) {
      const client = await rawClient(url)
      client.send(text)
      expect(await client.closed).toMatch(/^HTTP\/1\.1 4\d\d .*\r\nx-request-id: req-[\da-z]+\r\n/is)
    }
    expect((await get('/_sim/health')).statusCode).toBe(200)
  })
})
