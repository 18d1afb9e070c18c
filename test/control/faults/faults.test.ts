/** Faults: the calls and deliveries that they match, and their effects. */
import { describe, expect, test } from 'vitest'
import { DELIVERY_FAULTS } from '../../../src/state/faults/faults.ts'
import { signatureOf } from '@suite-sim/kit/webhooks/signature'
import { makeWorkspace } from '../app.ts'
import { delivering, PRODUCTS, setup } from './setup.ts'

describe('fault of calls', () => {
  test('replaces the response this many times', async () => {
    const { set, get, sim, path } = await setup()
    const fault = await set({
      status: 503,
      body: { out: 'of order' },
      headers: { 'x-why': 'test' },
      times: 2,
    })
    expect(fault).toMatchObject({ id: 'fault_1', status: 503, times: 2, met: 0 })
    const met = await get()
    expect(met).toMatchObject({ status: 503, body: { out: 'of order' } })
    expect(met.headers['x-why']).toBe('test')
    expect((await get()).status).toBe(503)
    expect((await get()).status).toBe(200)
    expect((await sim('GET', path)).body.data).toMatchObject([{ id: 'fault_1', met: 2 }])
  })

  test('of GET replaces the response to HEAD, too', async () => {
    const { fastify, made, set } = await setup()
    await set({ status: 503, method: 'GET' })
    const headers = { authorization: `Bearer ${made.key}` }
    const { statusCode } = await fastify.inject({ method: 'HEAD', url: PRODUCTS, headers })
    expect(statusCode).toBe(503)
  })

  test('returns an error of the interface if it has no body, and is recorded in the request log', async () => {
    const { set, get, sim, path } = await setup()
    await set({ status: 429 })
    const met = await get()
    expect(met).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } })
    expect(met.headers['retry-after']).toBe('1')
    const { body } = await sim('GET', path.replace('faults', 'requests'))
    expect(body.data).toMatchObject([{ status: 429, fault: 'fault_1' }])
  })

  test.each([
    [{ interface: 'crm' }, 200],
    [{ interface: 'catalog' }, 500],
    [{ method: 'POST' }, 200],
    [{ path: '/products' }, 500],
    [{ path: PRODUCTS }, 500],
    [{ path: '/products/*' }, 200],
    [{ path: '/*' }, 500],
    [{ path: '/workspace/public/*/products' }, 500],
    [{ probability: 0 }, 200],
    [{ probability: 1 }, 500],
  ])('with %j makes products return %d', async (where, expected) => {
    const { set, status } = await setup()
    await set({ ...where, status: 500 })
    expect(await status()).toBe(expected)
  })

  test('with a probability matches the same calls in each run', async () => {
    const run = async () => {
      const { set, status } = await setup()
      await set({ preset: 'flaky' })
      const statuses: number[] = []
      for (let n = 0; n < 40; n++) statuses.push(await status())
      return statuses
    }
    const first = await run()
    expect(await run()).toEqual(first)
    const hits = first.filter((each) => each === 500).length
    expect(hits).toBeGreaterThan(4)
    expect(hits).toBeLessThan(25)
  })

  test('delays the real response and can add headers to it', async () => {
    const { set, get } = await setup()
    await set({ delayMs: 60, headers: { 'x-slow': 'yes' } })
    const began = performance.now()
    const met = await get()
    expect(performance.now() - began).toBeGreaterThan(50)
    expect(met.status).toBe(200)
    expect(met.headers['x-slow']).toBe('yes')
  })

  test('closes the connection, which the request log records', async () => {
    const { set, made, listen, sim, path } = await setup()
    const url = await listen({ host: '127.0.0.1', port: 0 })
    await set({ reset: true, times: 1 })
    const call = () => fetch(url + PRODUCTS, { headers: { authorization: `Bearer ${made.key}` } })
    await expect(call()).rejects.toThrow('fetch failed')
    expect((await call()).status).toBe(200)
    const { body } = await sim('GET', path.replace('faults', 'requests'))
    expect(body.data).toMatchObject([{ status: 200 }, { status: 0, fault: 'fault_1' }])
  })

  test('has the preset outage, whose fields can be overridden', async () => {
    const { set, get } = await setup()
    await set({ preset: 'outage', status: 502 })
    const met = await get()
    expect(met.status).toBe(502)
    expect(met.headers['retry-after']).toBe('30')
  })

  test('affects only its workspace, and is removed by its id, with all others and by a reset', async () => {
    const { set, status, get, sim, path, made, ...app } = await setup()
    const other = await makeWorkspace({ ...app, sim })
    const fault = await set({ status: 500 })
    expect((await get(PRODUCTS, other.key)).status).toBe(200)
    expect((await sim('DELETE', `${path}/${String(fault.id)}`)).status).toBe(204)
    expect((await sim('DELETE', `${path}/${String(fault.id)}`)).status).toBe(404)
    expect(await status()).toBe(200)
    await set({ status: 500 })
    expect((await sim('DELETE', path)).status).toBe(204)
    expect(await status()).toBe(200)
    await set({ status: 500 })
    await sim('POST', `/workspaces/${made.id}/reset`)
    expect(await status()).toBe(200)
  })

  test.each([
    [{}, 'one of preset, status, body, headers, delayMs, reset, limit, lag, hold, delivery is required'],
    [{ staus: 500 }, 'staus is not a known field; did you mean status?'],
    [{ status: 199 }, 'status must be at least 200'],
    [{ status: 600 }, 'status must be at most 599'],
    [{ status: 500, times: 0 }, 'times must be at least 1'],
    [{ status: 500, probability: 1.1 }, 'probability must be at most 1'],
    [{ delayMs: 60_001 }, 'delayMs must be at most 60000'],
    [{ status: 500, event: 'product.created' }, 'event is only allowed with delivery'],
    [{ delivery: 'drop', path: '/products' }, 'path is not allowed with delivery'],
    [
      { path: 'contacts', status: 500 },
      'path must start with /: relative to the base path (/products/*) or full (/crm/v1/contacts)',
    ],
    [
      { path: '*', status: 500 },
      'path must start with /: relative to the base path (/products/*) or full (/crm/v1/contacts)',
    ],
    [
      { path: '/contacts?search=a', status: 500 },
      'path must end before the query; send /contacts, which matches calls with any query',
    ],
    [
      { path: '/prodcts/*/x', status: 500 },
      'path must match an operation; did you mean /workspace/public/v1/products/{id}?',
    ],
    [
      { interface: 'crm', path: '/contcats', status: 500 },
      'path must match an operation of crm; did you mean /crm/v1/contacts?',
    ],
    [
      { interface: 'payments', method: 'PUT', status: 500 },
      'method must be one of GET, POST, DELETE, PATCH, the methods of payments',
    ],
    [
      { interface: 'meetings', method: 'DELETE', status: 500 },
      'method must be one of POST, PATCH, GET, the methods of meetings',
    ],
    [
      { delivery: 'drop', event: 'sale.complted' },
      'event must be the name of an event, not "sale.complted"; did you mean sale.completed?',
    ],
    [
      { delivery: 'drop', interface: 'pos', event: 'sale.complted' },
      'event must be the name of an event of pos, not "sale.complted"; did you mean sale.completed?',
    ],
    [
      { delivery: 'drop', interface: 'catalog', event: 'sale.completed' },
      'event must be the name of an event of catalog, not "sale.completed"; sale.completed is one of pos',
    ],
    [
      { delivery: 'drop', event: 'nothing' },
      'event must be the name of an event, not "nothing"; GET /_sim/workspaces/{id}/coverage lists them',
    ],
    [{ delivery: 'lose' }, `delivery must be one of ${DELIVERY_FAULTS.join(', ')}`],
  ])('is refused with %j', async (body, message) => {
    const { sim, path } = await setup()
    const answer = await sim('POST', path, { body })
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toBe(message)
    expect((await sim('GET', path)).body.data).toEqual([])
  })

  test('is refused beyond one hundred unused ones', async () => {
    const { sim, path, status } = await setup()
    for (let n = 0; n < 100; n++) await sim('POST', path, { body: { status: 500, times: 1 } })
    expect((await sim('POST', path, { body: { status: 500 } })).status).toBe(409)
    await status()
    expect((await sim('POST', path, { body: { status: 500 } })).status).toBe(201)
  })
})

