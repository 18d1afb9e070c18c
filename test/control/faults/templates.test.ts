/** Faults whose answer is a template with placeholders for parts of the call. */
import { describe, expect, test } from 'vitest'
import { PRODUCTS, setup } from './setup.ts'

const FROZEN = '2026-11-23T12:00:00.000Z'

/** Answers one call with a template; returns the text of the body, parsed if it is JSON. */
async function answered(
  template: unknown,
  {
    body,
    headers = {},
    url = PRODUCTS,
  }: { body?: unknown; headers?: Record<string, string>; url?: string } = {},
) {
  const { set, send, sim, made } = await setup()
  await sim('PUT', `/workspaces/${made.id}/clock`, { body: { now: FROZEN, frozen: true } })
  const fault = await set({ status: 200, template: true, body: template })
  expect(fault).toMatchObject({ template: true, body: template })
  const answer = await send(body === undefined ? 'GET' : 'POST', url, { body, headers })
  return String(answer.headers['content-type']).startsWith('text/plain')
    ? answer.text
    : (JSON.parse(answer.text) as unknown)
}

const DESK = { name: 'Désk "1" 😀', amount: 1250, tags: ['a', { b: true }], empty: null }

describe('a template', () => {
  test.each([
    ['{{request.method}} {{ request.path }}', `POST ${PRODUCTS}`],
    ['{{request.query.limit}}', '10'],
    ['{{request.query.tag}}', ['a', 'b']],
    ['{{request.headers.X-Request-Id}}', 'r-7'],
    ['{{request.body.name}}!', 'Désk "1" 😀!'],
    [{ echo: '{{request.body.amount}}' }, { echo: 1250 }],
    [{ echo: ' {{request.body.amount}}' }, { echo: ' 1250' }],
    [{ echo: '{{request.body.tags}}' }, { echo: ['a', { b: true }] }],
    [{ echo: 'x{{request.body.tags}}' }, { echo: 'x["a",{"b":true}]' }],
    [{ echo: ['{{request.body.tags.1.b}}', 7, null, false] }, { echo: [true, 7, null, false] }],
    [{ echo: '{{request.body}}' }, { echo: DESK }],
    [{ at: '{{now}}' }, { at: FROZEN }],
    [{ '{{now}}': 'the name stays' }, { '{{now}}': 'the name stays' }],
    ['no placeholder, } and {', 'no placeholder, } and {'],
  ])('%j becomes %j', async (template, expected) => {
    const url = `${PRODUCTS}?limit=10&tag=a&tag=b`
    expect(await answered(template, { url, body: DESK, headers: { 'x-request-id': 'r-7' } })).toEqual(
      expected,
    )
  })

  test.each([
    ['{{request.body.nothing}}', null],
    ['[{{request.body.nothing}}]', '[]'],
    ['{{request.body.empty}}', null],
    ['<{{request.body.empty}}>', '<>'],
    ['{{request.query.nothing}}', null],
    ['{{request.headers.x-nothing}}', null],
    ['{{request.body.name.length}}', null],
    ['{{request.body.tags.length}}', null],
    ['{{request.body.tags.7}}', null],
    ['{{request.body.constructor}}', null],
    ['{{request.body.__proto__}}', null],
    ['{{request.headers.__proto__}}', null],
    ['{{request.query.toString}}', null],
  ])('%s without a value becomes %j', async (template, expected) => {
    expect(await answered({ a: template }, { body: DESK })).toEqual({ a: expected })
  })

  test('without a body becomes null', async () => {
    expect(await answered({ a: '{{request.body}}', b: '{{request.body.c}}' })).toEqual({ a: null, b: null })
  })

  test('reads the parameters of the path', async () => {
    const { set, send } = await setup()
    const body = { id: '{{request.pathParams.id}}' }
    await set({ path: '/products/*', interface: 'catalog', status: 200, template: true, body })
    expect((await send('GET', `${PRODUCTS}/caf%C3%A9`)).text).toBe('{"id":"café"}')
  })

  test('draws a new id for each placeholder', async () => {
    const { set, send } = await setup()
    await set({ status: 200, template: true, body: ['{{id}}', '{{id}}', '{{uuid}}'] })
    const [one, two, uuid] = JSON.parse((await send('GET', PRODUCTS)).text) as string[]
    expect(one).toMatch(/^[\w-]{21}$/)
    expect(two).not.toBe(one)
    expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  })

  test('fills headers, which get no line breaks', async () => {
    const { set, send } = await setup()
    const headers = { 'x-echo': 'a-{{request.query.a}}', 'x-now': '{{request.body.b}}' }
    await set({ template: true, status: 202, headers })
    const answer = await send('POST', `${PRODUCTS}?a=1%0D%0Aset-cookie:%20x`, {
      body: { b: `é${'y'.repeat(2000)}` },
    })
    expect(answer.status).toBe(202)
    expect(answer.headers['x-echo']).toBe('a-1??set-cookie: x')
    expect(answer.headers['x-now']).toBe(`?${'y'.repeat(999)}`)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('fills headers of the real response', async () => {
    const { set, send } = await setup()
    await set({ template: true, headers: { 'x-request-id': '{{request.headers.x-request-id}}' } })
    const answer = await send('GET', PRODUCTS, { headers: { 'x-request-id': 'r-1' } })
    expect([answer.status, answer.headers['x-request-id']]).toEqual([200, 'r-1'])
  })

  test('leaves out credentials of the body', async () => {
    const body = { card: { number: 7, cvc: '123' }, password: 'p', list: [{ api_key: 'k', a: 1 }] }
    expect(await answered({ echo: '{{request.body}}' }, { body })).toEqual({
      echo: { card: { number: 7 }, list: [{ a: 1 }] },
    })
  })

  test('stays as it is without template', async () => {
    const { set, send } = await setup()
    await set({ status: 418, body: '{{request.path}} {{nothing' })
    expect((await send('GET', PRODUCTS)).text).toBe('{{request.path}} {{nothing')
  })

  test('with more than one million characters of values refuses the call', async () => {
    const { set, send } = await setup()
    await set({ status: 200, template: true, body: ['{{request.body.a}}', '{{request.body.a}}'] })
    const half = 524_288
    expect((await send('POST', PRODUCTS, { body: { a: 'x'.repeat(half) } })).status).toBe(200)
    const refused = await send('POST', PRODUCTS, { body: { a: 'x'.repeat(half + 1) } })
    expect(refused.status).toBe(413)
    expect(refused.text).toContain(
      'The values in the template of fault_1 have more than 1,048,576 characters.',
    )
  })
})

describe('is refused:', () => {
  const KNOWN = [
    'request.method, request.path, request.body, now, id, uuid, request.pathParams.NAME, request.query.NAME',
    'request.headers.NAME, request.body.NAME',
  ].join(', ')

  test.each([
    ['{{}}', `body has the unknown placeholder {{}}; use ${KNOWN}`],
    ['{{1+1}}', `body has the unknown placeholder {{1+1}}; use ${KNOWN}`],
    [
      '{{requst.body.amount}}',
      'unknown placeholder {{requst.body.amount}}; did you mean {{request.body.amount}}?',
    ],
    ['{{request.qeury.limit}}', 'did you mean {{request.query.limit}}?'],
    ['{{request.paht}}', 'did you mean {{request.path}}?'],
    ['{{Now}}', 'did you mean {{now}}?'],
    ['{{request.headers}}', 'did you mean {{request.headers.NAME}}?'],
    ['{{request.path.a}}', 'did you mean {{request.path}}?'],
    ['{{__proto__.a}}', `use ${KNOWN}`],
    [{ a: [{ b: '{{nwo}}' }] }, 'did you mean {{now}}?'],
    ['{{now', 'body must close each {{ with }}'],
    ['{{request.body.{{now}}}}', 'body must close each {{ with }}'],
    [`{{request.body.${'a'.repeat(190)}}}`, 'body must close each {{ with }}'],
    ['{{now}}'.repeat(101), 'body must have at most 100 placeholders'],
    ['{{request.headers.Authorization}}', 'templates cannot read credentials'],
    ['{{request.headers.x-api-key}}', 'templates cannot read credentials'],
    ['{{request.headers.cookie}}', 'templates cannot read credentials'],
    ['{{request.query.access_token}}', 'templates cannot read credentials'],
    ['{{request.body.user.password}}', 'templates cannot read credentials'],
    ['{{request.pathParams.ident}}', 'unknown placeholder {{request.pathParams.ident}}'],
  ])('%s', async (template, message) => {
    const { sim, path } = await setup()
    const answer = await sim('POST', path, { body: { status: 200, template: true, body: template } })
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain(message)
    expect((await sim('GET', path)).body.data).toEqual([])
  })

  test.each([
    [
      { interface: 'catalog', path: '/products/*', body: '{{request.pathParams.idd}}' },
      'did you mean {{request.pathParams.id}}?',
    ],
    [
      { interface: 'catalog', path: '/products', body: '{{request.pathParams.id}}' },
      'the path parameters are: none',
    ],
    [{ headers: { 'x-a': '{{nwo}}' } }, 'headers has the unknown placeholder {{nwo}}; did you mean {{now}}?'],
    [{ status: 500 }, 'template is only allowed with body or headers'],
    [{ delivery: 'drop' }, 'template is not allowed with delivery'],
  ])('%j', async (fields, message) => {
    const { sim, path } = await setup()
    const answer = await sim('POST', path, { body: { template: true, ...fields } })
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain(message)
  })

  test('no template at the bounds', async () => {
    const { sim, path } = await setup()
    const bodies = [
      '{{now}}'.repeat(100),
      `{{request.body.${'a'.repeat(180)}}}`,
      `{{request.query.${'b'.repeat(180)}}}`,
    ]
    for (const body of bodies) {
      const answer = await sim('POST', path, { body: { status: 200, template: true, body } })
      expect(answer.status).toBe(201)
    }
  })
})
