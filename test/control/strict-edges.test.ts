/** Faults without matches, wrong tokens, the request log as an archive, and a header of every JSON response. */
import { describe, expect, test } from 'vitest'
import { MAX_WRONG_TOKENS } from '../../src/control/access/wrongTokens.ts'
import { INTERFACES } from '../support/subject.ts'
import { controlApp, makeWorkspace } from './app.ts'

async function setup() {
  const app = await controlApp()
  const made = await makeWorkspace(app)
  return { app, ...app, ...made, path: `/workspaces/${made.id}` }
}

describe('fault', () => {
  test.each([
    [
      { path: '/product', interface: 'catalog' },
      'path must match an operation of catalog; did you mean /workspace/public/v1/products?',
    ],
    [{ path: '/crm/v1/contcts' }, 'path must match an operation; did you mean /crm/v1/contacts?'],
    [{ path: '/chat/cabel' }, 'path must match an operation; did you mean /chat/cable?'],
    [{ path: '/cabel' }, 'path must match an operation; did you mean /chat/cable?'],
    [
      { path: '/chat/cabel', interface: 'conversations' },
      'path must match an operation of conversations; did you mean /chat/cable?',
    ],
    [{ path: '/chat/cabel', interface: 'crm' }, 'path must match an operation of crm'],
    [{ path: '/chat/widgt' }, 'path must match an operation; did you mean /chat/widget?'],
    [{ path: '/chat/widgt/demo/1' }, 'path must match an operation; did you mean /chat/widget?'],
    [{ path: '/widgt/demo/1' }, 'path must match an operation; did you mean /chat/widget?'],
    [{ path: '/pay/lnks/a' }, 'path must match an operation; did you mean /pay/links?'],
    [{ path: '/qqqqqqqq' }, 'path must match an operation'],
    [
      { path: '/products', interface: 'catalog', method: 'DELETE' },
      'method must be one of GET, POST, the methods of /products',
    ],
  ])('is refused with %j', async (fault, message) => {
    const { sim, path } = await setup()
    const answer = await sim('POST', `${path}/faults`, { body: { status: 500, ...fault } })
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toBe(message)
    expect((await sim('GET', `${path}/faults`)).body.data).toEqual([])
  })

  test.each([
    { path: '/products/*', interface: 'catalog' },
    { path: '/products/prod_1' },
    { path: '/workspace/public/v1/products/{id}', method: 'GET' },
    { path: '/crm/*/contacts' },
    { path: '/*' },
    { path: '/chat/cable' },
    { path: '/pay/links/*' },
    {},
  ])('is accepted with %j', async (fault) => {
    const { sim, path } = await setup()
    expect((await sim('POST', `${path}/faults`, { body: { status: 500, ...fault } })).status).toBe(201)
  })
})

describe('wrong admin tokens', () => {
  const call = async (app: Awaited<ReturnType<typeof controlApp>>, token: string, remoteAddress: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return app.fastify.inject({ url: '/_sim/workspaces', headers, remoteAddress })
  }

  test(`return 429 after ${String(MAX_WRONG_TOKENS)} of one address, and the right token never does`, async () => {
    const app = await controlApp({ adminToken: 'open-sesame' })
    for (let n = 0; n < MAX_WRONG_TOKENS - 1; n++)
      expect((await call(app, 'wrong', '192.0.2.1')).statusCode).toBe(401)
    expect((await call(app, 'open-sesame', '192.0.2.1')).statusCode).toBe(200)
    expect((await call(app, 'wrong', '192.0.2.1')).statusCode).toBe(401)
    const refused = await call(app, 'wrong', '192.0.2.1')
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await call(app, 'open-sesame', '192.0.2.1')).statusCode).toBe(200)
    expect((await call(app, 'wrong', '192.0.2.2')).statusCode).toBe(401)
    expect((await app.fastify.inject({ url: '/_sim/health', remoteAddress: '192.0.2.1' })).statusCode).toBe(
      200,
    )
  })
})

describe('request log', () => {
  test('is an HTTP archive of all listed calls with as=har', async () => {
    const { app, sim, path, key } = await setup()
    await app.call('GET', '/workspace/public/v1/products', key)
    await app.call('GET', '/crm/v1/contacts', key)
    const { fastify } = app
    const { headers, payload } = await fastify.inject(`/_sim${path}/requests?as=har&limit=5`)
    expect(headers['content-type']).toContain('application/har+json')
    const { log } = JSON.parse(payload) as {
      log: { version: string; entries: { request: { url: string } }[] }
    }
    expect(log.version).toBe('1.2')
    expect(log.entries.map(({ request }) => new URL(request.url).pathname)).toEqual([
      '/crm/v1/contacts',
      '/workspace/public/v1/products',
    ])
    expect((await sim('GET', `${path}/requests?as=curl`)).status).toBe(400)
  })

  test('reports tipo as another name of type', async () => {
    const { app, sim, path, key } = await setup()
    const hintsOf = async (query: string) => {
      await app.fastify.inject({
        url: `/einvoice-external/invoicing/ruc/info?ruc=155712345-2-2022&${query}`,
        headers: { 'x-invoicing-token': key },
      })
      const [{ id }] = (await sim('GET', `${path}/requests`)).body.data
      const { hints } = (await sim('GET', `${path}/requests/${id as string}`)).body
      return (hints as { code: string }[]).filter(({ code }) => code === 'unknown_query_parameter')
    }
    expect(await hintsOf('tipo=2')).toEqual([])
    expect(await hintsOf('tip=2')).toHaveLength(1)
  })
})

test('sends nosniff with every JSON response', async () => {
  const { app, key } = await setup()
  const urls = [
    ...INTERFACES.map(({ basePath }) => `${basePath}/none`),
    '/_sim/health',
    '/_sim/none',
    '/',
    '/none',
  ]
  for (const url of [...urls, '/workspace/public/v1/products']) {
    for (const headers of [{}, { authorization: `Bearer ${key}` }]) {
      const answer = await app.fastify.inject({ url, headers })
      expect([url, answer.headers['x-content-type-options']]).toEqual([url, 'nosniff'])
    }
  }
})
