/** The command line as a process that a user or a container starts. OPERATING.md, "Start". */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { request, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { runHere, serveHere, type ServingHere } from '../../../test/support/commandLine.ts'
import {
  build,
  freePort,
  scratchFolder,
  sharedServer,
  start,
  type Place,
} from '../../../test/support/process.ts'
import { ofKind, overlayOf } from '../../../test/observed/overlays.ts'
import { formOf } from '../../../test/support/forms.ts'
import { receiver } from '../../../test/support/webhooks.ts'
import { xlsx } from '../../../test/support/xlsx.ts'

beforeAll(build)

const here = (variables: Record<string, string> = {}): Place => ({ folder: scratchFolder(), variables })

describe('a wrong flag or value prints one line on standard error, exits with 2, and writes nothing to disk', () => {
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
    [['--shard', 'S1'], 'It must be 1 to 8 lower-case letters and digits, such as s1.'],
    [['--shard', 'ninechars'], 'It must be 1 to 8 lower-case letters and digits, such as s1.'],
    [['--rate-limits', 'maybe'], 'It must be "on" or "off".'],
    [['--readings', 'scopes.unlisted'], 'It must be name=value, several separated by commas.'],
    [['--readings', 'scopes.unlistd=any'], 'scopes.unlistd is not a reading. Did you mean scopes.unlisted?'],
    [['--readings', 'scopes.unlisted=all'], 'scopes.unlisted must be area or any, not all.'],
    [['--prefer', 'observed'], '--prefer observed needs --observed'],
    [['--observed', 'o.json', '--prefer', 'assumed'], 'Allowed choices are observed.'],
    [['--observed', 'nowhere.json'], '--observed: nowhere.json: the file does not exist'],
    [['--observed', '.'], 'an overlay must be a file'],
    [['--log-level', 'loud'], 'It must be one of fatal, error, warn, info, debug, trace, silent.'],
    [['--prot', '1'], "unknown option '--prot'"],
    [['serve', '--url', 'http://127.0.0.1'], "unknown option '--url'"],
    [['--prot', '1'], 'Did you mean --port?'],
    [['--cors', 'localhost:5173'], 'It must be origins such as http://localhost:5173'],
    [['--cors', 'http://localhost:5173/app'], 'It must be origins such as http://localhost:5173'],
    [['--allowed-hosts', 'https://sim.test'], 'It must be host names without protocol or port'],
    [['begin'], "there is no command 'begin'; the commands are serve, healthcheck, openapi"],
    [['serv'], "there is no command 'serv'; did you mean serve?"],
    [
      ['triger', 'pos.event.emit', '--event', 'sale.completed'],
      "there is no command 'triger'; did you mean trigger?",
    ],
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

  test('refuses a wrong variable like its flag, and names the variable', async () => {
    const { code, stderr } = await runHere([], here({ PORT: 'http' }))
    expect(code).toBe(2)
    expect(stderr).toMatch(/^suite-sim: .*'PORT'.* from 0 to 65535\.\n$/)
  })
})

/** A server without the demo, which takes most of the time of a start. */
const EMPTY = ['--port', '0', '--db', ':memory:', '--fixtures', 'none']

describe('a server that cannot start prints one line on standard error and exits with 1', () => {
  test('port in use: removes the new database and its folder', async () => {
    const port = await takenPort()
    const place = here()
    expect(await runHere(['--port', String(port), '--db', 'new/data/suite.sqlite'], place)).toEqual({
      code: 1,
      stdout: '',
      stderr: `suite-sim: cannot listen at 127.0.0.1 port ${String(port)}: the port is in use\n`,
    })
    expect(readdirSync(place.folder)).toEqual([])
  })

  test('port in use: keeps an existing database', async () => {
    const place = here()
    const server = await serveHere(['--port', '0', '--db', 'kept.sqlite', '--fixtures', 'none'], place)
    await server.stop('SIGTERM')
    const port = await takenPort()
    expect((await runHere(['--port', String(port), '--db', 'kept.sqlite'], place)).code).toBe(1)
    expect(existsSync(join(place.folder, 'kept.sqlite'))).toBe(true)
  })

  test('host that this machine does not have', async () => {
    const { code, stderr } = await runHere([...EMPTY, '--host', '192.0.2.1'], here())
    expect(stderr).toBe(
      'suite-sim: cannot listen at 192.0.2.1 port 0: this machine does not have that address\n',
    )
    expect(code).toBe(1)
  })

  test('database that another process has open', async () => {
    const place = here()
    const { url } = await serveHere(['--port', '0', '--db', 'shared.sqlite', '--fixtures', 'none'], place)
    expect(await runHere(['--port', '0', '--db', 'shared.sqlite'], place)).toEqual({
      code: 1,
      stdout: '',
      stderr: `suite-sim: cannot use shared.sqlite: another process is using it: a suite simulator runs at ${url}\n`,
    })
    expect(existsSync(join(place.folder, 'shared.sqlite'))).toBe(true)
  })

  test('database of a newer version, which stays unchanged', async () => {
    const place = here()
    const args = ['--port', '0', '--db', 'newer.sqlite', '--fixtures', 'none']
    await (await serveHere(args, place)).stop('SIGTERM')
    const file = join(place.folder, 'newer.sqlite')
    const database = new SQLite(file)
    database
      .prepare("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('of tomorrow', ?)")
      .run(9e15)
    database.close()
    const before = readFileSync(file)
    const { code, stderr } = await runHere(['--port', '0', '--db', 'newer.sqlite'], place)
    expect(stderr).toMatch(
      /^suite-sim: cannot use newer\.sqlite: a newer version of suite-sim wrote it;.*\n$/,
    )
    expect(code).toBe(1)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('file that is not a database, which stays unchanged', async () => {
    const place = here()
    writeFileSync(join(place.folder, 'notes.txt'), 'These are notes, and no pages of a database at all.\n')
    expect(await runHere(['--port', '0', '--db', 'notes.txt'], place)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'suite-sim: cannot use notes.txt: it is not a SQLite database\n',
    })
    expect(readFileSync(join(place.folder, 'notes.txt'), 'utf8')).toMatch(/^These are notes/)
    expect(readdirSync(place.folder)).toEqual(['notes.txt'])
  })

  test('database of another program', async () => {
    const place = here()
    const other = new SQLite(join(place.folder, 'other.sqlite'))
    other.exec('CREATE TABLE invoices (id)')
    other.close()
    const { code, stderr } = await runHere(['--port', '0', '--db', 'other.sqlite'], place)
    expect(stderr).toBe('suite-sim: cannot use other.sqlite: it is a database of another program\n')
    expect(code).toBe(1)
  })

  test('database path that is a folder or below a file', async () => {
    const place = here()
    mkdirSync(join(place.folder, 'folder'))
    writeFileSync(join(place.folder, 'file'), '')
    for (const db of ['folder', 'file/suite.sqlite']) {
      const { code, stderr } = await runHere(['--port', '0', '--db', db], place)
      expect(stderr).toMatch(new RegExp(`^suite-sim: cannot use ${db}: .+\\n$`))
      expect(code).toBe(1)
    }
  })

  test.each([
    ['missing.json', null],
    ['broken.json', '{"format": '],
    ['list.json', '[]'],
    ['unfit.json', '{"format": "suite-simulator/1", "catalog": {"products": [{"id": 1}]}}'],
  ])('invalid fixture: %s; removes the new database', async (name, text) => {
    const place = here()
    const fixture = join(place.folder, name)
    if (text !== null) writeFileSync(fixture, text)
    const { code, stdout, stderr } = await runHere(
      ['--port', '0', '--db', 'new/a.sqlite', '--fixtures', fixture],
      place,
    )
    expect(stderr).toMatch(/^suite-sim: cannot use the fixture .+\n$/)
    expect(stderr).toContain(name)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(readdirSync(place.folder)).toEqual(text === null ? [] : [name])
  })

  test('health check of a server that does not run', async () => {
    const { code, stdout, stderr } = await runHere(
      ['healthcheck', '--port', String(await freePort())],
      here(),
    )
    expect(stderr).toMatch(/^suite-sim: http:\/\/127\.0\.0\.1:\d+\/_sim\/health does not respond: .+\n$/)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })

  test('OpenAPI document of an unknown interface', async () => {
    const { code, stdout, stderr } = await runHere(['openapi', '--interface', 'bakery'], here())
    expect(stderr).toMatch(/^suite-sim: .*bakery.*\n$/)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })
})

describe('a server that starts', () => {
  test('prints its URL in the first line, and is healthy from then on', async () => {
    const { url, printed } = await serveHere(['--port', '0', '--db', ':memory:'], here())
    expect(JSON.parse(printed()[0] ?? '')).toMatchObject({ msg: 'ready', url, version: packageJson.version })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const response = await fetch(`${url}/_sim/health`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ status: 'ok', version: packageJson.version })
  })

  test('has the demo workspace unless it is started without one', async () => {
    const products = async (args: string[]): Promise<number> => {
      const { url } = await serveHere(['--port', '0', '--db', ':memory:', ...args], here())
      const headers = { authorization: 'Bearer demo-key' }
      return (await fetch(`${url}/workspace/public/v1/products`, { headers })).status
    }
    expect(await products([])).toBe(200)
    expect(await products(['--fixtures', 'none'])).toBe(401)
  })

  test('keeps its data in data/suite.sqlite by default, and finds it again', async () => {
    const place = here()
    const first = await serveHere(['--port', '0'], place)
    const made = await fetch(`${first.url}/workspace/public/v1/products`, {
      method: 'POST',
      headers: { authorization: 'Bearer demo-key', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Kept', type: 'physical' }),
    })
    const { data } = (await made.json()) as { data: { id: string } }
    await first.stop('SIGTERM')
    expect(readdirSync(join(place.folder, 'data'))).toEqual(['files', 'suite.sqlite', 'suite.sqlite-lock'])

    const second = await serveHere(['--port', '0'], place)
    const found = await fetch(`${second.url}/workspace/public/v1/products/${data.id}`, {
      headers: { authorization: 'Bearer demo-key' },
    })
    expect(found.status).toBe(200)
  })

  test('keeps nothing with :memory:', async () => {
    const place = here()
    const server = await serveHere(EMPTY, place)
    await server.stop('SIGTERM')
    expect(readdirSync(place.folder)).toEqual([])
  })

  test('reads its variables, prefers a flag, and ignores an empty variable', async () => {
    const port = await freePort()
    const readings = 'scopes.unlisted=any,recruiting.vacancy_status=machine'
    const byVariable = await serveHere(
      [],
      here({ PORT: String(port), SIM_DB: ':memory:', SIM_SEED: '', SIM_READINGS: readings }),
    )
    expect(byVariable.url).toBe(`http://127.0.0.1:${String(port)}`)
    const demo = await fetch(`${byVariable.url}/_sim/workspaces/demo`)
    expect(((await demo.json()) as { readings: object }).readings).toMatchObject({
      'scopes.unlisted': 'any',
      'recruiting.vacancy_status': 'machine',
    })
    const place = here({ PORT: String(port), SIM_DB: 'variable.sqlite', SIM_ADMIN_TOKEN: '' })
    const byFlag = await serveHere(EMPTY, place)
    expect(byFlag.url).not.toBe(byVariable.url)
    expect(readdirSync(place.folder)).toEqual([])
    expect((await fetch(`${byFlag.url}/_sim/workspaces`)).status).toBe(200)
  })

  test('follows the overlay of SIM_OBSERVED, and says so', async () => {
    const place = here({ SIM_DB: ':memory:', SIM_OBSERVED: 'observed.json' })
    const overlay = overlayOf(ofKind('header', { interface: 'crm', name: 'x-a', value: 'b' }))
    writeFileSync(join(place.folder, 'observed.json'), JSON.stringify(overlay))
    const { url } = await serveHere(['--port', '0', '--fixtures', 'none'], place)
    const { data } = (await (await fetch(`${url}/_sim/observed`)).json()) as { data: object[] }
    expect(data).toMatchObject([{ kind: 'header', interface: 'crm' }])
  })

  test('requires the given admin token, and requires none on loopback without one', async () => {
    const guarded = await serveHere([...EMPTY, '--admin-token', 'open-sesame'], here())
    const workspaces = `${guarded.url}/_sim/workspaces`
    expect((await fetch(workspaces)).status).toBe(401)
    expect((await fetch(workspaces, { headers: { authorization: 'Bearer open-sesame' } })).status).toBe(200)
    expect(guarded.stderr()).toBe('')
  })

  test('generates an admin token if it listens on a network, and prints it once', async () => {
    const server = await serveHere([...EMPTY, '--host', '0.0.0.0'], here())
    const url = server.url.replace('0.0.0.0', '127.0.0.1')
    const [, token = ''] = /^Other machines .* admin token: ([\w-]{32})\n$/.exec(server.stderr()) ?? []
    expect((await fetch(`${url}/_sim/health`)).status).toBe(200)
    expect((await fetch(`${url}/_sim/workspaces`)).status).toBe(401)
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${url}/_sim/workspaces`, { headers })).status).toBe(200)
    expect(server.stdout()).not.toContain(token)
  })

  test('generates an admin token if it has a public URL, and prints it once', async () => {
    const port = await freePort()
    const args = [...EMPTY, '--port', String(port), '--public-url', 'https://sim.example.com']
    const server = await serveHere(args, here())
    const local = `http://127.0.0.1:${String(port)}`
    const [, token = ''] = /^Other machines .* admin token: ([\w-]{32})\n$/.exec(server.stderr()) ?? []
    expect((await fetch(`${local}/_sim/workspaces`)).status).toBe(401)
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${local}/_sim/workspaces`, { headers })).status).toBe(200)
  })

  test('returns the same ids for the same seed', async () => {
    const newKey = async (): Promise<unknown> => {
      const { url } = await serveHere([...EMPTY, '--seed', 'spring'], here())
      const response = await fetch(`${url}/_sim/workspaces`, { method: 'POST' })
      return ((await response.json()) as { key: unknown }).key
    }
    const first = await newKey()
    expect(first).toMatch(/^sim_/)
    expect(await newKey()).toBe(first)
  })

  test('prints its public URL if that differs from its address', async () => {
    const args = [...EMPTY, '--public-url', 'https://sim.example.com/']
    const { printed } = await serveHere(args, here())
    expect(JSON.parse(printed()[0] ?? '')).toMatchObject({ url: 'https://sim.example.com' })
  })

  test('logs each request on one line with its id, only at the debug level', async () => {
    const lines = async (level: string): Promise<unknown[]> => {
      const server = await serveHere([...EMPTY, '--log-level', level], here())
      for (const path of ['/_sim/health', '/_sim/machines/none'])
        await (await fetch(server.url + path)).text()
      await server.stop('SIGTERM')
      return server.printed().map((line) => JSON.parse(line) as unknown)
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
    const server = await serveHere(args, here())
    const admin = { authorization: 'Bearer open-sesame' }
    await fetch(`${server.url}/workspace/public/v1/products?api_key=demo-key`, {
      headers: { authorization: 'Bearer demo-key', 'x-api-key': 'demo-key' },
    })
    await fetch(`${server.url}/_sim/keys/demo-key`, { method: 'DELETE', headers: admin })
    await server.stop('SIGTERM')
    const written = server.stdout() + server.stderr()
    expect(written).not.toContain('demo-key')
    expect(written).not.toContain('open-sesame')
  })
})

/** Subscribes a receiver to the catalog of the demo workspace and creates a product. */
async function createPendingDelivery({ url }: ServingHere, receiverUrl: string): Promise<void> {
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

/** The catalog deliveries of the demo workspace, after there is at least one. */
async function deliveries({ url }: ServingHere): Promise<unknown> {
  const query = '?interface=catalog&status=delivered&wait=300&count=1'
  const response = await fetch(`${url}/_sim/workspaces/demo/deliveries${query}`)
  return ((await response.json()) as { data: unknown }).data
}

/** Parsers are loaded when a file arrives, and the bundle loads them differently from the sources. */
describe('the built program', () => {
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
  ])('imports contacts from %s', async (_kind, file) => {
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

/** The build changes the router, which the tests of the sources do not cover. */
describe('the router of the built program', () => {
  type Paths = Record<string, Record<string, { security?: readonly object[] }>>

  test('finds exactly the operations of every interface', async () => {
    const { url } = await sharedServer([])
    const { paths } = (await (await fetch(`${url}/_sim/openapi.json`)).json()) as { paths: Paths }
    const statuses = { known: new Set<number>(), unknown: new Set<number>() }
    const ask = async (path: string, method: string): Promise<number> => {
      const answer = await fetch(url + path, { method: method.toUpperCase() })
      await answer.body?.cancel()
      return answer.status
    }
    for (const [template, operations] of Object.entries(paths)) {
      const path = template.replace(/\{\w+\}/g, 'some%20one')
      // Every operation except the open ones checks the credential first.
      const guarded = Object.entries(operations).filter(([, { security }]) => security?.length !== 0)
      const known = await Promise.all(guarded.map(([method]) => ask(path, method)))
      for (const status of known) statuses.known.add(status)
      statuses.unknown.add(await ask(`/nowhere${path}`, 'GET'))
    }
    expect(Object.keys(paths).length).toBeGreaterThan(40)
    expect(statuses).toEqual({ known: new Set([401]), unknown: new Set([404]) })
  })

  test('decodes the parameters of a path in the first and in later requests', async () => {
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

  test('lists the supported methods of a path', async () => {
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

describe('a server that receives a stop signal', () => {
  // A process shows that nothing keeps it alive.
  test.each([
    ['SIGTERM', serveHere],
    ['SIGINT', start],
  ] as const)('completes and exits with 0 on %s', async (signal, begin) => {
    const place = here()
    const server = await begin(['--port', '0', '--db', 'suite.sqlite'], place)
    await (await fetch(`${server.url}/_sim/health`)).text()
    expect(await server.stop(signal)).toBe(0)
    expect(readdirSync(place.folder)).toEqual(['files', 'suite.sqlite', 'suite.sqlite-lock'])
    await expect(fetch(`${server.url}/_sim/health`)).rejects.toThrow()
  })

  test('completes a running request', async () => {
    const server = await serveHere(['--port', '0', '--db', ':memory:'], here())
    const sent = request(`${server.url}/workspace/public/v1/products`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer demo-key',
        'content-type': 'application/json',
        expect: '100-continue',
      },
    })
    sent.flushHeaders()
    // The server has accepted the request when it asks for the body.
    await once(sent, 'continue')
    server.signal('SIGTERM')
    sent.end(JSON.stringify({ name: 'In flight', type: 'physical' }))
    const [response] = (await once(sent, 'response')) as [{ statusCode: number; resume(): void }]
    response.resume()
    expect(response.statusCode).toBe(201)
    expect((await server.ended).code).toBe(0)
  })

  test('completes a running delivery and records its result', async () => {
    const place = here()
    const held: ServerResponse[] = []
    const sink = await receiver((_received, _index, response) => {
      held.push(response)
      return undefined
    })
    const first = await serveHere(['--port', '0', '--db', 'suite.sqlite'], place)
    await createPendingDelivery(first, sink.url)
    await sink.received(1)
    first.signal('SIGTERM')
    await refused(first.url)
    for (const response of held) response.writeHead(202, { 'content-length': 0 }).end()
    expect((await first.ended).code).toBe(0)

    const second = await serveHere(['--port', '0', '--db', 'suite.sqlite'], place)
    expect(await deliveries(second)).toMatchObject([{ status: 'delivered', attempts: [{ status: 202 }] }])
    expect(sink.requests).toHaveLength(1)
  })

  test('exits immediately on a second signal', async () => {
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

describe('other commands', () => {
  test('help --all names the commands of the server, and every flag with its variable', async () => {
    const { code, stdout, stderr } = await runHere(['help', '--all'], here())
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const word of [
      ...['serve', 'healthcheck', 'openapi', '--version', '--help'],
      ...['--port', 'PORT', '4012', '--host', 'HOST', '127.0.0.1', '--db', 'SIM_DB', 'data/suite.sqlite'],
      ...['--fixtures', 'SIM_FIXTURES', 'demo', '--admin-token', 'SIM_ADMIN_TOKEN'],
      ...[
        '--public-url',
        'SIM_PUBLIC_URL',
        '--seed',
        'SIM_SEED',
        '--shard',
        'SIM_SHARD',
        '--log-level',
        'LOG_LEVEL',
      ],
      ...['--webhook-http-hosts', 'SIM_WEBHOOK_HTTP_HOSTS', '--rate-limits', 'SIM_RATE_LIMITS'],
      ...['--tls-cert', 'SIM_TLS_CERT', '--tls-key', 'SIM_TLS_KEY', '--tls ', 'SIM_TLS)'],
      ...['--trusted-proxies', 'SIM_TRUSTED_PROXIES', '--sat-catalogs', 'SIM_SAT_CATALOGS'],
    ]) {
      expect(stdout).toContain(word)
    }
  })

  test('--version prints only the version', async () => {
    expect(await runHere(['--version'], here())).toEqual({
      code: 0,
      stdout: `${packageJson.version}\n`,
      stderr: '',
    })
  })

  test('healthcheck exits with 0 for a healthy server, by URL and by host and port', async () => {
    const server = await serveHere([...EMPTY, '--host', '0.0.0.0'], here())
    const { port } = new URL(server.url)
    const local = `http://127.0.0.1:${port}`
    const well = { code: 0, stdout: `${local}/_sim/health is healthy\n`, stderr: '' }
    expect(await runHere(['healthcheck', '--url', local], here())).toEqual(well)
    expect(await runHere(['healthcheck'], here({ HOST: '0.0.0.0', PORT: port }))).toEqual(well)
  })

  test('openapi prints the document of one interface or of all, or writes it to a file', async () => {
    const place = here()
    const all = await runHere(['openapi'], place)
    expect(all.code).toBe(0)
    expect(JSON.parse(all.stdout)).toMatchObject({ openapi: '3.1.0' })

    const one = await runHere(['openapi', '--interface', 'catalog', '--out', 'catalog.json'], place)
    expect(one).toEqual({ code: 0, stdout: '', stderr: '' })
    const document: unknown = JSON.parse(readFileSync(join(place.folder, 'catalog.json'), 'utf8'))
    expect(document).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'http://127.0.0.1:4012/workspace/public/v1' }],
    })
  })
})

/** A port of this machine that another program uses until the test ends. It does not answer. */
async function takenPort(): Promise<number> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Resolves when the server no longer accepts connections. */
async function refused(url: string): Promise<void> {
  for (;;) {
    try {
      await fetch(`${url}/_sim/health`, { headers: { connection: 'close' } })
    } catch {
      return
    }
  }
}
