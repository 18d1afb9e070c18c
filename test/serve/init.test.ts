/** `suite-sim serve --init`: snapshots and calls that run in a new database before the server is ready. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { runHere, serveHere, startHere } from '../support/commandLine.ts'
import { ROOT } from '../support/root.ts'
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
    'init: 3 files: 3 workspaces, 1 user, 1 key, 1 subscription, 1 clock, 1 fault, 2 triggers',
  )
  expect((await sim('/keys?workspaceId=store')).data).toHaveLength(2)
  const { data: subscriptions } = await sim('/workspaces/store/subscriptions')
  expect((subscriptions as { url: string }[]).map(({ url: to }) => to)).toContain('http://127.0.0.1:9/hook')
  // The subscription exists before the triggers run.
  expect((await sim('/workspaces/store/deliveries?event=sale.completed&limit=1')).data).toHaveLength(1)
  const { data: timeline } = await sim('/workspaces/store/timeline?kind=trigger')
  expect(timeline).toMatchObject([
    { title: 'pos.day.run', caller: 'init' },
    { title: 'pos.event.emit', caller: 'init' },
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

  test('by SIGKILL, during the calls of a file, begins with a new database', async () => {
    const folder = scratchFolder()
    mkdirSync(join(folder, 'init'))
    const place = { folder, variables: { SIM_DB: join(folder, 'a.sqlite') } }
    // Gets the event of the first call, while the others run.
    const receiver = createServer((_request, response) => response.end()).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    onTestFinished(() => {
      receiver.closeAllConnections()
      receiver.close()
    })
    const url = `http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}/hook`
    const calls = Array.from({ length: 500 }, (_, index) => ({
      'crm POST /contacts': { name: 'Ana', email: `ana.${String(index)}@example.com` },
    }))
    const content = {
      workspace: { id: 'shop', key: 'shop-key' },
      subscriptions: [{ interface: 'crm', url }],
      calls,
    }
    writeFileSync(join(folder, 'init/a.init.json'), JSON.stringify(content))
    const called = once(receiver, 'request')
    const child = spawn(process.execPath, [BINARY, 'serve', ...ARGS], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...place.variables },
      stdio: 'ignore',
    })
    stopAfterTest(child)
    await called
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    expect(readdirSync(folder)).toContain('a.sqlite-unfinished')

    const again = await serveHere(ARGS, place)
    const { data: records } = await simAt(again.url)('/workspaces/shop/records')
    expect(records).toContainEqual(expect.objectContaining({ section: 'crm.contacts', count: 500 }))
    expect((await simAt(again.url)('/workspaces')).data).toMatchObject([{ id: 'shop' }])
  })
})

describe('exits with 2 and leaves no database:', () => {
  const steps = (kind: string, ...entries: unknown[]) => ({
    'a.init.json': { workspaces: [SHOP], [kind]: entries },
  })

  test.each<[Files, string]>([
    [{}, '--init: init has no .json, .json.gz or .init.yaml file'],
    [{ 'a.init.json': '{' }, '--init: a.init.json:1: it is not valid JSON: '],
    [{ 'a.init.json': '{\n"users": [}' }, '--init: a.init.json:2: it is not valid JSON: '],
    [
      { 'a.init.json': '[]' },
      '--init: a.init.json:1: it must be an object with workspace, workspaces, users, ',
    ],
    [
      { 'a.init.json': { trigers: [] } },
      'a.init.json:1: trigers is not a known list; did you mean triggers?',
    ],
    [{ 'a.init.json': '{"__proto__":[]}' }, 'a.init.json:1: __proto__ is not a known list; use workspace,'],
    [{ 'a.init.json': { faults: {} } }, 'a.init.json:1: faults must be a list'],
    [{ 'a.init.json': { faults: [1] } }, 'a.init.json:1: faults.0 must be an object'],
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
      'a.init.json:1: workspaces.0: nme is not a known field; did you mean name?',
    ],
    [
      steps('workspaces', { fixtures: './no.json' }),
      'cannot read the file init/no.json: the file does not exist',
    ],
    [steps('workspaces', { fixtures: 'demmo' }), 'did you mean "demo"?'],
    [steps('users', { name: 'A' }), 'users.0: workspace must be the id or the name of a workspace'],
    [steps('users', { workspace: 'store', name: 'A' }), 'a.init.json:1: users.0: email is required'],
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
    [
      steps('triggers', { workspace: '..', name: 'pos.day.run' }),
      'triggers.0: workspace must be the id or the name of a workspace; there is no ..',
    ],
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

describe('calls of interfaces', () => {
  const SEED = readFileSync(join(ROOT, 'examples/seeds/shop.init.yaml'), 'utf8')

  const read = async (url: string, path: string) =>
    (await (await fetch(url + path, { headers: { authorization: 'Bearer shop-key' } })).json()) as {
      data: Record<string, unknown>[]
    }

  test.each<[string, string | object]>([
    ['shop.init.yaml', SEED],
    [
      'shop.init.json',
      {
        workspace: { id: 'shop', key: 'shop-key' },
        calls: [
          { 'crm POST /contacts': { name: 'Ana Ríos', email: 'ana@example.com' }, as: 'ana' },
          { 'crm PATCH /contacts/${ana.id}': { phone: '+50760000000' } },
        ],
      },
    ],
  ])('of %s run like those of a client, and a reset keeps their records', async (name, content) => {
    const { url, sim, folder, stop } = await started(
      { [name]: content },
      { variables: { SIM_DB: 'a.sqlite' } },
    )
    const contacts = await read(url, '/crm/v1/contacts')
    expect(contacts.data).toMatchObject([
      { name: 'Ana Ríos', email: 'ana@example.com', phone: '+50760000000' },
    ])
    expect((await sim('/workspaces/shop/diff')).summary).toMatchObject({ added: 0, changed: 0 })

    const headers = { authorization: 'Bearer shop-key', 'content-type': 'application/json' }
    const more = { method: 'POST', headers, body: JSON.stringify({ name: 'Bea', email: 'bea@example.com' }) }
    expect((await fetch(`${url}/crm/v1/contacts`, more)).status).toBe(201)
    expect(await sim('/workspaces/shop/reset', 'POST')).toBe(204)
    expect(await read(url, '/crm/v1/contacts')).toEqual(contacts)
    await stop('SIGTERM')
    const again = await serveHere(ARGS, { folder, variables: { SIM_DB: 'a.sqlite' } })
    expect(await read(again.url, '/crm/v1/contacts')).toEqual(contacts)
  })

  test('use values of the workspace and of earlier answers, in their types', async () => {
    const { url } = await started({
      'a.init.yaml': yaml(
        '  - crm POST /contacts: { name: Ana, email: ana@example.com }',
        '    as: ana',
        '  - crm PATCH /contacts/${ana.id}: { name: "${ana.name} of ${workspace.id}" }',
        '  - conversations POST /accounts/${workspace.accountId}/contacts: { name: Ana }',
        '  - payments POST /payment-links: { amount: 1250, currency: USD, description: Desk }',
        '    as: desk',
        '  - payments POST /payment-links: { amount: "${desk.data.amount}", currency: USD, description: Chair }',
        '  - payments DELETE /payment-links/${desk.data.id}:',
      ).replace('id: shop', 'id: shop, key: shop-key'),
    })
    expect((await read(url, '/crm/v1/contacts')).data).toMatchObject([{ name: 'Ana of shop' }])
  })

  test('name their caller init', async () => {
    const body = { name: '{{request.headers.x-sim-caller}}' }
    const { url } = await started({
      'a.init.json': {
        workspace: { id: 'shop', key: 'shop-key', fixtures: 'none' },
        faults: [{ interface: 'crm', method: 'GET', status: 200, body, template: true, times: 1 }],
      },
      'b.init.yaml': yaml(
        '  - crm GET /deals:',
        '    as: seen',
        '  - crm POST /contacts: { name: "${seen.name}", email: ana@example.com }',
      ).replace('{ id: shop }', 'shop'),
    })
    expect((await read(url, '/crm/v1/contacts')).data).toMatchObject([{ name: 'init' }])
  })

  test('and triggers are part of the state that a reset restores, with the clock and the e-mails of a fixture', async () => {
    const { url, sim } = await started({
      'a.init.yaml': [
        'workspace: { id: shop, key: shop-key, fixtures: demo, name: Shop }',
        'clocks: [{ now: 2026-11-23T12:00:00Z, frozen: true }]',
        'calls:',
        '  - payments POST /payment-links: { amount: 1250, currency: USD, description: "Desk $${link.id}" }',
        '    as: link',
        'triggers:',
        '  - { name: payments.link.pay, body: { link_id: "${link.data.id}", outcome: completed } }',
      ].join('\n'),
    })
    const links = await read(url, '/pay/v1/payment-links')
    expect(links.data[0]).toMatchObject({ description: 'Desk ${link.id}', status: 'paid' })
    await sim('/workspaces/shop/reset', 'POST')
    expect(await read(url, '/pay/v1/payment-links')).toEqual(links)
    expect(await sim('/workspaces/shop/clock')).toEqual({ now: '2026-11-23T12:00:00.000Z', frozen: true })
    expect((await sim('/workspaces/shop/emails?limit=1')).data).toHaveLength(1)
  })

  test('use the workspace of a snapshot by its name, and one of fixtures', async () => {
    const calls = [{ 'crm POST /contacts': { name: 'Ana', email: 'ana.2@example.com' } }]
    const { url, sim } = await started({
      '10-shop.json': SNAPSHOT,
      '20-a.init.json': { workspace: 'shop', calls },
      '30-b.init.json': { workspace: { id: 'b', fixtures: 'small' }, calls },
    })
    expect((await read(url, '/crm/v1/contacts')).data).toMatchObject([{ name: 'Ana' }])
    const { usage } = await sim('/workspaces/b')
    expect((await sim('/workspaces/b/diff')).summary).toMatchObject({ added: 0, changed: 0 })
    expect(await sim('/workspaces', 'GET')).toMatchObject({ data: [{ id: 'shop' }, { id: 'b' }] })
    expect(await sim('/workspaces/b/reset', 'POST')).toBe(204)
    expect((await sim('/workspaces/b')).usage.records).toBe(usage.records)
  })

  test('add to the workspace of --fixtures, with its first key', async () => {
    const args = ['--port', '0', '--fixtures', 'small', '--init', 'init']
    const calls = [{ 'crm POST /contacts': { name: 'Ana', email: 'ana.2@example.com' } }]
    const { url, sim } = await started({ 'a.init.json': { workspace: 'demo', calls } }, { args })
    expect((await sim('/workspaces/demo/diff')).summary).toMatchObject({ added: 0 })
    const headers = { authorization: 'Bearer demo-key' }
    const found = await fetch(`${url}/crm/v1/contacts?search=ana.2`, { headers })
    expect(await found.json()).toMatchObject({ data: [{ name: 'Ana' }] })

    // Another workspace of the fixture has only its records, which both had at first.
    const body = JSON.stringify({ id: 'other', key: 'other-key', fixtures: 'small' })
    const json = { 'content-type': 'application/json' }
    await fetch(`${url}/_sim/workspaces`, { method: 'POST', headers: json, body })
    expect(await sim('/workspaces/other/reset', 'POST')).toBe(204)
    const other = { authorization: 'Bearer other-key' }
    const contacts = await fetch(`${url}/crm/v1/contacts?search=ana.2`, { headers: other })
    expect(await contacts.json()).toMatchObject({ data: [] })
    expect((await sim('/workspaces/other/diff')).summary).toMatchObject({ added: 0, removed: 0 })
    expect((await sim('/workspaces/other')).usage.records).toBeGreaterThan(100)
  })

  const ANA = '  - crm POST /contacts: { name: Ana, email: ana@example.com }'

  const yaml = (...lines: string[]) => ['workspace: { id: shop }', 'calls:', ...lines].join('\n')

  test.each<[string, string]>([
    [
      yaml(
        '  - crm POST /contacts: { name: A }',
        '  - crm POST /contacts:',
        '      name: B',
        '      email: 5',
      ),
      'a.init.yaml:6: calls.1: crm POST /contacts: 422 email must be',
    ],
    [yaml('  - crm POST /contacts: {}'), 'a.init.yaml:3: calls.0: crm POST /contacts: 422 name is required'],
    [
      yaml('  - payments POST /payment-links: { currency: USD,', '      amount: -1 }'),
      'a.init.yaml:4: calls.0: payments POST /payment-links: 422 amount must be',
    ],
    [yaml('  - crm POST /no: {}'), 'a.init.yaml:3: calls.0: crm POST /no: 404 '],
    [
      yaml('  - crmm POST /contacts: {}'),
      'a.init.yaml:3: calls.0: crmm POST /contacts: crmm is not an interface; did you mean crm?',
    ],
    [yaml('  - crm SEND /contacts: {}'), 'SEND must be one of GET, POST, PUT, PATCH, DELETE'],
    [yaml('  - contacts: {}'), 'calls.0: contacts: it must be an interface, a method and a path, such as'],
    [yaml('  - {}'), 'calls.0: it must have one call, such as "crm POST /contacts"'],
    [yaml('  - { crm POST /contacts: {}, as: 1 }'), 'as must be a name of letters, digits'],
    [
      yaml('  - crm DELETE /contacts/${ana.id}:'),
      'calls.0: crm DELETE /contacts/${ana.id}: ${ana.id} must name a field in the answer of an earlier call',
    ],
    [
      'calls:\n  - crm POST /contacts: {}',
      'a.init.yaml:2: calls.0: crm POST /contacts: workspace must be the id or the name of a workspace',
    ],
    [
      yaml('  - crm DELETE /contacts/7:', '  - crm POST /contact:', '      name: A'),
      'a.init.yaml:3: calls.0: crm DELETE /contacts/7: 404 There is no contact 7.',
    ],
    [
      yaml('  - as: ana', '    crm POST /contact:', '      name: A'),
      'a.init.yaml:4: calls.0: crm POST /contact: 404 There is no operation at /contact. Did you mean /contacts?',
    ],
    [
      yaml('  - lite-invoicing POST /invoices: {}'),
      'calls.0: lite-invoicing POST /invoices: 404 There is no operation at /invoices.',
    ],
    [
      yaml('  - crm POST /contacts: { name: A, email: a@example.com,', '      phon: 1 }'),
      'a.init.yaml:4: calls.0: crm POST /contacts: createContact has no field phon.',
    ],
    [
      yaml('  - crm GET /contacts?pages=1:'),
      'a.init.yaml:3: calls.0: crm GET /contacts?pages=1: listContacts has no query parameter pages.',
    ],
    [
      yaml(ANA, '    as: ana', '  - crm POST /contacts:', '      name: B', '      email: ${ana.mail}'),
      'a.init.yaml:7: calls.1: crm POST /contacts: ${ana.mail} must name a field in the answer of an earlier call with "as"; did you mean ${ana.email}?',
    ],
    [
      yaml(ANA, '    as: ana', '  - crm GET /contacts:', '    as: ana'),
      'a.init.yaml:6: calls.1: crm GET /contacts: as must be a name that no other answer of the file has',
    ],
    [
      yaml(
        ANA,
        'triggers:',
        '  - name: crm.team.define',
        '    body: { name: A, member_ids: [',
        '      "${ana.id}"] }',
      ),
      'a.init.yaml:7: triggers.0: ${ana.id} must name a field in the answer of an earlier call',
    ],
    [
      'workspace: { id: shop }\nworkspaces:\n  - name: Shop\n    id: shop',
      'a.init.yaml:4: workspaces.0: There is a workspace shop already.',
    ],
    [
      'workspace: { id: shop, key: shop-key }\nworkspaces:\n  - name: Other\n    key: shop-key',
      'a.init.yaml:4: workspaces.0: The key shop-key exists already.',
    ],
    [
      'workspaces:\n  - id: shop\nworkspace: shpo\ncalls:\n  - crm GET /contacts:',
      'a.init.yaml:3: workspace: workspace must be the id or the name of a workspace; there is no shpo; did you mean shop?',
    ],
    [
      'workspace:\n  id: shop\n  timezon: UTC',
      'a.init.yaml:3: workspace: timezon is not a known field; did you mean timezone?',
    ],
    ['workspace: 1', 'a.init.yaml:1: workspace must be an object, or the id or the name of a workspace'],
    ['workspace:\n  id: shop\n  timezone: Nowhere', 'a.init.yaml:3: workspace: timezone must be'],
    ['workspace: {\ncalls: [', 'a.init.yaml:2: the YAML is invalid: '],
    ['workspaces: &a []\nusers: *a', 'a.init.yaml:2: the YAML is invalid: aliases (*name) are not supported'],
    ['trigger: []', 'a.init.yaml:1: trigger is not a known list; did you mean triggers?'],
  ])('that are wrong end the start with the file, the line and the reason: %#', async (text, message) => {
    const folder = folderWith({ 'a.init.yaml': text })
    const { code, stdout, stderr } = await runHere(ARGS, { folder, variables: { SIM_DB: 'data/a.sqlite' } })
    expect(stderr).toMatch(/^suite-sim: .+\n$/)
    expect(stderr).toContain(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })
})

describe('--fixtures with a file with calls', () => {
  const SEEDS = join(ROOT, 'examples/seeds')
  const started = (fixtures: string, more: readonly string[] = []) =>
    serveHere(['--port', '0', '--db', ':memory:', '--fixtures', fixtures, ...more], { folder: ROOT })

  test('starts with its workspace alone, also after a reset of the whole server', async () => {
    const { url, printed } = await started(join(SEEDS, 'shop.init.yaml'))
    expect(printed()[1]).toContain('init: 1 file: 1 workspace, 3 calls')
    const sim = simAt(url)
    expect((await sim('/workspaces')).data).toMatchObject([{ id: 'shop', timezone: 'America/Panama' }])
    expect(await sim('/workspaces/shop', 'DELETE')).toBe(204)
    expect(await sim('/reset', 'POST')).toBe(204)
    expect(await status(url, 'shop-key')).toBe(200)
  })

  test('runs before the files of --init', async () => {
    const folder = folderWith({
      'a.init.json': { workspace: 'paid', calls: [{ 'payments GET /payment-links': null }] },
    })
    const { url } = await started(join(SEEDS, 'paid-link.init.json'), ['--init', join(folder, 'init')])
    const headers = { authorization: 'Bearer paid-key' }
    const response = await fetch(`${url}/pay/v1/payment-links`, { headers })
    expect(await response.json()).toMatchObject({ data: [{ description: 'Desk lamp', status: 'paid' }] })
  })

  test.each<[string, Files, string]>([
    [
      './init/a.init.yaml',
      { 'a.init.yaml': 'workspace: { id: shop }\ncalls:\n  - crm POST /contacts: {}' },
      './init/a.init.yaml:3: calls.0: crm POST /contacts: 422 name is required',
    ],
    ['init/a.init.yaml', {}, 'init/a.init.yaml: the file does not exist'],
    [
      'init/a.init.json',
      { 'a.init.json': SNAPSHOT },
      'init/a.init.json:1: it is a snapshot, whose name must not end in .init.json',
    ],
    ...['calls: []', '{"calls":[]}'].map((text): [string, Files, string] => [
      'init/a.yaml',
      { 'a.yaml': text },
      '; it must be a snapshot, which is JSON with a format, or a file with calls, whose name ends in .init.yaml or .init.json',
    ]),
  ])('ends the start if the file cannot be used: %#', async (fixtures, files, message) => {
    const folder = folderWith(files)
    const ended = await runHere(['--port', '0', '--fixtures', fixtures, '--db', 'data/a.sqlite'], { folder })
    expect(ended.stderr).toMatch(/^suite-sim: cannot use the fixture .+\n$/)
    expect(ended.stderr).toContain(message)
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })
})

test('a reset of the whole server whose files fail answers with the reason, and keeps nothing of the files', async () => {
  const { folder, sim } = await started({
    'a.init.yaml':
      'workspace: { id: shop }\ncalls:\n  - crm POST /contacts: { name: A, email: a@example.com }',
    'b.init.json': { workspaces: [{ id: 'other', fixtures: './data.txt' }] },
    'data.txt': SNAPSHOT,
  })
  rmSync(join(folder, 'init/data.txt'))
  const { error } = await sim('/reset', 'POST')
  expect(error.message).toContain(
    'its files did not run. --init: b.init.json:1: workspaces.0: cannot read the file',
  )
  expect((await sim('/workspaces')).data).toEqual([])
})
