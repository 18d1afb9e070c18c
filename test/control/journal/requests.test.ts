/** The request log: its content and its queries. */
import { describe, expect, test } from 'vitest'
import { scratchFolder } from '../../support/process.ts'
import { controlApp, error, makeWorkspace, type Method } from '../app.ts'

const PRODUCTS = '/workspace/public/v1/products'

async function setup() {
  const app = await controlApp()
  const made = await makeWorkspace(app)
  const path = `/workspaces/${made.id}/requests`
  const product = (fields: object = {}) => ({ name: 'Desk', type: 'physical', ...fields })
  return {
    ...app,
    app,
    made,
    path,
    product,
    asked: (method: Method, url: string, body?: unknown) => app.call(method, url, made.key, body),
    list: async (query = '') => (await app.sim('GET', `${path}?${query}`)).body.data,
    whole: async (id: string) => (await app.sim('GET', `${path}/${id}`)).body,
  }
}

describe('request log', () => {
  test('records each call with its request and response, without credentials', async () => {
    const { asked: logged, list, made, product } = await setup()
    const created = await logged('POST', `${PRODUCTS}?dry=1`, product())
    expect(created.status).toBe(201)
    expect(await list()).toEqual([
      {
        id: 'req_1',
        at: expect.any(String),
        interface: 'catalog',
        operation: 'createProduct',
        method: 'POST',
        path: PRODUCTS,
        status: 201,
        durationMs: expect.any(Number),
        caller: { userId: made.userId },
        refusal: null,
        hintCount: 1,
        request: {
          query: { dry: '1' },
          headers: expect.objectContaining({ authorization: 'Bearer [redacted]' }),
          body: product(),
        },
        response: {
          headers: expect.objectContaining({ 'content-type': 'application/json; charset=utf-8' }),
          body: created.body,
        },
      },
    ])
    expect(JSON.stringify(await list())).not.toContain(made.key)
  })

  test('records no body of an answer to HEAD', async () => {
    const { app, made, list } = await setup()
    const headers = { authorization: `Bearer ${made.key}` }
    await app.fastify.inject({ method: 'HEAD', url: PRODUCTS, headers })
    expect(await list()).toMatchObject([{ method: 'HEAD', status: 200, response: { body: null } }])
  })

  test('records why a call was refused, also for unknown operations', async () => {
    const { asked: logged, list } = await setup()
    await logged('GET', `${PRODUCTS}/nobody`)
    await logged('GET', '/workspace/public/v1/nothing')
    expect(await list()).toMatchObject([
      { status: 404, operation: null, refusal: { reason: 'no_such_path' } },
      { status: 404, operation: 'getProduct', refusal: { reason: 'not_found' } },
    ])
  })

  test('records calls with invalid keys of a workspace, and none with unknown keys', async () => {
    const { sim, app, made, list } = await setup()
    const { body } = await sim('POST', '/keys', { body: { workspaceId: made.id, interfaces: ['crm'] } })
    await app.call('GET', PRODUCTS, (body as { key: string }).key)
    await app.call('GET', PRODUCTS, 'nobody')
    expect(await list()).toMatchObject([{ status: 403, caller: { userId: made.userId } }])
  })

  test.each([
    ['interface=catalog', 3],
    ['interface=crm', 1],
    ['method=POST', 1],
    ['operation=getProduct', 1],
    ['status=404', 1],
    ['status=2xx', 3],
    ['path=/products', 2],
    [`path=${PRODUCTS}`, 2],
    ['path=/products/*', 1],
    ['path=/*', 3],
    ['limit=2', 2],
    ['interface=pos', 0],
  ])('with %s returns %d', async (query, count) => {
    const { asked: logged, list, product } = await setup()
    await logged('POST', PRODUCTS, product())
    await logged('GET', PRODUCTS)
    await logged('GET', `${PRODUCTS}/nobody`)
    await logged('GET', '/crm/v1/contacts')
    expect(await list(query)).toHaveLength(count)
  })

  test.each(['status=99', 'status=4x', 'limit=0', 'limit=1001', 'wait=301', 'method=get'])(
    'refuses %s',
    async (query) => {
      const { sim, path } = await setup()
      expect((await sim('GET', `${path}?${query}`)).status).toBe(400)
    },
  )

  test('can be waited for, and returns as soon as enough match', async () => {
    const { asked: logged, app, path } = await setup()
    const waiting = app.sim('GET', `${path}?operation=listProducts&wait=300&count=2`)
    await app.sim('GET', '/health')
    await logged('GET', PRODUCTS)
    await logged('GET', `${PRODUCTS}/nobody`)
    await logged('GET', PRODUCTS)
    expect((await waiting).body.data).toHaveLength(2)
  })

  test('cuts a long body, and states its size', async () => {
    const { asked: logged, list } = await setup()
    const body = { name: 'D'.repeat(20_000), type: 'physical' }
    await logged('POST', PRODUCTS, body)
    const [{ request }] = await list()
    expect(request.cutFrom).toBe(JSON.stringify(body).length)
    expect(request.body).toHaveLength(16_384)
  })

  test('redacts secrets and card numbers in bodies and paths', async () => {
    const { asked: logged, list } = await setup()
    await logged('POST', `${PRODUCTS}?api_key=k-123&card=4242424242424242`, {
      name: 'Paid with 4242 4242 4242 4242, order 12345678901234567',
      type: 'physical',
      metadata: { webhookSecret: 's-123', cvc: 123, token: 't\\"-123', note: 'kept' },
    })
    const text = JSON.stringify(await list())
    for (const secret of ['k-123', '4242424242424242', '4242 4242 4242', 's-123', '-123"', ':123']) {
      expect(text).not.toContain(secret)
    }
    expect(text).toContain('************4242, order 12345678901234567')
    expect(text).toContain('"note":"kept"')
  })

  test.each([
    [
      'operation=listProdcts',
      'operation must be the name of an operation, not "listProdcts"; did you mean listProducts?',
    ],
    [
      'operation=listProdcts&interface=catalog',
      'operation must be the name of an operation of catalog, not "listProdcts"; did you mean listProducts?',
    ],
    [
      'operation=listProducts&interface=crm',
      /^operation must be the name of an operation of crm, not "listProducts"; listProducts is one of catalog and /,
    ],
    [
      'operation=nothingLikeIt',
      'operation must be the name of an operation, not "nothingLikeIt"; GET /_sim/workspaces/{id}/coverage lists them',
    ],
  ])('refuses %s, which no call can match', async (query, message) => {
    const { sim, path } = await setup()
    const { status, body } = await sim('GET', `${path}?${query}`)
    expect({ status, message: body.error.message }).toEqual({
      status: 400,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    })
  })

  test('keeps the newest thousand', async () => {
    const { asked: logged, list } = await setup()
    for (let n = 0; n < 1003; n++) await logged('GET', `${PRODUCTS}/${String(n)}`)
    const all = await list('limit=1000')
    expect(all).toHaveLength(1000)
    expect(all.at(-1).path).toBe(`${PRODUCTS}/3`)
  })

  test('is cleared by a call and by a reset, and continues', async () => {
    const { asked: logged, list, sim, path, made } = await setup()
    await logged('GET', PRODUCTS)
    expect((await sim('DELETE', path)).status).toBe(204)
    expect(await list()).toEqual([])
    await logged('GET', PRODUCTS)
    expect(await list()).toHaveLength(1)
    await sim('POST', `/workspaces/${made.id}/reset`)
    expect(await list()).toEqual([])
  })

  test('is kept after a restart', async () => {
    const db = `${scratchFolder()}/suite.sqlite`
    const first = await controlApp({ db })
    const { id, key } = await makeWorkspace(first)
    await first.call('GET', PRODUCTS, key)
    await first.close()
    const second = await controlApp({ db })
    await second.call('GET', `${PRODUCTS}/nobody`, key)
    const { body } = await second.sim('GET', `/workspaces/${id}/requests`)
    expect(body.data).toMatchObject([
      { id: 'req_2', status: 404 },
      { id: 'req_1', status: 200 },
    ])
  })
})

