/** Faults of the answer when the work is done, of limits, of lists that lag, of calls that wait, and of late answers. */
import { request as httpRequest } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { MAX_HELD, MAX_HOLD_MS } from '../../../src/state/faults/heldCalls.ts'
import { receiver } from '../receiver.ts'
import { makeWorkspace } from '../app.ts'
import { PRODUCTS, setup } from './setup.ts'

const DESK = { name: 'Desk', type: 'physical' }

/** A workspace whose clock stands, with products. */
async function weather(...options: Parameters<typeof setup>) {
  const app = await setup(...options)
  const { sim, made, call, path } = app
  const of = `/workspaces/${made.id}`
  return {
    ...app,
    of,
    create: (name = 'Desk') => call('POST', PRODUCTS, made.key, { ...DESK, name }),
    names: async () =>
      ((await call('GET', PRODUCTS, made.key)).body.data as { name: string }[]).map(({ name }) => name),
    freeze: () => sim('PUT', `${of}/clock`, { body: { frozen: true } }),
    advance: (duration: string) => sim('POST', `${of}/clock/advance`, { body: { duration } }),
    refused: async (body: object) => {
      const { status, body: answer } = await sim('POST', path, { body })
      return [status, answer.error?.message as string | undefined]
    },
    journal: async () => (await sim('GET', `${of}/requests`)).body.data as { id: string; status: number }[],
    release: (body?: object, fault = 'fault_1') =>
      sim('POST', `${path}/${fault}/release`, body === undefined ? {} : { body }),
    waiting: async () => (await sim('GET', `${path}/fault_1`)).body.waiting as { id: string; path: string }[],
  }
}

