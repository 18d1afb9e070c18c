/** `workspace.requests.verify()`: checks calls, and explains the nearest ones. */
import { describe, expect, test } from 'vitest'
import { SimulatorError, type Verification } from '@suite-sim/library/index'
import { freshWorkspace } from './simulator.ts'

type Workspace = Awaited<ReturnType<typeof freshWorkspace>>

const ORDER = { amount: 1250, currency: 'USD', description: 'Standing desk' }

const createLink = (workspace: Workspace, change: object = {}, headers: Record<string, string> = {}) =>
  workspace.fetch('payments', '/payment-links', { json: { ...ORDER, ...change }, headers })

async function messageOf(workspace: Workspace, expected: Verification): Promise<string> {
  const error: unknown = await workspace.requests.verify(expected).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(SimulatorError)
  expect((error as SimulatorError).code).toBe('verification_failed')
  return (error as SimulatorError).message
}

const LINK = { interface: 'payments', method: 'POST', path: '/payment-links' } as const

describe('a call', () => {
  test('is found by every criterion, and returned', async () => {
    const workspace = await freshWorkspace()
    await createLink(workspace, { metadata: { order: '7', lines: ['a', 'b'] } }, { 'X-Request-Id': 'r-1' })
    await workspace.fetch('payments', '/payment-links?limit=2')

    const [found, ...others] = await workspace.requests.verify({
      ...LINK,
      operation: 'createPaymentLink',
      status: '2xx',
      headers: { 'X-REQUEST-ID': 'r-1' },
      body: { amount: 1250, metadata: { order: '7' } },
      times: 1,
    })
    expect([found?.method, found?.status, others]).toEqual(['POST', 201, []])
    await workspace.requests.verify({ path: '/pay/v1/payment-links', query: { limit: '2' }, times: 1 })
    await workspace.requests.verify()
    await workspace.requests.verify({ times: { min: 2, max: 2 } })
  })

  test.each<[string, unknown, boolean]>([
    ['another value', { amount: 1251 }, false],
    ['the same array', { metadata: { lines: ['a', 'b'] } }, true],
    ['a shorter array', { metadata: { lines: ['a'] } }, false],
    ['a missing field', { reference: 'x' }, false],
    ['an inherited name', { constructor: expect.anything() as unknown }, false],
    ['a RegExp that matches', { description: /^standing/i }, true],
    ['a global RegExp, which keeps no position', { description: /s/g }, true],
    ['a RegExp that does not', { description: /lamp/ }, false],
    ['a RegExp for a number', { amount: /12/ }, false],
    ['a matcher of the test runner', { amount: expect.any(Number) as unknown }, true],
    ['a matcher that does not match', { amount: expect.any(String) as unknown }, false],
    ['null', null, false],
  ])('whose body is compared with %s', async (_what, body, isFound) => {
    const workspace = await freshWorkspace()
    await createLink(workspace, { metadata: { lines: ['a', 'b'] } })
    const verified = workspace.requests.verify({ ...LINK, body })
    await (isFound ? verified : expect(verified).rejects.toMatchObject({ code: 'verification_failed' }))
  })

  test('whose body the journal has cut off is not taken for another one', async () => {
    const workspace = await freshWorkspace()
    const json = { name: 'x'.repeat(20_000), email: 'ana@example.com' }
    await workspace.fetch('crm', '/contacts', { json })
    const expected = { path: '/contacts', body: { email: 'ana@example.com' } }
    for (const times of [0, { max: 0 }, 1]) {
      await expect(workspace.requests.verify({ ...expected, times })).rejects.toThrow(
        /body has \d+ characters, of which the journal has the first/,
      )
    }
    await workspace.requests.verify({ ...expected, times: { max: 1 } })
    await workspace.requests.verify({ ...expected, query: { page: '2' }, times: 0 })

    await workspace.fetch('crm', '/contacts', { json: { email: 'ana@example.com' } })
    await workspace.requests.verify({ ...expected, times: { min: 1, max: 2 } })
    await expect(workspace.requests.verify({ ...expected, times: 1 })).rejects.toThrow(
      '; found 1, and 1 with a body that was cut off.',
    )
  })

  test('is found by the name of its caller', async () => {
    const workspace = await freshWorkspace()
    await createLink(workspace, {}, { 'X-Sim-Caller': 'agent-7' })
    await createLink(workspace, {}, { 'X-Sim-Caller': 'agent-70' })
    await createLink(workspace)

    const [found] = await workspace.requests.verify({ ...LINK, caller: 'agent-7', times: 1 })
    expect(found?.caller).toMatchObject({ name: 'agent-7' })
    await workspace.requests.verify({ caller: 'agent-8', times: 0 })
    const message = await messageOf(workspace, { ...LINK, caller: 'agent-8' })
    expect(message.replaceAll(/req_\d+/g, 'REQ')).toBe(
      [
        'Expected 1 or more calls of payments by agent-8 to POST /payment-links; found 0.',
        'Nearest calls:',
        '  REQ POST /pay/v1/payment-links 201: caller is null, expected "agent-8"',
        '  REQ POST /pay/v1/payment-links 201: caller is "agent-70", expected "agent-8"',
        '  REQ POST /pay/v1/payment-links 201: caller is "agent-7", expected "agent-8"',
      ].join('\n'),
    )
    await expect(workspace.requests.verify({ caller: 'ñ' })).rejects.toMatchObject({ status: 400 })
  })

  test('without a body is expected with null', async () => {
    const workspace = await freshWorkspace()
    await workspace.fetch('payments', '/payment-links')
    await workspace.requests.verify({ body: null, times: 1 })
  })

  test('is awaited for some seconds, past calls that do not match', async () => {
    const workspace = await freshWorkspace()
    const waiting = workspace.requests.verify({ ...LINK, body: { amount: 300 }, timeout: 30 })
    await createLink(workspace, { amount: 100 })
    await createLink(workspace, { amount: 200 })
    await createLink(workspace, { amount: 300 })
    expect(await waiting).toHaveLength(1)
    await expect(workspace.requests.verify({ body: { amount: 1 }, timeout: 0.2001 })).rejects.toThrow(
      /found 0/,
    )
  })
})

