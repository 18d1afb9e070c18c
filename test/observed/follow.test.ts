/** A server with an overlay: each kind in answers, documents, hints and events. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SHAPES, type ShapeName } from '../../src/observed/format.ts'
import { addField, fillOf } from '../../src/observed/values.ts'
import { ofKind, overlayOf } from './overlays.ts'
import { observing, startUnclosed, type Observing } from './observing.ts'

interface List {
  readonly data: readonly Record<string, unknown>[]
  readonly meta: Record<string, number>
}

/** Subscribes a receiver that does not exist: the payload is that of the first attempt. */
const subscribe = (control: Observing['control'], name: string): Promise<unknown> =>
  control('POST', '/workspaces/{id}/subscriptions', { interface: name, url: 'http://127.0.0.1:9/hook' })

interface Delivered {
  readonly event: string
  readonly payload: { readonly data: Record<string, unknown> }
}

const deliveriesOf = async (control: Observing['control'], name: string): Promise<readonly Delivered[]> =>
  (await control<{ data: Delivered[] }>('GET', `/workspaces/{id}/deliveries?interface=${name}`)).data

const link = 'pl_demo0000000000000001'

const ofList = (source: object, name = 'legacy_id') =>
  ofKind('field', {
    interface: 'payments',
    operations: ['listPaymentLinks'],
    path: `/data/*/${name}`,
    source: source as { copy: string },
  })

/** Entries about different places: one server follows them all. */
const ENTRIES = [
  ofList({ copy: '/data/*/id' }),
  ...(Object.keys(SHAPES) as ShapeName[]).map((shape) => ofList({ shape }, `x_${shape}`)),
  ofKind('field', { interface: 'crm', component: 'Contact', path: '/score', source: { copy: '/id' } }),
  ofKind('refusal', {
    interface: 'payments',
    operation: 'getPaymentLink',
    when: { status: 404 },
    status: 410,
    body: [
      { path: '/error', value: 'gone' },
      { path: '/status', remove: true },
      { path: '/details/why', value: [1] },
    ],
  }),
  ofKind('refusal', {
    interface: 'catalog',
    operation: 'getProduct',
    when: { status: 404, code: 'other_code' },
    status: 410,
  }),
  ofKind('order', {
    interface: 'crm',
    operation: 'listContacts',
    sort: [{ field: 'name', direction: 'asc' }],
  }),
  ofKind('header', { interface: 'crm', name: 'X-Powered-By', value: 'Suite 5' }),
  ofKind('precision', {
    interface: 'catalog',
    operations: ['listProducts'],
    path: '/data/*/basePrice',
    decimals: 4,
  }),
  ofKind('reading', { interface: 'payments', name: 'payments.refund_event', value: 'requested' }),
  ofKind('eventField', {
    interface: 'payments',
    event: 'payment.completed',
    path: '/transaction/origin',
    source: { copy: '/transaction/id' },
  }),
]

/** The server that follows ENTRIES. */
let following: Observing

beforeAll(async () => {
  following = await startUnclosed({ observed: overlayOf(...ENTRIES) })
})

afterAll(() => following.app.close())

