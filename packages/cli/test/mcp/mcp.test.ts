/** The MCP server as agents use it, with a tool for each call of the control plane. */
import { beforeAll, expect, test } from 'vitest'
import { build } from '../../../../test/support/process.ts'
import { connected, mcp, serverUrl } from './connected.ts'

beforeAll(build)

/** Tools that are not calls of the control plane. */
const OWN = ['describeTrigger', 'readAnswer', 'search_operations', 'describe_operation', 'call_operation']
const READING = OWN.filter((name) => name !== 'call_operation')

const PAGE = 20_000

const withAll = (...flags: string[]) => connected('--tools', 'all', ...flags)

test('offers every call of the control plane as a tool with its parameters', async () => {
  const { client, url } = await withAll()
  const { tools } = await client.listTools()
  const document = (await (await fetch(`${url}/_sim/openapi/control.json`)).json()) as {
    paths: Record<string, Record<string, { operationId?: string }>>
  }
  const ids = Object.values(document.paths).flatMap((each) =>
    Object.values(each).flatMap(({ operationId = [] }) => operationId),
  )
  const left = ['streamTimeline', 'getDocsPage', 'getDashboard', 'receiveWebhook', 'resetServer']
  expect(tools.map(({ name }) => name).sort()).toEqual(
    [...ids.filter((id) => !left.includes(id)), ...OWN].sort(),
  )
  expect(JSON.stringify(tools)).not.toContain('"$ref"')
  const advance = tools.find(({ name }) => name === 'advanceClock')
  expect(advance?.description).toMatch(/^Advance the clock of a workspace\. /)
  expect(advance?.inputSchema).toMatchObject({
    required: ['id', 'body'],
    properties: { id: { type: 'string' }, body: { properties: { duration: { type: 'string' } } } },
  })
  const { data } = (await (await fetch(`${url}/_sim/triggers`)).json()) as { data: { name: string }[] }
  const names = data.map(({ name }) => name)
  for (const tool of ['pullTrigger', 'describeTrigger']) {
    expect(tools.find(({ name }) => name === tool)?.inputSchema.properties?.['name']).toMatchObject({
      enum: names,
    })
  }
})

test('marks a tool as destructive unless it only reads, and offers the server reset only with --allow-reset', async () => {
  const { client, url, call } = await withAll('--allow-reset')
  const { tools } = await client.listTools()
  const document = (await (await fetch(`${url}/_sim/openapi/control.json`)).json()) as {
    paths: Record<string, Record<string, { operationId?: string }>>
  }
  const reading = Object.values(document.paths).flatMap(({ get }) => get?.operationId ?? [])
  for (const { name, annotations } of tools) {
    const isReading = reading.includes(name) || READING.includes(name)
    expect([name, annotations]).toEqual([name, { readOnlyHint: isReading, destructiveHint: !isReading }])
  }
  const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name)
  expect(destructive).toEqual(
    expect.arrayContaining(['resetServer', 'resetWorkspace', 'putSnapshot', 'restoreSnapshot', 'setClock']),
  )
  expect(await call('resetServer')).toMatchObject({ text: 'done (204)', isError: false })
})

test('offers only reading tools with --read-only', async () => {
  const { client, call } = await withAll('--read-only')
  const { tools } = await client.listTools()
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([])
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['getSnapshot', 'listRequests']))
  await expect(call('resetWorkspace', { id: 'demo' })).rejects.toThrow(
    'There is no tool resetWorkspace. This session is read-only (--read-only)',
  )
})

