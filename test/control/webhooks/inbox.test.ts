import { describe, expect, test } from 'vitest'
import type { Workspace } from '../../../src/state/workspace/workspace.ts'
import {
  Inboxes,
  MAX_CHARACTERS,
  MAX_CHARACTERS_OVERALL,
  MAX_ENTRIES,
} from '../../../src/webhooks/deliveries/inbox.ts'
import { signatureOf } from '@suite-sim/kit/webhooks/signature'
import { controlApp, makeWorkspace, type ControlApp } from '../app.ts'

const NOON = '2030-01-01T12:00:00.000Z'

/** A server that listens, with a workspace whose frozen clock makes times exact. */
async function listening(options: Parameters<typeof controlApp>[0] = {}) {
  const app = await controlApp({ ownApp: true, ...options })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, url: `${address}/_sim/receiver`, ...(await subscribed(app, `${address}/_sim/receiver`)) }
}

/** A workspace with a subscription to the receiver. */
async function subscribed(app: ControlApp, url: string) {
  const { id } = await makeWorkspace(app)
  const path = `/workspaces/${id}`
  await app.sim('PUT', `${path}/clock`, { body: { now: NOON, frozen: true } })
  const body = { interface: 'pos', url, secret: 'my own' }
  const subscription = (await app.sim('POST', `${path}/subscriptions`, { body })).body as { id: string }
  const emit = async (event = 'stock.low', data: object = { id: 's1' }) => {
    const answer = await app.sim('POST', `${path}/triggers/pos.event.emit`, { body: { event, data } })
    return (answer.body as { deliveries: string[] }).deliveries[0] ?? ''
  }
  const inbox = async (query = '') => (await app.sim('GET', `${path}/inbox${query}`)).body.data as Entry[]
  return { id, path, subscription, emit, inbox }
}

interface Entry {
  readonly id: string
  readonly event: string
  readonly deliveryId: string
  readonly verified: boolean
  readonly problem: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends a request to the receiver, as anybody can. */
async function post({ fastify }: ControlApp, payload: string | Buffer, headers: Record<string, string> = {}) {
  const response = await fastify.inject({ method: 'POST', url: '/_sim/receiver', payload, headers })
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() }
}

const JSON_TYPE = { 'content-type': 'application/json' }

