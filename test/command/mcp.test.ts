/** The MCP server as agents start it: over standard input and output, spoken to by the SDK's client. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { BINARY, build, run, scratchFolder, start } from '../support/process.ts'

beforeAll(build)

async function connected() {
  const folder = scratchFolder()
  const server = await start(['--port', '0', '--db', ':memory:'], { folder })
  const client = new Client({ name: 'test', version: '1.0.0' })
  const args = [BINARY, 'mcp', '--url', server.url]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' }))
  onTestFinished(() => client.close())
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args })
    return { text: (content as { text: string }[])[0]?.text ?? '', isError }
  }
  return { client, call, url: server.url }
}

test('every call of the control plane is a tool, with what it takes', async () => {
  const { client, url } = await connected()
  const { tools } = await client.listTools()
  const document = (await (await fetch(`${url}/_sim/openapi/control.json`)).json()) as {
    paths: Record<string, Record<string, { operationId?: string }>>
  }
  const ids = Object.values(document.paths).flatMap((each) =>
    Object.values(each).flatMap(({ operationId = [] }) => operationId),
  )
  const left = ['streamTimeline', 'getDocsPage', 'getDashboard', 'receiveWebhook']
  expect(tools.map(({ name }) => name).sort()).toEqual(ids.filter((id) => !left.includes(id)).sort())
  expect(JSON.stringify(tools)).not.toContain('"$ref"')
  const advance = tools.find(({ name }) => name === 'advanceClock')
  expect(advance?.description).toMatch(/^Move a workspace's clock on\. /)
  expect(advance?.inputSchema).toMatchObject({
    required: ['id', 'body'],
    properties: { id: { type: 'string' }, body: { properties: { duration: { type: 'string' } } } },
  })
  expect(tools.find(({ name }) => name === 'getClock')?.annotations?.readOnlyHint).toBe(true)
})

test('a tool does what its call does, and a refusal is an error in its words', async () => {
  const { call } = await connected()
  const made = JSON.parse((await call('createWorkspace', { body: { name: 'agents' } })).text) as {
    workspace: { id: string }
  }
  const { id } = made.workspace
  await call('setClock', { id, body: { now: '2026-12-01T12:00:00Z', frozen: true } })
  const moved = await call('advanceClock', { id, body: { duration: 'PT1H' } })
  expect(JSON.parse(moved.text)).toMatchObject({ now: '2026-12-01T13:00:00.000Z', frozen: true })
  expect(JSON.parse((await call('listRequests', { id, limit: 1 })).text)).toEqual({ data: [] })
  expect(await call('deleteWorkspace', { id })).toEqual({ text: 'done (204)', isError: false })
  const gone = await call('getClock', { id })
  expect(gone).toMatchObject({ isError: true })
  expect(gone.text).toContain(`There is no workspace ${id}.`)
  expect(await call('getClock')).toEqual({ text: 'id is required', isError: true })
  expect(await call('getClock', { id, ip: 1 })).toEqual({
    text: 'ip is not taken; there are id',
    isError: true,
  })
  await expect(call('getTime')).rejects.toThrow('There is no tool getTime.')
})

test('documentation is there as resources', async () => {
  const { client } = await connected()
  const { resources } = await client.listResources()
  const uris = resources.map(({ uri }) => uri)
  expect(uris).toEqual(
    expect.arrayContaining([
      'suite-sim://llms.txt',
      'suite-sim://openapi/control.json',
      'suite-sim://openapi/payments.json',
      'suite-sim://docs/control-plane.md',
    ]),
  )
  for (const uri of uris) {
    const { contents } = await client.readResource({ uri })
    expect((contents[0] as { text: string }).text.length).toBeGreaterThan(100)
  }
  await expect(client.readResource({ uri: 'suite-sim://docs/none.md' })).rejects.toThrow(
    'There is no resource',
  )
})

test('a server that is not there is one line and exit code 1', async () => {
  const { code, stdout, stderr } = await run(['mcp', '--url', 'http://127.0.0.1:1'], {
    folder: scratchFolder(),
  })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^suite-sim: .* does not answer: .+\n$/)
})
