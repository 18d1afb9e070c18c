/** Calls that belong to no workspace: what is logged of them, and their responses. */
import { describe, expect, test } from 'vitest'
import { controlApp, makeWorkspace } from '../app.ts'

const everyCredential = (key: string) => ({
  authorization: `Bearer ${key}`,
  'x-api-key': key,
  'x-invoicing-token': key,
  api_access_token: key,
})

const PRODUCTS = '/workspace/public/v1/products'

async function setup(options: Parameters<typeof controlApp>[0] = {}) {
  const app = await controlApp(options)
  const call = (
    url: string,
    headers: Readonly<Record<string, string>> = {},
    method: 'GET' | 'POST' = 'GET',
  ) => app.fastify.inject({ method, url, headers })
  const list = async (query = 'unmatched=true') => (await app.sim('GET', `/requests?${query}`)).body.data
  const message = async (url: string, headers: Readonly<Record<string, string>> = {}): Promise<string> => {
    const body = JSON.parse((await call(url, headers)).payload) as {
      readonly message?: string
      readonly error?: { readonly message?: string }
    }
    return body.message ?? body.error?.message ?? ''
  }
  return { ...app, app, call, list, message }
}

describe('log of unmatched calls', () => {
  test('records wrong keys, missing keys and unknown paths, newest first, with hints', async () => {
    const { call, list } = await setup()
    await call(PRODUCTS, { authorization: 'Bearer wrong-key-1' })
    await call(PRODUCTS, { 'x-api-key': 'wrong-key-2' })
    await call('/api/v1/products?api_key=wrong-key-3&key=wrong-key-4')
    await call('/_sim/workspacs')
    const found = await list()
    expect(found).toMatchObject([
      {
        id: 'unm_4',
        interface: 'control',
        operation: null,
        status: 404,
        hints: [{ code: 'no_such_path', message: expect.stringContaining('/_sim/workspaces?') }],
      },
      {
        id: 'unm_3',
        interface: null,
        path: '/api/v1/products',
        status: 404,
        caller: null,
        request: { query: { api_key: '[redacted]', key: '[redacted]' } },
        hints: [{ code: 'no_such_path', message: expect.stringContaining('/workspace/public/v1/products?') }],
      },
      {
        id: 'unm_2',
        interface: 'catalog',
        operation: 'listProducts',
        status: 401,
        refusal: { reason: 'credential_missing' },
        request: { headers: { 'x-api-key': '[redacted]' } },
      },
      {
        id: 'unm_1',
        method: 'GET',
        path: PRODUCTS,
        status: 401,
        request: { headers: { authorization: 'Bearer [redacted]' } },
        hints: [
          {
            code: 'credential_unknown',
            message:
              'The key is unknown. This interface reads Authorization: Bearer KEY; the request has a Bearer token that no workspace has. GET /_sim/keys?workspaceId=ID lists the keys of a workspace.',
          },
        ],
      },
    ])
    expect(JSON.stringify(found)).not.toContain('wrong-key')
  })

  test('records no calls of a workspace, no successful calls, and no automatic browser requests', async () => {
    const { app, call, list } = await setup()
    const { key } = await makeWorkspace(app)
    await call(PRODUCTS, { authorization: `Bearer ${key}` })
    await call(`${PRODUCTS}/none`, { authorization: `Bearer ${key}` })
    await call('/workspace/public/v1/none', { authorization: `Bearer ${key}` })
    await call('/')
    await call('/_sim/workspaces/none')
    await call('/favicon.ico')
    expect(await list()).toEqual([])
  })

  test('redacts keys of the control plane in paths', async () => {
    const { call, list } = await setup()
    await call('/_sim/keys/secret-1/more')
    expect(JSON.stringify(await list())).not.toContain('secret-1')
  })

  test('keeps the newest 500, and lists 25 by default', async () => {
    const { call, list } = await setup()
    for (let n = 0; n < 502; n++) await call(`/nowhere/${String(n)}`)
    expect(await list('')).toHaveLength(25)
    const all = await list('limit=1000')
    expect(all).toHaveLength(500)
    expect([all[0].path, all.at(-1).path]).toEqual(['/nowhere/501', '/nowhere/2'])
  })

  test('can be waited for', async () => {
    const { call, app } = await setup()
    const waiting = app.sim('GET', '/requests?unmatched=true&wait=300&count=2')
    await call('/nowhere')
    await call(PRODUCTS)
    expect((await waiting).body.data).toHaveLength(2)
  })

  test('is cleared by a server reset', async () => {
    const { call, list, sim } = await setup({ ownApp: true })
    await call('/nowhere')
    await sim('POST', '/reset')
    expect(await list()).toEqual([])
    await call('/nowhere')
    expect(await list()).toMatchObject([{ id: 'unm_2' }])
  })

  test.each(['unmatched=false', 'limit=0', 'limit=1001', 'wait=301', 'unmached=true'])(
    'refuses %s',
    async (query) => {
      const { sim } = await setup()
      expect((await sim('GET', `/requests?${query}`)).status).toBe(400)
    },
  )

  test('is protected, records calls with wrong tokens, but not those of the dashboard before it asks for one', async () => {
    const { sim, call } = await setup({ adminToken: 'open-sesame' })
    const admin = { headers: { authorization: 'Bearer open-sesame' } }
    expect((await sim('GET', '/requests?unmatched=true')).status).toBe(401)
    expect(
      (await sim('GET', '/workspaces', { headers: { authorization: 'Bearer wrong-token' } })).status,
    ).toBe(401)
    await call('/_sim/workspaces', { 'sec-fetch-site': 'same-origin' })
    const { body, text } = await sim('GET', '/requests?unmatched=true', admin)
    expect(body.data).toMatchObject([
      { interface: 'control', operation: 'listWorkspaces', status: 401 },
      { interface: 'control', operation: 'listUnmatchedRequests', status: 401 },
    ])
    expect(text).not.toContain('wrong-token')
  })
})

