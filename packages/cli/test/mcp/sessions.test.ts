/** Sessions of agents: what they are confined to, how the journal names them, and how they end. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { SessionKeys } from '../../src/mcp/keys.ts'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { Remote } from '@suite-sim/kit/terminal/remote'
import { BINARY, build, stopAfterTest } from '../../../../test/support/process.ts'
import {
  connected,
  keysOf,
  mcp,
  parsed,
  requestsOf,
  serverUrl,
  sessionAt,
  sessionOver,
  statusOf,
  type Found,
  type Session,
} from './connected.ts'

beforeAll(build)

const contacts = { interface: 'crm', operation: 'listContacts' }

test('without control in --interface has nothing of the control plane', async () => {
  const { client, names, call } = await connected('--tools', 'all', '--interface', 'crm')
  const all = await names()
  expect(all.filter((name) => !name.startsWith('crm_'))).toEqual([
    'search_operations',
    'describe_operation',
    'call_operation',
    'readAnswer',
  ])
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
    'suite-sim://openapi/crm.json',
  ])
  await expect(call('getWorkspace')).rejects.toThrow(
    'There is no tool getWorkspace. search_operations finds what the session can call.',
  )
  for (const uri of [
    'suite-sim://openapi/control.json',
    'suite-sim://llms.txt',
    'suite-sim://docs/agents.md',
  ])
    await expect(client.readResource({ uri })).rejects.toThrow('There is no resource')
  const everything = JSON.stringify([await client.listTools(), client.getInstructions()])
  expect(everything).not.toMatch(/_sim\b|demo-key|llms\.txt/)
  expect(await call('call_operation', { ...contacts, workspace: 'other' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('workspace is not a known argument'),
  })
  const getClock = { interface: 'control', operation: 'getClock' }
  for (const tool of ['describe_operation', 'call_operation']) {
    expect(await call(tool, getClock)).toMatchObject({
      isError: true,
      text: 'interface must be one of crm; it was "control"',
    })
  }
  const { data } = parsed<Found>(await call('search_operations', { words: 'clock faults deliveries' }))
  expect(data.filter((each) => each.interface !== 'crm')).toEqual([])
  const { texts } = await call('crm_createContact', { body: { name: 'Zoe', colour: 'red' } })
  expect(texts.join('\n')).not.toContain('Hints')
})

test('with --interface has the operations and a key of those interfaces', async () => {
  const { call, client, url } = await connected('--interface', 'payments,crm', '--workspace', 'demo')
  const { data } = parsed<Found>(await call('search_operations', { words: 'webhook', limit: 50 }))
  expect(new Set(data.map((each) => each.interface))).toEqual(new Set(['crm', 'payments']))
  expect(await call('call_operation', { interface: 'catalog', operation: 'listProducts' })).toMatchObject({
    isError: true,
    text: 'interface must be one of crm, payments; it was "catalog"',
  })
  await call('call_operation', contacts)
  expect((await keysOf(url)).at(-1)).toMatchObject({ interfaces: ['crm', 'payments'], scopes: ['*'] })
  expect(client.getInstructions()).toContain('The interfaces are crm (CRM), payments (Payments).')
})

const scoped = ['--workspace', 'demo', '--scopes', 'crm:read', '--interface', 'crm,forms']

/** Calls what a session with `scoped` may do and what not. Returns the keys without that of the session. */
async function callScoped({ call, url }: Session) {
  const keys = await keysOf(url)
  expect(keys.at(-1)).toMatchObject({ scopes: ['crm:read'] })
  expect(statusOf(await call('call_operation', contacts))).toBe(200)
  const refused = await call('call_operation', {
    ...{ interface: 'crm', operation: 'createContact' },
    body: { name: 'Zoe' },
  })
  expect([refused.isError, statusOf(refused)]).toEqual([true, 403])
  return keys.slice(0, -1)
}

