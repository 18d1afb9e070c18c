/** Lists and deletions of workspaces of several servers behind one proxy: of the library and of the command. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '@suite-sim/library/index'
import { runHere } from '../../../test/support/commandLine.ts'
import { scratchFolder } from '../../../test/support/process.ts'
import { twoShards, type TwoShards } from '../../../test/support/shards.ts'
import { buildApp } from '../../../test/support/subject.ts'

const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)

const listed = async (...args: string[]) => {
  const { code, stdout, stderr } = await runHere(['workspace', 'list', ...args], { folder: scratchFolder() })
  return {
    code,
    stderr,
    ids: stdout === '' ? [] : idsOf((JSON.parse(stdout) as { data: { id: string }[] }).data),
  }
}

test('the library lists the workspaces of all shards behind the proxy', async () => {
  const { url, urls, ids } = await twoShards()
  expect(idsOf(await (await connect(url)).workspaces.list())).toEqual(ids)
  expect(idsOf(await (await connect(urls[1] ?? '')).workspaces.list())).toEqual([ids[1]])
})

/** Creates a workspace with a label on each shard; returns their ids. */
const labeledOnEach = ({ apps }: TwoShards): string[] =>
  apps.map(({ workspaces }) =>
    workspaces.create({ name: 'Labeled', labels: { run: '7' } }, (workspace) => workspace.id),
  )

test('the library throws an error that names a shard that does not answer', async () => {
  const { url, apps } = await twoShards()
  await apps[1]?.close()
  await expect((await connect(url)).workspaces.list()).rejects.toMatchObject({
    name: 'SimulatorError',
    status: 502,
    message: 'Shard s2 does not answer: the proxy answered 502.',
  })
})

test('the library deletes the workspaces with a label on all shards, and adds up their numbers', async () => {
  const shards = await twoShards()
  const ids = labeledOnEach(shards)
  const { workspaces } = await connect(shards.url)
  expect(idsOf(await workspaces.list({ labels: { run: '7' } }))).toEqual(ids)
  expect(await workspaces.deleteAll({ run: '7' })).toBe(2)
  expect(await workspaces.deleteAll({ run: '7' })).toBe(0)
  expect(idsOf(await workspaces.list())).toEqual(shards.ids)
  await expect(workspaces.deleteAll({})).rejects.toMatchObject({ status: 400 })
  expect(idsOf(await workspaces.list())).toEqual(shards.ids)
})

test('the library says which shard deleted nothing, and what the others deleted', async () => {
  const shards = await twoShards()
  labeledOnEach(shards)
  await shards.apps[1]?.close()
  await expect((await connect(shards.url)).workspaces.deleteAll({ run: '7' })).rejects.toMatchObject({
    status: 502,
    message: 'Shard s2 does not answer: the proxy answered 502. Workspaces deleted on the other shards: 1.',
  })
  const { workspaces } = await connect(shards.urls[0] ?? '')
  expect(await workspaces.list({ labels: { run: '7' } })).toEqual([])
})

test('suite-sim workspace list shows those of all shards behind a proxy, or of the named servers', async () => {
  const { url, urls, ids } = await twoShards()
  expect(await listed('--url', url)).toEqual({ code: 0, stderr: '', ids })
  expect(await listed('--shards', urls.join(','))).toEqual({ code: 0, stderr: '', ids })
  expect(await listed('--shards', urls[1] ?? '')).toEqual({ code: 0, stderr: '', ids: [ids[1]] })
})

test('suite-sim workspace list --label shows those of all shards with the label', async () => {
  const shards = await twoShards()
  const ids = labeledOnEach(shards)
  const label = ['--label', 'run:7']
  expect(await listed('--url', shards.url, ...label)).toEqual({ code: 0, stderr: '', ids })
  expect(await listed('--shards', shards.urls.join(','), ...label)).toEqual({ code: 0, stderr: '', ids })
})

test('suite-sim workspace list shows what it has, and fails with the name of a shard that does not answer', async () => {
  const { url, urls, apps, ids } = await twoShards()
  await apps[1]?.close()
  expect(await listed('--url', url)).toEqual({
    code: 1,
    stderr: 'suite-sim: Shard s2 does not answer: the proxy answered 502.\n',
    ids: [ids[0]],
  })
  expect(await listed('--shards', urls.join(','))).toEqual({
    code: 1,
    stderr: expect.stringContaining(`suite-sim: ${urls[1] ?? ''} does not respond: `),
    ids: [ids[0]],
  })
})

test('suite-sim workspace list fails without a list if no server answers, or a URL is wrong', async () => {
  const { url, urls, apps } = await twoShards()
  await Promise.all(apps.map((app) => app.close()))
  expect(await listed('--url', url)).toEqual({
    code: 1,
    stderr: `suite-sim: ${url} responded with 502\n`,
    ids: [],
  })
  expect(await listed('--shards', urls.join(','))).toEqual({
    code: 1,
    stderr: expect.stringMatching(new RegExp(`${urls[0] ?? ''} does not respond.*${urls[1] ?? ''} does not`)),
    ids: [],
  })
  expect(await listed('--shards', 'http://one,two')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('It must be a URL'),
  })
})

test('suite-sim workspace list says that a server is not a simulator, or what it refuses', async () => {
  const other = createServer((_request, response) => response.end('<p>Hello'))
  await once(other.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void other.close())
  const url = `http://127.0.0.1:${String((other.address() as AddressInfo).port)}`
  expect(await listed('--url', url)).toEqual({
    code: 1,
    stderr: `suite-sim: ${url} responds, but is not a suite simulator\n`,
    ids: [],
  })
  const app = await buildApp({ adminToken: 'a-token-of-this-test' })
  const closed = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  expect(await listed('--url', closed)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('suite-sim: The control plane requires the header'),
    ids: [],
  })
})
