/** The token of one workspace: what it opens, what it does not, and how long it lives. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bearer, controlApp, error, makeWorkspace, type ControlApp, type Method } from '../app.ts'

/** Calls that show nothing of a workspace; any control token opens them. */
const SHARED = [
  'getAccess',
  'getDashboard',
  'getDocsPage',
  'getMachine',
  'getOpenapi',
  'getOpenapiOfInterface',
  'listMachines',
  'listObserved',
  'listReadings',
  'listTriggers',
]

/** Calls that need no token at all. */
const OPEN = ['getHealth', 'getLiveness', 'getReadiness', 'receiveWebhook']

async function operations(app: ControlApp) {
  const { routes } = await app.published('control')
  return routes.map(({ method, path, operation: { id } }) => ({ method: method as Method, path, id }))
}

describe.each([
  ['without an admin token', {}],
  ['with an admin token', { adminToken: 'right' }],
])('a control token, %s', (_name, options) => {
  const admin = bearer('right')

  async function setup() {
    const app = await controlApp(options)
    const make = async () => {
      const { body } = await app.sim('POST', '/workspaces', { body: {}, ...admin })
      return { id: body.workspace.id as string, token: bearer(body.controlToken as string) }
    }
    return { app, sim: app.sim, own: await make(), other: await make() }
  }

  test('opens each call of its workspace, and refuses the same call of another workspace', async () => {
    const { app, sim, own, other } = await setup()
    const all = (await operations(app)).filter(({ path }) => path.startsWith('/workspaces/{id}'))
    expect(all.length).toBeGreaterThan(30)
    for (const { method, path, id } of all.filter(({ id }) => id !== 'deleteWorkspace')) {
      const at = (workspace: string) => path.replace('{id}', workspace).replaceAll(/\{\w+\}/g, 'x')
      // A stream has no end.
      if (id !== 'streamTimeline') {
        const sent = { ...own.token, ...(method !== 'GET' && { raw: '[]' }) }
        const { status } = await sim(method, at(own.id), sent)
        expect([id, [401, 403].includes(status)]).toEqual([id, false])
      }
      for (const workspace of [other.id, 'nobody']) {
        const refused = await sim(method, at(workspace), own.token)
        expect([id, refused.status, refused.body]).toEqual([
          id,
          403,
          error('forbidden', `This control token opens only the workspace ${own.id}.`),
        ])
      }
    }
    expect((await sim('GET', `/workspaces/${other.id}`, other.token)).status).toBe(200)
  })

  test('opens the calls that show no workspace, and no other call of the server', async () => {
    const { app, sim, own } = await setup()
    const all = (await operations(app)).filter(({ path }) => !path.startsWith('/workspaces/{id}'))
    const opened: string[] = []
    for (const { method, path, id } of all.filter(({ id }) => !OPEN.includes(id))) {
      const url = `/_sim${path.replaceAll(/\{\w+\}/g, 'x')}`
      const { authorization } = own.token.headers
      const { statusCode, payload } = await app.fastify.inject({ method, url, headers: { authorization } })
      if (statusCode === 403) {
        expect(payload).toContain('This call concerns the whole server.')
        expect(payload).toContain(`/_sim/workspaces/${own.id}`)
      } else opened.push(id)
    }
    expect(opened.sort()).toEqual(SHARED)
    expect((await sim('GET', '/workspaces', admin)).body.data).toHaveLength(2)
    expect((await sim('GET', '/health', own.token)).status).toBe(200)
    expect((await sim('GET', '/nothing', own.token)).status).toBe(404)
  })

  test('changes, clones and deletes its workspace, which ends it', async () => {
    const { sim, own, other } = await setup()
    const path = `/workspaces/${own.id}`
    expect((await sim('PATCH', path, { body: { currency: 'PAB' }, ...own.token })).body.currency).toBe('PAB')

    const clone = await sim('POST', `${path}/clone`, own.token)
    const token = bearer(clone.body.controlToken as string)
    expect(clone.status).toBe(201)
    expect((await sim('GET', `/workspaces/${clone.body.workspace.id as string}`, own.token)).status).toBe(403)
    expect((await sim('GET', `/workspaces/${clone.body.workspace.id as string}`, token)).status).toBe(200)

    expect((await sim('POST', `${path}/reset`, own.token)).status).toBe(204)
    expect((await sim('DELETE', path, own.token)).status).toBe(204)
    const ended = await sim('GET', `/workspaces/${other.id}`, own.token)
    expect(ended.status).toBe(401)
    expect(ended.body).toEqual(
      error(
        'unauthorized',
        'The control token is unknown. Its workspace was deleted, or it belongs to another server.',
      ),
    )
  })

  test('is described by /access, as are the other tokens', async () => {
    const { sim, own } = await setup()
    expect((await sim('GET', '/access', own.token)).body).toEqual({
      token: 'control',
      workspaceId: own.id,
      allowReset: true,
    })
    const token = 'adminToken' in options ? 'admin' : 'none'
    const access = await sim('GET', '/access', admin)
    expect(access.body).toEqual({ token, workspaceId: null, allowReset: true })
  })
})