describe('an extra field', () => {
  test('with a constant is in the operation, in its document and in a hint', async () => {
    const { call, contract } = await observing(ofList({ constant: { a: [1] } }))
    const { body, hints } = await call<List>('payments', 'GET', '/payment-links')
    expect(body.data.length).toBeGreaterThan(2)
    for (const each of body.data) expect(each['legacy_id']).toEqual({ a: [1] })
    expect(await hints()).toEqual([
      expect.stringMatching(
        /^The answer follows what was observed on the real service: the field \/data\/\*\/legacy_id \(observed on \d{4}-\d\d-\d\d in 3 of 4 samples\)\. GET \/_sim\/observed lists all of it\.$/,
      ),
    ])
    const { document } = await contract('payments')
    const text = JSON.stringify(document.paths['/payment-links']?.['get']?.responses['200'])
    expect(text).toContain(
      `"legacy_id":{"const":{"a":[1]},"x-fidelity":"observed","x-fidelity-why":"Observed on ${new Date().toISOString().slice(0, 10)} in 3 of 4 samples."}`,
    )
    // Other operations keep theirs.
    const one = await call<{ data: object }>('payments', 'GET', `/payment-links/${link}`)
    expect(one.body.data).not.toHaveProperty('legacy_id')
    expect(await one.hints()).toEqual([])
    expect(JSON.stringify(document.components.schemas['PaymentLink'] ?? {})).not.toContain('legacy_id')
  })

  test('is not the copy of an object, which would double the answer with each entry', async () => {
    const copies = Array.from({ length: 30 }, (_, index) =>
      ofKind('field', {
        interface: 'tax-invoicing',
        component: 'Invoice',
        path: `/x${String(index)}`,
        // Some values of the place are objects.
        source: { copy: '/metadata' },
      }),
    )
    await expect(observing(...copies)).rejects.toThrow(/source\.copy must name/)
    // The place of a list of a map can have anything.
    const whole = { data: [{ id: 'a', any: { b: 1 } }] }
    expect(addField(whole, ['data', '*', 'x'], fillOf({ copy: '/data/*/any' }))).toBe(false)
    expect(addField(whole, ['data', '*', 'y'], fillOf({ copy: '/data/*' }))).toBe(false)
    expect(addField(whole, ['data', '*', 'z'], fillOf({ copy: '/data/*/id' }))).toBe(true)
    expect(whole).toEqual({ data: [{ id: 'a', any: { b: 1 }, z: 'a' }] })
  })

  test('copied from another place has the value of its own record', async () => {
    const { call } = following
    const { body } = await call<List>('payments', 'GET', '/payment-links?per_page=3')
    expect(body.data.map((each) => each['legacy_id'])).toEqual(body.data.map((each) => each['id']))
    expect(body.data).toHaveLength(3)
  })

  test('that is made up is the same in repeated reads', async () => {
    const { call } = following
    const read = async () => (await call<List>('payments', 'GET', '/payment-links')).body.data
    const records = await read()
    expect(await read()).toEqual(records)
    for (const shape of ['string', 'uuid', 'email', 'uri', 'integer']) {
      expect(new Set(records.map((each) => each[`x_${shape}`])).size).toBe(records.length)
    }
    for (const each of records) {
      expect(each).toMatchObject({ x_null: null, x_array: [], x_object: {}, x_boolean: expect.any(Boolean) })
      expect(each['x_date-time']).toMatch(/^2026-/)
    }
  })

  test('of a component is wherever the component is, also in events', async () => {
    const { call, contract, control } = following
    const { body } = await call<List>('crm', 'GET', '/contacts')
    for (const each of body.data) expect(each['score']).toBe(each['id'])
    await subscribe(control, 'crm')
    const created = await call<Record<string, unknown>>('crm', 'POST', '/contacts', {
      body: { name: 'Test Person', email: 'test.person@example.com' },
    })
    expect(created.body['score']).toBe(created.body['id'])
    const { document } = await contract('crm')
    expect(document.components.schemas['Contact']).toHaveProperty('properties.score.x-fidelity', 'observed')
    const delivered = await deliveriesOf(control, 'crm')
    expect(delivered).toHaveLength(1)
    for (const { event, payload } of delivered) {
      ;(await contract('crm')).checkDelivery(event, JSON.stringify(payload))
      const contact = payload.data['contact'] as Record<string, unknown>
      expect(contact['score']).toBe(contact['id'])
    }
  })
})

test('a place without a value has the observed form', async () => {
  const entry = (path: string, is: 'null' | 'absent' | 'empty') =>
    ofKind('nullability', { interface: 'payments', operations: ['listPaymentLinks'], path, is })
  const plain = await following.call<List>('payments', 'GET', '/payment-links')
  const nulls = plain.body.data.map((each) => each['expires_at'] === null)
  expect(nulls).toContain(true)
  const absent = await (
    await observing(entry('/data/*/expires_at', 'absent'))
  ).call<List>('payments', 'GET', '/payment-links')
  expect(absent.body.data.map((each) => !('expires_at' in each))).toEqual(nulls)
  const empty = await (
    await observing(entry('/data/*/expires_at', 'empty'))
  ).call<List>('payments', 'GET', '/payment-links')
  expect(empty.body.data.map((each) => each['expires_at'] === '')).toEqual(nulls)
  expect(await empty.hints()).toHaveLength(1)
})

