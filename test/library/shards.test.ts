/** Lists of workspaces of several servers behind one proxy: of the library and of the command. */
import { expect, test } from 'vitest'
import { connect } from '../../src/index.ts'
import { runHere } from '../support/commandLine.ts'
import { scratchFolder } from '../support/process.ts'
import { twoShards } from '../support/shards.ts'

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

test('the library throws if a shard does not answer', async () => {
  const { url, apps } = await twoShards()
  await apps[1]?.close()
  await expect((await connect(url)).workspaces.list()).rejects.toThrow('502')
})

test('suite-sim workspace list shows those of all shards behind a proxy, or of the named servers', async () => {
  const { url, urls, ids } = await twoShards()
  expect(await listed('--url', url)).toEqual({ code: 0, stderr: '', ids })
  expect(await listed('--shards', urls.join(','))).toEqual({ code: 0, stderr: '', ids })
  expect(await listed('--shards', urls[1] ?? '')).toEqual({ code: 0, stderr: '', ids: [ids[1]] })
})

test('suite-sim workspace list fails if a shard does not answer, or a URL is wrong', async () => {
  const { url, urls, apps } = await twoShards()
  await apps[1]?.close()
  const unreachable = await listed('--shards', urls.join(','))
  expect(unreachable).toMatchObject({ code: 1, stderr: expect.stringContaining('does not respond') })
  expect(await listed('--url', url)).toMatchObject({ code: 1, ids: [] })
  expect(await listed('--shards', 'http://one,two')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('It must be a URL'),
  })
})
