/** Faults that a caller chooses with the header X-Sim-Case. */
import { describe, expect, test } from 'vitest'
import { controlApp, error } from '../app.ts'
import { PRODUCTS, setup } from './setup.ts'

const chosen = (name: string) => ({ headers: { 'x-sim-case': name } })
const DECLINED = { case: 'card_declined', status: 402, body: { declined: true } }

describe('in a workspace that allows cases, X-Sim-Case', () => {
  const allowing = () => setup({ cases: true })

  test('chooses a fault; calls without it are normal', async () => {
    const { set, send, hints, met } = await allowing()
    expect(await set(DECLINED)).toMatchObject({ case: 'card_declined', met: 0 })
    expect((await send('GET', PRODUCTS)).status).toBe(200)
    expect((await send('GET', PRODUCTS, chosen('card_declined'))).status).toBe(402)
    expect(await hints()).toEqual([])
    expect((await send('GET', PRODUCTS)).status).toBe(200)
    expect(await met()).toEqual([1])
  })

  test('that no fault has is refused with the nearest one, in the format of the interface', async () => {
    const { set, send, hints } = await allowing()
    await set(DECLINED)
    await set({ case: 'timeout', delayMs: 1 })
    const refused = await send('GET', PRODUCTS, chosen('card_declned'))
    expect(refused.status).toBe(400)
    expect(JSON.parse(refused.text)).toMatchObject({
      error: {
        message:
          'X-Sim-Case must be the case of a fault of this workspace, not card_declned. Did you mean card_declined?',
      },
    })
    expect(await hints()).toMatchObject([
      { code: 'assumed_refusal', message: expect.stringContaining('exists only in the simulator') },
    ])
    const far = await send('POST', PRODUCTS, { ...chosen('é, x'), body: { name: 'A', type: 'physical' } })
    expect(far.text).toContain('The cases are: card_declined, timeout.')
  })

  test('without any case is refused', async () => {
    const { send } = await allowing()
    const refused = await send('GET', PRODUCTS, chosen('x'.repeat(5000)))
    expect(refused.status).toBe(400)
    expect(refused.text).toContain(`not ${'x'.repeat(100)}. The cases are: none.`)
  })

  test('of faults that do not match the call has a hint', async () => {
    const { set, send, hints } = await allowing()
    await set({ ...DECLINED, method: 'POST', times: 1 })
    expect((await send('GET', PRODUCTS, chosen('card_declined'))).status).toBe(200)
    expect(await hints()).toEqual([
      {
        code: 'case_without_effect',
        message:
          'X-Sim-Case had no effect: the faults of the case card_declined do not match this call, are used up, or were not selected by their probability.',
      },
    ])
    const post = { ...chosen('card_declined'), body: { name: 'A', type: 'physical' } }
    expect((await send('POST', PRODUCTS, post)).status).toBe(402)
    expect((await send('POST', PRODUCTS, post)).status).toBe(201)
    expect(await hints()).toMatchObject([{ code: 'case_without_effect' }])
  })

  test('chooses among several faults by their conditions', async () => {
    const { set, send } = await allowing()
    await set({ ...DECLINED, when: { body: { name: 'A' } } })
    await set({ ...DECLINED, status: 403, when: { body: { name: 'B' } } })
    const post = async (name: string) =>
      (await send('POST', PRODUCTS, { ...chosen('card_declined'), body: { name, type: 'physical' } })).status
    expect([await post('A'), await post('B'), await post('C')]).toEqual([402, 403, 201])
  })

  test('is ignored, and cases are refused, after the workspace forbids it and after a reset', async () => {
    const { set, send, sim, made, path, hints } = await setup()
    const workspace = `/workspaces/${made.id}`
    expect((await sim('PATCH', workspace, { body: { cases: true } })).body.cases).toBe(true)
    await set(DECLINED)
    await sim('PATCH', workspace, { body: { cases: false } })
    expect((await send('GET', PRODUCTS, chosen('card_declined'))).status).toBe(200)
    expect(await hints()).toMatchObject([{ code: 'case_not_allowed' }])
    await sim('PATCH', workspace, { body: { cases: true } })
    await sim('POST', `${workspace}/reset`)
    expect((await sim('GET', workspace)).body.cases).toBe(false)
    expect((await sim('POST', path, { body: DECLINED })).status).toBe(400)
  })
})