describe('server log', () => {
  test('reports up to ten such calls per second', async () => {
    const lines: string[] = []
    const { default: pino } = await import('pino')
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    const { call } = await setup({ logger })
    const began = performance.now()
    await call('/nowhere?api_key=secret-1')
    const said = lines.filter((line) => line.includes('a call belongs to no workspace'))
    expect(said).toHaveLength(1)
    expect(JSON.parse(said[0] ?? '')).toMatchObject({ level: 40, status: 404, reason: 'no_such_path' })
    await Promise.all(Array.from({ length: 30 }, () => call('/nowhere')))
    const all = lines.filter((line) => line.includes('a call belongs to no workspace')).length
    expect(all).toBeGreaterThanOrEqual(10)
    const seconds = Math.ceil((performance.now() - began) / 1000)
    expect(all).toBeLessThanOrEqual(10 * (seconds + 1))
  })
})

describe('a 401', () => {
  test.each([
    [
      PRODUCTS,
      {},
      'The request has no authorization header. This interface reads Authorization: Bearer KEY.',
    ],
    [
      PRODUCTS,
      { 'x-api-key': 'secret-1' },
      'The request has no authorization header. This interface reads Authorization: Bearer KEY; the request has X-API-Key.',
    ],
    [
      PRODUCTS,
      { authorization: 'Basic secret-1' },
      'The Authorization header must read "Bearer KEY". This interface reads Authorization: Bearer KEY; the request has Authorization: Basic.',
    ],
    [
      PRODUCTS,
      { authorization: 'secret-1' },
      'The Authorization header must read "Bearer KEY". This interface reads Authorization: Bearer KEY; the request has Authorization without Bearer.',
    ],
    [
      `${PRODUCTS}?access_token=secret-1`,
      {},
      'The request has no authorization header. This interface reads Authorization: Bearer KEY; the request has the query parameter access_token.',
    ],
    [
      '/integration-pay/v1/products',
      { authorization: 'Bearer secret-1', api_access_token: 'secret-2', cookie: 'session=1' },
      'The request has no X-API-Key header. This interface reads X-API-Key: KEY; the request has Authorization: Bearer and api_access_token.',
    ],
    [
      PRODUCTS,
      { authorization: 'Bearer secret-1' },
      'The key is unknown. This interface reads Authorization: Bearer KEY; the request has a Bearer token that no workspace has.',
    ],
    [
      '/chat/api/v1/accounts/1/agents',
      {},
      'The request has no api_access_token header. This interface reads api_access_token: KEY. Some proxies drop headers with underscores; nginx keeps them with "underscores_in_headers on;" in its server block.',
    ],
    [
      '/chat/api/v1/accounts/1/agents',
      { authorization: 'Bearer secret-1' },
      'The request has no api_access_token header. This interface reads api_access_token: KEY; the request has Authorization: Bearer.',
    ],
    [
      '/einvoice-external/invoicing/ruc/info',
      {},
      'The request has no X-INVOICING-TOKEN header. This interface reads X-INVOICING-TOKEN: KEY.',
    ],
    [
      '/chat/api/v1/accounts/1/agents',
      { api_access_token: 'secret-1' },
      'The key is unknown. This interface reads api_access_token: KEY; the request has a value of api_access_token that no workspace has.',
    ],
    [
      '/chat/api/v1/accounts/1/agents',
      { api_access_token: 'Bearer secret-1' },
      'The key is unknown. This interface reads api_access_token: KEY; api_access_token starts with Bearer; send the key alone.',
    ],
  ])('of %s with %j names the expected and the received header', async (url, headers, words) => {
    const { call } = await setup()
    const { statusCode, payload } = await call(url, headers)
    expect(statusCode).toBe(401)
    expect(payload).toContain(JSON.stringify(words).slice(1, -1))
    expect(payload).not.toContain('secret-')
  })
})

