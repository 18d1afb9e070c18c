/** Conditions of faults on headers, query and body. */
import { describe, expect, test } from 'vitest'
import { formOf } from '../../support/forms.ts'
import { delivering, PRODUCTS, setup } from './setup.ts'

const DESK = { name: 'Desk', type: 'physical' }

describe('a fault with a condition on headers', () => {
  test.each([
    ['retry-7', 'retry-7', true],
    ['retry-7', 'retry-70', false],
    ['retry-7', undefined, false],
    [{ contains: 'try' }, 'retry-7', true],
    [{ contains: 'TRY' }, 'retry-7', false],
    [{ matches: '^retry-\\d$' }, 'retry-7', true],
    [{ matches: '^retry-\\d$' }, 'retry-77', false],
    [{ matches: '\\d' }, 'retry-7', true],
    [{ contains: 'retry', matches: '7$' }, 'retry-8', false],
    [null, undefined, true],
    [null, 'retry-7', false],
  ])('%j, called with %s, applies: %s', async (condition, sent, applies) => {
    const { set, send, met } = await setup()
    await set({ when: { headers: { 'X-Request-Id': condition } }, status: 503, times: 1 })
    const headers = sent === undefined ? {} : { 'x-request-id': sent }
    expect((await send('GET', PRODUCTS, { headers })).status).toBe(applies ? 503 : 200)
    // A call that does not match leaves `times` as it is.
    expect(await met()).toEqual([applies ? 1 : 0])
  })

  test('applies to the credential, which no answer contains', async () => {
    const { sim, path, made, send } = await setup()
    const when = { headers: { Authorization: `Bearer ${made.key}`, 'X-Api-Key': null } }
    const created = await sim('POST', path, { body: { when, status: 503 } })
    expect(created.body.when.headers).toEqual({ Authorization: '[redacted]', 'X-Api-Key': null })
    expect((await sim('GET', path)).text).not.toContain(made.key)
    expect((await send('GET', PRODUCTS)).status).toBe(503)
    expect((await send('GET', PRODUCTS, { headers: { 'x-api-key': 'a' } })).status).toBe(200)
  })
})

test.each([
  [{ limit: '10' }, '?limit=10', true],
  [{ limit: '10' }, '?limit=100', false],
  [{ limit: '10' }, '', false],
  [{ search: { contains: 'é' } }, '?search=caf%C3%A9', true],
  [{ tag: 'b' }, '?tag=a&tag=b', true],
  [{ constructor: null }, '', true],
  [{ cursor: null }, '?limit=10', true],
])(
  'a fault with the condition %j on the query, called with %s, applies: %s',
  async (query, sent, applies) => {
    const { set, send } = await setup()
    await set({ when: { query }, status: 503 })
    expect((await send('GET', PRODUCTS + sent)).status === 503).toBe(applies)
  },
)