describe('in other workspaces', () => {
  test('the header is ignored with a hint', async () => {
    const { send, hints, made, sim } = await setup()
    expect((await sim('GET', `/workspaces/${made.id}`)).body.cases).toBe(false)
    expect((await send('GET', PRODUCTS, chosen('card_declined'))).status).toBe(200)
    expect(await hints()).toEqual([
      {
        code: 'case_not_allowed',
        message: `X-Sim-Case was ignored. PATCH /_sim/workspaces/${made.id} with {"cases":true} allows it.`,
      },
    ])
  })

  test('a fault with a case is refused', async () => {
    const { sim, path, made } = await setup({ cases: false })
    const message = `case needs a workspace that allows cases; PATCH /_sim/workspaces/${made.id} with {"cases":true} allows them`
    const refused = await sim('POST', path, { body: DECLINED })
    expect(refused.status).toBe(400)
    expect(refused.body).toEqual(
      error('validation_error', message, [{ field: 'case', code: 'not_allowed', message }]),
    )
  })
})

test.each(['', 'a b', '-a', 'x'.repeat(101), '__proto__', 'é'])(
  'the name of a case must not be "%s"',
  async (name) => {
    const { sim, path } = await setup({ cases: true })
    const refused = await sim('POST', path, { body: { ...DECLINED, case: name } })
    expect(refused.status).toBe(400)
    expect(refused.body.error.message).toMatch(/^case must /)
  },
)

test.each(['a', 'A.b-c_1', 'x'.repeat(100), 'constructor'])(
  'the name of a case can be "%s"',
  async (name) => {
    const { sim, path, send } = await setup({ cases: true })
    expect((await sim('POST', path, { body: { ...DECLINED, case: name } })).status).toBe(201)
    expect((await send('GET', PRODUCTS, chosen(name))).status).toBe(402)
  },
)

test('a case for connections to a WebSocket is refused', async () => {
  const { sim, path } = await setup({ cases: true })
  const refused = await sim('POST', path, { body: { ...DECLINED, path: '/chat/cable' } })
  expect(refused.body.error.message).toBe(
    'case is only allowed for operations: pages and WebSockets choose none',
  )
})

test('a used-up case has no effect, whatever other faults are added', async () => {
  const { sim, path, send, hints } = await setup({ cases: true })
  await sim('POST', path, { body: { ...DECLINED, times: 1 } })
  expect((await send('GET', PRODUCTS, chosen(DECLINED.case))).status).toBe(402)
  await sim('POST', path, { body: { interface: 'pos', status: 500 } })
  expect((await send('GET', PRODUCTS, chosen(DECLINED.case))).status).toBe(200)
  expect((await hints()).map(({ code }) => code)).toContain('case_without_effect')
})

test('the chosen case comes before faults without a case', async () => {
  const { sim, path, send } = await setup({ cases: true })
  await sim('POST', path, { body: { status: 500 } })
  await sim('POST', path, { body: DECLINED })
  expect((await send('GET', PRODUCTS, chosen(DECLINED.case))).status).toBe(402)
  expect((await send('GET', PRODUCTS)).status).toBe(500)
})

test('a clone allows cases like its source', async () => {
  const { sim, made } = await setup({ cases: true })
  const { body } = await sim('POST', `/workspaces/${made.id}/clone`)
  expect(body.workspace.cases).toBe(true)
})

test('browser apps may send the header', async () => {
  const app = await controlApp({ cors: ['http://localhost:5173'] })
  const answer = await app.fastify.inject({
    method: 'OPTIONS',
    url: PRODUCTS,
    headers: {
      origin: 'http://localhost:5173',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization, x-sim-case',
    },
  })
  expect(answer.headers['access-control-allow-headers']).toContain('x-sim-case')
})
