/** Opens the databases of earlier versions, which scripts/keepVersion.mjs made: those of the last two minor versions. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { ROOT, scratchFolder } from '../../support/process.ts'
import { controlApp } from '../app.ts'

interface Kept {
  /** Base64. */
  readonly database: string
  /** The stored files by their path beside the database, as base64. */
  readonly files: Readonly<Record<string, string>>
  /** What the control plane returned then. */
  readonly snapshot: Readonly<Record<string, object>>
  readonly deliveries: readonly { readonly id: string; readonly attempts: readonly object[] }[]
}

const FOLDER = join(ROOT, 'test/fixtures/versions')
const VERSIONS = readdirSync(FOLDER).map((name) => name.replace('.json.gz', ''))

async function opened(version: string) {
  const kept = JSON.parse(gunzipSync(readFileSync(join(FOLDER, `${version}.json.gz`))).toString()) as Kept
  const folder = scratchFolder()
  for (const [path, content] of Object.entries({ 'suite.sqlite': kept.database, ...kept.files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), Buffer.from(content, 'base64'))
  }
  const app = await controlApp({ db: join(folder, 'suite.sqlite') })
  return { ...app, kept, get: async (path: string) => (await app.sim('GET', `/workspaces/demo${path}`)).body }
}

test('are those of this minor version and the one before', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const [major = 0, minor = 0] = version.split('.').map(Number)
  expect(VERSIONS).toEqual(
    expect.arrayContaining([minor - 1, minor].map((each) => `${String(major)}.${String(each)}`)),
  )
})

describe.each(VERSIONS)('a database of version %s', (version) => {
  test('has its records, stored files, named snapshots and pending deliveries', async () => {
    const { get, kept } = await opened(version)
    // Snapshots of 0.2 and before also had the counter of webhook retries.
    const { 'seed:webhook.jitter': _jitter, ...counters } = kept.snapshot['counters'] as Record<
      string,
      number
    >
    // Later versions may add sections and fields.
    expect(await get('/snapshot')).toMatchObject({ ...kept.snapshot, counters })
    expect((await get('/deliveries?event=sale.completed')).data).toMatchObject(kept.deliveries)
    expect((await get('/snapshots')).data).toMatchObject([{ name: 'kept' }])
  })

  test('goes on: records are added, deliveries are retried, and a reset restores the first records', async () => {
    const { sim, call, get, kept } = await opened(version)
    const products = '/workspace/public/v1/products'
    expect((await call('POST', products, 'demo-key', { name: 'Lamp', type: 'physical' })).status).toBe(201)
    await sim('POST', '/workspaces/demo/clock/advance', { body: { duration: 'PT1H' } })
    const [delivery] = (await get('/deliveries?event=sale.completed')).data as Kept['deliveries']
    expect(delivery?.attempts.length).toBeGreaterThan(kept.deliveries[0]?.attempts.length ?? 0)
    expect((await sim('POST', '/workspaces/demo/reset')).status).toBe(204)
    expect((await get('/deliveries?event=sale.completed')).data).toEqual([])
    expect(JSON.stringify(await get('/snapshot'))).not.toContain('Kept desk')
  })
})