test('limits a session to one workspace with --workspace', async () => {
  const { call, names, post, url } = await withAll('--workspace', 'demo')
  const made = (await (await post('/_sim/workspaces', { name: 'other' })).json()) as {
    workspace: { id: string }
    key: string
  }
  const other = made.workspace.id
  const offered = await names()
  expect(offered).toEqual(
    expect.arrayContaining(['getWorkspace', 'resetWorkspace', 'pullTrigger', 'createKey', 'listTriggers']),
  )
  const refused = [
    ...['resetServer', 'listWorkspaces', 'createWorkspace', 'cloneWorkspace', 'deleteKey', 'getMetrics'],
    'getServerCoverage',
  ]
  expect(offered.filter((name) => refused.includes(name))).toEqual([])
  const words = 'This session is confined to the workspace demo'
  for (const [name, args] of [
    ['deleteWorkspace', { id: other }],
    ['getClock', { id: other }],
    ['setClock', { id: other, body: { frozen: true } }],
    ['listKeys', { workspaceId: other }],
    ['createKey', { body: { workspaceId: other } }],
  ] as const) {
    const answer = await call(name, args)
    expect([name, answer.isError]).toEqual([name, true])
    expect(answer.text).toContain(words)
  }
  expect(JSON.parse((await call('getWorkspace')).text)).toMatchObject({ id: 'demo' })
  expect(JSON.parse((await call('getWorkspace', { id: 'demo' })).text)).toMatchObject({ id: 'demo' })
  expect((await call('listKeys')).text).not.toContain(made.key)
  expect(await call('createKey', { body: { workspaceId: 'demo' } })).toMatchObject({ isError: false })
  expect((await fetch(`${url}/_sim/workspaces/${other}`)).status).toBe(200)
})

test.each([
  [['--workspace', 'gone'], 1, 'There is no workspace gone.'],
  [['--workspace', '..'], 2, 'workspace must not be ".."'],
  [
    ['--workspace', 'demo', '--allow-reset'],
    2,
    '--allow-reset must be used without --workspace and --read-only',
  ],
  [['--read-only', '--allow-reset'], 2, 'must be used without --workspace and --read-only'],
])('exits immediately for %j', async (flags, code, words) => {
  const ended = await mcp(await serverUrl(), flags)
  expect(ended).toMatchObject({ code, stdout: '' })
  expect(ended.stderr).toContain(words)
})

test.each([
  ['resetWorkspace', { id: '..' }, 'id must not be ".."'],
  ['resetWorkspace', { id: '.' }, 'id must not be "."'],
  ['resetWorkspace', { id: '' }, 'id must not be empty'],
  ['deleteWorkspace', { id: ['..'] }, 'id must be a string or a number'],
  ['restoreSnapshot', { id: 'demo', name: '..' }, 'name must not be ".."'],
])('calls nothing for %s %j', async (name, args, words) => {
  const { call, post, url } = await withAll()
  await post('/_sim/workspaces', { name: 'kept' })
  const answer = await call(name, args)
  expect(answer.isError).toBe(true)
  expect(answer.text).toContain(words)
  const { data } = (await (await fetch(`${url}/_sim/workspaces`)).json()) as { data: { name: string }[] }
  expect(data.map((each) => each.name)).toContain('kept')
})

test('splits a long response into pages, with an outline before the first', async () => {
  const { call, url } = await withAll()
  const whole = await (await fetch(`${url}/_sim/workspaces/demo/snapshot`)).text()
  expect(whole.length).toBeGreaterThan(10 * PAGE)
  const first = await call('getSnapshot', { id: 'demo' })
  expect(first.text.length).toBeLessThan(6000)
  expect(first.text).toContain('"payments":"{links, settlements, transactions, refunds}"')
  let read = first.page ?? ''
  expect(read.length).toBe(PAGE)
  for (let answer = first; ;) {
    const on = /readAnswer (\{.+?\})/.exec(answer.text)?.[1]
    if (on === undefined) break
    answer = await call('readAnswer', JSON.parse(on) as Record<string, unknown>)
    expect(answer.page?.length).toBeLessThanOrEqual(PAGE)
    read += answer.page ?? ''
  }
  const sections = (text: string) => Object.keys(JSON.parse(text) as object)
  expect(sections(read)).toEqual(sections(whole))
  expect(read.length).toBe(whole.length)
  const part = await call('readAnswer', { answer: '1', offset: 5, limit: 10 })
  expect(part.page).toBe(read.slice(5, 15))
  for (const args of [{ offset: whole.length }, { offset: -1 }, { limit: 0 }, { limit: PAGE + 1 }]) {
    expect(await call('readAnswer', { answer: '1', ...args })).toMatchObject({ isError: true })
  }
  expect((await call('readAnswer', { answer: '9' })).text).toContain(
    'Answer 9 is no longer stored. Stored answers: 1.',
  )
})

