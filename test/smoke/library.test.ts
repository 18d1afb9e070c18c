/** The built library, imported and required. Its other rules: packages/library/test/index.test.ts and packages/client/test, in the full run. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import type * as Library from '@suite-sim/library/index'
import { build, ROOT } from '../support/process.ts'

beforeAll(build)

test.each<[string, (file: string) => unknown]>([
  ['index.js', (file) => import(pathToFileURL(file).href)],
  ['index.cjs', createRequire(import.meta.url)],
])('%s starts a simulator, which is called, delivers a webhook and stops', async (name, load) => {
  const { startSimulator, receiveWebhooks } = (await load(join(ROOT, 'dist', name))) as typeof Library
  await using simulator = await startSimulator()
  await using receiver = await receiveWebhooks()
  const workspace = await simulator.workspaces.create({ fixtures: 'small' })
  expect((await workspace.fetch('catalog', '/products')).status).toBe(200)

  await receiver.subscribe(workspace, { interface: 'pos' })
  await workspace.trigger('pos.event.emit', { event: 'sale.completed' })
  const [webhook] = await receiver.wait(1)
  expect(webhook).toMatchObject({ event: 'sale.completed' })
  await simulator.close()
  await expect(fetch(simulator.adminUrl)).rejects.toThrow()
})
