/** Audit lines: one for each reset, deletion, restore, key and token, without any secret. */
import { pino } from 'pino'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { AppOptions } from '../../../src/app.ts'
import { bearer, controlApp, makeWorkspace, type Method, type SimCall } from '../app.ts'

type Line = Readonly<Record<string, unknown>> & { readonly audit?: string }

/** A server with its audit lines; `lines()` returns those since its last call. */
async function setup(options: AppOptions = {}) {
  const written: string[] = []
  const logger = pino({ level: 'info' }, { write: (text: string) => written.push(text) })
  const app = await controlApp({ logger, ...options })
  const lines = (): Line[] => {
    const parsed = written.splice(0).map((text) => JSON.parse(text) as Line)
    return parsed.filter(({ audit }) => audit !== undefined)
  }
  return { app, sim: app.sim, lines, written }
}

describe('an audit line', () => {
  test('is written by each action, once, with time, token, address and workspace', async () => {
    const { app, sim, lines } = await setup()
    const { id } = await makeWorkspace(app, { labels: { team: 'a' } })
    expect(lines()).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        pid: expect.any(Number),
        hostname: expect.any(String),
        audit: 'workspace.create',
        token: 'none',
        address: '127.0.0.1',
        workspace: id,
        msg: 'audit: workspace.create',
      },
    ])
    const path = `/workspaces/${id}`
    const snapshot: unknown = (await sim('GET', `${path}/snapshot`)).body
    const keyOf = async () => (await sim('POST', `${path}/keys`)).body.key as string
    const actions: [string, Method, string, SimCall, facts: object][] = [
      ['key.create', 'POST', '/keys', { body: { workspaceId: id } }, { workspace: id, key: '[redacted]' }],
      ['key.create', 'POST', `${path}/keys`, {}, { workspace: id, key: '[redacted]' }],
      ['key.delete', 'DELETE', `/keys/${await keyOf()}`, {}, { workspace: id, key: '[redacted]' }],
      ['key.delete', 'DELETE', `${path}/keys/${await keyOf()}`, {}, { workspace: id, key: '[redacted]' }],
      ['workspace.clone', 'POST', `${path}/clone`, {}, { source: id, workspace: expect.any(String) }],
      ['workspace.reset', 'POST', `${path}/reset`, {}, { workspace: id }],
      ['snapshot.put', 'PUT', `${path}/snapshot`, { body: snapshot }, { workspace: id }],
    ]
    await sim('POST', `${path}/snapshots`, { body: { name: 'before' } })
    actions.push(
      [
        'snapshot.restore',
        'POST',
        `${path}/snapshots/before/restore`,
        {},
        { workspace: id, snapshot: 'before' },
      ],
      ['snapshot.delete', 'DELETE', `${path}/snapshots/before`, {}, { workspace: id, snapshot: 'before' }],
      ['workspaces.delete', 'DELETE', '/workspaces?label=team:x', {}, { label: ['team:x'], count: 0 }],
      ['workspace.delete', 'DELETE', path, {}, { workspace: id }],
      ['server.reset', 'POST', '/reset', {}, {}],
    )
    lines()
    for (const [audit, method, url, call, facts] of actions) {
      const { status } = await sim(method, url, call)
      expect([audit, status < 300]).toEqual([audit, true])
      expect(lines()).toEqual([
        expect.objectContaining({ audit, token: 'none', address: '127.0.0.1', level: 30, ...facts }),
      ])
    }
  })

  test('is written for each workspace that a label deletes, with the count after them', async () => {
    const { app, sim, lines } = await setup({ adminToken: 'right' })
    const ids: string[] = []
    for (let count = 0; count < 101; count++) {
      const created = await sim('POST', '/workspaces', {
        body: { labels: { team: 'a' } },
        ...bearer('right'),
      })
      ids.push((created.body as { workspace: { id: string } }).workspace.id)
    }
    lines()
    const answer = await sim('DELETE', '/workspaces?label=team:a', bearer('right'))
    expect(answer.body).toEqual({ count: 101 })
    const caller = { token: 'admin', address: '127.0.0.1' }
    expect(lines()).toEqual([
      ...ids.map((workspace) => expect.objectContaining({ audit: 'workspace.delete', workspace, ...caller })),
      expect.objectContaining({ audit: 'workspaces.delete', label: ['team:a'], count: 101, ...caller }),
    ])
    expect(app.workspaces.tenantIds()).toEqual([])
  })

  test('is written by a reset of the whole server whose files fail after it', async () => {
    const { app, sim, lines } = await setup()
    const { id } = await makeWorkspace(app)
    lines()
    app.startup.duringReset = async (reset) => {
      await reset()
      throw new Error('the files did not run')
    }
    expect((await sim('POST', '/reset')).status).toBe(500)
    expect(app.workspaces.find(id)).toBeUndefined()
    expect(lines()).toEqual([expect.objectContaining({ audit: 'server.reset', token: 'none' })])
  })

  test('is not written by calls that read, change settings or are refused', async () => {
    const { app, sim, lines } = await setup()
    const { id } = await makeWorkspace(app)
    lines()
    const path = `/workspaces/${id}`
    for (const [method, url, call = {}] of [
      ['GET', '/workspaces'],
      ['GET', path],
      ['GET', `${path}/snapshot`],
      ['PATCH', path, { body: { currency: 'PAB' } }],
      ['DELETE', '/workspaces/nobody'],
      ['DELETE', '/workspaces'],
      ['POST', '/workspaces/nobody/reset'],
      ['PUT', `${path}/snapshot`, { body: { format: 'other' } }],
      ['POST', `${path}/snapshots/nothing/restore`],
      ['POST', `${path}/keys`, { body: { scopes: ['nothing'] } }],
      ['DELETE', '/keys/nothing'],
      ['DELETE', `${path}/keys/nothing`],
      ['POST', '/workspaces', { body: { ttl: 'soon' } }],
    ] as [Method, string, SimCall?][]) {
      await sim(method, url, call)
    }
    expect(lines()).toEqual([])
  })

  test('names the token, and never contains a token or a key', async () => {
    const { sim, lines, written } = await setup({ adminToken: 'right' })
    const { body } = await sim('POST', '/workspaces', { body: {}, ...bearer('right') })
    const { workspace, key, controlToken } = body as {
      workspace: { id: string }
      key: string
      controlToken: string
    }
    const path = `/workspaces/${workspace.id}`
    const made = (await sim('POST', `${path}/keys`, bearer(controlToken))).body.key as string
    await sim('DELETE', `${path}/keys/${made}`, bearer(controlToken))
    const clone = (await sim('POST', `${path}/clone`, bearer(controlToken))).body
    await sim('DELETE', `/keys/${key}`, bearer('right'))
    await sim('DELETE', path, bearer(controlToken))
    const text = written.join('')
    const control = `control:${workspace.id}`
    expect(lines().map(({ audit, token }) => [audit, token])).toEqual([
      ['workspace.create', 'admin'],
      ['key.create', control],
      ['key.delete', control],
      ['workspace.clone', control],
      ['key.delete', 'admin'],
      ['workspace.delete', control],
    ])
    for (const secret of [
      key,
      made,
      controlToken,
      clone.key as string,
      clone.controlToken as string,
      'right',
    ]) {
      expect(text).not.toContain(secret)
    }
  })

  test('has the address that a trusted proxy names, and no other', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const trusting = await setup({ trustedProxies: ['127.0.0.1'] })
    await trusting.sim('POST', '/workspaces', { body: {}, headers })
    expect(trusting.lines()).toMatchObject([{ address: '203.0.113.7' }])
    const other = await setup()
    await other.sim('POST', '/workspaces', { body: {}, headers })
    expect(other.lines()).toMatchObject([{ address: '127.0.0.1' }])
  })

  test('is written when a ttl deletes a workspace', async () => {
    const { app, lines } = await setup()
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const { id } = await makeWorkspace(app, { ttl: 'PT1M' })
    lines()
    await vi.advanceTimersByTimeAsync(60_001)
    expect(lines()).toEqual([
      expect.objectContaining({
        audit: 'workspace.delete',
        token: null,
        address: null,
        workspace: id,
        ttl: 'PT1M',
      }),
    ])
  })
})