describe('a refusal', () => {
  test('has the observed status and body', async () => {
    const { call, contract } = following
    const answer = await call('payments', 'GET', '/payment-links/pl_nope')
    expect(answer.status).toBe(410)
    expect(answer.body).toEqual({ error: 'gone', message: expect.any(String), details: { why: [1] } })
    expect(await answer.call()).toMatchObject({ status: 410, response: { body: answer.body } })
    expect(await answer.hints()).toHaveLength(1)
    const { document } = await contract('payments')
    const responses = document.paths['/payment-links/{link_id}']?.['get']?.responses ?? {}
    expect(responses).not.toHaveProperty('404')
    expect(responses['410']).toMatchObject({ 'x-fidelity': 'observed' })
  })

  test('without the observed code stays as it is', async () => {
    const answer = await following.call('catalog', 'GET', '/products/nope')
    expect(answer.status).toBe(404)
    expect(await answer.hints()).toEqual([])
  })

  test('of all operations includes unknown paths and keys, and no injected fault', async () => {
    const { call, control } = await observing(
      ofKind('refusal', { interface: 'payments', when: { status: 401, code: 'unauthorized' }, status: 403 }),
    )
    expect((await call('payments', 'GET', '/payment-links', { key: 'wrong' })).status).toBe(403)
    await control('POST', '/workspaces/{id}/faults', {
      interface: 'payments',
      status: 401,
      body: { error: 'unauthorized', message: 'Injected', status: 401 },
      times: 1,
    })
    expect((await call('payments', 'GET', '/payment-links')).status).toBe(401)
    expect((await call('payments', 'GET', '/payment-links')).status).toBe(200)
  })
})

describe('a page', () => {
  test('has the observed default and maximum', async () => {
    const { call, contract } = await observing(
      ofKind('page', { interface: 'payments', operation: 'listPaymentLinks', default: 2, maximum: 3 }),
    )
    const usual = await call<List>('payments', 'GET', '/payment-links')
    expect(usual.body.data).toHaveLength(2)
    expect(await usual.hints()).toHaveLength(1)
    const most = await call<List>('payments', 'GET', '/payment-links?per_page=3')
    expect(most.body.data).toHaveLength(3)
    expect(await most.hints()).toEqual([])
    const beyond = await call('payments', 'GET', '/payment-links?per_page=4')
    expect(beyond.status).toBeGreaterThanOrEqual(400)
    expect(await beyond.hints()).toHaveLength(1)
    const { document } = await contract('payments')
    const parameters = document.paths['/payment-links']?.['get']?.parameters ?? []
    expect(parameters.find((each) => each['name'] === 'per_page')).toMatchObject({
      'x-fidelity': 'observed',
      schema: { default: 2, maximum: 3 },
    })
  })

  test('of all lists may be larger than those of the specification', async () => {
    const { call } = await observing(ofKind('page', { interface: 'payments', maximum: 500 }))
    const answer = await call<List>('payments', 'GET', '/payment-links?per_page=500')
    expect(answer.body.meta['per_page']).toBe(500)
    expect(await answer.hints()).toHaveLength(1)
    expect((await call('payments', 'GET', '/transactions?per_page=501')).status).toBeGreaterThanOrEqual(400)
  })
})

test('a list has the observed order, and callers can still choose', async () => {
  const { call } = following
  const names = async (query: string) =>
    (await call<List>('crm', 'GET', `/contacts${query}`)).body.data.map((each) => each['name'])
  const asked = await names('?sort_by=name&sort_dir=asc')
  expect(asked.length).toBeGreaterThan(2)
  expect(await names('')).toEqual(asked)
  expect(await names('?sort_dir=desc')).toEqual(await names('?sort_by=name&sort_dir=desc'))
  expect(await names('?sort_by=created_at&sort_dir=desc')).not.toEqual(asked)
})

test('a list that callers cannot sort has the observed direction', async () => {
  const { call, contract } = await observing(
    ofKind('order', {
      interface: 'payments',
      operation: 'listPaymentLinks',
      sort: [{ field: 'created_at', direction: 'asc' }],
    }),
  )
  const times = async (path: string) => {
    const answer = await call<List>('payments', 'GET', path)
    return { hints: await answer.hints(), times: answer.body.data.map((each) => String(each['created_at'])) }
  }
  const { times: links, hints } = await times('/payment-links?per_page=4')
  expect(links).toHaveLength(4)
  expect(links).toEqual(links.toSorted())
  expect(hints).toEqual([expect.stringContaining('the default order: created_at asc')])
  const [next = ''] = (await times('/payment-links?per_page=4&page=2')).times
  expect(next >= (links.at(-1) ?? '')).toBe(true)
  // Reads the second time from the cache.
  expect((await times('/payment-links?per_page=4')).times).toEqual(links)
  const { times: others } = await times('/transactions')
  expect(others).toEqual(others.toSorted().reverse())
  const { document } = await contract('payments')
  expect(document.paths['/payment-links']?.['get']?.responses['200']).toMatchObject({
    'x-fidelity': 'observed',
  })
})