test('returns a response of up to one page as a whole, and describes a single trigger', async () => {
  const { call } = await withAll()
  const described = await call('describeTrigger', { name: 'payments.link.pay' })
  expect(described.page).toBeUndefined()
  expect(JSON.parse(described.text)).toMatchObject({
    name: 'payments.link.pay',
    body: { required: ['link_id'] },
  })
  const unknown = await call('describeTrigger', { name: 'payments.link.pya' })
  expect(unknown.text).toContain('There is no trigger payments.link.pya. The triggers are ')
})

test('makes the call of a tool, and returns a refusal as an error with its message', async () => {
  const { call } = await withAll()
  const made = JSON.parse((await call('createWorkspace', { body: { name: 'agents' } })).text) as {
    workspace: { id: string }
  }
  const { id } = made.workspace
  await call('setClock', { id, body: { now: '2026-12-01T12:00:00Z', frozen: true } })
  const moved = await call('advanceClock', { id, body: { duration: 'PT1H' } })
  expect(JSON.parse(moved.text)).toMatchObject({ now: '2026-12-01T13:00:00.000Z', frozen: true })
  expect(JSON.parse((await call('listRequests', { id, limit: 1 })).text)).toEqual({ data: [] })
  expect(await call('deleteWorkspace', { id })).toMatchObject({ text: 'done (204)', isError: false })
  const missing = await call('getClock', { id })
  expect(missing).toMatchObject({ isError: true })
  expect(missing.text).toContain(`There is no workspace ${id}.`)
  expect(await call('getClock')).toMatchObject({ text: 'id is required', isError: true })
  expect(await call('getClock', { id, ip: 1 })).toMatchObject({
    text: 'ip is not a known argument; the arguments are id',
    isError: true,
  })
  await expect(call('getTime')).rejects.toThrow('There is no tool getTime.')
})

test('offers the documentation as resources', async () => {
  const { client } = await connected()
  const { resources } = await client.listResources()
  const uris = resources.map(({ uri }) => uri)
  const read = async (uri: string) =>
    (await client.readResource({ uri })).contents.map((each) => (each as { text: string }).text)
  expect(uris).toEqual(
    expect.arrayContaining([
      'suite-sim://llms.txt',
      'suite-sim://openapi/control.json',
      'suite-sim://openapi/payments.json',
      'suite-sim://docs/control-plane.md',
    ]),
  )
  for (const uri of uris) {
    const texts = await read(uri)
    expect(texts.join('').length).toBeGreaterThan(100)
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(PAGE)
  }
  const long = 'suite-sim://openapi/control.json'
  const [summary = '', first = ''] = await read(long)
  expect(summary).toContain(`Get the next page with ${long}?offset=${String(PAGE)}`)
  expect(summary).toContain('"paths":')
  const [, second = ''] = await read(`${long}?offset=${String(PAGE)}&limit=50`)
  expect([first.length, second.length]).toEqual([PAGE, 50])
  await expect(read(`${long}?offset=-1`)).rejects.toThrow('offset must be a whole number from 0 to')
  await expect(client.readResource({ uri: 'suite-sim://docs/none.md' })).rejects.toThrow(
    'There is no resource',
  )
})

test('prints one line and exits with 1 if the server does not run', async () => {
  const { code, stdout, stderr } = await mcp('http://127.0.0.1:1', [])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^suite-sim: .* does not respond: .+\n$/)
})

test('parses a body that is written as text', async () => {
  const { call } = await withAll()
  const made = await call('createWorkspace', { body: '{"name":"As text"}' })
  expect(JSON.parse(made.text)).toMatchObject({ workspace: { name: 'As text' } })
  const broken = await call('createWorkspace', { body: '{"name":' })
  expect(broken).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^body must be JSON, as a value or as its text: /),
  })
  // The filter of the journal is a text.
  const { isError, text } = await call('listRequests', { id: 'demo', body: 'name' })
  expect(isError, text).toBe(false)
})

test.each([
  ['no JSON', '{"jsonrpc":', -32_700],
  ['no message', '{"jsonrpc":"2.0"}', -32_600],
])('answers a line that is %s with its code', async (_what, line, code) => {
  const { stdout } = await mcp(await serverUrl(), [], `${line}\n`)
  expect(JSON.parse(stdout)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } })
})
