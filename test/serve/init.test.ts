/** `suite-sim serve --init`: snapshots and calls that run in a new database before the server is ready. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { runHere, serveHere, startHere } from '../support/commandLine.ts'
import { BINARY, build, scratchFolder, start, stopAfterTest } from '../support/process.ts'

beforeAll(build)

const SNAPSHOT = JSON.stringify({ format: 'suite-simulator/1', workspace: { currency: 'MXN' } })

type Files = Readonly<Record<string, string | Buffer | object>>

/** Writes the files of an init folder; returns the working directory of the server. */
function folderWith(files: Files): string {
  const folder = scratchFolder()
  mkdirSync(join(folder, 'init'))
  for (const [name, content] of Object.entries(files)) {
    const isText = typeof content === 'string' || Buffer.isBuffer(content)
    writeFileSync(join(folder, 'init', name), isText ? content : JSON.stringify(content))
  }
  return folder
}

const ARGS = ['--port', '0', '--fixtures', 'none', '--init', 'init']

async function started(files: Files, { args = ARGS, variables = {} } = {}) {
  const folder = folderWith(files)
  const server = await serveHere(args, { folder, variables: { SIM_DB: ':memory:', ...variables } })
  return { ...server, folder, sim: simAt(server.url) }
}

const simAt =
  (url: string, headers: Readonly<Record<string, string>> = {}) =>
  // Tests look into bodies whose shape they are about to assert.
  // oxlint-disable-next-line typescript/no-explicit-any
  async (path: string, method = 'GET'): Promise<any> => {
    const response = await fetch(`${url}/_sim${path}`, { method, headers })
    const text = await response.text()
    return text === '' ? response.status : (JSON.parse(text) as unknown)
  }

const status = async (url: string, key: string): Promise<number> =>
  (await fetch(`${url}/crm/v1/contacts`, { headers: { authorization: `Bearer ${key}` } })).status

const SHOP = { id: 'store', key: 'store-key', name: 'Store', fixtures: 'small', cases: true }

const STEPS = {
  triggers: [
    { workspace: 'Store', name: 'pos.event.emit', body: { event: 'sale.completed' } },
    { workspace: 'store', name: 'pos.day.run' },
  ],
  workspaces: [SHOP],
  users: [{ workspace: 'store', name: 'Ana', email: 'ana@example.com' }],
  keys: [{ workspace: 'store', scopes: ['products:read'] }],
  subscriptions: [
    { workspace: 'store', interface: 'pos', url: 'http://127.0.0.1:9/hook', secret: 's'.repeat(20) },
  ],
  faults: [{ workspace: 'store', case: 'down', status: 503 }],
  clocks: [{ workspace: 'store', now: '2026-11-23T12:00:00Z', frozen: true }],
}

test('takes every kind of fault', async () => {
  const faults = [
    { after: true, reset: true, times: 1 },
    { limit: { calls: 10, per: 'PT1M' } },
    { lag: 'PT2S', interface: 'crm' },
    { hold: true, path: '/products' },
    { delayMs: { min: 1, max: 2 } },
    { delivery: 'before_answer' },
  ]
  const { sim } = await started({
    'store.init.json': {
      workspaces: [SHOP],
      faults: faults.map((fault) => ({ workspace: 'store', ...fault })),
    },
  })
  expect((await sim('/workspaces/store/faults')).data).toMatchObject(faults)
})

test('runs snapshots and calls before it answers, in the order of the names', async () => {
  const { url, sim, printed } = await started({
    '20-store.init.json': STEPS,
    '10-shop.json': SNAPSHOT,
    '15_zipped.json.gz': gzipSync(SNAPSHOT),
    'readme.md': 'not run',
    '.hidden.json': 'not run',
  })
  const { data } = await sim('/workspaces')
  expect(data).toMatchObject([
    { id: 'shop', name: 'Workspace', currency: 'MXN' },
    { id: 'zipped', currency: 'MXN' },
    { id: 'store', name: 'Store', cases: true },
  ])
  expect(await status(url, 'shop-key')).toBe(200)
  expect(await status(url, 'store-key')).toBe(200)
  expect((await sim('/workspaces/store/faults')).data).toMatchObject([{ case: 'down' }])
  expect(await sim('/workspaces/store/clock')).toEqual({ now: '2026-11-23T12:00:00.000Z', frozen: true })
  expect(printed()[1]).toContain(
    'init: 3 files: 3 workspaces, 1 user, 1 key, 1 subscription, 1 fault, 1 clock, 2 triggers',
  )
  expect((await sim('/keys?workspaceId=store')).data).toHaveLength(2)
  const { data: subscriptions } = await sim('/workspaces/store/subscriptions')
  expect((subscriptions as { url: string }[]).map(({ url: to }) => to)).toContain('http://127.0.0.1:9/hook')
  // The subscription exists before the triggers run.
  expect((await sim('/workspaces/store/deliveries?event=sale.completed&limit=1')).data).toHaveLength(1)
  const { data: timeline } = await sim('/workspaces/store/timeline?kind=trigger')
  expect((timeline as { title: string }[]).map(({ title }) => title)).toEqual([
    'pos.day.run',
    'pos.event.emit',
  ])
})