describe('fault of deliveries', () => {
  const isSigned = ({ headers, body }: { headers: Record<string, unknown>; body: string }, secret: string) =>
    headers['x-service-signature'] === signatureOf(secret, body)

  test('drop fails the attempt, and the next is made on schedule', async () => {
    const { received, sim, made } = await delivering({ delivery: 'drop', times: 1 })
    const { body } = await sim('POST', `/workspaces/${made.id}/clock/advance`, { body: { duration: 'PT1H' } })
    expect(body).toBeDefined()
    const { body: list } = await sim('GET', `/workspaces/${made.id}/deliveries`)
    expect(list.data[0]).toMatchObject({
      status: 'delivered',
      attempts: [{ status: null, error: 'dropped by an injected fault' }, { status: 200 }],
    })
    expect(received).toHaveLength(1)
  })

  test('duplicate sends the delivery twice with one id', async () => {
    const { received, wait } = await delivering({ delivery: 'duplicate', times: 1 })
    await wait('status=delivered')
    await expect.poll(() => received.length).toBe(2)
    const ids = received.map(({ headers }) => headers['x-service-delivery'])
    expect(new Set(ids).size).toBe(1)
  })

  test('reorder lets the next delivery overtake it', async () => {
    const { received, wait } = await delivering({ delivery: 'reorder', times: 1 }, ['Desk 0', 'Desk 1'])
    await wait('status=delivered&count=2')
    expect(received.map(({ body }) => JSON.parse(body).data.name)).toEqual(['Desk 1', 'Desk 0'])
  })

  test('delay sends the delivery late', async () => {
    const { wait } = await delivering({ delivery: 'delay', delayMs: 80, event: 'product.created' })
    expect(await wait('status=delivered')).toHaveLength(1)
  })

  test('wrong_signature signs with another secret', async () => {
    const { received, wait, secret } = await delivering({ delivery: 'wrong_signature' })
    await wait('status=delivered')
    expect(received.map((each) => isSigned(each, secret))).toEqual([false])
  })

  test('stale signs a time one day ago', async () => {
    const { received, wait, secret } = await delivering({ delivery: 'stale' })
    await wait('status=delivered')
    const [first] = received
    expect(first && isSigned(first, secret)).toBe(true)
    const { createdAt } = JSON.parse(first?.body ?? '{}') as { createdAt: string }
    expect(Date.now() - Date.parse(createdAt)).toBeGreaterThan(86_000_000)
  })

  test('truncate sends half of the body', async () => {
    const { received, wait } = await delivering({ delivery: 'truncate' })
    await wait('status=delivered')
    expect(() => JSON.parse(received[0]?.body ?? '') as unknown).toThrow(SyntaxError)
  })

  test('of another event or interface has no effect', async () => {
    const { received, wait } = await delivering({ delivery: 'drop', event: 'product.deleted' })
    await wait('status=delivered')
    expect(received).toHaveLength(1)
  })
})