describe('request', () => {
  test('shows its effects', async () => {
    const { asked: logged, whole, product, sim, made } = await setup()
    const url = 'http://127.0.0.1:9/hook'
    await sim('POST', `/workspaces/${made.id}/subscriptions`, { body: { interface: 'catalog', url } })
    const { body } = await logged('POST', PRODUCTS, product())
    await logged('GET', PRODUCTS)
    const { body: deliveries } = await sim('GET', `/workspaces/${made.id}/deliveries`)
    // The result of the delivery may be recorded as well.
    expect((await whole('req_1')).effects.slice(0, 3)).toEqual([
      {
        kind: 'transition',
        id: `catalog.products/${String(body.data.id)}`,
        title: `catalog.products ${String(body.data.id)} create: active`,
      },
      { kind: 'event', id: expect.any(String), title: 'catalog product.created' },
      {
        kind: 'delivery',
        id: deliveries.data[0].id,
        title: 'catalog product.created queued for http://127.0.0.1:9',
      },
    ])
    expect((await whole('req_5')).effects).toEqual([])
  })

  test('has hints about ignored fields', async () => {
    const { app, made, whole, product } = await setup()
    const answer = await app.fastify.inject({
      method: 'POST',
      url: `${PRODUCTS}?dry_run=1`,
      headers: {
        authorization: `Bearer ${made.key}`,
        'content-type': 'application/json',
        'idempotency-key': 'once',
      },
      payload: JSON.stringify(product({ colour: 'red' })),
    })
    expect(answer.statusCode).toBe(201)
    const { hints } = await whole('req_1')
    expect(hints).toEqual(
      expect.arrayContaining([
        {
          code: 'unknown_query_parameter',
          message: 'createProduct has no query parameter dry_run. It was ignored.',
        },
        { code: 'unknown_body_field', message: 'createProduct has no field colour. It was ignored.' },
        {
          code: 'unknown_header',
          message: 'The specification has no header idempotency-key: a repeated call runs again.',
        },
      ]),
    )
  })

  test.each([
    ['/crm/v1/contacts', 'page_size', 'per_page'],
    ['/crm/v1/contacts', 'limit', 'per_page'],
    ['/crm/v1/contacts', 'q', 'search'],
    ['/crm/v1/contacts', 'order', 'sort_dir'],
    ['/crm/v1/contacts', 'orderBy', 'sort_by'],
    ['/crm/v1/contacts', 'verticl', 'vertical'],
    [PRODUCTS, 'per_page', 'limit'],
    [PRODUCTS, 'starting_after', 'cursor'],
    [PRODUCTS, 'ownerId', 'owner_id'],
    ['/crm/v1/activities', 'start_date', 'from'],
    [PRODUCTS, 'colour', null],
  ])('suggests for GET %s?%s the parameter %s', async (url, name, meant) => {
    const { asked: logged, whole } = await setup()
    await logged('GET', `${url}?${name}=1`)
    const { hints } = (await whole('req_1')) as { hints: { code: string; message: string }[] }
    const [{ message } = { message: '' }] = hints.filter(({ code }) => code === 'unknown_query_parameter')
    expect(message).toMatch(meant === null ? /was ignored\.$/ : new RegExp(`Did you mean ${meant}\\?$`))
  })

  test('has a hint if a catalog activity refers to an unknown contact or deal', async () => {
    const { app, made, asked: logged, sim, path, whole } = await setup()
    const contact = await app.call('POST', '/crm/v1/contacts', made.key, { name: 'Ana' })
    const body = contact.body as { id?: string; data?: { id: string } }
    const there = { entityType: 'contact', entityId: body.id ?? body.data?.id }
    const missingDeal = { entityType: 'deal', entityId: 'deal-118' }
    const otherEntity = { entityType: 'company', entityId: 'company-310' }
    await logged('POST', '/workspace/public/v1/activities', {
      title: 'Call',
      type: 'call',
      ...there,
      entities: [missingDeal, otherEntity],
    })
    const [newest] = (await sim('GET', path)).body.data as { id: string }[]
    const { hints } = await whole(newest?.id ?? '')
    expect(hints.filter(({ code }: { code: string }) => code === 'no_such_entity')).toEqual([
      {
        code: 'no_such_entity',
        message: 'The CRM has no deal deal-118. The activity refers to it anyway.',
      },
    ])
  })

  test('can be exported as a command and as an archive', async () => {
    const { app, asked: logged, path, product } = await setup()
    await logged('POST', PRODUCTS, product({ name: "Ana's desk" }))
    const curl = await app.fastify.inject({ url: `/_sim${path}/req_1?as=curl` })
    expect(curl.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(curl.payload).toContain(`curl -X POST 'http://127.0.0.1:4012${PRODUCTS}'`)
    expect(curl.payload).toContain(`-H 'authorization: Bearer '"$SUITE_KEY"`)
    expect(curl.payload).toContain(String.raw`"name":"Ana'\''s desk"`)
    const har = await app.fastify.inject({ url: `/_sim${path}/req_1?as=har` })
    expect(har.json()).toMatchObject({
      log: { version: '1.2', entries: [{ request: { method: 'POST' }, response: { status: 201 } }] },
    })
  })

  test.each(['req_9', 'nobody', 'req_'])('returns 404 for %s', async (id) => {
    const { sim, path } = await setup()
    expect(await sim('GET', `${path}/${id}`)).toMatchObject({
      status: 404,
      body: error('not_found', `The journal has no request ${id}, or no longer has it.`),
    })
  })
})

test('groups the hints of all calls', async () => {
  const { asked: logged, sim, made } = await setup()
  for (const page of [1, 2, 3]) await logged('GET', `${PRODUCTS}?colour=${String(page)}`)
  const { body } = await sim('GET', `/workspaces/${made.id}/hints`)
  expect(body.data).toContainEqual({
    code: 'unknown_query_parameter',
    message: 'listProducts has no query parameter colour. It was ignored.',
    count: 3,
    requests: ['req_3', 'req_2', 'req_1'],
  })
})

describe('assumed behavior', () => {
  const INVOICES = '/einvoicing/v1/invoices'
  const plain = {
    type: 'I',
    receptor: {
      rfc: 'URE180429TM6',
      nombre: 'UNIVERSIDAD ROBOTICA ESPAÑOLA',
      regimen_fiscal: '601',
      domicilio_fiscal: '86991',
      uso_cfdi: 'G03',
    },
    conceptos: [
      {
        clave_prod_serv: '56101500',
        descripcion: 'Silla',
        cantidad: 1,
        clave_unidad: 'H87',
        valor_unitario: 100,
        objeto_imp: '01',
      },
    ],
    metodo_pago: 'PUE',
    forma_pago: '03',
  }

  test('returns one hint for each operation, only on request', async () => {
    const { asked: logged, sim, made, path, whole } = await setup()
    expect((await logged('POST', INVOICES, plain)).status).toBe(201)
    const related = { ...plain, cfdi_relacionados: [] }
    expect((await logged('POST', INVOICES, related)).status).toBe(201)
    await logged('GET', INVOICES)

    const isAssumed = ({ code }: { code: string }) => code.startsWith('assumed')
    expect((await whole('req_1')).hints).toEqual([])
    expect((await sim('GET', `${path}/req_1?assumed=false`)).body.hints).toEqual([])
    const one = (await sim('GET', `${path}/req_1?assumed=true`)).body.hints as { message: string }[]
    expect(one).toHaveLength(1)
    expect(one[0]).toMatchObject({ code: 'assumed_behavior' })
    // Documented fields are not named, although their limits are assumed.
    expect(one[0]?.message).not.toMatch(/receptor\.nombre|conceptos\[\]\.descripcion/)
    expect(one[0]?.message).not.toMatch(/is assumed/)

    const grouped = `/workspaces/${made.id}/hints`
    expect((await sim('GET', grouped)).body.data.filter(isAssumed)).toEqual([])
    const all = (await sim('GET', `${grouped}?assumed=true`)).body.data.filter(isAssumed)
    expect(all).toMatchObject([
      { message: expect.stringContaining('does not fully define createInvoice.'), count: 2 },
      { message: expect.stringContaining('does not fully define listInvoices.'), count: 1 },
    ])
    expect(all[0].requests).toHaveLength(2)
    expect(all[0].requests[1]).toBe('req_1')
    expect(all[0].message).toContain('cfdi_relacionados: Not shown: the invoices')
  })

  test('has no hint for a refused call', async () => {
    const { asked: logged, sim, path } = await setup()
    await logged('POST', INVOICES, {})
    expect((await sim('GET', `${path}/req_1?assumed=true`)).body.hints).toEqual([])
    expect((await sim('GET', `${path}/req_1?assumed=maybe`)).status).toBe(400)
  })
})