describe('a 404', () => {
  test.each([
    ['/products', '/workspace/public/v1/products'],
    ['/v1/contacts', '/crm/v1/contacts'],
    ['/api/v1/Contact', '/crm/v1/contacts'],
    ['/pay/v1/payment-link', '/pay/v1/payment-links'],
    ['/_sim/workspaces/demo/delivery', '/_sim/workspaces/{id}/deliveries'],
    ['/sim/workspaces', '/_sim/workspaces'],
    ['/health', '/_sim/health'],
    ['/cable', '/chat/cable'],
    // Segments are missing, below the base path of the interface or in it.
    ['/chat/api/v1/conversations', '/chat/api/v1/accounts/{account_id}/conversations'],
    [
      '/chat/api/v1/conversations/7/messages',
      '/chat/api/v1/accounts/{account_id}/conversations/{conversation_id}/messages',
    ],
    ['/chat/api/v1/agents', '/chat/api/v1/accounts/{account_id}/agents'],
    ['/chat/api/v1/inboxes/1', '/chat/api/v1/accounts/{account_id}/inboxes/{id}'],
    ['/chat/api/v1/contacts', '/chat/api/v1/accounts/{account_id}/contacts'],
    ['/chat/contacts', '/chat/api/v1/accounts/{account_id}/contacts'],
    ['/forms/api/forms', '/forms/api/v1/forms'],
    ['/forms/v1/forms', '/forms/api/v1/forms'],
    ['/meetings/meetings', '/meetings/public/meetings'],
    ['/einvoice-external/ruc/info', '/einvoice-external/invoicing/ruc/info'],
    ['/pay/v1/links', '/pay/v1/payment-links'],
    ['/integration-pay/products', '/integration-pay/v1/products'],
    ['/workspace/products', '/workspace/public/v1/products'],
    // Segments are added.
    ['/crm/v1/accounts/1/contacts', '/crm/v1/contacts'],
    ['/crm/v1/v1/contacts', '/crm/v1/contacts'],
    ['/crm/v2/contcats', '/crm/v1/contacts'],
    ['/chat/cabel', '/chat/cable'],
    // An empty segment is no id.
    ['/crm/v1/contacts/', '/crm/v1/contacts'],
    ['/_sim/workspaces/', '/_sim/workspaces'],
    ['/_sim/workspaces//clock', '/_sim/workspaces/{id}/clock'],
  ])('for %s suggests %s', async (path, nearest) => {
    const { message, app } = await setup()
    const { key } = await makeWorkspace(app)
    const words = await message(path, everyCredential(key))
    expect(words.endsWith(` Did you mean ${nearest}?`)).toBe(true)
  })

  test.each([
    '/nothing-like-it',
    '/_sim/workspaces/demo/nothing',
    '/crm/v1/contacts/1/nothing',
    `/${'x'.repeat(300)}`,
    '/a'.repeat(40),
  ])('for %s suggests nothing', async (path) => {
    const { message, app } = await setup()
    const { key } = await makeWorkspace(app)
    expect(await message(path, everyCredential(key))).not.toContain('Did you mean')
  })

  test('for the webhooks of a workspace names subscriptions and deliveries', async () => {
    const { message } = await setup()
    expect(await message('/_sim/workspaces/demo/webhooks')).toBe(
      'There is no operation at /_sim/workspaces/demo/webhooks: webhooks are subscriptions (GET /_sim/workspaces/{id}/subscriptions) and their deliveries (GET /_sim/workspaces/{id}/deliveries).',
    )
  })

  test.each(['GET', 'POST', 'DELETE', 'PUT'] as const)(
    'for %s of a path with a slash at its end names no record',
    async (method) => {
      const { call, app } = await setup()
      const { key } = await makeWorkspace(app)
      const { statusCode, payload } = await call(
        '/crm/v1/contacts/',
        { authorization: `Bearer ${key}` },
        method as 'GET',
      )
      expect(statusCode).toBe(method === 'GET' || method === 'POST' ? 404 : 405)
      expect(payload).not.toContain('There is no contact')
    },
  )

  test.each([
    [
      '/crm/v1/zzzz',
      'Below /crm/v1 there are /activities, /automations, /contacts, /deals, /pipelines, /reports/forecast, /reports/pipeline, /reports/team, /webhooks.',
    ],
    ['/workspace/public/v1/zzzz', 'Below /workspace/public/v1 there are /activities, /products.'],
    [
      '/pay/v1/zzzz',
      'Below /pay/v1 there are /payment-links, /reports/revenue, /reports/settlements, /transactions, /webhooks.',
    ],
    ['/_sim/zzzz', 'Below /_sim there are '],
  ])('for %s, which is like nothing, lists what exists', async (path, words) => {
    const { message, app } = await setup()
    const { key } = await makeWorkspace(app)
    expect(await message(path, everyCredential(key))).toContain(`There is no operation at ${path}. ${words}`)
  })

  test('below an interface suggests its own paths first, and then those of others', async () => {
    const { message, app } = await setup()
    const { key } = await makeWorkspace(app)
    const headers = { authorization: `Bearer ${key}` }
    expect(await message('/crm/v1/contcts', headers)).toBe(
      'There is no operation at /crm/v1/contcts. Did you mean /crm/v1/contacts?',
    )
    expect(await message('/pay/v1/vacancies', headers)).toBe(
      'There is no operation at /pay/v1/vacancies. Did you mean /recruiting/v1/vacancies?',
    )
  })
})