describe('the inbox', () => {
  test('has each delivery to the built-in receiver as it arrived', async () => {
    const { app, path, subscription, emit, inbox } = await listening()
    const deliveryId = await emit('sale.completed')
    const [entry] = await inbox('?wait=300&count=1')
    expect(entry).toEqual({
      id: 'inb_1',
      at: NOON,
      interface: 'pos',
      event: 'sale.completed',
      deliveryId,
      attempt: 1,
      subscriptionId: subscription.id,
      verified: true,
      problem: null,
      secret: 'my own',
      headers: expect.objectContaining({
        'content-type': 'application/json',
        'x-service-event': 'sale.completed',
        'x-service-delivery': deliveryId,
        'x-service-attempt': '1',
        'x-service-signature': signatureOf('my own', entry?.body ?? ''),
      }),
      body: expect.any(String),
    })
    const { data } = (await app.sim('GET', `${path}/deliveries`)).body as { data: { payload: object }[] }
    expect(JSON.parse(entry?.body ?? '')).toEqual(data[0]?.payload)
  })

  test('is newest first, and filtered by event and subscription', async () => {
    const { app, url, path, subscription, emit, inbox } = await listening()
    await emit('sale.completed')
    await emit('stock.low')
    await inbox('?wait=300&count=2')
    const events = async (query: string) => (await inbox(query)).map(({ event }) => event)
    expect(await events('')).toEqual(['stock.low', 'sale.completed'])
    expect(await events('?limit=1')).toEqual(['stock.low'])
    expect(await events('?event=sale.completed')).toEqual(['sale.completed'])
    expect(await events(`?subscription=${subscription.id}`)).toHaveLength(2)

    const body = { interface: 'crm', url }
    const other = (await app.sim('POST', `${path}/subscriptions`, { body })).body as { id: string }
    expect(await events(`?subscription=${other.id}`)).toEqual([])
  })

  test.each([
    [
      'event=sale.complted',
      'event must be the name of an event, not "sale.complted"; did you mean sale.completed?',
    ],
    [
      'subscription=nobody',
      'subscription must be the id of a subscription; GET /_sim/workspaces/{id}/subscriptions lists them',
    ],
    ['sort=asc', 'sort is not a known query parameter'],
  ])('refuses %s', async (query, message) => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const { status, body } = await app.sim('GET', `/workspaces/${id}/inbox?${query}`)
    expect(status).toBe(400)
    expect(body.error.message).toContain(message)
  })

  test('shows which deliveries have a wrong signature, and truncated bodies as they are', async () => {
    const { app, path, emit, inbox } = await listening()
    const fault = (delivery: string) =>
      app.sim('POST', `${path}/faults`, { body: { delivery, times: 1, interface: 'pos' } })
    await fault('wrong_signature')
    await emit()
    await inbox('?wait=300&count=1')
    await fault('truncate')
    await emit()
    const [truncated, forged] = await inbox('?wait=300&count=2')
    expect(forged).toMatchObject({
      verified: false,
      problem:
        'The header x-service-signature is not the signature of this body with the secret of the subscription.',
    })
    expect(truncated?.verified).toBe(false)
    expect(() => JSON.parse(truncated?.body ?? '') as unknown).toThrow()
    expect(truncated?.body).toMatch(/^\{"id":/)
  })

  test('ends its waits when its workspace is deleted', async () => {
    const { app, id, path } = await listening()
    const waiting = app.sim('GET', `${path}/inbox?wait=300&count=1`)
    await app.sim('GET', `${path}/inbox`)
    await app.sim('DELETE', `/workspaces/${id}`)
    const { status } = await waiting
    expect([200, 404]).toContain(status)
  })

  test('has deliveries to the receiver with a query of its own', async () => {
    const { app, url, path, inbox } = await listening()
    const body = { interface: 'pos', url: `${url}?from=pos&x=1` }
    await app.sim('POST', `${path}/subscriptions`, { body })
    await app.sim('POST', `${path}/triggers/pos.event.emit`, { body: { event: 'stock.low' } })
    expect(await inbox('?wait=300&count=2')).toHaveLength(2)
  })

  test('is emptied by a call, by a reset and with its workspace, and no other inbox with it', async () => {
    const { app, url, id, path, emit, inbox } = await listening()
    const other = await subscribed(app, url)
    await other.emit()
    await other.inbox('?wait=300&count=1')
    await emit()
    await inbox('?wait=300&count=1')
    const cleared = await app.sim('DELETE', `${path}/inbox`)
    expect([cleared.status, cleared.text]).toEqual([204, ''])
    expect(await inbox()).toEqual([])

    const before = await emit()
    await inbox('?wait=300&count=1')
    await app.sim('POST', `${path}/reset`)
    expect(await inbox()).toEqual([])
    const late = await post(app, '{}', { ...JSON_TYPE, 'x-service-delivery': before })
    expect(late.body).toEqual({
      received: true,
      kept: false,
      reason: 'the workspace was reset or deleted after the delivery was sent',
    })
    expect(await inbox()).toEqual([])

    await app.sim('DELETE', `/workspaces/${id}`)
    expect((await app.sim('GET', `${path}/inbox`)).status).toBe(404)
    expect(await other.inbox()).toHaveLength(1)
  })

  test('needs the admin token', async () => {
    const { sim, fastify } = await controlApp({ adminToken: 'right' })
    const headers = { authorization: 'Bearer right' }
    const { workspace } = (await sim('POST', '/workspaces', { body: {}, headers })).body as {
      workspace: { id: string }
    }
    const path = `/workspaces/${workspace.id}/inbox`
    for (const method of ['GET', 'DELETE'] as const) expect((await sim(method, path)).status).toBe(401)
    expect((await sim('GET', path, { headers })).body).toEqual({ data: [] })
    const asDelivery = { ...headers, 'x-service-delivery': 'any' }
    const answer = await fastify.inject({ method: 'DELETE', url: `/_sim${path}`, headers: asDelivery })
    expect(answer.statusCode).toBe(403)
  })
})