describe('a fault with a condition on the body', () => {
  const sent = { ...DESK, price: 1250, tags: ['a', 'b', 'c'], attributes: { color: 'red', size: null } }

  test.each([
    [{ price: 1250 }, true],
    [{ price: 1251 }, false],
    [{ price: '1250' }, false],
    [{ name: 'Desk', attributes: { color: 'red' } }, true],
    [{ attributes: { color: 'red', weight: 1 } }, false],
    [{ attributes: { size: null } }, true],
    [{ attributes: { weight: null } }, false],
    [{ attributes: ['red'] }, false],
    [{ tags: ['a', 'c'] }, true],
    [{ tags: [] }, true],
    [{ tags: ['c', 'a'] }, false],
    [{ tags: ['a', 'a'] }, false],
    [{ tags: { 0: 'a' } }, false],
    [{ constructor: {} }, false],
    [{ toString: null }, false],
  ])('%j applies: %s', async (body, applies) => {
    const { set, send, met } = await setup()
    await set({ when: { body }, status: 418, times: 1 })
    expect((await send('POST', PRODUCTS, { body: sent })).status === 418).toBe(applies)
    expect(await met()).toEqual([applies ? 1 : 0])
  })

  test('matches a part of the text, with all other conditions', async () => {
    const { set, send } = await setup()
    await set({ when: { bodyContains: '"name":"Désk', headers: { 'x-a': '1' } }, status: 418 })
    const body = { ...DESK, name: 'Désk 😀' }
    expect((await send('POST', PRODUCTS, { body, headers: { 'x-a': '1' } })).status).toBe(418)
    expect((await send('POST', PRODUCTS, { body })).status).toBe(201)
    expect((await send('POST', PRODUCTS, { body: DESK, headers: { 'x-a': '1' } })).status).toBe(201)
  })

  test('applies to the fields of a form, and the request log has the form', async () => {
    const { set, sim, fastify, made, path } = await setup()
    const created = await sim('POST', path, {
      body: { when: { body: { name: 'Poster', file: { filename: 'a.png' } } }, status: 418, times: 1 },
    })
    expect(created.status).toBe(201)
    await set({ when: { bodyContains: 'oste' }, status: 419 })
    const upload = async (name: string) => {
      const file = { filename: 'a.png', content: 'bytes', type: 'image/png' }
      const { raw, contentType } = formOf({ name, file })
      const response = await fastify.inject({
        method: 'POST',
        url: '/grid/v1/media',
        headers: { 'content-type': String(contentType), authorization: `Bearer ${made.key}` },
        payload: raw,
      })
      return response.statusCode
    }
    expect(await upload('Banner')).not.toBe(418)
    expect(await upload('Poster')).toBe(418)
    const { data } = (await sim('GET', `/workspaces/${made.id}/requests?status=418`)).body
    expect(data[0].request.body).toMatchObject({ name: 'Poster', file: { filename: 'a.png', size: 5 } })
    expect(await upload('Poster')).toBe(419)
  })

  test('is not reached by calls that are refused before', async () => {
    const { set, send, met } = await setup()
    await set({ when: { bodyContains: 'Desk' }, status: 418, times: 1 })
    const malformed = await send('POST', PRODUCTS, { body: '{"name":"Desk"' })
    expect(malformed.status).toBe(400)
    const deep = `{"name":"Desk","a":${'['.repeat(70)}${']'.repeat(70)}}`
    expect((await send('POST', PRODUCTS, { body: deep })).status).toBe(400)
    const proto = await send('POST', PRODUCTS, { body: '{"name":"Desk","__proto__":{}}' })
    expect(proto.status).toBe(400)
    const large = { ...DESK, description: 'x'.repeat(1_100_000) }
    expect((await send('POST', PRODUCTS, { body: large })).status).toBe(413)
    const stranger = { body: DESK, headers: { authorization: 'Bearer nobody' } }
    expect((await send('POST', PRODUCTS, stranger)).status).toBe(401)
    expect(await met()).toEqual([0])
    expect((await send('POST', PRODUCTS, { body: DESK })).status).toBe(418)
  })

  test('compares long lists without delay', async () => {
    const { set, send } = await setup()
    const many = Array.from({ length: 25_000 }, () => [['a']])
    for (let n = 0; n < 20; n++) {
      await set({ when: { body: { list: Array.from({ length: 500 }, () => [['b']]) } }, status: 418 })
    }
    expect((await send('POST', PRODUCTS, { body: { ...DESK, list: many } })).status).toBe(201)
  })

  test('hides secret fields of the condition', async () => {
    const { set, sim, path, send } = await setup()
    await set({ when: { body: { list: [{ password: 'hunter2' }] } }, status: 418 })
    expect((await sim('GET', path)).body.data[0].when).toEqual({
      body: { list: [{ password: '[redacted]' }] },
    })
    const body = { ...DESK, list: [{ password: 'hunter2' }] }
    expect((await send('POST', PRODUCTS, { body })).status).toBe(418)
  })
})

