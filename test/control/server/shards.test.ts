/** Names of servers among several behind one proxy: in ids, keys, URLs and answers. */
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { keyPrefix } from '../../../src/state/workspace/shard.ts'
import { scratchFolder } from '../../support/process.ts'
import { buildApp } from '../../support/subject.ts'
import { controlApp, makeWorkspace, type ControlApp, type Made } from '../app.ts'

const SMALL = { fixtures: 'small' }

const shard = (name = 's1') => controlApp({ shard: name })

describe('a server with the shard name s1', () => {
  test('starts the ids and keys of its workspaces with it', async () => {
    const app = await shard()
    const { id, key } = await makeWorkspace(app)
    expect(id).toMatch(/^s1-[\w-]{21}$/)
    expect(key).toMatch(/^sim_s1_[A-Za-z0-9]{32}$/)

    const { body } = await app.sim('POST', '/keys', { body: { workspaceId: id } })
    expect(body.key).toMatch(/^sim_s1_/)
    const clone = await app.sim('POST', `/workspaces/${id}/clone`)
    expect(clone.body.workspace.id).toMatch(/^s1-/)
    expect(clone.body.key).toMatch(/^sim_s1_/)
  })

  test('names itself in its answers, its health and its list of workspaces', async () => {
    const app = await shard()
    const { key } = await makeWorkspace(app)
    expect((await app.sim('GET', '/health')).body).toMatchObject({ status: 'ok', shard: 's1' })
    const list = await app.sim('GET', '/workspaces')
    expect(list.body).toMatchObject({ shard: 's1', data: [{}] })
    expect(list.headers['x-sim-shard']).toBe('s1')
    expect((await app.call('GET', '/crm/v1/contacts', key)).headers['x-sim-shard']).toBe('s1')
    expect((await app.call('GET', '/crm/v1/contacts', 'sim_x')).headers['x-sim-shard']).toBe('s1')
    const page = await app.fastify.inject('/pay/links/nowhere/none')
    expect(page.headers['x-sim-shard']).toBe('s1')
  })

  test('names itself in the handshake of a WebSocket', async () => {
    const app = await shard()
    const { key } = await makeWorkspace(app)
    const url = (await app.listen({ host: '127.0.0.1', port: 0 })).replace('http', 'ws')
    const socket = new WebSocket(`${url}/chat/cable?pubsub_token=${key}`, ['actioncable-v1-json'])
    onTestFinished(() => {
      socket.terminate()
    })
    const [answer] = (await once(socket, 'upgrade')) as [{ headers: Record<string, string> }]
    expect(answer.headers['x-sim-shard']).toBe('s1')
  })

  test('accepts its name as the parameter shard of every call of the control plane', async () => {
    const app = await shard()
    const { id } = await makeWorkspace(app)
    for (const path of ['/workspaces', '/health', '/coverage', '/requests', '/triggers', `/workspaces/${id}`])
      expect((await app.sim('GET', `${path}?shard=s1`)).status).toBe(200)
    expect((await app.sim('GET', '/requests?limit=1&shard=s1&unmatched=true')).status).toBe(200)
  })

  test.each(['s2', '', 'S1', 's1,s2'])('refuses the parameter shard %j', async (name) => {
    const { status, body } = await (await shard()).sim('GET', `/workspaces?shard=${name}`)
    expect(status).toBe(400)
    expect(body.error.message).toContain('shard must be s1, because this call reached shard s1')
  })

  test('says which shard a workspace or a key of another belongs to', async () => {
    const app = await shard()
    const unknown = await app.sim('POST', '/keys', { body: { workspaceId: 's2-abc' } })
    expect(unknown.status).toBe(404)
    expect(unknown.body.error.message).toBe(
      'There is no workspace s2-abc. The workspace belongs to shard s2, and this is shard s1.',
    )
    expect((await app.sim('GET', '/workspaces/s2-abc')).body.error.message).toContain('shard s2')
    expect((await app.sim('GET', '/workspaces/s1-abc')).body.error.message).toBe(
      'There is no workspace s1-abc.',
    )
    expect((await app.sim('GET', '/workspaces/abc')).body.error.message).toBe('There is no workspace abc.')

    const foreign = await app.call('GET', '/crm/v1/contacts', 'sim_s2_abcdefgh')
    expect(foreign.status).toBe(401)
    expect(foreign.text).toContain('The key belongs to shard s2, and this is shard s1.')
    expect((await app.call('GET', '/crm/v1/contacts', 'sim_s1_abc')).text).not.toContain('belongs')
    expect((await app.call('GET', '/crm/v1/contacts', 'my-key')).text).not.toContain('belongs')
  })

  test('gives the same ids for a seed, which other shards do not give', async () => {
    const made = async (name: string): Promise<Made> =>
      makeWorkspace(await controlApp({ shard: name, seed: 'one' }))
    const [first, again, other] = [await made('s1'), await made('s1'), await made('s2')]
    expect(again).toEqual({ ...first, controlToken: again.controlToken })
    expect(other.id).not.toBe(first.id)
    expect(other.key.slice(7)).not.toBe(first.key.slice(7))
  })

  test('keeps the names of a fixture', async () => {
    const app = await controlApp({ shard: 's1', ...SMALL })
    expect(app.demoKey).toBe('demo-key')
    expect((await app.sim('GET', '/workspaces/demo')).status).toBe(200)
    expect((await app.call('GET', '/crm/v1/contacts', 'demo-key')).status).toBe(200)
  })
})

