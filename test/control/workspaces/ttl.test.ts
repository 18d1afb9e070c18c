/** Workspaces that the server deletes when nobody has called them for the time of their ttl. The clock is moved by hand. */
import { once } from 'node:events'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { controlApp, makeWorkspace } from '../app.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const PRODUCTS = '/workspace/public/v1/products'

async function setup() {
  const app = await controlApp({ ownApp: true })
  // Loads all parts, which use timers of their own.
  await app.published('control')
  await app.published('catalog')
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const workspace = await makeWorkspace(app, { ttl: 'PT10M', fixtures: 'small' })
  return {
    app,
    sim: app.sim,
    ...workspace,
    path: `/workspaces/${workspace.id}`,
    later: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    isDeleted: () => app.workspaces.find(workspace.id) === undefined,
  }
}

type Setup = Awaited<ReturnType<typeof setup>>

/** Deletes a key with `DELETE /_sim/keys/{key}`, and nothing else that counts as a use. */
async function deleteNextKey({ app, sim, id }: Setup): Promise<void> {
  const { key } = app.workspaces.keys.add(app.workspaces.get(id), {})
  expect((await sim('DELETE', `/keys/${key}`)).status).toBe(204)
}

describe('a ttl', () => {
  test.each(['PT1M', 'PT60S', 'P7D', 'P1Y', 'P365D', 'PT36H'])('%s is accepted and returned', async (ttl) => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app, { ttl })
    expect((await app.sim('GET', `/workspaces/${id}`)).body.ttl).toBe(ttl)
    expect((await app.sim('PATCH', `/workspaces/${id}`, { body: { ttl: null } })).body.ttl).toBeNull()
    expect((await app.sim('PATCH', `/workspaces/${id}`, { body: { ttl } })).body.ttl).toBe(ttl)
    expect((await app.sim('PATCH', `/workspaces/${id}`, { body: { currency: 'PAB' } })).body.ttl).toBe(ttl)
    await app.sim('POST', `/workspaces/${id}/reset`)
    expect((await app.sim('GET', `/workspaces/${id}`)).body.ttl).toBe(ttl)
  })

  test.each(['PT59S', 'P366D', 'P1YT1S', '-P1D', 'soon', '', `P${'0'.repeat(40)}1D`, 60])(
    '%j is refused, and nothing is created or changed',
    async (ttl) => {
      const app = await controlApp()
      const { id } = await makeWorkspace(app, { ttl: 'P1D' })
      const answer = await app.sim('POST', '/workspaces', { body: { ttl } })
      expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringMatching(/^ttl must /)])
      expect((await app.sim('PATCH', `/workspaces/${id}`, { body: { ttl, currency: 'PAB' } })).status).toBe(
        400,
      )
      expect((await app.sim('GET', '/workspaces')).body.data).toMatchObject([{ ttl: 'P1D', currency: 'USD' }])
    },
  )

  test('counts months and years from 1 January 1970, as its description says', async () => {
    const app = await controlApp()
    const { text } = await app.sim('GET', '/openapi/control.json')
    const [, said = ''] = /from 1 January 1970: ([^.]*)\./.exec(text) ?? []
    const days = said.split(', ').map((part) => /^(P\w+) (?:is )?(\d+)/.exec(part)?.slice(1))
    expect(days).toEqual([
      ['P1M', '31'],
      ['P2M', '59'],
      ['P1Y', '365'],
    ])
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    for (const [ttl = '', count] of days.map((pair) => pair ?? [])) {
      const { id } = await makeWorkspace(app, { ttl })
      expect(app.workspaces.get(id).lifetime.deadline()).toBe(Date.now() + Number(count) * 24 * HOUR)
    }
  })

  test('deletes the workspace with its records, keys and control token', async () => {
    const { app, sim, path, key, controlToken, later, isDeleted } = await setup()
    const kept = await makeWorkspace(app)
    await later(10 * MINUTE - 1)
    expect(isDeleted()).toBe(false)
    await later(1)
    expect(isDeleted()).toBe(true)
    expect((await sim('GET', path)).status).toBe(404)
    expect((await app.call('GET', PRODUCTS, key)).status).toBe(401)
    expect((await app.call('GET', PRODUCTS, controlToken)).status).toBe(401)
    expect((await app.call('GET', PRODUCTS, kept.key)).status).toBe(200)
  })

  test.each([
    ['a call of an interface', ({ app, key }) => app.call('GET', PRODUCTS, key)],
    ['a refused call of an interface', ({ app, key }) => app.call('GET', `${PRODUCTS}/nobody`, key)],
    ['a control call', ({ sim, path }) => sim('GET', `${path}/clock`)],
    ['a reset', ({ sim, path }) => sim('POST', `${path}/reset`)],
    ['a list of its keys', ({ sim, id }) => sim('GET', `/keys?workspaceId=${id}`)],
    ['a new key', ({ sim, id }) => sim('POST', '/keys', { body: { workspaceId: id } })],
    ['a deleted key', deleteNextKey],
  ] satisfies [string, (all: Setup) => Promise<unknown>][])('starts again with %s', async (_name, use) => {
    const all = await setup()
    const { later, isDeleted } = all
    for (let count = 0; count < 3; count++) {
      await later(9 * MINUTE)
      await use(all)
    }
    await later(10 * MINUTE - 1)
    expect(isDeleted()).toBe(false)
    await later(1)
    expect(isDeleted()).toBe(true)
  })

  test('starts again with a hosted page', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app, { ttl: 'PT10M', fixtures: 'small' })
    const now = Date.now() + 5 * MINUTE
    vi.useFakeTimers({ toFake: ['Date'], now })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const { statusCode } = await app.fastify.inject(`/pay/links/${id}/pl_demo0000000000000001`)
    expect(statusCode).toBe(200)
    expect(app.workspaces.get(id).lifetime.deadline()).toBe(now + 10 * MINUTE)
  })

  test('runs on while others poll the list of workspaces and call theirs', async () => {
    const { app, sim, later, isDeleted } = await setup()
    const other = await makeWorkspace(app)
    for (let count = 0; count < 10; count++) {
      await later(MINUTE)
      await sim('GET', '/workspaces')
      await sim('GET', `/workspaces/${other.id}`)
    }
    expect(isDeleted()).toBe(true)
  })

  test('does not run while a stream is open', async () => {
    const { app, id, later, isDeleted } = await setup()
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const stream = new AbortController()
    const { status } = await fetch(`${url}/_sim/workspaces/${id}/stream`, { signal: stream.signal })
    expect(status).toBe(200)
    await later(5 * HOUR)
    expect(isDeleted()).toBe(false)
    stream.abort()
    const workspace = app.workspaces.get(id)
    while (workspace.lifetime.isOpen) await new Promise((resolve) => setImmediate(resolve))
    await later(10 * MINUTE - 1)
    expect(isDeleted()).toBe(false)
    await later(1)
    expect(isDeleted()).toBe(true)
  })

  test('does not run while a listener is connected, which counts as no request', async () => {
    const { app, id } = await setup()
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const { lifetime } = app.workspaces.get(id)
    const client = new WebSocket(`${url.replace('http', 'ws')}/_sim/workspaces/${id}/listen`)
    await once(client, 'open')
    // The request that opened it has ended.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(lifetime.isOpen).toBe(true)
    client.terminate()
    while (lifetime.isOpen) await new Promise((resolve) => setImmediate(resolve))
    const { payload } = await app.fastify.inject('/_sim/metrics')
    expect(payload).not.toMatch(
      /http_request_duration_seconds_count\{interface="control",status_class="none"\}/,
    )
  })

  test('does not run while a call waits', async () => {
    const { app, sim, id, path, later, isDeleted } = await setup()
    await sim('PATCH', path, { body: { ttl: 'PT1M' } })
    const ended: number[] = []
    const waiting = sim('GET', `${path}/deliveries?event=sale.completed&wait=300&count=1000`).finally(() => {
      ended.push(Date.now())
    })
    const { lifetime } = app.workspaces.get(id)
    while (!lifetime.isOpen) await new Promise((resolve) => setImmediate(resolve))
    await later(4 * MINUTE)
    expect([ended, isDeleted()]).toEqual([[], false])
    // The timer of the wait may have been set a little later.
    while (ended.length === 0) await later(MINUTE)
    expect([(await waiting).status, isDeleted()]).toEqual([200, false])
    await later(MINUTE)
    expect(isDeleted()).toBe(true)
  })
})
