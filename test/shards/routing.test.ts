/**
 * Calls through HAProxy with the shipped configuration reach the shard of their workspace. Witnesses are the header
 * X-Sim-Shard of the answers, and the journals, which are read past the proxy.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { plainClient } from '../support/cables.ts'
import { everyDocument, type PublishedDocument } from '../support/documents.ts'
import { build } from '../support/process.ts'
import { INTERFACES } from '../support/subject.ts'
import { describeWith } from '../support/toolchains.ts'
import { exampleRequest } from '../support/verbatim.ts'
import { ADMIN_TOKEN, ask, Cluster, type Reply, type Shard } from './cluster.ts'

interface Tenant {
  readonly id: string
  readonly accountId: number
  readonly key: string
  readonly shard: Shard
}

interface Entry {
  readonly method: string
  readonly path: string
  readonly status: number
}

/** Replaces the account of the demo. Forms are submitted without a key; the published URL names the workspace. */
const withWorkspace = (path: string, { id, accountId }: Tenant): string =>
  path.endsWith('/submit')
    ? `${path}?workspace=${id}`
    : path.replace('/accounts/1/', `/accounts/${String(accountId)}/`)

const DOCUMENTS = everyDocument('http://proxy').filter(({ name }) => name !== 'the whole suite')
const CONTROL = DOCUMENTS.filter(({ name }) => name === 'control')