describe('a server without a shard name', () => {
  test('neither names one nor accepts the parameter', async () => {
    const app: ControlApp = await controlApp()
    const { id, key } = await makeWorkspace(app)
    expect(id).toMatch(/^[\w-]{21}$/)
    expect(key).toMatch(/^sim_[A-Za-z0-9]{32}$/)
    const list = await app.sim('GET', '/workspaces')
    expect(list.headers).not.toHaveProperty('x-sim-shard')
    expect(list.body).not.toHaveProperty('shard')
    const refused = await app.sim('GET', '/workspaces?shard=s1')
    expect(refused.status).toBe(400)
    expect(refused.body.error.message).toContain('shard is not a known query parameter')
  })

  test('says which shard a key belongs to', async () => {
    const answer = await (await controlApp()).call('GET', '/crm/v1/contacts', 'sim_s2_abcdefgh')
    expect(answer.text).toContain('The key belongs to shard s2, and this server has no shard name.')
  })
})

describe('a database file', () => {
  test.each([
    ['s1', 's1', null],
    [null, null, null],
    ['s1', 's2', 'was made as shard s1: start with --shard s1'],
    ['s1', null, 'was made as shard s1: start with --shard s1'],
    [null, 's1', 'was made without a shard name: start without --shard'],
  ])('made by shard %s and opened by shard %s', async (maker, opener, refusal) => {
    const db = join(scratchFolder(), 'suite.sqlite')
    await (await buildApp({ db, shard: maker })).close()
    const opened = buildApp({ db, shard: opener })
    if (refusal === null) await (await opened).close()
    else {
      await expect(opened).rejects.toThrow(refusal)
      // The refusal changes nothing.
      await (await buildApp({ db, shard: maker })).close()
    }
  })

  test('keeps its shard after a reset of the whole server', async () => {
    const db = join(scratchFolder(), 'suite.sqlite')
    const app = await controlApp({ db, shard: 's1', ownApp: true })
    expect((await app.sim('POST', '/reset')).status).toBe(204)
    await app.close()
    await expect(buildApp({ db })).rejects.toThrow('was made as shard s1')
  })
})

test('prefixes of control tokens name the shard', () => {
  expect(keyPrefix('simctl', 's1')).toBe('simctl_s1_')
  expect(keyPrefix('simctl', null)).toBe('simctl_')
})