test.each(['stdin', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'with --scopes makes a key with these scopes, and deletes it at %s',
  async (end) => {
    const session = await connected(...scoped)
    const before = await callScoped(session)
    if (end === 'stdin') await session.client.close()
    else {
      const closed = new Promise<void>((resolve) => (session.client.onclose = resolve))
      session.signal(end)
      await closed
    }
    expect(await keysOf(session.url)).toEqual(before)
  },
)

test('serves a client that starts it as a process, and deletes its key at a signal', async () => {
  const url = await serverUrl()
  const args = [BINARY, 'mcp', '--url', url, ...scoped]
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' })
  const session = await sessionOver(transport, url)
  const before = await callScoped(session)
  const closed = new Promise<void>((resolve) => (session.client.onclose = resolve))
  process.kill(transport.pid ?? 0, 'SIGTERM')
  await closed
  expect(await keysOf(url)).toEqual(before)
})

test('with --read-only offers and calls only GET operations', async () => {
  const { call, client, url } = await connected(
    ...['--read-only', '--tools', 'all', '--interface', 'crm,payments'],
  )
  const { tools } = await client.listTools()
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([])
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['crm_listContacts', 'crm_getContact']),
  )
  const found = parsed<Found>(await call('search_operations', { words: 'contact', limit: 50 }))
  expect(new Set(found.data.map(({ method }) => method))).toEqual(new Set(['GET']))
  const args = { interface: 'crm', operation: 'createContact', body: { name: 'Zoe' } }
  expect(await call('call_operation', args)).toMatchObject({
    isError: true,
    text: expect.stringContaining('This session is read-only (--read-only)'),
  })
  await expect(call('crm_createContact', { body: { name: 'Zoe' } })).rejects.toThrow('There is no tool')
  expect(statusOf(await call('crm_listContacts'))).toBe(200)
  expect((await requestsOf(url)).map(({ operation }) => operation)).toEqual(['listContacts'])
})

test('works with the control token of its workspace, and sends it to no interface', async () => {
  const url = await serverUrl({ adminToken: 'secret' })
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    return (await (await fetch(`${url}/_sim${path}`, init)).json()) as never
  }
  const made: { workspace: { id: string }; controlToken: string } = await ask('POST', '/workspaces', {})
  const path = `/workspaces/${made.workspace.id}`
  const flags = ['--admin-token', made.controlToken, '--workspace', made.workspace.id]
  const { call, client } = await sessionAt(url, ...flags, '--tools', 'all', '--scopes', 'crm:read')
  expect(statusOf(await call('call_operation', contacts))).toBe(200)
  expect(statusOf(await call('call_operation', { interface: 'forms', operation: 'listForms' }))).toBe(200)
  expect(JSON.parse((await call('getClock')).text)).toMatchObject({ now: expect.any(String) })
  const { data }: { data: { request: { headers: object } }[] } = await ask('GET', `${path}/requests`)
  expect(JSON.stringify(data)).not.toContain(made.controlToken)
  await client.close()
  const keys: { data: object[] } = await ask('GET', `${path}/keys`)
  expect(keys.data).toHaveLength(1)
})

test('is the caller in the journal: as --session says, or else named after the client', async () => {
  const url = await serverUrl()
  const named = await sessionAt(url, '--session', 'run 7', '--tools', 'all', '--interface', 'crm')
  const other = await sessionAt(url, '--workspace', 'demo')
  await named.call('crm_listContacts')
  await other.call('call_operation', contacts)
  const callers = (await requestsOf(url)).map(({ caller }) => caller?.name)
  expect(callers).toEqual([expect.stringMatching(/^test-client-\d{8}T\d{6}-\d+$/), 'run 7'])
  expect(await requestsOf(url, 'caller=run%207')).toHaveLength(1)
})

test.each([
  [['--interface', INTERFACE_NAMES.join(',')], true],
  [['--interface', 'crm,payments'], false],
  [[], false],
])('with all operations as tools warns that clients accept fewer: %j', async (flags, warns) => {
  const url = await serverUrl()
  const { code, stderr } = await mcp(url, ['--tools', 'all', ...flags])
  expect(code).toBe(0)
  expect(stderr.includes('many clients accept only 128; choose interfaces with --interface')).toBe(warns)
})