test('a fault of deliveries with a condition applies to payloads that match', async () => {
  const when = { body: { data: { name: 'Desk 1' } }, bodyContains: 'Desk' }
  const { received, wait } = await delivering({ delivery: 'drop', when }, ['Desk 0', 'Desk 1', 'Desk 2'])
  await wait('status=delivered&count=2')
  expect(received.map(({ body }) => JSON.parse(body).data.name as string).sort()).toEqual([
    'Desk 0',
    'Desk 2',
  ])
})

describe('is refused:', () => {
  test.each([
    [{ when: {} }, 'when must have headers, query, body or bodyContains'],
    [{ when: { header: { a: 'b' } } }, 'when.header is not a known field; did you mean headers?'],
    [{ when: { headers: {} } }, 'when.headers must have at least 1 field'],
    [
      { when: { headers: { a: 5 } } },
      'when.headers.a must be a text, {"contains": text}, {"matches": pattern}, or null for a missing one',
    ],
    [{ when: { headers: { a: {} } } }, 'when.headers.a must have contains or matches'],
    [
      { when: { headers: { a: { match: 'x' } } } },
      'when.headers.a.match is not a known field; did you mean matches?',
    ],
    [
      { when: { headers: { a: { matches: '(' } } } },
      'when.headers.a.matches must be a regular expression in the syntax of RE2',
    ],
    [
      { when: { query: { a: { matches: '(?=b)' } } } },
      'when.query.a.matches must be a regular expression in the syntax of RE2',
    ],
    [
      { when: { query: { a: { matches: 'a{501}' } } } },
      'when.query.a.matches must be simpler; a repetition such as {1000} counts as its number',
    ],
    [{ when: { bodyContains: '' } }, 'when.bodyContains must not be empty'],
    [
      { when: { body: { a: 1 } }, method: 'GET' },
      'when.body is not allowed here: calls with GET have no body',
    ],
    [
      { when: { bodyContains: 'a' }, path: '/crm/v1/reports/*' },
      'when.bodyContains is not allowed here: calls with GET have no body',
    ],
    [{ when: { headers: { a: 'b' } }, delivery: 'drop' }, 'when.headers is not allowed with delivery'],
    [{ when: { query: { a: 'b' } }, delivery: 'drop' }, 'when.query is not allowed with delivery'],
  ])('%j', async (body, message) => {
    const { sim, path } = await setup()
    const wanted = 'delivery' in body ? body : { ...body, status: 500 }
    const answer = await sim('POST', path, { body: wanted })
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain(message)
    expect((await sim('GET', path)).body.data).toEqual([])
  })

  test('a field named __proto__', async () => {
    const { sim, path } = await setup()
    const raw = '{"status":500,"when":{"body":{"__proto__":{"a":1}}}}'
    expect((await sim('POST', path, { raw })).status).toBe(400)
  })

  test.each([
    ['a pattern', { query: { a: { matches: 'x'.repeat(1001) } } }],
    ['a text', { headers: { a: 'x'.repeat(1001) } }],
    ['a part of the body', { bodyContains: 'x'.repeat(1001) }],
    ['a condition on the body', { body: { a: 'x'.repeat(10_000) } }],
  ])('%s that is too long', async (_what, when) => {
    const { sim, path } = await setup()
    const answer = await sim('POST', path, { body: { when, status: 500 } })
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toMatch(/^when\.[\w.]+ must have at most 10000? characters/)
  })

  test('a condition without an effect', async () => {
    const { sim, path } = await setup()
    const answer = await sim('POST', path, { body: { when: { body: { a: 1 } } } })
    expect(answer.status).toBe(400)
  })

  test('nothing at the bounds', async () => {
    const { sim, path } = await setup()
    const accepted = [
      { when: { query: { a: { matches: 'a{490}' } } } },
      { when: { query: { a: { contains: 'x'.repeat(1000) } } } },
      { when: { body: { a: 'x'.repeat(9_900) } } },
      { when: { body: { a: 1 } }, method: 'POST', path: '/payment-links', interface: 'payments' },
    ]
    for (const each of accepted) {
      expect((await sim('POST', path, { body: { ...each, status: 500 } })).status).toBe(201)
    }
  })
})
