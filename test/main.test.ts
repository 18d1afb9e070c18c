/** The command line, as the process that a person or a container starts. OPERATING.md, "Start". */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { request, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { runHere } from './support/commandLine.ts'
import { build, run, scratchFolder, sharedServer, start, type Place, type Server } from './support/process.ts'
import { formOf } from './support/forms.ts'
import { receiver } from './support/webhooks.ts'
import { xlsx } from './support/xlsx.ts'

beforeAll(build)

const here = (variables: Record<string, string> = {}): Place => ({ folder: scratchFolder(), variables })

describe('a wrong flag or value is one line on standard error, exit code 2, and nothing on disk', () => {
  const wrong: [args: string[], says: string][] = [
    [['--port', 'http'], 'It must be a whole number from 0 to 65535.'],
    [['--port', '-1'], 'It must be a whole number from 0 to 65535.'],
    [['--port', '65536'], 'It must be a whole number from 0 to 65535.'],
    [['--port', '1e3'], 'It must be a whole number from 0 to 65535.'],
    [['--port', ''], 'It must be a whole number from 0 to 65535.'],
    [['--port'], "option '--port <number>' argument missing"],
    [['--host', ''], 'It must not be empty.'],
    [['--db', ''], 'It must not be empty.'],
    [['--fixtures', ' '], 'It must not be empty.'],
    [['--seed', ''], 'It must not be empty.'],
    [['--admin-token', 'two words'], 'It must be visible ASCII characters without spaces.'],
    [['--public-url', 'sim.example.com'], 'It must be a URL that starts with http:// or https://.'],
    [['--public-url', 'ftp://sim.example.com'], 'It must be a URL that starts with http:// or https://.'],
    [['--public-url', 'http://sim.example.com?a=b'], 'It must have no query, fragment or credentials.'],
    [['--public-url', 'http://me:secret@sim.example.com'], 'It must have no query, fragment or credentials.'],
    [['--webhook-http-hosts', 'http://receiver'], 'It must be host names without protocol or port'],
    [['--webhook-http-hosts', 'receiver:80'], 'It must be host names without protocol or port'],
    [['--webhook-http-hosts', 'one,,two'], 'It must be host names without protocol or port'],
    [['--rate-limits', 'maybe'], 'It must be "on" or "off".'],
    [['--log-level', 'loud'], 'It must be one of fatal, error, warn, info, debug, trace, silent.'],
    [['--prot', '1'], "unknown option '--prot'"],
    [['serve', '--url', 'http://127.0.0.1'], "unknown option '--url'"],
    [['--prot', '1'], 'Did you mean --port?'],
    [['--cors', 'localhost:5173'], 'It must be origins such as http://localhost:5173'],
    [['--cors', 'http://localhost:5173/app'], 'It must be origins such as http://localhost:5173'],
    [['begin'], "there is no command 'begin'; the commands are serve, healthcheck, openapi"],
    [['serv'], "there is no command 'serv'; did you mean serve?"],
    [['heathcheck', '--port', '1'], 'did you mean healthcheck?'],
    [['serve', 'now'], 'too many arguments'],
    [['healthcheck', '--url', 'nowhere'], 'It must be a URL that starts with http:// or https://.'],
    [['openapi', '--interface', ''], 'It must not be empty.'],
  ]

  test.each(wrong)('%j', async (args, says) => {
    const place = here()
    const { code, stdout, stderr } = await runHere(args, place)
    expect(stderr).toMatch(/^suite-sim: .+\n$/)
    expect({ code, stdout, stderr: stderr.includes(says) ? says : stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: says,
    })
    expect(readdirSync(place.folder)).toEqual([])
  })

  test('a wrong variable is refused as its flag is, and is named', async () => {
    const { code, stderr } = await runHere([], here({ PORT: 'http' }))
    expect(code).toBe(2)
    expect(stderr).toMatch(/^suite-sim: .*'PORT'.* from 0 to 65535\.\n$/)
  })
})

describe('what keeps the server from its work is one line on standard error and exit code 1', () => {
  test('a port in use; the database made for it is gone again, and so is its folder', async () => {
    const port = await takenPort()
    const place = here()
    expect(await run(['--port', String(port), '--db', 'new/data/suite.sqlite'], place)).toEqual({
      code: 1,
      stdout: '',
      stderr: `suite-sim: cannot listen at 127.0.0.1 port ${String(port)}: the port is in use\n`,
    })
    expect(readdirSync(place.folder)).toEqual([])
  })

  test('a port in use leaves a database that was there before', async () => {
    const place = here()
    const server = await start(['--port', '0', '--db', 'kept.sqlite'], place)
    await server.stop('SIGTERM')
    const port = await takenPort()
    expect((await run(['--port', String(port), '--db', 'kept.sqlite'], place)).code).toBe(1)
    expect(existsSync(join(place.folder, 'kept.sqlite'))).toBe(true)
  })

  test('a host that this machine does not have', async () => {
    const { code, stderr } = await run(['--port', '0', '--host', '192.0.2.1'], here())
    expect(stderr).toBe(
      'suite-sim: cannot listen at 192.0.2.1 port 0: this machine does not have that address\n',
    )
    expect(code).toBe(1)
  })

  test('a database that another process has open', async () => {
    const place = here()
    const { url } = await start(['--port', '0', '--db', 'shared.sqlite'], place)
    expect(await run(['--port', '0', '--db', 'shared.sqlite'], place)).toEqual({
      code: 1,
      stdout: '',
      stderr: `suite-sim: cannot use shared.sqlite: another process is using it: a suite simulator runs at ${url}\n`,
    })
    expect(existsSync(join(place.folder, 'shared.sqlite'))).toBe(true)
  })

  test('a database that a newer version wrote, which stays as it is', async () => {
    const place = here()
    await (await start(['--port', '0', '--db', 'newer.sqlite'], place)).stop('SIGTERM')
    const file = join(place.folder, 'newer.sqlite')
    const database = new SQLite(file)
    database
      .prepare("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('of tomorrow', ?)")
      .run(9e15)
    database.close()
    const before = readFileSync(file)
    const { code, stderr } = await run(['--port', '0', '--db', 'newer.sqlite'], place)
    expect(stderr).toMatch(
      /^suite-sim: cannot use newer\.sqlite: a newer version of suite-sim wrote it;.*\n$/,
    )
    expect(code).toBe(1)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('a file that is no database, which stays as it is', async () => {
    const place = here()
    writeFileSync(join(place.folder, 'notes.txt'), 'These are notes, and no pages of a database at all.\n')
    expect(await run(['--port', '0', '--db', 'notes.txt'], place)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'suite-sim: cannot use notes.txt: it is not a SQLite database\n',
    })
    expect(readFileSync(join(place.folder, 'notes.txt'), 'utf8')).toMatch(/^These are notes/)
    expect(readdirSync(place.folder)).toEqual(['notes.txt'])
  })

  test('the database of another program', async () => {
    const place = here()
    const other = new SQLite(join(place.folder, 'other.sqlite'))
    other.exec('CREATE TABLE invoices (id)')
    other.close()
    const { code, stderr } = await run(['--port', '0', '--db', 'other.sqlite'], place)
    expect(stderr).toBe('suite-sim: cannot use other.sqlite: it is a database of another program\n')
    expect(code).toBe(1)
  })

  test('a database where a folder is, or below a file', async () => {
    const place = here()
    mkdirSync(join(place.folder, 'folder'))
    writeFileSync(join(place.folder, 'file'), '')
    for (const db of ['folder', 'file/suite.sqlite']) {
      const { code, stderr } = await run(['--port', '0', '--db', db], place)
      expect(stderr).toMatch(new RegExp(`^suite-sim: cannot use ${db}: .+\\n$`))
      expect(code).toBe(1)
    }
  })

  test.each([
    ['missing.json', null],
    ['broken.json', '{"format": '],
    ['list.json', '[]'],
    ['unfit.json', '{"format": "suite-simulator/1", "catalog": {"products": [{"id": 1}]}}'],
  ])('a fixture that does not fit: %s; the database made for it is gone again', async (name, text) => {
    const place = here()
    const fixture = join(place.folder, name)
    if (text !== null) writeFileSync(fixture, text)
    const { code, stdout, stderr } = await run(
      ['--port', '0', '--db', 'new/a.sqlite', '--fixtures', fixture],
      place,
    )
    expect(stderr).toMatch(/^suite-sim: cannot use the fixture .+\n$/)
    expect(stderr).toContain(name)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(readdirSync(place.folder)).toEqual(text === null ? [] : [name])
  })

  test('a health check of a server that is not there', async () => {
    const { code, stdout, stderr } = await runHere(
      ['healthcheck', '--port', String(await freePort())],
      here(),
    )
    expect(stderr).toMatch(/^suite-sim: http:\/\/127\.0\.0\.1:\d+\/_sim\/health does not answer: .+\n$/)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })

  test('an OpenAPI document of an interface that there is not', async () => {
    const { code, stdout, stderr } = await runHere(['openapi', '--interface', 'bakery'], here())
    expect(stderr).toMatch(/^suite-sim: .*bakery.*\n$/)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })
})

describe('a server that starts', () => {
  test('says in its first line where it is, and is well from then on', async () => {
    const { url, lines } = await start(['--port', '0', '--db', ':memory:'], here())
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'ready', url, version: packageJson.version })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const response = await fetch(`${url}/_sim/health`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ status: 'ok', version: packageJson.version })
  })

  test('holds the demo workspace, unless it is told to hold none', async () => {
    const products = async (args: string[]): Promise<number> => {
      const { url } = await start(['--port', '0', '--db', ':memory:', ...args], here())
      const headers = { authorization: 'Bearer demo-key' }
      return (await fetch(`${url}/workspace/public/v1/products`, { headers })).status
    }
    expect(await products([])).toBe(200)
    expect(await products(['--fixtures', 'none'])).toBe(401)
  })

  test('keeps its data in data/suite.sqlite where it is not told otherwise, and finds it again', async () => {
    const place = here()
    const first = await start(['--port', '0'], place)
    const made = await fetch(`${first.url}/workspace/public/v1/products`, {
      method: 'POST',
      headers: { authorization: 'Bearer demo-key', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Kept', type: 'physical' }),
    })
    const { data } = (await made.json()) as { data: { id: string } }
    await first.stop('SIGTERM')
    expect(readdirSync(join(place.folder, 'data'))).toEqual(['files', 'suite.sqlite'])

    const second = await start(['--port', '0'], place)
    const found = await fetch(`${second.url}/workspace/public/v1/products/${data.id}`, {
      headers: { authorization: 'Bearer demo-key' },
    })
    expect(found.status).toBe(200)
  })

  test('keeps nothing with :memory:', async () => {
    const place = here()
    const server = await start(['--port', '0', '--db', ':memory:'], place)
    await server.stop('SIGTERM')
    expect(readdirSync(place.folder)).toEqual([])
  })

  test('takes its variables, lets a flag win over one, and takes an empty one as none', async () => {
    const port = await freePort()
    const byVariable = await start([], here({ PORT: String(port), SIM_DB: ':memory:', SIM_SEED: '' }))
    expect(byVariable.url).toBe(`http://127.0.0.1:${String(port)}`)
    const place = here({ PORT: String(port), SIM_DB: 'variable.sqlite', SIM_ADMIN_TOKEN: '' })
    const byFlag = await start(['--port', '0', '--db', ':memory:'], place)
    expect(byFlag.url).not.toBe(byVariable.url)
    expect(readdirSync(place.folder)).toEqual([])
    expect((await fetch(`${byFlag.url}/_sim/workspaces`)).status).toBe(200)
  })

  test('asks for the admin token that it was given, and for none on loopback without one', async () => {
    const guarded = await start(['--port', '0', '--db', ':memory:', '--admin-token', 'open-sesame'], here())
    const workspaces = `${guarded.url}/_sim/workspaces`
    expect((await fetch(workspaces)).status).toBe(401)
    expect((await fetch(workspaces, { headers: { authorization: 'Bearer open-sesame' } })).status).toBe(200)
    expect(guarded.stderr()).toBe('')
  })

  test('makes up an admin token when other machines can reach it, and prints it once', async () => {
    const server = await start(['--port', '0', '--db', ':memory:', '--host', '0.0.0.0'], here())
    const url = server.url.replace('0.0.0.0', '127.0.0.1')
    const [, token = ''] = /^Other machines .* admin token: ([\w-]{32})\n$/.exec(server.stderr()) ?? []
    expect((await fetch(`${url}/_sim/health`)).status).toBe(200)
    expect((await fetch(`${url}/_sim/workspaces`)).status).toBe(401)
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${url}/_sim/workspaces`, { headers })).status).toBe(200)
    expect(server.lines.join('\n')).not.toContain(token)
  })

  test('makes up an admin token when it is told a public URL, at which others may reach it', async () => {
    const port = await freePort()
    const args = ['--port', String(port), '--db', ':memory:', '--public-url', 'https://sim.example.com']
    const server = await start(args, here())
    const local = `http://127.0.0.1:${String(port)}`
    const [, token = ''] = /^Other machines .* admin token: ([\w-]{32})\n$/.exec(server.stderr()) ?? []
    expect((await fetch(`${local}/_sim/workspaces`)).status).toBe(401)
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${local}/_sim/workspaces`, { headers })).status).toBe(200)
  })

  test('gives the same ids for the same seed', async () => {
    const newKey = async (): Promise<unknown> => {
      const { url } = await start(
        ['--port', '0', '--db', ':memory:', '--fixtures', 'none', '--seed', 'spring'],
        here(),
      )
      const response = await fetch(`${url}/_sim/workspaces`, { method: 'POST' })
      return ((await response.json()) as { key: unknown }).key
    }
    const first = await newKey()
    expect(first).toMatch(/^sim_/)
    expect(await newKey()).toBe(first)
  })

  test('says where it is reached when that is not where it listens', async () => {
    const args = ['--port', '0', '--db', ':memory:', '--public-url', 'https://sim.example.com/']
    const { lines } = await start(args, here())
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ url: 'https://sim.example.com' })
  })

  test('logs each request on a line of its own, with its id, at the debug level only', async () => {
    const lines = async (level: string): Promise<unknown[]> => {
      const server = await start(['--port', '0', '--db', ':memory:', '--log-level', level], here())
      for (const path of ['/_sim/health', '/_sim/machines/none'])
        await (await fetch(server.url + path)).text()
      await server.stop('SIGTERM')
      return server.lines.map((line) => JSON.parse(line) as unknown)
    }
    const logged = (id: string, url: string, status: number): object =>
      expect.objectContaining({ msg: 'request', req: { id, method: 'GET', url }, status }) as object

    const [ready, ...requests] = await lines('debug')
    expect(ready).toMatchObject({ msg: 'ready' })
    expect(requests).toEqual([
      logged('req-1', '/_sim/health', 200),
      logged('req-2', '/_sim/machines/none', 404),
    ])
    expect(await lines('info')).toHaveLength(1)
  })

  test('logs no credential at any level', async () => {
    const args = ['--port', '0', '--db', ':memory:', '--admin-token', 'open-sesame', '--log-level', 'trace']
    const server = await start(args, here())
    const admin = { authorization: 'Bearer open-sesame' }
    await fetch(`${server.url}/workspace/public/v1/products?api_key=demo-key`, {
      headers: { authorization: 'Bearer demo-key', 'x-api-key': 'demo-key' },
    })
    await fetch(`${server.url}/_sim/keys/demo-key`, { method: 'DELETE', headers: admin })
    await server.stop('SIGTERM')
    const written = server.lines.join('\n') + server.stderr()
    expect(written).not.toContain('demo-key')
    expect(written).not.toContain('open-sesame')
  })
})

/** Subscribes a receiver to the catalog of the demo workspace, and makes a product. */
async function owe({ url }: Server, receiverUrl: string): Promise<void> {
  const post = (path: string, body: object): Promise<Response> =>
    fetch(url + path, {
      method: 'POST',
      headers: { authorization: 'Bearer demo-key', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const subscription = { interface: 'catalog', url: receiverUrl }
  expect((await post('/_sim/workspaces/demo/subscriptions', subscription)).status).toBe(201)
  const product = { name: 'Told of', type: 'physical' }
  expect((await post('/workspace/public/v1/products', product)).status).toBe(201)
}

/** What the catalog of the demo workspace has delivered, once there is something. */
async function deliveries({ url }: Server): Promise<unknown> {
  const query = '?interface=catalog&status=delivered&wait=300&count=1'
  const response = await fetch(`${url}/_sim/workspaces/demo/deliveries${query}`)
  return ((await response.json()) as { data: unknown }).data
}

/** Parsers are loaded when a file comes, which in the bundle is something else than in the sources. */
describe('the built program imports contacts', () => {
  test.each([
    ['CSV', { filename: 'contacts.csv', content: 'name,email\nAna,ana@example.com\n' }],
    [
      'XLSX',
      {
        filename: 'contacts.xlsx',
        content: xlsx(
          [
            ['name', 'email'],
            ['Ana', 'ana@example.com'],
          ],
          'A packed file.',
        ),
      },
    ],
    ['JSON', { filename: 'contacts.json', content: '[{"name":"Ana","email":"ana@example.com"}]' }],
  ])('from a file of %s', async (_kind, file) => {
    const { url } = await sharedServer([])
    const contacts = `${url}/crm/v1/contacts`
    const headers = { authorization: 'Bearer demo-key' }
    const { raw, contentType } = formOf({ file })
    const imported = await fetch(`${contacts}/import`, {
      method: 'POST',
      headers: { ...headers, 'content-type': String(contentType) },
      body: raw,
    })
    expect({ status: imported.status, body: await imported.json() }).toMatchObject({
      status: 200,
      body: { total_rows: 1, created: 1, failed: 0 },
    })
    const found = await fetch(`${contacts}?search=ana@example.com`, { headers })
    expect(await found.json()).toMatchObject({ data: [{ name: 'Ana', email: 'ana@example.com' }] })
  })
})

/** The build changes the router, which the tests of the sources do not see. */
describe('the router of the built program', () => {
  type Paths = Record<string, Record<string, { security?: readonly object[] }>>

  test('finds every operation of every interface, and no other', async () => {
    const { url } = await sharedServer([])
    const { paths } = (await (await fetch(`${url}/_sim/openapi.json`)).json()) as { paths: Paths }
    const statuses = { known: new Set<number>(), unknown: new Set<number>() }
    for (const [template, operations] of Object.entries(paths)) {
      const path = template.replace(/\{\w+\}/g, 'some%20one')
      for (const [method, { security }] of Object.entries(operations)) {
        // Without a credential, which every operation asks for before anything else, but for those that are open.
        if (security?.length === 0) continue
        const answer = await fetch(url + path, { method: method.toUpperCase() })
        statuses.known.add(answer.status)
      }
      statuses.unknown.add((await fetch(`${url}/nowhere${path}`)).status)
    }
    expect(Object.keys(paths).length).toBeGreaterThan(40)
    expect(statuses).toEqual({ known: new Set([401]), unknown: new Set([404]) })
  })

  test('hands over the parameters of a path, decoded, the first time and the next', async () => {
    const { url } = await sharedServer([])
    const products = `${url}/workspace/public/v1/products`
    const headers = { authorization: 'Bearer demo-key' }
    const { data } = (await (await fetch(products, { headers })).json()) as { data: { id: string }[] }
    expect(data.length).toBeGreaterThan(1)
    for (const { id } of [...data, ...data]) {
      const encoded = id.replace(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
      for (const spelling of [id, encoded]) {
        const found = (await (await fetch(`${products}/${spelling}`, { headers })).json()) as {
          data: { id: string }
        }
        expect(found.data.id).toBe(id)
      }
    }
  })

  test('says what else is possible at a path', async () => {
    const { url } = await sharedServer([])
    const answer = await fetch(`${url}/workspace/public/v1/products/some`, {
      method: 'PATCH',
      headers: { authorization: 'Bearer demo-key' },
    })
    expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({
      status: 405,
      allow: 'GET, PUT, DELETE',
    })
  })
})

describe('a server that is asked to stop', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('by %s finishes and exits with 0', async (signal) => {
    const place = here()
    const server = await start(['--port', '0', '--db', 'suite.sqlite'], place)
    await (await fetch(`${server.url}/_sim/health`)).text()
    expect(await server.stop(signal)).toBe(0)
    expect(readdirSync(place.folder)).toEqual(['files', 'suite.sqlite'])
    await expect(fetch(`${server.url}/_sim/health`)).rejects.toThrow()
  })

  test('lets a request that is under way end', async () => {
    const server = await start(['--port', '0', '--db', ':memory:'], here())
    const sent = request(`${server.url}/workspace/public/v1/products`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer demo-key',
        'content-type': 'application/json',
        expect: '100-continue',
      },
    })
    sent.flushHeaders()
    // The server has taken the request up when it asks for the body.
    await once(sent, 'continue')
    server.signal('SIGTERM')
    sent.end(JSON.stringify({ name: 'In flight', type: 'physical' }))
    const [response] = (await once(sent, 'response')) as [{ statusCode: number; resume(): void }]
    response.resume()
    expect(response.statusCode).toBe(201)
    expect(await server.ended).toBe(0)
  })

  test('lets a webhook that is under way end, and writes down what came of it', async () => {
    const place = here()
    const held: ServerResponse[] = []
    const sink = await receiver((_received, _index, response) => {
      held.push(response)
      return undefined
    })
    const first = await start(['--port', '0', '--db', 'suite.sqlite'], place)
    await owe(first, sink.url)
    await sink.received(1)
    first.signal('SIGTERM')
    await refused(first.url)
    for (const response of held) response.writeHead(202, { 'content-length': 0 }).end()
    expect(await first.ended).toBe(0)

    const second = await start(['--port', '0', '--db', 'suite.sqlite'], place)
    expect(await deliveries(second)).toMatchObject([{ status: 'delivered', attempts: [{ status: 202 }] }])
    expect(sink.requests).toHaveLength(1)
  })

  test('twice does not wait any longer', async () => {
    const server = await start(['--port', '0', '--db', ':memory:'], here())
    const sent = request(`${server.url}/workspace/public/v1/products`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer demo-key',
        'content-type': 'application/json',
        expect: '100-continue',
      },
    })
    sent.on('error', () => undefined)
    sent.flushHeaders()
    await once(sent, 'continue')
    server.signal('SIGTERM')
    await refused(server.url)
    expect(await server.stop('SIGTERM')).toBe(143)
  })
})

describe('the other commands', () => {
  test('--help names every command and flag, with its variable', async () => {
    const { code, stdout, stderr } = await run(['--help'], here())
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const word of [
      ...['serve', 'healthcheck', 'openapi', '--version', '--help'],
      ...['--port', 'PORT', '4012', '--host', 'HOST', '127.0.0.1', '--db', 'SIM_DB', 'data/suite.sqlite'],
      ...['--fixtures', 'SIM_FIXTURES', 'demo', '--admin-token', 'SIM_ADMIN_TOKEN'],
      ...['--public-url', 'SIM_PUBLIC_URL', '--seed', 'SIM_SEED', '--log-level', 'LOG_LEVEL'],
      ...['--webhook-http-hosts', 'SIM_WEBHOOK_HTTP_HOSTS', '--rate-limits', 'SIM_RATE_LIMITS'],
      ...['--trusted-proxies', 'SIM_TRUSTED_PROXIES', '--sat-catalogs', 'SIM_SAT_CATALOGS'],
    ]) {
      expect(stdout).toContain(word)
    }
  })

  test('--version prints the version and nothing else', async () => {
    expect(await run(['--version'], here())).toEqual({
      code: 0,
      stdout: `${packageJson.version}\n`,
      stderr: '',
    })
  })

  test('healthcheck exits with 0 for a server that is well, by URL and by host and port', async () => {
    const server = await start(['--port', '0', '--host', '0.0.0.0', '--db', ':memory:'], here())
    const { port } = new URL(server.url)
    const local = `http://127.0.0.1:${port}`
    const well = { code: 0, stdout: `${local}/_sim/health is well\n`, stderr: '' }
    expect(await run(['healthcheck', '--url', local], here())).toEqual(well)
    expect(await run(['healthcheck'], here({ HOST: '0.0.0.0', PORT: port }))).toEqual(well)
  })

  test('openapi prints the document of one interface or of all, or writes it to a file', async () => {
    const place = here()
    const all = await run(['openapi'], place)
    expect(all.code).toBe(0)
    expect(JSON.parse(all.stdout)).toMatchObject({ openapi: '3.1.0' })

    const one = await run(['openapi', '--interface', 'catalog', '--out', 'catalog.json'], place)
    expect(one).toEqual({ code: 0, stdout: '', stderr: '' })
    const document: unknown = JSON.parse(readFileSync(join(place.folder, 'catalog.json'), 'utf8'))
    expect(document).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'http://127.0.0.1:4012/workspace/public/v1' }],
    })
  })
})

/** A port of this machine that somebody listens at until the test is over. */
async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Resolves when the server takes no connections any more. */
async function refused(url: string): Promise<void> {
  for (;;) {
    try {
      await fetch(`${url}/_sim/health`, { headers: { connection: 'close' } })
    } catch {
      return
    }
  }
}
