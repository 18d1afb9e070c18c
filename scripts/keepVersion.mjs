/**
 * `node scripts/keepVersion.mjs [--binary dist/main.js]`: makes a database with the built version, for the test that later
 * versions open it: test/fixtures/versions/VERSION.json.gz. Run it for each minor version; see CONTRIBUTING.md.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'

const KEY = { authorization: 'Bearer demo-key' }
const NOON = '2030-01-01T12:00:00.000Z'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { binary: { type: 'string', default: join(root, 'dist/main.js') } } })
const folder = mkdtempSync(join(tmpdir(), 'suite-sim-version-'))
try {
  const { name, kept } = await make()
  const target = join(root, 'test/fixtures/versions')
  mkdirSync(target, { recursive: true })
  writeFileSync(join(target, `${name}.json.gz`), gzipSync(JSON.stringify(kept), { level: 9 }))
  console.log(`test/fixtures/versions/${name}.json.gz`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function make() {
  const args = [
    resolve(values.binary),
    'serve',
    '--port',
    '0',
    '--db',
    'suite.sqlite',
    '--seed',
    'kept',
    '--fixtures',
    'small',
  ]
  const server = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface(server.stdout), 'line')
  const url = /http:\/\/[\w.:]+/.exec(line)[0]
  const call = async (method, path, body, headers = {}) => {
    const isForm = body instanceof FormData
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body && !isForm && { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`)
    return response.status === 204 ? null : response.json()
  }
  const of = '/_sim/workspaces/demo'
  await call('PUT', `${of}/clock`, { now: NOON, frozen: true })
  // Nothing listens there, so a delivery has a failed attempt and is pending.
  await call('POST', `${of}/subscriptions`, { interface: 'pos', url: 'http://127.0.0.1:9/hooks' })
  await call('POST', `${of}/triggers/pos.event.emit`, { event: 'sale.completed' })
  await call('POST', '/workspace/public/v1/products', { name: 'Kept desk', type: 'physical' }, KEY)
  const form = new FormData()
  form.append('name', 'Kept menu')
  form.append(
    'file',
    new Blob([readFileSync(join(root, 'docs/pictures/now.webp')).subarray(0, 5000)], { type: 'image/webp' }),
    'menu.webp',
  )
  await call('POST', '/grid/v1/media', form, KEY)
  await call('POST', `${of}/snapshots`, { name: 'kept' })
  const deliveries = await attempted(() => call('GET', `${of}/deliveries?event=sale.completed`))
  const snapshot = await call('GET', `${of}/snapshot`)
  const { version } = await call('GET', '/_sim/health')
  server.kill('SIGTERM')
  await once(server, 'exit')
  const kept = { database: base64('suite.sqlite'), files: storedFiles(), snapshot, deliveries }
  return { name: version.split('.').slice(0, 2).join('.'), kept }
}

async function attempted(list) {
  for (;;) {
    const { data } = await list()
    if (data[0]?.attempts.length === 1) return data
    await new Promise((done) => setTimeout(done, 50))
  }
}

function base64(path) {
  return readFileSync(join(folder, path)).toString('base64')
}

/** The stored files by their path in the folder of the database. */
function storedFiles() {
  const paths = readdirSync(join(folder, 'files/suite.sqlite'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
  return Object.fromEntries(paths.map((path) => [path, base64(path)]))
}
