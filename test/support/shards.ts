/** Two shards behind a small proxy that knows only `?shard=`. test/shards has the real proxy. */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { App } from '../../src/app.ts'
import { buildApp } from './subject.ts'

export interface TwoShards {
  /** The URL of the proxy. */
  readonly url: string
  /** The URLs of the shards. */
  readonly urls: readonly string[]
  readonly apps: readonly App[]
  /** The ids of their workspaces, one each. */
  readonly ids: readonly string[]
}

export async function twoShards(): Promise<TwoShards> {
  const apps = await Promise.all(['s1', 's2'].map((shard) => buildApp({ shard, fixtures: 'none' })))
  const urls = await Promise.all(apps.map((app) => app.listen({ host: '127.0.0.1', port: 0 })))
  const ids = apps.map(({ workspaces }) => {
    const name = `Shop of ${workspaces.shard ?? ''}`
    return workspaces.create({ name }, (workspace) => {
      workspace.addUser({ name: 'Ana', email: 'ana@example.com' })
      return workspace.id
    })
  })
  const proxy = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming
    const [one = '', other = ''] = urls
    const chosen = /[?&]shard=s2|\/workspaces\/s2-/.test(url) ? other : one
    const passed = request(chosen + url, { method, headers }, (answer) => {
      const names = url.startsWith('/_sim/workspaces') ? { 'x-sim-shards': 's1, s2' } : {}
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...names })
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.writeHead(502).end('no shard'))
    incoming.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(async () => {
    proxy.closeAllConnections()
    proxy.close()
    await Promise.all(apps.map((app) => app.close()))
  })
  const { port } = proxy.address() as AddressInfo
  return { url: `http://127.0.0.1:${String(port)}`, urls, apps, ids }
}