describe('a request to the receiver', () => {
  test('of unknown origin is answered and not kept, whatever it contains', async () => {
    const { app, emit, inbox } = await listening()
    await emit()
    await inbox('?wait=300&count=1')
    const missing = 'the header x-service-delivery is missing, so this server did not send it'
    const unknown =
      'x-service-delivery is not the id of a delivery that this server sent to its receiver recently'
    for (const [payload, headers, reason] of [
      ['{"any":"thing"}', JSON_TYPE, missing],
      ['{"any":', JSON_TYPE, missing],
      ['', {}, missing],
      ['a=b', { 'content-type': 'application/x-www-form-urlencoded' }, missing],
      [Buffer.from([0xff, 0xfe, 0x00]), { 'content-type': 'application/octet-stream' }, missing],
      ['{}', { ...JSON_TYPE, 'x-service-delivery': 'nobody' }, unknown],
      ['{}', { ...JSON_TYPE, 'x-service-delivery': '__proto__' }, unknown],
    ] as [string | Buffer, Record<string, string>, string][]) {
      expect(await post(app, payload, headers)).toEqual({
        status: 200,
        body: { received: true, kept: false, reason },
      })
    }
    expect(await inbox()).toHaveLength(1)
  })

  test('with the id of a delivery is kept, and a changed body is not verified', async () => {
    const { app, emit, inbox } = await listening()
    const deliveryId = await emit()
    const [sent] = await inbox('?wait=300&count=1')
    const headers = { ...JSON_TYPE, 'x-service-delivery': deliveryId }
    const signature = { 'x-service-signature': sent?.headers['x-service-signature'] ?? '' }
    const bodies = [sent?.body ?? '', `${sent?.body ?? ''} `]
    for (const body of bodies) {
      expect(await post(app, body, { ...headers, ...signature })).toEqual({
        status: 200,
        body: { received: true, kept: true },
      })
    }
    await post(app, sent?.body ?? '', headers)
    expect((await inbox()).map(({ verified, problem }) => [verified, problem])).toEqual([
      [false, 'The header x-service-signature is missing.'],
      [false, expect.stringContaining('is not the signature of this body')],
      [true, null],
      [true, null],
    ])
  })

  test('with a body of more than 1 MiB is refused and not kept', async () => {
    const { app, emit, inbox } = await listening()
    const deliveryId = await emit()
    await inbox('?wait=300&count=1')
    const headers = { 'content-type': 'text/plain', 'x-service-delivery': deliveryId }
    expect((await post(app, Buffer.alloc(1_048_576, 'x'), headers)).status).toBe(200)
    expect((await post(app, Buffer.alloc(1_048_577, 'x'), headers)).status).toBe(413)
    expect(await inbox()).toHaveLength(2)
  })

  test('beyond the limits replaces the oldest entries', async () => {
    const { app, emit, inbox } = await listening()
    const deliveryId = await emit()
    await inbox('?wait=300&count=1')
    const headers = { ...JSON_TYPE, 'x-service-delivery': deliveryId }
    for (let count = 2; count <= MAX_ENTRIES; count++) await post(app, '{}', headers)
    const numbers = async () => (await inbox('?limit=1000')).map(({ id }) => Number(id.slice(4)))
    expect(await numbers()).toEqual(Array.from({ length: MAX_ENTRIES }, (_, index) => MAX_ENTRIES - index))
    await post(app, '{}', headers)
    expect((await numbers()).at(-1)).toBe(2)

    const body = Buffer.alloc(1_000_000, 'x')
    const fitting = Math.floor(MAX_CHARACTERS / 1_001_000)
    for (let count = 1; count <= fitting + 2; count++) await post(app, body, headers)
    expect(await numbers()).toHaveLength(fitting)
  })
})

describe('the inboxes of many workspaces', () => {
  test('share a limit, beyond which the largest lose their oldest entries', async () => {
    const app = await controlApp()
    const inboxes = new Inboxes()
    const handles: Workspace[] = []
    const inboxOf = async () => {
      const workspace = app.workspaces.get((await makeWorkspace(app)).id)
      handles.push(workspace)
      const event = { interface: 'pos', event: 'stock.low', record: null, origin: '', trace: null }
      const delivery = { ...event, id: workspace.id, subscription: 's', body: '', due: 0, attempts: 0 }
      inboxes.sends(workspace, { ...delivery, url: 'http://127.0.0.1/_sim/receiver' }, 'secret')
      return {
        receive: (size: number) =>
          inboxes.receive(app.workspaces, { 'x-service-delivery': workspace.id }, Buffer.alloc(size, 'x')),
        count: () => inboxes.list(workspace, { limit: MAX_ENTRIES }).length,
      }
    }
    const small = await inboxOf()
    expect(small.receive(1000)).toBeNull()
    const large: Awaited<ReturnType<typeof inboxOf>>[] = []
    const total = () => large.reduce((sum, { count }) => sum + count(), 0)
    const size = 1_000_000
    const fitting = Math.floor((MAX_CHARACTERS_OVERALL - 1100) / (size + 100))
    for (let count = 0; count < fitting; count++) {
      if (count % 4 === 0) large.push(await inboxOf())
      large.at(-1)?.receive(size)
    }
    expect(total()).toBe(fitting)
    const newest = await inboxOf()
    for (let count = 0; count < 3; count++) newest.receive(size)
    expect(newest.count()).toBe(3)
    expect(total()).toBe(fitting - 3)
    expect(small.count()).toBe(1)
    expect(Math.min(...large.map(({ count }) => count()))).toBe(fitting % 4 === 0 ? 3 : fitting % 4)

    for (const workspace of handles) inboxes.clear(workspace)
    expect([total(), small.count(), newest.count()]).toEqual([0, 0, 0])
  })
})