describe('a path with a long segment', () => {
  test.each(['/crm/v1/contacts/', '/_sim/workspaces/', '/files/demo/a/'])(
    'below %s is not repeated',
    async (base) => {
      const { call, app } = await setup()
      const { key } = await makeWorkspace(app)
      const { statusCode, payload } = await call(base + 'x'.repeat(3000), { authorization: `Bearer ${key}` })
      expect(statusCode).toBe(400)
      expect(payload).toContain('A segment of the path must have at most 1000 characters.')
      expect(payload).not.toContain('xx')
    },
  )

  test('and broken percent encoding is not repeated', async () => {
    const { call } = await setup()
    const { statusCode, payload } = await call(`/crm/v1/contacts/%zz${'x'.repeat(50)}`)
    expect({ statusCode, payload }).toMatchObject({
      statusCode: 400,
      payload: expect.stringContaining('The address is not percent-encoded UTF-8.'),
    })
    expect(payload).not.toContain('xx')
  })
})

describe('the address of a WebSocket', () => {
  test.each(['GET', 'POST'] as const)('requires an upgrade for %s', async (method) => {
    const { app, list } = await setup()
    for (const url of ['/chat/cable', '/chat/cable?a=1']) {
      const { statusCode, headers, payload } = await app.fastify.inject({ method, url })
      expect(statusCode).toBe(426)
      expect(headers).toMatchObject({ upgrade: 'websocket', connection: 'upgrade' })
      expect(JSON.parse(payload)).toEqual({
        error: {
          code: 'upgrade_required',
          message:
            '/chat/cable is a WebSocket; send GET with the headers Connection: Upgrade and Upgrade: websocket, as WebSocket clients do.',
        },
      })
    }
    expect(await list('limit=1')).toMatchObject([{ path: '/chat/cable', status: 426 }])
  })
})