describe('times', () => {
  test.each([
    [2, true],
    [1, false],
    [3, false],
    [0, false],
    [{ min: 2 }, true],
    [{ min: 3 }, false],
    [{ max: 2 }, true],
    [{ max: 1 }, false],
    [{ min: 1, max: 3 }, true],
  ])('%j of two calls', async (times, isMet) => {
    const workspace = await freshWorkspace()
    await createLink(workspace)
    await createLink(workspace)
    const verified = workspace.requests.verify({ ...LINK, times })
    await (isMet ? verified : expect(verified).rejects.toThrow(/found 2/))
  })

  test.each([-1, 1001, 1.5, Number.NaN, { min: 2, max: 1 }, { min: -1 }, { max: 1001 }])(
    'refuses %j',
    async (times) => {
      const workspace = await freshWorkspace()
      await expect(workspace.requests.verify({ times })).rejects.toThrow(
        'requests.verify(): times must be a whole number from 0 to 1000, or {min, max} of such numbers',
      )
    },
  )

  test('accepts 0 and 1000', async () => {
    const workspace = await freshWorkspace()
    await workspace.requests.verify({ times: 0 })
    await expect(workspace.requests.verify({ times: 1000 })).rejects.toThrow(/exactly 1,000 calls/)
  })
})

describe('a failure', () => {
  test('shows the nearest calls with their differences, nearest first', async () => {
    const workspace = await freshWorkspace()
    await workspace.fetch('catalog', '/products')
    await workspace.fetch('payments', '/payment-links')
    await createLink(workspace, { amount: 1300 })
    const message = await messageOf(workspace, { ...LINK, body: { amount: 1250 }, times: 1 })
    expect(message.replaceAll(/req_\d+/g, 'REQ')).toBe(
      [
        'Expected exactly 1 call of payments to POST /payment-links with body {"amount":1250}; found 0.',
        'Nearest calls:',
        '  REQ POST /pay/v1/payment-links 201: body.amount is 1300, expected 1250',
        '  REQ GET /pay/v1/payment-links 200: method is "GET", expected "POST"; body is null, expected {"amount":1250}',
        '  REQ GET /workspace/public/v1/products 200: interface is "catalog", expected "payments"; ' +
          'method is "GET", expected "POST"; path is "/workspace/public/v1/products", expected "/payment-links"; ' +
          'body is null, expected {"amount":1250}',
      ].join('\n'),
    )
  })

  test('shows the matching calls if there are too many', async () => {
    const workspace = await freshWorkspace()
    await createLink(workspace)
    const message = await messageOf(workspace, { ...LINK, times: 0 })
    expect(message).toMatch(
      /^Expected no calls .+; found 1\.\nMatching calls, newest first:\n {2}req_\d+ POST \S+ 201$/,
    )
  })

  test('says that no call was made', async () => {
    const workspace = await freshWorkspace()
    expect(await messageOf(workspace, { status: '4xx' })).toBe(
      'Expected 1 or more calls with status 4xx; found 0. The journal of the workspace has no calls.',
    )
  })

  test('names a matcher and shortens long values', async () => {
    const workspace = await freshWorkspace()
    await createLink(workspace, { description: 'x'.repeat(200) })
    const message = await messageOf(workspace, {
      body: { amount: expect.any(String) as unknown, description: /y/ },
      query: { limit: '1' },
    })
    expect(message).toContain(
      'query.limit is missing, expected "1"; body.amount is 1250, expected Any<String>',
    )
    expect(message.length).toBeLessThan(700)
  })

  test('refuses a misspelled criterion and an unknown operation', async () => {
    const workspace = await freshWorkspace()
    await expect(workspace.requests.verify({ methd: 'POST' } as never)).rejects.toThrow(
      'requests.verify() has no option methd; did you mean method?',
    )
    await expect(workspace.requests.verify({ times: { mn: 1 } as never })).rejects.toThrow(
      /did you mean min\?/,
    )
    await expect(workspace.requests.verify({ operation: 'createLinks' })).rejects.toMatchObject({
      status: 400,
    })
  })
})