describe('a fault after the work', () => {
  test('replaces the answer; record and event exist, and the journal has the answer that was not sent', async () => {
    const { set, create, names, journal, hints, sim, of } = await weather()
    await set({ method: 'POST', path: '/products', status: 504, after: true, times: 1 })
    const met = await create()
    expect(met).toMatchObject({ status: 504, body: { error: { message: 'A fault that a test has set.' } } })
    expect(met.headers['location']).toBeUndefined()
    expect(met.headers['x-request-id']).toBe('req_1')
    expect(await journal()).toMatchObject([{ status: 201, fault: 'fault_1' }])
    expect(await hints()).toEqual([
      {
        code: 'answer_replaced',
        message: 'The caller gets 504 in place of this answer: fault_1 replaces it after the work.',
      },
    ])
    const { body } = await sim('GET', `${of}/timeline`)
    expect((body.data as { title: string }[]).map(({ title }) => title).join()).toContain('product.created')
    expect((await create('Chair')).status).toBe(201)
    expect((await names()).sort()).toEqual(['Chair', 'Desk'])
  })

  test('ends the connection without an answer', async () => {
    const { set, made, listen, names, journal, hints } = await weather({}, { ownApp: true })
    const url = await listen({ host: '127.0.0.1', port: 0 })
    await set({ reset: true, after: true, method: 'POST', times: 1 })
    const send = () =>
      fetch(url + PRODUCTS, {
        method: 'POST',
        headers: { authorization: `Bearer ${made.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(DESK),
      })
    await expect(send()).rejects.toThrow('fetch failed')
    expect(await hints()).toMatchObject([{ code: 'answer_lost' }])
    expect(await names()).toEqual(['Desk'])
    expect((await send()).status).toBe(201)
    expect(await names()).toHaveLength(2)
    expect((await journal()).map(({ status }) => status)).toEqual([200, 201, 200, 201])
  })

  test('makes the answer late', async () => {
    const { set, create, hints } = await weather()
    await set({ delayMs: 80, after: true, method: 'POST' })
    const began = performance.now()
    expect((await create()).status).toBe(201)
    expect(performance.now() - began).toBeGreaterThan(75)
    expect(await hints()).toEqual([
      { code: 'answer_late', message: 'The caller gets this answer 80 ms after the work: fault_1.' },
    ])
  })

  test('replaces the answer of a refused call and of a list, with a template of the call', async () => {
    const { set, send } = await weather()
    await set({ status: 502, body: '{{request.path}}', template: true, after: true })
    expect(await send('GET', PRODUCTS)).toMatchObject({ status: 502, text: PRODUCTS })
    expect(await send('POST', PRODUCTS, { body: {} })).toMatchObject({ status: 502, text: PRODUCTS })
  })

  test.each([
    [
      { after: true },
      'one of preset, status, body, headers, delayMs, reset, limit, lag, hold, delivery is required',
    ],
    [{ after: true, headers: { a: 'b' } }, 'after is only allowed with status, body, delayMs, reset, hold'],
    [{ after: true, preset: 'outage' }, 'preset is not allowed with after'],
    [{ after: true, delivery: 'drop' }, 'after is not allowed with delivery'],
    [
      { after: true, status: 504, path: '/pay/links/*' },
      'after is only allowed for operations, not for pages and WebSockets',
    ],
    [{ limit: { calls: 1, per: 'PT1M' }, status: 500 }, 'status is not allowed with limit'],
    [{ limit: { calls: 1, per: 'PT1M' }, after: true, delayMs: 1 }, 'after is not allowed with limit'],
    [
      { limit: { calls: 1, per: 'PT0.999S' } },
      'limit.per must be an ISO 8601 duration from PT1S to P1D, such as PT2S',
    ],
    [
      { limit: { calls: 1, per: 'PT24H0.001S' } },
      'limit.per must be an ISO 8601 duration from PT1S to P1D, such as PT2S',
    ],
    [{ limit: { calls: -1, per: 'PT1M' } }, 'limit.calls must be at least 0'],
    [{ limit: { calls: 1 } }, 'limit.per is required'],
    [{ lag: 'soon' }, 'lag must be an ISO 8601 duration from PT0.001S to P1D, such as PT2S'],
    [{ lag: 'PT0S' }, 'lag must be an ISO 8601 duration from PT0.001S to P1D, such as PT2S'],
    [{ lag: 'P1DT1S' }, 'lag must be an ISO 8601 duration from PT0.001S to P1D, such as PT2S'],
    [{ lag: 'PT2S', status: 500 }, 'status is not allowed with lag'],
    [
      { lag: 'PT2S', path: '/products/*' },
      'lag is only allowed for lists in pages and searches, and no operation here is one',
    ],
    [
      { lag: 'PT2S', path: '/chat/cable' },
      'lag is only allowed for operations, not for pages and WebSockets',
    ],
    [{ hold: true, delivery: 'drop' }, 'hold is not allowed with delivery'],
    [
      { hold: false },
      'one of preset, status, body, headers, delayMs, reset, limit, lag, hold, delivery is required',
    ],
    [{ delayMs: { min: 2, max: 1 } }, 'delayMs must have a min that is at most its max'],
    [{ delayMs: { min: 0, max: 60_001 } }, 'delayMs.max must be at most 60000'],
    [{ delivery: 'delay', delayMs: { min: 2, max: 1 } }, 'delayMs must have a min that is at most its max'],
    [{ delivery: 'before_answer', delayMs: 5 }, 'delayMs is not allowed with delivery before_answer'],
    [{ delivery: 'before_anwser' }, expect.stringContaining('before_answer')],
  ])('is refused with %j', async (body, message) => {
    const { refused, sim, path } = await weather()
    expect(await refused(body)).toEqual([400, message])
    expect((await sim('GET', path)).body.data).toEqual([])
  })

  test.each([
    [{ limit: { calls: 0, per: 'PT1S' } }],
    [{ limit: { calls: 1_000_000, per: 'P1D' }, body: 'slow down', delayMs: { min: 0, max: 60_000 } }],
    [{ lag: 'PT0.001S' }],
    [{ lag: 'P1D', interface: 'crm', when: { query: { search: 'a' } } }],
    [{ hold: true, after: true }],
  ])('is accepted with %j', async (body) => {
    const { refused } = await weather()
    expect((await refused(body))[0]).toBe(201)
  })
})

describe('combined with', () => {
  const KINDS = [
    { after: true, status: 504 },
    { limit: { calls: 0, per: 'PT1M' } },
    { lag: 'PT1H' },
    { delayMs: { min: 0, max: 1 }, status: 504 },
  ]

  test.each(KINDS)('a probability of 0, %j meets no call', async (kind) => {
    const { set, create, get, met } = await weather()
    await set({ ...kind, probability: 0 })
    expect((await create()).status).toBe(201)
    expect((await get()).body.data).toHaveLength(1)
    expect(await met()).toEqual([0])
  })

  test.each(KINDS)(
    'times, a condition and a case, %j meets one matching call that chose it',
    async (kind) => {
      const { set, create, send, met } = await weather({ cases: true })
      await set({ ...kind, times: 1, case: 'odd', when: { query: { limit: '5' } } })
      await create()
      const list = (url: string, chosen?: string) =>
        send('GET', url, chosen === undefined ? {} : { headers: { 'x-sim-case': chosen } })
      const usual = await list(`${PRODUCTS}?limit=5`)
      expect((await list(PRODUCTS, 'odd')).text).toBe((await list(PRODUCTS)).text)
      expect((await list(`${PRODUCTS}?limit=5`, 'odd')).text).not.toBe(usual.text)
      expect((await list(`${PRODUCTS}?limit=5`, 'odd')).text).toBe(usual.text)
      expect(await met()).toEqual([1])
    },
  )
})

describe('a limit', () => {
  test('refuses each key beyond it in the words of the interface, until its window ends', async () => {
    const { set, get, sim, of, freeze, advance, hints } = await weather()
    await freeze()
    await set({ limit: { calls: 2, per: 'PT1M' }, interface: 'catalog' })
    const first = await get()
    expect(first).toMatchObject({
      status: 200,
      headers: { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' },
    })
    expect(first.headers['retry-after']).toBeUndefined()
    expect((await get()).headers['x-ratelimit-remaining']).toBe('0')
    const beyond = await get()
    expect(beyond).toMatchObject({
      status: 429,
      headers: { 'retry-after': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' },
      body: { error: { code: 'rate_limit_exceeded' } },
    })
    expect(beyond.body.error.message).toMatch(/^At most 2 calls in 60 seconds.*advance it/)
    expect(await hints()).toMatchObject([{ code: 'limit_reached' }, { code: 'assumed_refusal' }])
    const { body } = await sim('POST', `${of}/keys`, { body: {} })
    expect((await get(PRODUCTS, body.key)).status).toBe(200)
    await advance('PT59.999S')
    expect((await get()).status).toBe(429)
    await advance('PT0.001S')
    expect((await get()).status).toBe(200)
  })

  test('counts only its calls, and leaves those within it to other faults', async () => {
    const { set, get, met } = await weather()
    await set({ limit: { calls: 1, per: 'PT1M' }, when: { query: { limit: '1' } } })
    await set({ status: 500, when: { query: { limit: '1' } }, times: 1 })
    expect((await get()).status).toBe(200)
    const statuses = [await get(`${PRODUCTS}?limit=1`), await get(`${PRODUCTS}?limit=1`), await get()]
    expect(statuses.map(({ status }) => status)).toEqual([500, 429, 200])
    expect(await met()).toEqual([1, 1])
  })

  test('hints at a call that comes back before Retry-After, and not at one that has waited', async () => {
    const { set, get, freeze, advance, hints } = await weather()
    await freeze()
    await set({ status: 429, headers: { 'retry-after': '30' }, times: 2 })
    await get()
    expect(await hints()).toEqual([])
    await get()
    const [hint] = await hints()
    expect(hint).toMatchObject({ code: 'retried_too_early' })
    expect(hint?.message).toMatch(
      /^This call came 0(\.\d)? s after an answer whose Retry-After asked for 30 s/,
    )
    await advance('PT30S')
    // The time that the call itself takes does not count.
    await set({ delayMs: 20 })
    expect((await get()).status).toBe(200)
    expect(await hints()).toMatchObject([{ code: 'delayed' }])
  })
})

describe('a lag', () => {
  test('hides new records from lists and searches, in their totals too, and not from GET by id', async () => {
    const { set, create, names, get, freeze, advance, hints, met } = await weather()
    await freeze()
    await create('Old')
    await set({ lag: 'PT2S', interface: 'catalog' })
    const { body } = await create('New')
    expect(await names()).toEqual(['Old'])
    expect(await hints()).toMatchObject([
      {
        code: 'records_missing',
        message:
          '1 new record is missing in the lists of this answer: fault_1 shows them PT2S after their creation, on the clock of this workspace.',
      },
    ])
    expect((await get(`${PRODUCTS}?search=new`)).body.data).toEqual([])
    expect((await get(`${PRODUCTS}/${String(body.data.id)}`)).body.data.name).toBe('New')
    await advance('PT1.999S')
    expect(await names()).toEqual(['Old'])
    await advance('PT0.001S')
    expect((await names()).sort()).toEqual(['New', 'Old'])
    expect(await hints()).toEqual([])
    expect(await met()).toEqual([3])
  })

  test('ends with its fault, applies to matching calls, and beside other faults', async () => {
    const { set, create, names, get, freeze, sim, path } = await weather()
    await freeze()
    await set({ lag: 'PT2S', when: { query: { limit: '5' } } })
    await set({ status: 503, times: 1, method: 'GET' })
    await create()
    expect((await get(`${PRODUCTS}?limit=5`)).status).toBe(503)
    expect((await get(`${PRODUCTS}?limit=5`)).body.data).toEqual([])
    expect(await names()).toEqual(['Desk'])
    await sim('DELETE', path)
    expect((await get(`${PRODUCTS}?limit=5`)).body.data).toHaveLength(1)
  })

  test('follows a clock that runs, too', async () => {
    const { set, create, names, advance } = await weather()
    await set({ lag: 'PT30S' })
    await create()
    expect(await names()).toEqual([])
    await advance('PT30S')
    expect(await names()).toEqual(['Desk'])
  })
})

describe('a hold', () => {
  test('lets calls wait until they are released, in the order that a test chooses', async () => {
    const { set, create, release, waiting, names, journal, hints } = await weather()
    await set({ hold: true, method: 'POST' })
    const calls = ['A', 'B', 'C'].map((name) => create(name))
    await expect.poll(waiting).toHaveLength(3)
    const [a, b, c] = (await waiting()).map(({ id }) => id)
    expect(await names()).toEqual([])
    expect((await release({ calls: [c] })).body).toEqual({ released: 1, waiting: 2 })
    await calls[2]
    expect((await release({ count: 1 })).body).toEqual({ released: 1, waiting: 1 })
    await calls[0]
    expect((await release({ calls: [a] })).body.error.message).toBe(
      `calls must be calls that wait (${String(b)}), not ${String(a)}`,
    )
    expect((await release()).body).toEqual({ released: 1, waiting: 0 })
    await calls[1]
    expect(await hints()).toEqual([
      { code: 'held', message: 'fault_1 held this call until it was released.' },
    ])
    const order = (await journal()).map(({ id }) => id).filter((id) => [a, b, c].includes(id))
    expect(order.sort()).toEqual([a, b, c].sort())
    expect(await names()).toEqual(['B', 'A', 'C'])
  })

  test('answers who waits for calls as soon as there are enough', async () => {
    const { set, get, sim, path, release } = await weather()
    await set({ hold: true })
    const held = (query: string) => sim('GET', `${path}/fault_1?${query}`)
    expect((await held('count=1')).body.waiting).toEqual([])
    const two = held('wait=300&count=2')
    const calls = [get(), get()]
    expect((await two).body.waiting).toHaveLength(2)
    await release()
    await Promise.all(calls)
    expect((await held('count=101')).status).toBe(400)
  })

  test.each([
    ['the deletion of the fault', 'DELETE', '/faults/fault_1'],
    ['the deletion of all faults', 'DELETE', '/faults'],
    ['a reset', 'POST', '/reset'],
  ] as const)('ends with %s', async (_title, method, end) => {
    const { set, get, waiting, sim, of, path } = await weather()
    await set({ hold: true })
    const held = get()
    await expect.poll(waiting).toHaveLength(1)
    const two = sim('GET', `${path}/fault_1?wait=300&count=2`)
    await new Promise(setImmediate)
    await sim(method, of + end)
    expect((await held).status).toBe(200)
    // A fault that is gone holds no calls.
    expect((await two).status).toBe(404)
  })

  test.each([{ hold: true }, { delayMs: 300 }])(
    'and a delay end in a refusal after the deletion of the workspace: %j',
    async (fault) => {
      const { set, create, sim, of } = await weather()
      await set({ ...fault, method: 'POST' })
      const held = create()
      await expect.poll(async () => (await sim('GET', `${of}/faults`)).body.data[0].met).toBe(1)
      expect((await sim('DELETE', of)).status).toBe(204)
      expect(await held).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } })
    },
  )

  test('ends when the server stops', async () => {
    const { set, made, listen, waiting, close } = await weather({}, { ownApp: true })
    const url = await listen({ host: '127.0.0.1', port: 0 })
    await set({ hold: true })
    const held = fetch(url + PRODUCTS, { headers: { authorization: `Bearer ${made.key}` } })
    await expect.poll(waiting).toHaveLength(1)
    await close()
    expect((await held).status).toBe(200)
  })

  test('ends when the client leaves', async () => {
    const { set, made, listen, waiting } = await weather({}, { ownApp: true })
    const url = await listen({ host: '127.0.0.1', port: 0 })
    await set({ hold: true, method: 'GET' })
    const sent = httpRequest(url + PRODUCTS, { headers: { authorization: `Bearer ${made.key}` } })
    sent.on('error', () => undefined)
    sent.end()
    await expect.poll(waiting).toHaveLength(1)
    sent.destroy()
    await expect.poll(waiting).toHaveLength(0)
  })

  test('holds an answer whose work is done', async () => {
    const { set, create, names, waiting, release, hints } = await weather()
    await set({ hold: true, after: true, method: 'POST' })
    const held = create()
    await expect.poll(waiting).toHaveLength(1)
    expect(await names()).toEqual(['Desk'])
    await release()
    expect((await held).status).toBe(201)
    expect(await hints()).toEqual([])
  })

  test('refuses to release for another fault, and an unknown one', async () => {
    const { set, release, sim, path } = await weather()
    await set({ status: 500, times: 1 })
    expect(await release()).toMatchObject({
      status: 409,
      body: { error: { message: 'fault_1 holds no calls: it has no hold.' } },
    })
    expect((await release({}, 'fault_9')).status).toBe(404)
    expect((await sim('GET', `${path}/fault_9`)).status).toBe(404)
    expect((await release({ count: 0 })).status).toBe(400)
  })

  test('holds at most a hundred calls, and each at most a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { set, get, waiting, hints, made, sim, ...app } = await weather()
      await set({ hold: true })
      const held = Array.from({ length: MAX_HELD }, () => get())
      await vi.waitUntil(async () => (await waiting()).length === MAX_HELD, { interval: 0 })
      expect((await get()).status).toBe(200)
      expect(await hints()).toMatchObject([{ code: 'held', message: expect.stringContaining('for no time') }])
      const other = await makeWorkspace({ ...app, sim })
      expect((await get(PRODUCTS, other.key)).status).toBe(200)
      await vi.advanceTimersByTimeAsync(MAX_HOLD_MS - 1)
      expect(await waiting()).toHaveLength(MAX_HELD)
      await vi.advanceTimersByTimeAsync(1)
      expect(new Set((await Promise.all(held)).map(({ status }) => status))).toEqual(new Set([200]))
      expect(await hints()).toMatchObject([
        { code: 'held', message: expect.stringContaining('no release let go on') },
      ])
      expect(made.id).toBeDefined()
    } finally {
      vi.useRealTimers()
    }
  })
})

test('a random delay follows from the seed of the workspace, within its bounds', async () => {
  const delays = async (seed: string) => {
    const { set, create, hints } = await weather({ ids: { seed } })
    await set({ delayMs: { min: 3, max: 40 } })
    const messages: string[] = []
    for (let n = 0; n < 6; n++) {
      await create()
      messages.push(...(await hints()).map(({ message }) => message))
    }
    return messages.map((message) => Number(/^fault_1 delayed this call by (\d+) ms\.$/.exec(message)?.[1]))
  }
  const one = await delays('a')
  expect(await delays('a')).toEqual(one)
  expect(await delays('b')).not.toEqual(one)
  expect(one.filter((ms) => ms >= 3 && ms <= 40)).toHaveLength(6)
})

describe('before_answer', () => {
  const subscribed = async (fault: object) => {
    const app = await weather()
    const to = await receiver()
    await app.sim('POST', `${app.of}/subscriptions`, { body: { interface: 'catalog', url: to.url } })
    await app.set({ delivery: 'before_answer', ...fault })
    return { ...app, ...to }
  }

  test('lets the answer wait until the webhook has arrived', async () => {
    const { create, received, hints } = await subscribed({})
    expect((await create()).status).toBe(201)
    expect(received).toHaveLength(1)
    expect(await hints()).toMatchObject([{ code: 'webhooks_first' }])
  })

  test('does not wait for other events, nor in a call that it does not hit', async () => {
    const { create, received, met, get, hints } = await subscribed({ event: 'product.deleted' })
    await create()
    await get()
    expect(await hints()).toEqual([])
    expect(await met()).toEqual([0])
    await expect.poll(() => received.length).toBe(1)
  })

  test('waits for the first attempt alone, also if it fails', async () => {
    const { create, sim, of } = await subscribed({ times: 1 })
    await sim('POST', `${of}/faults`, { body: { delivery: 'drop' } })
    expect((await create()).status).toBe(201)
    const { data } = (await sim('GET', `${of}/deliveries`)).body
    expect(data).toMatchObject([{ status: 'pending', attempts: [{ error: 'dropped by an injected fault' }] }])
  })

  test('waits at most ten seconds', async () => {
    const { create, sim, of, freeze } = await subscribed({})
    await freeze()
    // Attempts to a listener that is away are not made.
    await sim('POST', `${of}/faults`, { body: { delivery: 'delay', delayMs: 60_000 } })
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
    expect((await create()).status).toBe(201)
    expect(timeout).toHaveBeenCalledWith(10_000)
    timeout.mockRestore()
  })
})