test('a header is on answers and refusals', async () => {
  const { call, contract } = following
  const answer = await call('crm', 'GET', '/contacts')
  expect(answer.headers['x-powered-by']).toBe('Suite 5')
  expect((await answer.call()).response.headers['x-powered-by']).toBe('Suite 5')
  expect((await call('crm', 'GET', '/contacts/nope')).headers['x-powered-by']).toBe('Suite 5')
  expect((await call('payments', 'GET', '/payment-links')).headers['x-powered-by']).toBeUndefined()
  const { document } = await contract('crm')
  expect(document.paths['/contacts']?.['get']?.responses['200']).toMatchObject({
    headers: { 'X-Powered-By': { schema: { const: 'Suite 5' }, 'x-fidelity': 'observed' } },
  })
})

describe('the form of times', () => {
  test.each([
    [{ fraction: 0 }, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
    [{ fraction: 6 }, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}000Z$/],
    [{ zone: '+00:00' }, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/],
    [{ fraction: 0, zone: '+00:00' }, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/],
  ] as const)('%j is in all times of the interface', async (form, pattern) => {
    const { call } = await observing(ofKind('precision', { interface: 'crm', ...form }))
    const list = await call<List>('crm', 'GET', '/contacts')
    for (const each of list.body.data) expect(each['created_at']).toMatch(pattern)
    const created = await call<Record<string, string>>('crm', 'POST', '/contacts', {
      body: { name: '2026-01-31T09:30:00.123Z', email: 'test.person@example.com' },
    })
    expect(created.body['created_at']).toMatch(pattern)
    // A text of a caller stays as it was sent.
    expect(created.body['name']).toBe('2026-01-31T09:30:00.123Z')
  })
})

test('decimals of texts and numbers have the observed precision', async () => {
  const { call } = following
  const { body } = await call<List>('catalog', 'GET', '/products')
  const prices = body.data.flatMap((each) => each['basePrice'] ?? [])
  expect(prices.length).toBeGreaterThan(2)
  for (const price of prices) expect(price).toMatch(/^\d+\.\d{4}$/)
})

test('a rate limit counts the calls of all operations', async () => {
  const { call, contract } = await observing(
    ofKind('rateLimit', { interface: 'crm', limit: 2, windowSeconds: 60 }),
  )
  const first = await call('crm', 'GET', '/contacts')
  expect(first.headers['x-ratelimit-limit']).toBe('2')
  expect((await call('crm', 'GET', '/contacts/nope')).status).toBe(404)
  const refused = await call('crm', 'GET', '/contacts')
  expect(refused.status).toBe(429)
  expect(await refused.hints()).toEqual([expect.stringContaining('the rate limit: 2 calls in 60 seconds')])
  const { document } = await contract('crm')
  expect(document.paths['/contacts']?.['get']?.['description']).toContain('At most 2 calls in 60 seconds')
  // Other interfaces have their own.
  expect((await call('payments', 'GET', '/payment-links')).status).toBe(200)
})

test('a reading is the default of the server, and other choices win', async () => {
  const { control } = following
  const workspace = await control<{ readings: Record<string, string> }>('GET', '/workspaces/{id}')
  expect(workspace.readings['payments.refund_event']).toBe('requested')
})

test('an extra field of an event is in its deliveries and in the documents', async () => {
  const { call, contract, control } = following
  await subscribe(control, 'payments')
  const created = await call<{ data: { id: string } }>('payments', 'POST', '/payment-links', {
    body: { amount: 1250, currency: 'USD', description: 'Standing desk' },
  })
  await control('POST', '/workspaces/{id}/triggers/payments.link.pay', { link_id: created.body.data.id })
  const delivered = (await deliveriesOf(control, 'payments')).filter(
    ({ event }) => event === 'payment.completed',
  )
  expect(delivered).toHaveLength(1)
  for (const { event, payload } of delivered) {
    ;(await contract('payments')).checkDelivery(event, JSON.stringify(payload))
    const transaction = payload.data['transaction'] as Record<string, unknown>
    expect(transaction['origin']).toBe(transaction['id'])
  }
  const { document } = await contract('payments')
  expect(JSON.stringify(document.webhooks?.['payment.completed'])).toMatch(
    /"origin":\{[^}]*"x-fidelity":"observed"/,
  )
  // The transaction of the interface has no such field.
  expect((await call('payments', 'GET', '/transactions')).text).not.toContain('"origin"')
})
