/**
 * `npm run new` scaffolds an interface and an operation that compile, pass their tests and are served. Runs in a
 * copy.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT, start } from '../../support/process.ts'
import { checkout, VARIABLES } from './checkout.ts'

/** The parts of the project that a type check, a build and a test run do not need. */
const LEFT_OUT = new Set(['.git', '.ci', 'node_modules', 'dist', 'data', 'coverage', 'clients', 'examples'])

const whole = (): string => checkout(readdirSync(ROOT).filter((each) => !LEFT_OUT.has(each)))

const scaffold = (folder: string, ...args: string[]) =>
  spawnSync(process.execPath, ['scripts/new.mjs', ...args], { cwd: folder, encoding: 'utf8' })

/** Runs a program, which must succeed. */
function run(folder: string, command: string, ...args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    const child = spawn(command, args, { cwd: folder, env: VARIABLES, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    }
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${command} ${args.join(' ')} ended with ${String(code)}:\n${output}`))
    })
  })
}

const VITEST = ['npx', 'vitest', 'run'] as const

const LABELS = 'test/contract/documented.test.ts'

const OPERATION = ['operation', 'gift-cards', 'items', 'archiveItem', 'POST', '/items/{id}/archive']

test('adds a line to the list of documented facts, and leaves the others as they are', () => {
  const folder = checkout(['src', 'packages', 'scripts', 'test/contract', 'package.json', '.oxfmtrc.jsonc'])
  const list = 'src/http/openapi/fidelity/documented/catalog.json'
  const before = readFileSync(join(folder, list), 'utf8').split('\n')
  const { status, stderr } = scaffold(
    folder,
    ...['operation', 'catalog', 'products', 'archiveProduct', 'POST', '/products/{id}/archive'],
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const after = readFileSync(join(folder, list), 'utf8').split('\n')
  expect(after).toHaveLength(before.length + 1)
  // The line before it gets a comma.
  expect(after.filter((line) => !before.includes(line) && !before.includes(line.replace(/,$/, '')))).toEqual([
    expect.stringContaining('/products/{id}/archive": {}'),
  ])
})

describe('scaffold', () => {
  test('of an interface and of an operation compiles, passes its tests and is served', async () => {
    const folder = whole()
    for (const args of [['interface', 'gift-cards'], OPERATION]) {
      const { status, stdout, stderr } = scaffold(folder, ...args)
      expect(status, stderr).toBe(0)
      expect(stdout).toContain('npm run generate')
    }
    await run(folder, 'npx', 'drizzle-kit', 'generate', '--name', 'gift_cards')
    await Promise.all([
      run(folder, process.execPath, 'node_modules/typescript-native/bin/tsc', '--project', '.'),
      (async () => {
        await run(folder, ...VITEST, '--project=simulator', 'test/interfaces/gift-cards', LABELS)
        await run(folder, process.execPath, 'scripts/build.mjs')
        await run(folder, ...VITEST, ...['--mode=full', '--project=dist', 'test/contract/operations.test.ts'])
      })(),
    ])

    const binary = join(folder, 'dist/main.js')
    const { url } = await start(['--port', '0', '--db', ':memory:', '--fixtures', 'small'], {
      folder,
      binary,
    })
    const ask = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: 'Bearer demo-key', 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: response.status, headers: response.headers, body: await response.text() }
    }
    const [listed, archived, options, document] = await Promise.all([
      ask('GET', '/gift-cards/v1/items'),
      ask('POST', '/gift-cards/v1/items/demo-gift-cards-item-00001/archive', {}),
      ask('OPTIONS', '/gift-cards/v1/items'),
      ask('GET', '/_sim/openapi/gift-cards.json'),
    ])
    expect(listed).toMatchObject({ status: 200, body: expect.stringContaining('First item') as string })
    expect(archived).toMatchObject({ status: 200, body: '{"id":"demo-gift-cards-item-00001"}' })
    expect((await ask('POST', '/gift-cards/v1/items/none/archive', {})).status).toBe(404)
    expect(options.headers.get('allow')).toContain('POST')
    expect(JSON.parse(document.body)).toMatchObject({ paths: { '/items/{id}/archive': { post: {} } } })

    const at = '/_sim/workspaces/demo'
    const subscription = {
      interface: 'gift-cards',
      url: 'https://example.com/hooks',
      events: ['item.created'],
    }
    expect((await ask('POST', `${at}/subscriptions`, subscription)).status).toBe(201)
    const fault = { interface: 'gift-cards', method: 'GET', path: '/items', status: 503 }
    expect(await ask('POST', `${at}/faults`, fault)).toMatchObject({ status: 201 })
    expect((await ask('GET', '/gift-cards/v1/items')).status).toBe(503)
    for (const list of ['requests', 'deliveries']) {
      expect(await ask('GET', `${at}/${list}?interface=gift-cards`), list).toMatchObject({ status: 200 })
    }
    const key = { workspaceId: 'demo', interfaces: ['gift-cards'] }
    expect(await ask('POST', '/_sim/keys', key)).toMatchObject({ status: 201 })
  })
})

describe('npm run new', () => {
  test.each<[what: string, args: string[], words: string]>([
    ['no command', [], 'the command must be interface or operation'],
    ['an unknown command', ['page', 'x'], 'it is "page"'],
    ['no name', ['interface'], 'interface must have 1 arguments; it has 0'],
    ['an interface that exists', ['interface', 'crm'], 'NAME must be new'],
    ['a name of the control plane', ['interface', 'control'], 'NAME must be new'],
    ['a name with a path', ['interface', '../crm'], 'NAME must be in kebab-case'],
    ['a name with capitals', ['interface', 'GiftCards'], 'NAME must be in kebab-case'],
    [
      'an interface that does not exist',
      ['operation', 'none', 'items', 'getItem', 'GET', '/items'],
      'INTERFACE must be',
    ],
    [
      'a resource that does not exist',
      ['operation', 'catalog', 'none', 'getNone', 'GET', '/none'],
      'RESOURCE must be one of activities, products',
    ],
    [
      'an id that exists',
      ['operation', 'catalog', 'products', 'getProduct', 'GET', '/products/new'],
      '"getProduct" exists',
    ],
    [
      'an id that is not a name',
      ['operation', 'catalog', 'products', 'get product', 'GET', '/products/new'],
      'must be in camelCase',
    ],
    [
      'an invalid method',
      ['operation', 'catalog', 'products', 'readProduct', 'READ', '/products/new'],
      'METHOD must be',
    ],
    [
      'a path that exists under another name',
      ['operation', 'catalog', 'products', 'readProduct', 'GET', '/products/{product_id}'],
      'GET /products/{product_id} exists',
    ],
    [
      'a path without a slash',
      ['operation', 'catalog', 'products', 'readProduct', 'GET', 'x'],
      'PATH must begin',
    ],
  ])('refuses %s with exit code 2 and its usage, and writes nothing', (_what, args, words) => {
    const before = readFileSync(join(ROOT, 'test/contract/operations.tsv'), 'utf8')
    const { status, stdout, stderr } = scaffold(ROOT, ...args)
    expect(stderr).toContain(words)
    expect(stderr).toContain('Usage:')
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(readFileSync(join(ROOT, 'test/contract/operations.tsv'), 'utf8')).toBe(before)
  })
})
