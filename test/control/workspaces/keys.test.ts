import { SCOPES } from '@suite-sim/kit/scopes'
import { describe, expect, test } from 'vitest'
import { controlApp, error, makeWorkspace } from '../app.ts'

const PRODUCTS = '/workspace/public/v1/products'
const ACTIVITIES = '/workspace/public/v1/activities'

describe('creating a key', () => {
  test('for a workspace without other fields returns a key of its first user with all permissions', async () => {
    const app = await controlApp()
    const { id, userId } = await makeWorkspace(app)
    const answer = await app.sim('POST', '/keys', { body: { workspaceId: id } })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      key: expect.stringMatching(/^sim_\w{32}$/),
      workspaceId: id,
      userId,
      scopes: ['*'],
      interfaces: ['*'],
      expiresAt: null,
      createdAt: expect.any(String),
    })
    expect((await app.call('GET', PRODUCTS, answer.body.key as string)).status).toBe(200)
  })

  test('with scopes returns a key with exactly these', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const body = { workspaceId: id, scopes: ['products:read', 'invoices:read'] }
    const answer = await app.sim('POST', '/keys', { body })
    expect(answer.body.scopes).toEqual(body.scopes)
    const key = answer.body.key as string
    expect((await app.call('GET', PRODUCTS, key)).status).toBe(200)
    expect((await app.call('POST', PRODUCTS, key, { name: 'Desk', type: 'physical' })).status).toBe(403)
    expect((await app.call('GET', ACTIVITIES, key)).status).toBe(403)
  })

  test.each([
    ['product:read', 'did you mean products:read?'],
    ['products:*', 'scopes.1'],
    ['crm', 'the scopes are *, activities:create'],
    ['__proto__', 'the scopes are *'],
  ])('refuses the scope %s, which no operation requires', async (scope, words) => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const body = { workspaceId: id, scopes: ['crm:read', scope] }
    const answer = await app.sim('POST', '/keys', { body })
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(words)])
    expect((await app.sim('GET', `/keys?workspaceId=${id}`)).body.data).toHaveLength(1)
  })

  test('accepts each scope of the specification', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const answer = await app.sim('POST', '/keys', { body: { workspaceId: id, scopes: ['*', ...SCOPES] } })
    expect(answer.status).toBe(201)
  })

  test('without any scope returns a key with no permissions', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const { body } = await app.sim('POST', '/keys', { body: { workspaceId: id, scopes: [] } })
    expect((await app.call('GET', PRODUCTS, body.key as string)).status).toBe(403)
  })

  test('with interfaces returns a key for exactly these', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const make = async (interfaces: string[]) => {
      const answer = await app.sim('POST', '/keys', { body: { workspaceId: id, interfaces } })
      expect(answer.body.interfaces).toEqual(interfaces)
      return (await app.call('GET', PRODUCTS, answer.body.key as string)).status
    }
    expect(await make(['catalog', 'crm'])).toBe(200)
    expect(await make(['*'])).toBe(200)
    expect(await make(['pos'])).toBe(403)
  })

  test('with an expiry returns a key that expires by the clock of the workspace', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const clock = async (now: string) =>
      app.sim('PUT', `/workspaces/${id}/clock`, { body: { now, frozen: true } })
    await clock('2030-01-01T00:00:00Z')
    const body = { workspaceId: id, expiresAt: '2030-01-01T13:00:00+01:00' }
    const answer = await app.sim('POST', '/keys', { body })
    expect(answer.body).toMatchObject({
      expiresAt: '2030-01-01T12:00:00.000Z',
      createdAt: '2030-01-01T00:00:00.000Z',
    })
    const status = async () => (await app.call('GET', PRODUCTS, answer.body.key as string)).status
    await clock('2030-01-01T11:59:59.999Z')
    expect(await status()).toBe(200)
    await clock('2030-01-01T12:00:00Z')
    expect(await status()).toBe(401)
  })

  test('with a null expiry returns a key that does not expire', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const { body } = await app.sim('POST', '/keys', { body: { workspaceId: id, expiresAt: null } })
    expect(body.expiresAt).toBe(null)
  })

  test.each([
    [{}, 'workspaceId'],
    [{ workspaceId: 7 }, 'workspaceId'],
    [{ scopes: 'products:read' }, 'scopes'],
    [{ scopes: [''] }, 'scopes.0'],
    [{ scopes: [1] }, 'scopes.0'],
    [{ interfaces: ['catalogue'] }, 'interfaces.0'],
    [{ interfaces: ['catalog', 'control'] }, 'interfaces.1'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ expiresAt: 0 }, 'expiresAt'],
    [{ userId: null }, 'userId'],
  ])('refuses %j', async (fields, field) => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const body = Object.keys(fields).length === 0 ? {} : { workspaceId: id, ...fields }
    const answer = await app.sim('POST', '/keys', { body })
    expect(answer.status).toBe(400)
    expect(answer.body.error.details[0].field).toBe(field)
    expect((await app.sim('GET', `/keys?workspaceId=${id}`)).body.data).toHaveLength(1)
  })

  test('refuses a user of another workspace', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const other = await makeWorkspace(app)
    const body = { workspaceId: id, userId: other.userId }
    const answer = await app.sim('POST', '/keys', { body })
    expect(answer.status).toBe(400)
    expect(answer.body.error.details).toEqual([
      { field: 'userId', code: 'unknown', message: 'must be a user of the workspace' },
    ])
  })

  test('returns 404 for an unknown workspace', async () => {
    const { sim } = await controlApp()
    const answer = await sim('POST', '/keys', { body: { workspaceId: 'nobody' } })
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual(error('not_found', 'There is no workspace nobody.'))
  })
})

describe('body', () => {
  test.each([
    [1_048_576, 400],
    [1_048_577, 413],
  ])('of %i bytes returns %i', async (size, status) => {
    const { sim } = await controlApp()
    expect((await sim('POST', '/keys', { raw: '{}'.padEnd(size) })).status).toBe(status)
  })
})

describe('listing keys', () => {
  test('returns those of the workspace in order of creation', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app)
    await makeWorkspace(app)
    const made = (await app.sim('POST', '/keys', { body: { workspaceId: id, scopes: ['crm:read'] } })).body
    const { status, body } = await app.sim('GET', `/keys?workspaceId=${id}`)
    expect(status).toBe(200)
    expect(body).toEqual({ data: [expect.objectContaining({ key }), made] })
  })

  test('requires a workspace', async () => {
    const { sim } = await controlApp()
    expect((await sim('GET', '/keys')).status).toBe(400)
    expect((await sim('GET', '/keys?workspaceId=')).status).toBe(400)
    expect((await sim('GET', '/keys?workspaceId=nobody')).status).toBe(404)
  })
})

describe('deleting a key', () => {
  test('revokes it immediately, and no other', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app)
    const { body } = await app.sim('POST', '/keys', { body: { workspaceId: id } })
    const second = body.key as string
    expect((await app.call('GET', PRODUCTS, second)).status).toBe(200)
    const answer = await app.sim('DELETE', `/keys/${second}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await app.call('GET', PRODUCTS, second)).status).toBe(401)
    expect((await app.call('GET', PRODUCTS, key)).status).toBe(200)
  })

  test('returns 404 for an unknown key without repeating it', async () => {
    const { sim } = await controlApp()
    const answer = await sim('DELETE', '/keys/sim_nothing')
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual(error('not_found', 'The key does not exist.'))
  })
})
