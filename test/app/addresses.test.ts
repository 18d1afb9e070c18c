/** Whether other machines can reach the server: one answer for the token, resets, fixtures, backups and webhook targets. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { madeUpToken } from '../../src/app/addresses.ts'
import { casesOf } from '../support/extent.ts'
import { bearer, controlApp, makeWorkspace } from '../control/app.ts'
import { scratchFolder } from '../support/process.ts'

const PUBLIC_URLS = [null, 'https://sim.example.com', 'http://localhost:4012'] as const

const LOOPBACK = ['127.0.0.1', 'localhost', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1']

const HOSTS = [...LOOPBACK, '0.0.0.0', '::']

const REACHES = HOSTS.flatMap((host) =>
  PUBLIC_URLS.map((publicUrl) => ({
    host,
    publicUrl,
    isShared: publicUrl !== null || !LOOPBACK.includes(host),
  })),
)

const reasonsOf = ({ host, publicUrl }: (typeof REACHES)[number]): number =>
  publicUrl === null || host === LOOPBACK[0] ? 1 : 2

/** Those with one reason first: each host, and each public URL of a server on loopback. */
const BY_REASON = REACHES.toSorted((one, other) => reasonsOf(one) - reasonsOf(other))

const PRIVATE = [
  'https://127.0.0.1:9/hook',
  'https://localhost/hook',
  'https://169.254.169.254/latest/meta-data',
  'https://10.0.0.7/hook',
  'https://[::ffff:192.168.1.4]/hook',
  'https://[fd00::1]/hook',
]

test('a server that others can reach gets a token, for each reason', () => {
  for (const reach of REACHES) expect([reach, madeUpToken(reach) !== null]).toEqual([reach, reach.isShared])
})

test.each(casesOf(BY_REASON, HOSTS.length + PUBLIC_URLS.length - 1))(
  'host $host and public URL $publicUrl: shared is $isShared',
  async (reach) => {
    const { host, publicUrl, isShared } = reach
    const folder = scratchFolder()
    const app = await controlApp({ adminToken: 'right', publicUrl, db: join(folder, 'suite.sqlite') })
    await app.listen({ host, port: 0 })
    const post = async (path: string, body: object, more: Readonly<Record<string, string>> = {}) => {
      const headers = { ...bearer('right').headers, ...more }
      return (await app.sim('POST', path, { body, headers })).status
    }
    const { body: made } = await app.sim('POST', '/workspaces', bearer('right'))
    const at = `/workspaces/${(made as { workspace: { id: string } }).workspace.id}`
    for (const url of PRIVATE) {
      const status = await post(`${at}/subscriptions`, { interface: 'pos', url })
      expect([url, status]).toEqual([url, isShared ? 400 : 201])
    }
    // One that can be read is refused, too.
    expect(await post('/workspaces', { fixtures: '/nowhere.json' })).toBe(isShared ? 403 : 400)
    // A proxy on this machine that adds no headers.
    const directory = join(folder, 'backup')
    expect(await post('/backup', { directory }, { host: '10.0.0.7' })).toBe(isShared ? 403 : 200)
    expect(existsSync(directory)).toBe(!isShared)
    expect(await post('/backup', { directory: join(folder, 'own') }, { host: '127.0.0.1:4012' })).toBe(200)
    expect((await app.sim('POST', '/reset', bearer('right'))).status).toBe(isShared ? 403 : 204)
  },
)

test('a key of a workspace subscribes a private address of a shared server only if the host is named', async () => {
  const shared = { publicUrl: 'https://sim.example.com' }
  for (const [options, status] of [
    [shared, 400],
    [{ ...shared, webhookHttpHosts: ['127.0.0.1'] }, 201],
  ] as const) {
    const app = await controlApp(options)
    const { key } = await makeWorkspace(app)
    const body = { url: 'http://127.0.0.1:9/hooks', events: ['sale.completed'] }
    const answer = await app.call('POST', '/pos/public/v1/webhooks', key, body)
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)])
    if (status === 400) expect(answer.text).toContain('--webhook-http-hosts')
  }
})