test('reads the folder from SIM_INIT, and relative fixtures from the folder', async () => {
  const { sim, folder } = await started(
    {
      'a.init.json': {
        workspaces: [
          { id: 'one', fixtures: './data.json.txt' },
          { id: 'two', fixtures: 'sub.json' },
        ],
      },
      'data.json.txt': SNAPSHOT,
      'sub.json': SNAPSHOT,
    },
    { args: ['--port', '0', '--fixtures', 'none'], variables: { SIM_INIT: 'init' } },
  )
  expect(existsSync(folder)).toBe(true)
  expect((await sim('/workspaces')).data).toMatchObject([
    { id: 'one', currency: 'MXN' },
    { id: 'two', currency: 'MXN' },
    { id: 'sub', currency: 'MXN' },
  ])
})

test('reads fixtures from a URL on a server of a network, with its token', async () => {
  const files = createServer((_request, response) => response.end(gzipSync(SNAPSHOT))).listen(0, '127.0.0.1')
  await once(files, 'listening')
  onTestFinished(() => void files.close())
  const fixtures = `http://127.0.0.1:${String((files.address() as AddressInfo).port)}/shop`
  const { url } = await started(
    { 'a.init.json': { workspaces: [{ id: 'shop', fixtures }] } },
    { args: [...ARGS, '--host', '0.0.0.0', '--admin-token', 'token'] },
  )
  const sim = simAt(url.replace('0.0.0.0', '127.0.0.1'), { authorization: 'Bearer token' })
  expect((await sim('/workspaces')).data).toMatchObject([{ id: 'shop', currency: 'MXN' }])
})

test('runs once for a database, and again after a reset of the whole server', async () => {
  const { folder, url, stop, sim } = await started(
    { 'a.init.json': STEPS },
    { variables: { SIM_DB: 'a.sqlite' } },
  )
  expect(await sim('/workspaces/store', 'DELETE')).toBe(204)
  expect(await status(url, 'store-key')).toBe(401)
  await stop('SIGTERM')

  const again = await serveHere(ARGS, { folder, variables: { SIM_DB: 'a.sqlite' } })
  const later = simAt(again.url)
  expect((await later('/workspaces')).data).toEqual([])
  expect(await later('/reset', 'POST')).toBe(204)
  expect((await later('/workspaces')).data).toMatchObject([{ id: 'store' }])
  expect(await status(again.url, 'store-key')).toBe(200)
})

describe('a server that ends before its files have run', () => {
  /** Ends the server when it asks for the fixtures of its second workspace. */
  async function interrupted(end: 'SIGKILL' | 'SIGTERM', reset: boolean) {
    let asked = (): void => undefined
    let isSlow = !reset
    const files = createServer((_request, response) => {
      if (isSlow) asked()
      else response.end(gzipSync(SNAPSHOT))
    }).listen(0, '127.0.0.1')
    await once(files, 'listening')
    onTestFinished(() => {
      files.closeAllConnections()
      files.close()
    })
    const fixtures = `http://127.0.0.1:${String((files.address() as AddressInfo).port)}/shop`
    const folder = scratchFolder()
    mkdirSync(join(folder, 'init'))
    const workspaces = [{ id: 'first' }, { id: 'second', fixtures }]
    writeFileSync(join(folder, 'init/a.init.json'), JSON.stringify({ workspaces }))
    const place = { folder, variables: { SIM_DB: join(folder, 'a.sqlite') } }
    const waiting = new Promise<void>((resolve) => (asked = resolve))
    // Only a process can be killed.
    const isKilled = end === 'SIGKILL'
    if (reset) {
      const server = await (isKilled ? start : serveHere)(ARGS, place)
      isSlow = true
      fetch(`${server.url}/_sim/reset`, { method: 'POST' }).catch(() => undefined)
      await waiting
      await server.stop(end)
    } else if (isKilled) {
      const child = spawn(process.execPath, [BINARY, 'serve', ...ARGS], {
        cwd: folder,
        env: { PATH: process.env['PATH'], ...place.variables },
        stdio: 'ignore',
      })
      stopAfterTest(child)
      await waiting
      const ended = once(child, 'exit')
      child.kill(end)
      await ended
    } else {
      const starting = startHere(ARGS, place)
      await waiting
      await starting.stop(end)
    }
    isSlow = false
    return place
  }

  test.each<['SIGKILL' | 'SIGTERM', boolean]>([
    ['SIGKILL', false],
    ['SIGTERM', false],
    ['SIGKILL', true],
    ['SIGTERM', true],
  ])('by %s, after a reset: %j, begins with a new database', async (end, reset) => {
    const place = await interrupted(end, reset)
    const again = await serveHere(ARGS, place)
    const { data } = await simAt(again.url)('/workspaces')
    expect(data).toMatchObject([{ id: 'first' }, { id: 'second' }])
    await again.stop('SIGTERM')
    expect(readdirSync(place.folder).filter((name) => name.startsWith('a.sqlite'))).toEqual([
      'a.sqlite',
      'a.sqlite-lock',
    ])
  })
})

