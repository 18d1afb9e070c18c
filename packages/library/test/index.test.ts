/** The simulator inside a test suite's process, from the sources and from the built package. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createContext, Script } from 'node:vm'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import * as library from '../src/index.ts'
import { startSimulator, type Simulator, type SimulatorOptions } from '../src/index.ts'
import { formOf } from '../../../test/support/forms.ts'
import { build, ROOT, scratchFolder } from '../../../test/support/process.ts'
import { xlsx } from '../../../test/support/xlsx.ts'

async function start(options?: SimulatorOptions): Promise<Simulator> {
  const simulator = await startSimulator(options)
  onTestFinished(() => simulator.close())
  return simulator
}

const productsStatus = async (simulator: Simulator, key: string): Promise<number> => {
  const headers = { authorization: `Bearer ${key}` }
  return (await fetch(`${simulator.url}/workspace/public/v1/products`, { headers })).status
}

describe('startSimulator', () => {
  test('starts on a free port with the demo workspace and an open control plane', async () => {
    const simulator = await start()
    expect(simulator.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(simulator).toMatchObject({ adminUrl: `${simulator.url}/_sim`, key: 'demo-key', adminToken: null })
    expect(await productsStatus(simulator, 'demo-key')).toBe(200)
    expect((await fetch(`${simulator.adminUrl}/workspaces`)).status).toBe(200)
  })

  test('starts empty if the options say so', async () => {
    const simulator = await start({ fixtures: 'none' })
    expect(simulator.key).toBeNull()
    expect(await productsStatus(simulator, 'demo-key')).toBe(401)
  })

  test('runs next to another simulator and shares nothing with it', async () => {
    const [one, other] = await Promise.all([start(), start()])
    const { key } = await one.createWorkspace()
    expect(await productsStatus(one, key)).toBe(200)
    expect(await productsStatus(other, key)).toBe(401)
  })

  test('creates workspaces with the requested data and settings', async () => {
    const simulator = await start()
    const workspace = await simulator.createWorkspace({
      fixtures: 'demo',
      currency: 'PAB',
      timezone: 'America/Panama',
    })
    expect(workspace).toEqual({
      id: expect.any(String),
      key: expect.any(String),
      controlToken: expect.stringMatching(/^simctl_/),
      accountId: expect.any(Number),
      currency: 'PAB',
      timezone: 'America/Panama',
      user: { id: expect.any(String), name: expect.any(String), email: expect.any(String) },
    })
    expect(await productsStatus(simulator, workspace.key)).toBe(200)
  })

  test('creates workspaces if an admin token is set', async () => {
    const simulator = await start({ adminToken: 'open-sesame' })
    expect(simulator.adminToken).toBe('open-sesame')
    expect((await fetch(`${simulator.adminUrl}/workspaces`)).status).toBe(401)
    const { key } = await simulator.createWorkspace()
    expect(await productsStatus(simulator, key)).toBe(200)
  })

  test('reports why a workspace cannot be created', async () => {
    const simulator = await start()
    await expect(simulator.createWorkspace({ currency: 'dollars' })).rejects.toThrow(/currency/)
  })

  test('returns the same ids for the same seed', async () => {
    const made = async () => (await start({ seed: 'spring' })).createWorkspace()
    const { controlToken, ...first } = await made()
    const again = await made()
    expect(again).toMatchObject(first)
    expect(again.controlToken).not.toBe(controlToken)
  })

  test('is protected by a token if it has a public URL, and returns the token', async () => {
    const simulator = await startSimulator({ publicUrl: 'https://sim.example.com' })
    onTestFinished(() => simulator.close())
    expect(simulator.adminToken).toMatch(/^[\w-]{32}$/)
    expect((await fetch(`${simulator.adminUrl}/workspaces`)).status).toBe(401)
    expect((await simulator.createWorkspace()).id).toEqual(expect.any(String))
  })

  test('reports an invalid fixture or database in one line', async () => {
    await expect(startSimulator({ fixtures: 'missing.json' })).rejects.toThrow(
      /^cannot use the fixture missing\.json: the file does not exist/,
    )
    await expect(startSimulator({ db: scratchFolder() })).rejects.toThrow(
      /^cannot use .+: there is a folder at that path/,
    )
  })

  test('starts with a file with calls, or reports its mistake', async () => {
    const simulator = await start({ fixtures: join(ROOT, 'examples/seeds/shop.init.yaml') })
    expect(simulator.key).toBe('shop-key')
    const headers = { authorization: 'Bearer shop-key' }
    const contacts = await fetch(`${simulator.url}/crm/v1/contacts`, { headers })
    expect(await contacts.json()).toMatchObject({ data: [{ email: 'ana@example.com' }] })

    const folder = scratchFolder()
    const fixtures = join(folder, 'a.init.yaml')
    writeFileSync(fixtures, 'workspace: { id: shop }\ncalls:\n  - crm POST /contact: {}\n')
    await expect(startSimulator({ fixtures, db: join(folder, 'a.sqlite') })).rejects.toThrow(
      `cannot use the fixture ${fixtures}:3: calls.0: crm POST /contact: 404 There is no operation`,
    )
    expect(readdirSync(folder)).toEqual(['a.init.yaml'])
  })

  test('creates workspaces from a named snapshot of another', async () => {
    const simulator = await start({ fixtures: 'none' })
    const shop = await simulator.workspaces.create({ fixtures: 'small' })
    await shop.snapshots.save('before-sale')
    const copy = await simulator.workspaces.create({
      fixtures: { workspace: shop.id, snapshot: 'before-sale' },
    })
    expect(await copy.records.sections()).toEqual(await shop.records.sections())
  })

  test('refuses a port that is in use', async () => {
    const { url } = await start()
    await expect(startSimulator({ port: Number(new URL(url).port) })).rejects.toThrow(
      /^startSimulator\(\): port \d+ is in use \(EADDRINUSE\); leave port out for a free one$/,
    )
  })

  test('is unreachable after it is closed', async () => {
    const simulator = await startSimulator()
    await simulator.close()
    await expect(fetch(simulator.adminUrl)).rejects.toThrow()
  })
})

describe('package', () => {
  beforeAll(build)

  test('exports the same names as the sources', async () => {
    const built = (await import(pathToFileURL(join(ROOT, 'dist/index.js')).href)) as typeof library
    expect(Object.keys(built).sort()).toEqual(Object.keys(library).sort())
    const simulator = await built.startSimulator()
    onTestFinished(() => simulator.close())
    expect(await productsStatus(simulator, 'demo-key')).toBe(200)
    expect(await importedStatus(simulator)).toBe(200)
  })

  test('starts a simulator if a VM runs the test modules, as Jest does', async () => {
    const built = requireInVm(join(ROOT, 'dist/index.cjs')) as typeof library
    const simulator = await built.startSimulator({ fixtures: 'none' })
    onTestFinished(() => simulator.close())
    const { key } = await simulator.createWorkspace()
    expect(await productsStatus(simulator, key)).toBe(200)
  })
})

/** Runs modules in a separate context, which has its own built-in objects and no `import()`. */
function requireInVm(main: string): unknown {
  const { fetch, Headers, URL, URLSearchParams, AbortController, AbortSignal, TextDecoder, Buffer } =
    globalThis
  const context = createContext({
    ...{ process, fetch, Headers, URL, URLSearchParams, AbortController, AbortSignal, TextDecoder, Buffer },
    ...{ setTimeout, clearTimeout },
  })
  const load = (file: string): unknown => {
    const module = { exports: {} as unknown }
    const here = createRequire(file)
    const within = (name: string): unknown => (name.startsWith('.') ? load(here.resolve(name)) : here(name))
    const text = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`
    const run = new Script(text, { filename: file }).runInContext(context) as (...args: unknown[]) => void
    run(module.exports, within, module, file, dirname(file))
    return module.exports
  }
  return load(main)
}

test('logs only if a level is set', async () => {
  const folder = scratchFolder()
  const file = join(folder, 'log.mjs')
  writeFileSync(
    file,
    `import { startSimulator } from ${JSON.stringify(pathToFileURL(join(ROOT, 'dist/index.js')).href)}
     const simulator = await startSimulator({ fixtures: 'none', ...JSON.parse(process.argv[2]) })
     await fetch(simulator.url + '/_sim/workspaces')
     await simulator.close()`,
  )
  const printed = (options: SimulatorOptions) =>
    spawnSync(process.execPath, [file, JSON.stringify(options)], { encoding: 'utf8' })
  expect(printed({ logLevel: 'debug' }).stdout).toMatch(/^\{"level":20,.*\/_sim\/workspaces/m)
  expect(printed({})).toMatchObject({ status: 0, stdout: '', stderr: '' })
})

/** A thread reads spreadsheets; its file is next to the package. */
async function importedStatus({ url, key }: Simulator): Promise<number> {
  const { raw, contentType } = formOf({ file: { filename: 'a.xlsx', content: xlsx([['name'], ['Ana']]) } })
  const headers = { authorization: `Bearer ${String(key)}`, 'content-type': String(contentType) }
  return (await fetch(`${url}/crm/v1/contacts/import`, { method: 'POST', headers, body: raw })).status
}

describe('startSimulator refuses', () => {
  test.each([
    [{ prot: 4012 }, /has no option prot; did you mean port\?; its options are db, fixtures, port/],
    [{ loglevel: 'warn' }, /has no option loglevel; did you mean logLevel\?/],
    [{ port: '4012' }, /port must be a whole number from 0 to 65535/],
    [{ port: 65_536 }, /port must be/],
    [{ db: '' }, /db must be a non-empty string/],
    [{ publicUrl: 'sim.example.com' }, /publicUrl must be a URL that starts with http/],
    [{ rateLimits: 'off' }, /rateLimits must be true or false/],
    [{ readings: ['scopes.unlisted'] }, /readings must be an object/],
    [{ readings: { 'scopes.unlistd': 'any' } }, /Did you mean scopes\.unlisted\?/],
    [{ readings: { 'scopes.unlisted': 'all' } }, /must be area or any, not all/],
    [{ cors: 'http://localhost:5173' }, /cors must be an array of non-empty strings/],
    [{ allowedHosts: 'sim.test' }, /allowedHosts must be an array of non-empty strings/],
    [{ logLevel: 'loud' }, /logLevel must be one of fatal, error, warn, info, debug, trace, silent/],
    [7, /takes an object of options/],
    [{ webhookHttpHosts: [7] }, /webhookHttpHosts must be an array of non-empty strings/],
  ])('%j', async (options, says) => {
    await expect(startSimulator(options as SimulatorOptions)).rejects.toThrow(says)
  })

  test('no option that is undefined', async () => {
    await start({ port: undefined, cors: undefined } as unknown as SimulatorOptions)
  })
})

describe('browser app of another origin', () => {
  const ORIGIN = 'http://localhost:5173'
  const preflight = (url: string, origin = ORIGIN) =>
    fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    })

  test('may call the interfaces if it is named, but never the control plane', async () => {
    const simulator = await start({ cors: [ORIGIN] })
    const products = `${simulator.url}/workspace/public/v1/products`
    const response = await preflight(products)
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'authorization,content-type',
      vary: 'Origin',
    })
    const headers = { origin: ORIGIN, authorization: 'Bearer demo-key' }
    const answer = await fetch(products, { headers })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, ORIGIN])
    const refused = await fetch(products, { headers: { origin: ORIGIN } })
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, ORIGIN])
    expect((await preflight(`${simulator.url}/_sim/health`)).headers.has('access-control-allow-origin')).toBe(
      false,
    )
    const other = await preflight(products, 'https://evil.example.com')
    expect(other.headers.has('access-control-allow-origin')).toBe(false)
  })

  test('may not call without being named, and may call from any origin with *', async () => {
    const [none, all] = [await start(), await start({ cors: ['*'] })]
    const path = '/crm/v1/contacts'
    expect((await preflight(none.url + path)).headers.has('access-control-allow-origin')).toBe(false)
    expect((await preflight(all.url + path)).headers.get('access-control-allow-origin')).toBe(ORIGIN)
  })
})