/** A server that answers nothing to some requests. `pending` resolves with the first of them. */
async function silentAt(isPending: RegExp) {
  const url = await serverUrl()
  const proxy = createServer((request, response) => {
    const { method = '', url: path = '' } = request
    if (isPending.test(`${method} ${path}`)) proxy.emit('pending')
    else {
      const headers = { 'content-type': 'application/json' }
      void fetch(url + path, { method, headers, ...(method === 'POST' && { body: '{}' }) }).then(
        async (answer) => {
          response.writeHead(answer.status, headers)
          response.end(await answer.text())
        },
      )
    }
  })
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const { port } = proxy.address() as AddressInfo
  return { url: `http://127.0.0.1:${String(port)}`, pending: once(proxy, 'pending') }
}

test.each([
  ['at its first request', /^GET \/$/, [null, 'SIGTERM']],
  ['while it reads a document', /^GET .*\/openapi\/crm\.json$/, [0, null]],
])('ends at a signal if the server does not answer %s', async (_when, isPending, end) => {
  const { url, pending } = await silentAt(isPending)
  const args = [BINARY, 'mcp', '--url', url, '--tools', 'all', '--interface', 'crm']
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] })
  stopAfterTest(child)
  const exit = once(child, 'exit')
  await pending
  child.kill('SIGTERM')
  expect(await exit).toEqual(end)
})

test('waits a limited time for the answer about its key when it ends', async () => {
  const making = await silentAt(/^POST .*\/keys$/)
  const keys = new SessionKeys(new Remote(making.url), {}, 10)
  void keys.of('demo').catch(() => undefined)
  await making.pending
  expect(await keys.close()).toEqual([
    'the key of this session in demo may exist: the server does not respond',
  ])
  const deleting = await silentAt(/^DELETE /)
  const others = new SessionKeys(new Remote(deleting.url), {}, 10)
  await others.of('demo')
  expect(await others.close()).toEqual([
    'the key of this session in demo was not deleted: the server does not respond',
  ])
})

test('ends with its key deleted after a message that is too long', async () => {
  const url = await serverUrl()
  const before = await keysOf(url)
  const flags = ['--workspace', 'demo', '--interface', 'crm', '--scopes', 'crm:read']
  const { code, stderr } = await mcp(url, flags, 'a'.repeat(25_165_825))
  expect(code).toBe(0)
  expect(stderr).toContain('exceeded maximum size of 25165824 bytes')
  expect(await keysOf(url)).toEqual(before)
})

test('answers all requests of a client that closes its input early', async () => {
  const url = await serverUrl()
  const requests = [
    {
      ...{ id: 1, method: 'initialize' },
      params: {
        protocolVersion: '2025-03-26',
        capabilities: {},
        clientInfo: { name: 'pipe', version: '1' },
      },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'call_operation', arguments: contacts } },
  ].map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`)
  const { code, stdout } = await mcp(url, [], requests.join(''))
  expect(code).toBe(0)
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; result: unknown })
  expect(answers.map(({ id }) => id)).toEqual([1, 2])
  expect(JSON.stringify(answers[1]?.result)).toContain('HTTP 200 OK')
  expect(await keysOf(url)).toHaveLength(1)
})

test.each([
  [['--tools', 'control,search'], 2, '--tools must be search or all; it was control,search. Choose what'],
  [['--interface', 'crn'], 2, 'there is no interface crn; did you mean crm?'],
  [
    ['--scopes', 'crm:read'],
    2,
    '--scopes must be used with --workspace, or with --interface without control',
  ],
  [
    ['--workspace', 'demo', '--interface', 'control', '--scopes', 'crm:read'],
    2,
    '--scopes must be used with other interfaces than control',
  ],
  [['--interface', 'crm', '--allow-reset'], 2, '--allow-reset must be used with control in --interface'],
  [['--session', 'é'], 2, '--session must be 1 to 100 printable ASCII characters'],
  [['--workspace', 'demo', '--scopes', 'crm:raed'], 1, 'crm:raed'],
  [['--interface', 'crm', '--workspace', 'gone'], 1, 'There is no workspace gone.'],
])('does not start with %j', async (flags, code, words) => {
  const url = await serverUrl()
  const before = await keysOf(url)
  const ended = await mcp(url, flags)
  expect(ended).toMatchObject({ code, stdout: '' })
  expect(ended.stderr).toContain(words)
  expect(await keysOf(url)).toEqual(before)
})
