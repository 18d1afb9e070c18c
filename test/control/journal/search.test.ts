/** The filter `body=` of the request journal, and the hint counts in its lists. */
import { describe, expect, test } from 'vitest'
import { controlApp, makeWorkspace } from '../app.ts'

const PRODUCTS = '/workspace/public/v1/products'

async function setup() {
  const app = await controlApp()
  const made = await makeWorkspace(app)
  const path = `/workspaces/${made.id}/requests`
  const sim = app.sim
  return {
    ...app,
    sim,
    made,
    path,
    add: (fields: object) =>
      app.call('POST', PRODUCTS, made.key, { name: 'Desk', type: 'physical', ...fields }),
    get: (query = '') => app.call('GET', PRODUCTS + query, made.key),
    list: async (query: Record<string, string> = {}) =>
      (await sim('GET', `${path}?${new URLSearchParams(query).toString()}`)).body.data as {
        id: string
        method: string
        status: number
        hintCount: number
      }[],
  }
}

describe('body=', () => {
  test.each([
    ['Señor José', ['senor jose', 'SEÑOR JOSÉ', 'Señor José'.normalize('NFD')]],
    ['Señor José'.normalize('NFD'), ['señor josé', 'Senor Jose']],
    ['Straße İzmir', ['STRASSE IZMIR', 'straẞe izmir', 'strasse i\u0307zmir']],
  ])('finds %s without regard to accents', async (name, texts) => {
    const { add, list } = await setup()
    await add({ name })
    for (const body of texts) expect([body, (await list({ body })).length]).toEqual([body, 1])
    expect(await list({ body: 'señor jorge' })).toEqual([])
  })

  test('is refused if it has only accents', async () => {
    const { sim, path } = await setup()
    const { status, body } = await sim('GET', `${path}?body=%CC%81`)
    expect([status, body.error.message]).toEqual([400, 'body must contain a character that is no accent'])
  })

  test('finds a text in either body, in any case, with other filters', async () => {
    const { add, get, list, call, made } = await setup()
    await add({ name: 'Standing Desk' })
    await get()
    await call('GET', `${PRODUCTS}/none`, made.key)

    const found = async (query: Record<string, string>) =>
      (await list(query)).map(({ method, status }) => `${method} ${String(status)}`)
    // The list of products has the name in its response only.
    expect(await found({ body: 'standing desk' })).toEqual(['GET 200', 'POST 201'])
    expect(await found({ body: 'STANDING DESK', method: 'POST' })).toEqual(['POST 201'])
    expect(await found({ body: 'standing desk', limit: '1' })).toEqual(['GET 200'])
    expect(await found({ body: '"type":"physical"', method: 'POST' })).toEqual(['POST 201'])
    expect(await found({ body: 'not_found' })).toEqual(['GET 404'])
    expect(await found({ body: 'sitting desk' })).toEqual([])
  })

  test('finds quotes and line breaks, which JSON escapes', async () => {
    const { add, list } = await setup()
    await add({ name: 'The "Élan" desk', description: 'first line\nsecond line' })
    for (const body of ['The "élan" desk', 'line\nsecond', '{"name":"the']) {
      expect(await list({ body, method: 'POST' })).toHaveLength(1)
    }
  })

  test('finds text that is not JSON, and the stored part of a truncated body', async () => {
    const { add, list, fastify, made } = await setup()
    await fastify.inject({
      method: 'POST',
      url: PRODUCTS,
      headers: { authorization: `Bearer ${made.key}`, 'content-type': 'application/json' },
      payload: '{"name": "Unfinished',
    })
    expect(await list({ body: '"name": "unfinished' })).toMatchObject([{ status: 400 }])
    await add({ name: `early ${'x'.repeat(20_000)} late` })
    expect(await list({ body: 'early x' })).toHaveLength(1)
    expect(await list({ body: 'x late' })).toEqual([])
  })

  test('does not find what is redacted', async () => {
    const { add, list } = await setup()
    await add({ name: 'Desk', metadata: { webhookSecret: 's-4711', note: 'kept' } })
    expect(await list({ body: 's-4711' })).toEqual([])
    expect(await list({ body: '"webhooksecret":"[redacted]"' })).not.toEqual([])
    expect(await list({ body: 'kept' })).not.toEqual([])
  })

  test('can be waited for', async () => {
    const { add, sim, path } = await setup()
    await add({ name: 'Desk' })
    const waiting = sim('GET', `${path}?body=lamp&method=POST&count=2&wait=300`)
    await add({ name: 'Lamp 1' })
    await add({ name: 'Table' })
    await add({ name: 'Lamp 2' })
    const { body } = await waiting
    const names = (body.data as { request: { body: { name: string } } }[]).map(
      ({ request }) => request.body.name,
    )
    expect(names).toEqual(['Lamp 2', 'Lamp 1'])
  })

  test('must have 1 to 1,000 characters', async () => {
    const { list, sim, path } = await setup()
    expect(await list({ body: 'x' })).toEqual([])
    expect(await list({ body: 'x'.repeat(1000) })).toEqual([])
    expect((await sim('GET', `${path}?body=`)).status).toBe(400)
    expect((await sim('GET', `${path}?body=${'x'.repeat(1001)}`)).status).toBe(400)
  })
})

describe('hintCount', () => {
  test('is the number of hints of each call', async () => {
    const { get, add, list, sim, path } = await setup()
    await get()
    await get('?colour=red&shape=round')
    await add({ colour: 'red' })
    const counted = await list()
    expect(counted.map(({ hintCount }) => hintCount)).toEqual([1, 2, 0])
    for (const { id, hintCount } of counted) {
      const { body } = await sim('GET', `${path}/${id}`)
      expect(body).toMatchObject({ id, hintCount })
      expect(body.hints).toHaveLength(hintCount)
    }
    expect((await list())[0]?.hintCount).toBe(1)
  })

  test('of a call without a workspace counts its hints', async () => {
    const { sim, call } = await setup()
    await call('GET', PRODUCTS, 'nobody')
    const { body } = await sim('GET', '/requests?unmatched=true&limit=1')
    const [{ hints, hintCount }] = body.data
    expect(hintCount).toBe(hints.length)
    expect(hintCount).toBeGreaterThan(0)
  })
})

test('timeline items of calls have the query and the reason of a refusal', async () => {
  const { get, add, sim, made } = await setup()
  await get('?limit=2')
  await add({ name: '' })
  await get()
  const { body } = await sim('GET', `/workspaces/${made.id}/timeline?kind=request`)
  const [last, refused, first] = body.data as { query?: string; reason?: string }[]
  expect(first).toMatchObject({ query: '?limit=2' })
  expect(first).not.toHaveProperty('reason')
  expect(refused?.reason).toContain('name')
  expect(last).not.toHaveProperty('query')
})