describeWith('HAProxy', 'through HAProxy', () => {
  const children: ChildProcess[] = []
  const folder = mkdtempSync(join(tmpdir(), 'suite-sim-shards-'))
  let cluster: Cluster

  beforeAll(async () => {
    build()
    cluster = await Cluster.start({
      names: ['s1', 's2'],
      folder,
      watch: (child) => children.push(child),
    })
  })
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  async function tenant(name: 's1' | 's2', fixtures = 'demo'): Promise<Tenant> {
    for (;;) {
      const { status, shard, body } = await cluster.sim('POST', '/workspaces', { fixtures })
      expect(status).toBe(201)
      const { workspace, key } = body as { workspace: Pick<Tenant, 'id' | 'accountId'>; key: string }
      if (shard === name) return { ...workspace, key, shard: cluster.shard(shard) }
    }
  }

  const journalOf = async ({ id, shard }: Tenant): Promise<readonly Entry[]> =>
    (await shard.sim<{ data: Entry[] }>(`/workspaces/${id}/requests`)).data

  const send = async ({ shard }: Tenant, path: string, init: RequestInit): Promise<Reply> => {
    const reply = await ask(cluster.url + path, init)
    expect(reply.shard, path).toBe(shard.name)
    return reply
  }

  test('new workspaces are created on each shard in turn', async () => {
    const shards = []
    for (let made = 0; made < 6; made++) shards.push((await cluster.sim('POST', '/workspaces')).shard)
    expect(shards.filter((name) => name === 's1')).toHaveLength(3)
    expect(shards.filter((name) => name === 's2')).toHaveLength(3)
  })

  describe.each(['s1', 's2'] as const)('a workspace of %s', (name) => {
    const all = DOCUMENTS.filter((each) => !CONTROL.includes(each))

    test.each(all.map((each) => [each.name, each] as const))(
      'gets all examples of %s, and its journal has each',
      async (_name, { document, operations, name: of }: PublishedDocument) => {
        const owner = await tenant(name)
        const { basePath } = INTERFACES.find((each) => each.name === of) ?? { basePath: '' }
        let sent = 0
        for (const each of operations) {
          const example = exampleRequest(document, each, owner.key)
          if (!example) continue
          const reset = await cluster.sim('POST', `/workspaces/${owner.id}/reset`)
          expect({ status: reset.status, shard: reset.shard }).toEqual({ status: 204, shard: name })
          const path = basePath + withWorkspace(example.path, owner)
          const { status, body } = await send(owner, path, example.init)
          expect(status, `${each.title}: ${JSON.stringify(body)}`).toBeLessThan(300)
          expect((await journalOf(owner))[0], each.title).toMatchObject({ method: each.method, status })
          sent++
        }
        expect(sent).toBeGreaterThan(0)
      },
    )

    test('gets all examples of the control plane', async () => {
      for (const { document, operations } of CONTROL) {
        for (const each of operations) {
          const example = exampleRequest(document, each, ADMIN_TOKEN)
          if (!example) continue
          const owner = await tenant(name)
          const path = example.path
            .replace('/workspaces/demo', `/workspaces/${owner.id}`)
            .replace('workspaceId=demo', `workspaceId=${owner.id}`)
            .replace('/keys/demo-key', `/keys/${owner.key}`)
          const { body } = example.init
          const headers = { ...(example.init.headers as object), authorization: `Bearer ${ADMIN_TOKEN}` }
          const changed =
            typeof body === 'string'
              ? body.replace('"workspaceId":"demo"', `"workspaceId":"${owner.id}"`)
              : body
          const reply = await ask(`${cluster.url}/_sim${path}`, {
            ...example.init,
            headers,
            body: changed ?? null,
          })
          // A backup is for the machine of the server alone; a reset needs --allow-reset.
          if (['POST /backup', 'POST /reset'].includes(each.title)) expect(reply.status).toBe(403)
          else expect(reply.status, `${each.title}: ${JSON.stringify(reply.body)}`).toBeLessThan(300)
          const isOfWorkspace = path !== example.path || changed !== body
          expect(isOfWorkspace ? [name] : ['s1', 's2'], each.title).toContain(reply.shard)
        }
      }
    })

    test('is reached by every URL in its answers, without a key', async () => {
      const owner = await tenant(name)
      const urls = new Set<string>()
      for (const { document, operations, name: of } of DOCUMENTS) {
        const { basePath } = INTERFACES.find((each) => each.name === of) ?? { basePath: '' }
        for (const each of operations.filter(
          ({ method, path }) => method === 'GET' && !path.includes('/export'),
        )) {
          const example = exampleRequest(document, each, owner.key)
          if (!example || of === 'control') continue
          const { body } = await send(owner, basePath + withWorkspace(example.path, owner), example.init)
          for (const [, slug] of JSON.stringify(body).matchAll(/"slug":"(\w[^"]*--[^"]+)"/g))
            for (const page of ['f', 'embed']) urls.add(`${cluster.url}/forms/${page}/${slug ?? ''}`)
          for (const [url] of JSON.stringify(body).matchAll(new RegExp(`${cluster.url}/[^"\\\\\\s<]+`, 'g')))
            urls.add(url)
        }
      }
      const prefixes = INTERFACES.flatMap(({ pagesPath = [] }) => pagesPath)
      const opened = [...urls].filter((url) =>
        [...prefixes, '/files', '/forms/embed'].some((prefix) => url.startsWith(`${cluster.url}${prefix}/`)),
      )
      expect(opened.length).toBeGreaterThan(20)
      for (const url of opened) {
        const { status } = await send(owner, url.slice(cluster.url.length), {})
        // Vacancies that are not open have a URL, but no page.
        expect([200, 404], url).toContain(status)
      }
      // Files of documents need the key.
      for (const url of urls) {
        const headers = { authorization: `Bearer ${owner.key}`, 'x-api-key': owner.key }
        await send(owner, url.slice(cluster.url.length), { headers })
      }
    })

    test.each(
      INTERFACES.flatMap(({ pagesPath = [], framedPagesPath = [] }) => [pagesPath, framedPagesPath].flat()),
    )('is reached by all pages below %s', async (path) => {
      const owner = await tenant(name, 'none')
      const isForm = path.startsWith('/forms')
      const { status } = await send(
        owner,
        `${path}/${isForm ? 'a-form--' : ''}${owner.id}${isForm ? '' : '/x'}`,
        {},
      )
      expect(status).toBe(404)
    })

    test.each([
      ['workspace', ({ id }: Tenant) => id],
      ['pubsub_token', ({ key }: Tenant) => key],
    ])('is reached by the cable with ?%s=', async (parameter, valueOf) => {
      const owner = await tenant(name)
      const url = `${cluster.url.replace('http', 'ws')}/chat/cable?${parameter}=${valueOf(owner)}`
      const client = await plainClient(url)
      expect((await client.next()).type).toBe('welcome')
      client.send('subscribe', { channel: 'RoomChannel', pubsub_token: owner.key })
      expect((await client.next()).type).toBe('confirm_subscription')
      expect((await journalOf(owner)).map(({ path }) => path)).toContain('/chat/cable')
    })

    test('creates, lists and deletes keys', async () => {
      const owner = await tenant(name, 'none')
      const made = await cluster.sim('POST', '/keys', { workspaceId: owner.id })
      expect({ status: made.status, shard: made.shard }).toEqual({ status: 201, shard: name })
      const { key } = made.body as { key: string }
      const list = await cluster.sim('GET', `/keys?workspaceId=${owner.id}`)
      expect(list).toMatchObject({ status: 200, shard: name })
      expect(list.body).toMatchObject({ data: [{ key: owner.key }, { key }] })
      expect(await cluster.sim('DELETE', `/keys/${key}`)).toMatchObject({ status: 204, shard: name })
    })
  })

  test('a fault that closes the connection applies once to each call', async () => {
    const owner = await tenant('s2', 'none')
    const path = '/crm/v1/contacts'
    const authorization = `Bearer ${owner.key}`
    const closeNext = async (times: number): Promise<void> => {
      const fault = { method: 'GET', path, reset: true, times }
      expect((await cluster.sim('POST', `/workspaces/${owner.id}/faults`, fault)).status).toBe(201)
    }
    const statusOf = async (agent: Agent | false): Promise<number | undefined> => {
      const sent = get(cluster.url + path, { agent, headers: { authorization } })
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      await once(answer.resume(), 'end')
      return answer.statusCode
    }
    await closeNext(2)
    const statuses = []
    for (let sent = 0; sent < 3; sent++) statuses.push(await statusOf(false))
    expect(statuses).toEqual([502, 502, 200])

    // HAProxy closes a connection that has had an answer, so the client sees the fault itself.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => {
      agent.destroy()
    })
    expect(await statusOf(agent)).toBe(200)
    await closeNext(1)
    await expect(statusOf(agent)).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(await statusOf(agent)).toBe(200)
    expect(await journalOf(owner)).toHaveLength(6)
  })

  test('no call reached a server that does not know its key', async () => {
    for (const shard of cluster.shards) {
      const { data } = await shard.sim<{ data: Entry[] }>('/requests')
      expect(data.filter(({ path }) => !path.startsWith('/_sim'))).toEqual([])
    }
  })

  test('?shard= chooses the shard of calls that concern a server', async () => {
    for (const name of ['s1', 's2']) {
      for (const path of ['/workspaces', '/metrics', '/coverage', '/health', '/requests', '/']) {
        const reply = await cluster.sim('GET', `${path}?shard=${name}`)
        expect(reply, path).toMatchObject({ status: 200, shard: name })
      }
    }
  })

  test('calls that name no shard are answered by the first one, which names itself', async () => {
    for (const path of ['/_sim/', '/_sim/health', '/_sim/openapi.json', '/pay/links/style.css'])
      expect((await ask(cluster.url + path)).shard, path).toBe('s1')
    const list = await cluster.sim('GET', '/workspaces')
    expect(list.body).toMatchObject({ shard: 's1' })
    expect(list.headers.get('x-sim-shards')).toBe('s1, s2')
  })

  test('a key or a workspace of a shard that does not exist gets an answer that names it', async () => {
    const headers = { authorization: 'Bearer sim_s9_abcdefgh' }
    const foreign = await ask(`${cluster.url}/crm/v1/contacts`, { headers })
    expect(foreign).toMatchObject({ status: 401, shard: 's1' })
    expect(JSON.stringify(foreign.body)).toContain('belongs to shard s9')
    const refused = await cluster.sim('GET', '/workspaces?shard=s9')
    expect(refused.status).toBe(400)
    const unknown = await cluster.sim('POST', '/keys', { workspaceId: 's9-abc' })
    expect(unknown.status).toBe(404)
    expect(JSON.stringify(unknown.body)).toContain('belongs to shard s9')
  })
})