test('is refused as the key of an interface, and shown by no other call', async () => {
  const app = await controlApp()
  const { id, controlToken } = await makeWorkspace(app)
  expect((await app.call('GET', '/workspace/public/v1/products', controlToken)).status).toBe(401)
  for (const path of [
    '/workspaces',
    `/workspaces/${id}`,
    `/keys?workspaceId=${id}`,
    `/workspaces/${id}/snapshot`,
  ]) {
    expect((await app.sim('GET', path)).text).not.toContain('simctl_')
  }
  expect((await app.sim('GET', '/requests?unmatched=true')).text).not.toContain(controlToken)
})

test('does not open a server under another host name if no admin token is set', async () => {
  const app = await controlApp({ allowedHosts: ['*'] })
  const { id, controlToken } = await makeWorkspace(app)
  const headers = { ...bearer(controlToken).headers, host: 'sim.example.com' }
  expect((await app.sim('GET', `/workspaces/${id}`, { headers })).status).toBe(403)
})

test('counts unknown control tokens as wrong tokens', async () => {
  const { sim } = await controlApp({ adminToken: 'right' })
  const statuses = []
  for (let count = 0; count < 11; count++) {
    statuses.push((await sim('GET', '/access', bearer(`simctl_${String(count)}`))).status)
  }
  expect(statuses).toEqual([...Array<number>(10).fill(401), 429])
})

test('works after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'control-token-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  const options = { db: join(folder, 'suite.sqlite'), ownApp: true }
  const first = await controlApp(options)
  const { id, controlToken } = await makeWorkspace(first)
  await first.fastify.close()
  const { sim } = await controlApp(options)
  expect((await sim('GET', `/workspaces/${id}`, bearer(controlToken))).status).toBe(200)
})

test('is not derived from the seed, so that an old one opens no workspace after a reset', async () => {
  const app = await controlApp({ seed: 'one' })
  const old = await makeWorkspace(app)
  expect((await app.sim('POST', '/reset')).status).toBe(204)
  const other = await makeWorkspace(app)
  expect([other.id, other.key]).toEqual([old.id, old.key])
  expect((await app.sim('GET', `/workspaces/${other.id}`, bearer(old.controlToken))).status).toBe(401)
  expect((await app.sim('GET', `/workspaces/${other.id}`, bearer(other.controlToken))).status).toBe(200)
  const again = await makeWorkspace(await controlApp({ seed: 'one' }))
  expect(new Set([old, other, again].map(({ controlToken }) => controlToken)).size).toBe(3)
})

describe('keys of a workspace', () => {
  test('are created, listed and deleted with the control token', async () => {
    const app = await controlApp({ adminToken: 'right' })
    const created = await app.sim('POST', '/workspaces', { body: {}, ...bearer('right') })
    const { workspace, controlToken, key, user } = created.body
    const path = `/workspaces/${workspace.id as string}/keys`
    const token = bearer(controlToken as string)
    const body = { scopes: ['products:read'], interfaces: ['catalog'] }
    const answer = await app.sim('POST', path, { body, ...token })
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        key: expect.stringMatching(/^sim_\w{32}$/),
        workspaceId: workspace.id,
        userId: user.id,
        ...body,
        expiresAt: null,
        createdAt: expect.any(String),
      },
    ])
    const made = answer.body.key as string
    expect((await app.call('GET', '/workspace/public/v1/products', made)).status).toBe(200)
    const keys = (await app.sim('GET', path, token)).body.data as { key: string }[]
    expect(keys.map((each) => each.key)).toEqual([key, made])
    expect((await app.sim('DELETE', `${path}/${made}`, token)).status).toBe(204)
    expect((await app.call('GET', '/workspace/public/v1/products', made)).status).toBe(401)
    expect((await app.sim('DELETE', `${path}/${made}`, token)).status).toBe(404)
  })

  test('without a body gets all scopes and interfaces', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const { status, body } = await app.sim('POST', `/workspaces/${id}/keys`)
    expect([status, body.scopes, body.interfaces]).toEqual([201, ['*'], ['*']])
  })

  test('are refused with a wrong scope, an unknown field or an unknown workspace, and nothing is created', async () => {
    const { sim, ...app } = await controlApp()
    const { id } = await makeWorkspace({ sim, ...app })
    const path = `/workspaces/${id}/keys`
    expect((await sim('POST', path, { body: { scopes: ['product:read'] } })).status).toBe(400)
    expect((await sim('POST', path, { body: { workspaceId: id } })).status).toBe(400)
    expect((await sim('POST', '/workspaces/nobody/keys')).status).toBe(404)
    expect((await sim('GET', '/workspaces/nobody/keys')).status).toBe(404)
    expect((await sim('GET', path)).body.data).toHaveLength(1)
  })

  test('of another workspace stay', async () => {
    const app = await controlApp()
    const own = await makeWorkspace(app)
    const other = await makeWorkspace(app)
    expect((await app.sim('DELETE', `/workspaces/${own.id}/keys/${other.key}`)).status).toBe(404)
    expect((await app.call('GET', '/workspace/public/v1/products', other.key)).status).toBe(200)
  })
})
