/** Hints of refused calls: whether the refusal rests on the specification, a reading or an assumption. */
import { expect, test } from 'vitest'
import { controlApp, makeWorkspace, type ControlApp } from '../app.ts'

interface Hint {
  readonly code: string
  readonly message: string
}

async function setup() {
  const app: ControlApp = await controlApp()
  const { id, key } = await makeWorkspace(app)
  /** Calls an interface; returns the status and the hints of the call. */
  const hintsOf = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT',
    path: string,
    body?: unknown,
  ): Promise<[number, Hint[]]> => {
    const { status } = await app.call(method, path, key, body)
    const { data } = (await app.sim('GET', `/workspaces/${id}/requests?limit=1`)).body
    const { hints } = (await app.sim('GET', `/workspaces/${id}/requests/${String(data[0].id)}`)).body
    return [status, hints]
  }
  return { app, id, key, hintsOf }
}

const PRODUCTS = '/workspace/public/v1/products'

test('a documented refusal has no hint', async () => {
  const { hintsOf } = await setup()
  expect(await hintsOf('GET', `${PRODUCTS}/nothing`)).toEqual([404, []])
  expect(await hintsOf('POST', PRODUCTS, { type: 'physical' })).toEqual([400, []])
  expect(await hintsOf('POST', PRODUCTS, { name: 'x'.repeat(201), type: 'physical' })).toEqual([400, []])
  expect(await hintsOf('GET', `${PRODUCTS}?limit=101`)).toEqual([400, []])
})

test('a refusal with a status that the specification does not list has a hint', async () => {
  const { hintsOf } = await setup()
  const [status, hints] = await hintsOf('PATCH', `${PRODUCTS}/some-product`)
  expect(status).toBe(405)
  expect(hints).toEqual([
    { code: 'assumed_refusal', message: expect.stringContaining('It does not list the status 405 here.') },
  ])
})

test('a refusal by a limit that the specification does not give has a hint that names the field', async () => {
  const { hintsOf } = await setup()
  const description = 'x'.repeat(65_537)
  const [status, hints] = await hintsOf('POST', PRODUCTS, { name: 'A', type: 'physical', description })
  expect(status).toBe(400)
  expect(hints).toEqual([
    { code: 'assumed_refusal', message: expect.stringContaining('It gives no such limit of description.') },
  ])
  const entities = Array.from({ length: 11 }, () => ({ entityType: 'deal', entityId: 'a' }))
  const activity = { title: 'A', type: 'call' }
  expect(await hintsOf('POST', '/workspace/public/v1/activities', { ...activity, entities })).toEqual([
    400,
    [],
  ])
  const longId = { entityType: 'deal', entityId: 'x'.repeat(70_000) }
  const [, ofPart] = await hintsOf('POST', '/workspace/public/v1/activities', {
    ...activity,
    entities: [longId],
  })
  expect(ofPart.map(({ message }) => message)).toEqual([expect.stringContaining('entities.0.entityId')])
})

test('a refusal of a move that the specification does not fully show has a hint with the reason', async () => {
  const { app, id, key, hintsOf } = await setup()
  const created = await app.call('POST', '/pay/v1/payment-links', key, { amount: 100, currency: 'USD' })
  const link = String(created.body.data.id)
  await app.sim('POST', `/workspaces/${id}/triggers/payments.link.pay`, { body: { link_id: link } })
  const [status, hints] = await hintsOf('DELETE', `/pay/v1/payment-links/${link}`)
  expect(status).toBe(409)
  expect(hints).toEqual([
    {
      code: 'assumed_refusal',
      message: expect.stringContaining('Returns 409 if the link is paid or expired'),
    },
  ])
})

test('an injected fault has no such hint', async () => {
  const { app, id, hintsOf } = await setup()
  await app.sim('POST', `/workspaces/${id}/faults`, { body: { interface: 'catalog', status: 409 } })
  const [status, hints] = await hintsOf('GET', PRODUCTS)
  expect([status, hints]).toEqual([409, []])
})