describe('exits with 2 and leaves no database:', () => {
  const steps = (kind: string, ...entries: unknown[]) => ({
    'a.init.json': { workspaces: [SHOP], [kind]: entries },
  })

  test.each<[Files, string]>([
    [{}, '--init: init has no .json or .json.gz file'],
    [{ 'a.init.json': '{' }, '--init: a.init.json: it is not valid JSON: '],
    [{ 'a.init.json': '[]' }, '--init: a.init.json: it must be an object with workspaces, users, '],
    [{ 'a.init.json': { trigers: [] } }, 'a.init.json: trigers is not a known list; did you mean triggers?'],
    [{ 'a.init.json': '{"__proto__":[]}' }, 'a.init.json: __proto__ is not a known list; use workspaces'],
    [{ 'a.init.json': { faults: {} } }, 'a.init.json: faults must be a list'],
    [{ 'a.init.json': { faults: [1] } }, 'a.init.json: faults.0 must be an object'],
    [{ 'a.init.json': `{"faults":"${'x'.repeat(1_048_576)}"}` }, 'must have at most 1048576 characters'],
    [{ 'my shop.json': SNAPSHOT }, 'my shop.json: the name of a snapshot, which becomes the id'],
    [{ 'a.json': '{"format":"other"}' }, '--init: a.json: The snapshot does not fit: '],
    [{ 'a.json': '{' }, '--init: a.json: The body is not valid JSON: '],
    [
      { 'a.json.gz': gzipSync(SNAPSHOT).subarray(0, 20) },
      'a.json.gz: cannot read the file init/a.json.gz: it is not',
    ],
    [{ 'a.json': SNAPSHOT, '10-a.json': SNAPSHOT }, '--init: a.json: There is a workspace a already.'],
    [
      steps('workspaces', { nme: 'x' }),
      'a.init.json: workspaces.0: nme is not a known field; did you mean name?',
    ],
    [
      steps('workspaces', { fixtures: './no.json' }),
      'cannot read the file init/no.json: the file does not exist',
    ],
    [steps('workspaces', { fixtures: 'demmo' }), 'did you mean "demo"?'],
    [steps('users', { name: 'A' }), 'users.0: workspace must be the id or the name of a workspace'],
    [steps('users', { workspace: 'store', name: 'A' }), 'a.init.json: users.0: email is required'],
    [steps('faults', { workspace: 'other', status: 500 }), 'faults.0: '],
    [
      steps('faults', { workspace: 'store', staus: 1 }),
      'faults.0: staus is not a known field; did you mean status?',
    ],
    [steps('triggers', { workspace: 'store' }), 'triggers.0: name must be the name of a trigger'],
    [
      steps('triggers', { workspace: 'store', name: 'pos.day.run', sales: 1 }),
      'triggers.0: sales is not a known field',
    ],
    [
      steps('triggers', { workspace: 'store', name: 'pos.day.run', body: [] }),
      'triggers.0: body must be an object',
    ],
    [
      steps('triggers', { workspace: 'store', name: 'no.trigger' }),
      'triggers.0: There is no trigger no.trigger.',
    ],
    [steps('triggers', { workspace: '..', name: 'pos.day.run' }), 'triggers.0: there is no workspace ..'],
  ])('%#', async (files, message) => {
    const folder = folderWith(files)
    const { code, stdout, stderr } = await runHere(ARGS, { folder, variables: { SIM_DB: 'data/a.sqlite' } })
    expect(stderr).toMatch(/^suite-sim: .+\n$/)
    expect(stderr).toContain(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })

  test('a folder that does not exist, or is a file', async () => {
    const folder = folderWith({ 'a.json': SNAPSHOT })
    for (const [init, why] of [
      ['none', 'the folder does not exist'],
      ['init/a.json', 'it is not a folder'],
    ] as const) {
      const { code, stderr } = await runHere(['--port', '0', '--init', init], { folder })
      expect([code, stderr]).toEqual([2, `suite-sim: --init: cannot read ${init}: ${why}\n`])
    }
  })
})

test('keeps an existing database if its files are wrong', async () => {
  const { folder, stop } = await started({ 'a.json': SNAPSHOT }, { variables: { SIM_DB: 'a.sqlite' } })
  await stop('SIGTERM')
  writeFileSync(join(folder, 'init', 'b.init.json'), '{')
  const { code } = await runHere(ARGS, { folder, variables: { SIM_DB: 'a.sqlite' } })
  expect(code).toBe(2)
  expect(existsSync(join(folder, 'a.sqlite'))).toBe(true)
})
