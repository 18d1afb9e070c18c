/** What the head of a request must be: one Host of this machine, an Origin that may call, a target in any form. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import type { AppOptions } from '../../../src/app.ts'
import { bearer, controlApp, fileApp, makeWorkspace, type ControlApp } from '../../control/app.ts'
import { rawClient } from '../../support/sockets.ts'
import { INTERFACES } from '../../support/subject.ts'

interface Listening {
  readonly app: ControlApp
  readonly url: string
}

/** The servers of the file, by their options and hosts. */
const servers = new Map<string, Promise<Listening>>()

function serverWith(options: AppOptions, host: string): Promise<Listening> {
  const start = async (): Promise<Listening> => {
    const app = await fileApp(options, host)
    return { app, url: (await app.listen({ host, port: 0 })).replace('0.0.0.0', '127.0.0.1') }
  }
  const key = JSON.stringify([options, host])
  let server = servers.get(key)
  if (!server) servers.set(key, (server = start()))
  return server
}

/** A new workspace on a server on loopback; `send` sends the head of a request, with its Host, as raw bytes. */
async function listening(options: AppOptions = {}, host = '127.0.0.1') {
  const { app, url } = await serverWith(options, host)
  const made = await app.fastify.inject({
    method: 'POST',
    url: '/_sim/workspaces',
    headers: bearer('right').headers,
  })
  const { key, workspace } = made.json<{ key: string; workspace: { id: string } }>()
  const send = async (line: string, ...headers: readonly string[]) => {
    const client = await rawClient(url)
    client.send([line, ...headers, 'connection: close', '\r\n'].join('\r\n'))
    const [head = '', body = ''] = (await client.closed).split('\r\n\r\n', 2)
    return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body }
  }
  const get = (path: string, host: string, ...headers: readonly string[]) =>
    send(`GET ${path} HTTP/1.1`, `host: ${host}`, `authorization: Bearer ${key}`, ...headers)
  return { ...app, url, key, at: `/_sim/workspaces/${workspace.id}`, send, get }
}

const CONTACTS = '/crm/v1/contacts'

/** Each kind of path. */
const PATHS = [
  '/',
  '/llms.txt',
  '/nothing',
  '/_sim/',
  '/_sim/health',
  '/_sim/workspaces',
  '/_sim/nothing',
  '/_sim/docs',
  '/files/demo/x/y/z',
  '/chat/cable',
  ...INTERFACES.flatMap(({ basePath, pagesPath, framedPagesPath }) => [
    `${basePath}/nothing`,
    ...[pagesPath ?? [], framedPagesPath ?? []].flat().map((path) => `${path}/demo/x`),
  ]),
]

describe('the Host of a server for this machine', () => {
  const ALLOWED = { allowedHosts: ['sim.test', '.tunnel.example', 'Upper.Example.'] }

  test.each([
    'localhost',
    'LOCALHOST:1234',
    'localhost.',
    'app.localhost:4012',
    '127.0.0.1',
    '127.8.9.1:80',
    '2130706433',
    '192.168.1.20:4012',
    '169.254.1.1',
    '[::1]:4012',
    '[fd00::1]',
    'suite-sim:4012',
    'suite_sim',
    'sim',
    'sim.test',
    'SIM.test.:99',
    'a.tunnel.example',
    'a.b.tunnel.example',
    'upper.example',
  ])('may be %s', async (host) => {
    const { get } = await listening(ALLOWED)
    expect((await get(CONTACTS, host)).status).toBe(200)
  })

  test.each([
    'rebind.test',
    'rebind.test:4012',
    'rebind.test.',
    'localhost.rebind.test',
    '127.0.0.1.rebind.test',
    'localhost.rebind',
    'x.sim.test',
    'xsim.test',
    'tunnel.example',
    'xtunnel.example',
    'a.tunnel.example.rebind.test',
    'xn--lcalhost-n6a.test',
  ])('may not be %s, and the refusal names the flag', async (host) => {
    const { get } = await listening(ALLOWED)
    const { status, body } = await get(CONTACTS, host)
    const name = host.replace(/:\d+$/, '')
    expect([status, body]).toEqual([403, expect.stringContaining(`--allowed-hosts ${name}`)])
    expect(body).toContain('DNS rebinding')
  })

  test.each(['a b', 'user@localhost', 'localhost/', '[::1', '1.2.3.999', 'münchen.test', '[::1]x'])(
    'may not be %s, which is no host name',
    async (host) => {
      const { get } = await listening()
      const { status, body } = await get(CONTACTS, host)
      expect([status, body]).toEqual([400, expect.stringContaining('is no host name')])
    },
  )

  test.each([{}, { adminToken: 'right' }])('holds for every path, with the options %j', async (options) => {
    const { fastify } = await listening(options)
    const headers = { host: 'rebind.test:4012', ...bearer('right').headers, accept: 'text/html' }
    for (const url of PATHS) {
      const { statusCode, payload } = await fastify.inject({ url, headers })
      expect([url, statusCode, payload]).toEqual([url, 403, expect.stringContaining('--allowed-hosts')])
    }
  })

  test('is refused in the error format of the interface, and recorded', async () => {
    const { get, sim, at } = await listening()
    expect(JSON.parse((await get(CONTACTS, 'rebind.test')).body)).toEqual({
      error: { code: 'forbidden', message: expect.stringContaining('rebind.test') as string },
    })
    const [call] = (await sim('GET', `${at.slice(5)}/requests`)).body.data
    expect(call).toMatchObject({ status: 403, path: CONTACTS })
    await get('/nothing', 'rebind.test')
    const [unmatched] = (await sim('GET', '/requests?unmatched=true')).body.data
    expect(unmatched.hints).toEqual([
      { code: 'foreign', message: expect.stringContaining('--allowed-hosts rebind.test') as string },
    ])
  })

  test('changes nothing if it is refused', async () => {
    const { fastify, key, get } = await listening()
    const headers = { host: 'rebind.test', ...bearer(key).headers }
    const payload = { first_name: 'Ana' }
    const { statusCode } = await fastify.inject({ method: 'POST', url: CONTACTS, headers, payload })
    expect(statusCode).toBe(403)
    expect((await get(CONTACTS, 'localhost')).body).not.toContain('Ana')
  })

  test.each([
    ['a server on loopback', {}, '127.0.0.1', 403],
    ['a server at localhost', {}, 'localhost', 403],
    ['a server on loopback behind a proxy', { publicUrl: 'https://sim.example.com' }, '127.0.0.1', 403],
    ['a container on a laptop', { publicUrl: 'http://localhost:4012' }, '0.0.0.0', 403],
    ['a container with the address', { publicUrl: 'http://127.0.0.1:4012' }, '0.0.0.0', 403],
    ['a server on loopback that allows all', { allowedHosts: ['*'] }, '127.0.0.1', 200],
    ['a server on a network', {}, '0.0.0.0', 200],
    ['a server on a network with a public URL', { publicUrl: 'https://sim.example.com' }, '0.0.0.0', 200],
  ])('is checked or not by %s', async (_name, options, host, status) => {
    const { get } = await listening({ ...options, adminToken: 'right' }, host)
    expect((await get(CONTACTS, 'other.example.com')).status).toBe(status)
  })

  test('may be that of the public URL, at any port', async () => {
    const { get } = await listening({ publicUrl: 'https://sim.example.com/tools/', adminToken: 'right' })
    expect((await get(CONTACTS, 'sim.example.com')).status).toBe(200)
    expect((await get(CONTACTS, 'SIM.example.com.:8443')).status).toBe(200)
    expect((await get(CONTACTS, 'www.sim.example.com')).status).toBe(403)
  })

  test('may be missing in HTTP/1.0 alone, and occurs once', async () => {
    const { send, key } = await listening()
    const authorization = `authorization: Bearer ${key}`
    expect((await send(`GET ${CONTACTS} HTTP/1.0`, authorization)).status).toBe(200)
    for (const path of PATHS) {
      const none = await send(`GET ${path} HTTP/1.1`, authorization)
      expect([path, none.status, none.body]).toEqual([path, 400, expect.stringContaining('no Host header')])
      const two = await send(`GET ${path} HTTP/1.1`, 'host: localhost', 'Host: localhost', authorization)
      expect([path, two.status, two.body]).toEqual([path, 400, expect.stringContaining('several Host')])
    }
  })
})

describe('the target of a request', () => {
  test.each(['http://127.0.0.1:4012', 'HTTP://localhost', 'https://sim.test:443'])(
    'may have the absolute form %s',
    async (origin) => {
      const { send, key } = await listening({ allowedHosts: ['sim.test'] })
      const headers = ['host: rebind.test', `authorization: Bearer ${key}`]
      const { status, body } = await send(`GET ${origin}${CONTACTS}?limit=1 HTTP/1.1`, ...headers)
      expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ data: [] })])
    },
  )

  test('has a host that replaces the Host header', async () => {
    const { send, key } = await listening()
    const headers = ['host: localhost', `authorization: Bearer ${key}`]
    expect((await send(`GET http://rebind.test${CONTACTS} HTTP/1.1`, ...headers)).status).toBe(403)
    expect((await send(`GET http://me@localhost${CONTACTS} HTTP/1.1`, ...headers)).status).toBe(400)
  })

  test('may be an absolute one without a path, and is recorded as a path', async () => {
    const { send, key, sim, at } = await listening()
    expect((await send('GET http://127.0.0.1 HTTP/1.1', 'host: x')).body).toContain('Suite Simulator')
    expect((await send('GET http://127.0.0.1?a=1 HTTP/1.1', 'host: x')).status).toBe(200)
    await send(`GET http://127.0.0.1${CONTACTS} HTTP/1.1`, 'host: x', `authorization: Bearer ${key}`)
    const [call] = (await sim('GET', `${at.slice(5)}/requests`)).body.data
    expect(call).toMatchObject({ path: CONTACTS, operation: 'listContacts' })
  })

  test('may be an absolute one of a WebSocket', async () => {
    const { url, send } = await listening()
    const headers = ['host: x', 'upgrade: websocket', 'sec-websocket-version: 13']
    const line = `GET ${url}/chat/cable HTTP/1.1`
    const client = await rawClient(url)
    const key = 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=='
    client.send([line, ...headers, key, 'connection: upgrade', '\r\n'].join('\r\n'))
    await client.until('HTTP/1.1 101 ')
    expect((await send(`GET ${url}/nothing HTTP/1.1`, ...headers)).status).toBe(404)
  })
})

describe('a WebSocket', () => {
  /** Resolves with 101 or the status of the refusal. */
  const connect = (url: string, headers: Readonly<Record<string, string>>): Promise<number> => {
    const socket = new WebSocket(url.replace('http', 'ws'), ['actioncable-v1-json'], { headers })
    onTestFinished(() => {
      socket.terminate()
    })
    return new Promise((resolve, reject) => {
      socket.once('open', () => {
        resolve(101)
      })
      socket.once('unexpected-response', (_request, response) => {
        resolve(response.statusCode ?? 0)
      })
      socket.once('error', reject)
    })
  }

  const OPTIONS = {
    publicUrl: 'https://sim.example.com',
    cors: ['https://app.example.com'],
    adminToken: 'right',
  }

  test.each([
    undefined,
    'http://localhost:5173',
    'https://app.localhost',
    'http://127.0.0.1:4012',
    'http://[::1]:8080',
    'https://sim.example.com',
    'https://app.example.com',
  ])('is open to the origin %s', async (origin) => {
    const { url, at } = await listening(OPTIONS)
    const headers = { ...bearer('right').headers, ...(origin !== undefined && { origin }) }
    for (const path of ['/chat/cable', `${at}/listen`]) {
      expect([path, await connect(url + path, headers)]).toEqual([path, 101])
    }
  })

  test.each([
    'https://evil.example.com',
    'null',
    '',
    'file://',
    'http://localhost.evil.example.com',
    'http://sim.example.com',
    'https://sim.example.com:8443',
    'https://app.example.com:8443',
    'http://192.168.1.20:4012',
  ])('is closed to the origin "%s"', async (origin) => {
    const { url, at, fastify } = await listening(OPTIONS)
    for (const path of ['/chat/cable', `${at}/listen`]) {
      expect([path, await connect(url + path, { ...bearer('right').headers, origin })]).toEqual([path, 403])
    }
    const { data } = (
      await fastify.inject({ url: '/_sim/requests?unmatched=true', ...bearer('right') })
    ).json<{ data: { path: string; hints: object[] }[] }>()
    expect(data.map(({ path }) => path)).toContain('/chat/cable')
    expect(data[0]?.hints).toEqual([
      { code: 'foreign', message: expect.stringContaining(`--cors ${origin}`) as string },
    ])
  })

  test('is open to pages of the server itself under names that no other site can take', async () => {
    const { url } = await listening({}, '0.0.0.0')
    const status = (host: string, origin: string) => connect(`${url}/chat/cable`, { host, origin })
    expect(await status('192.168.1.20:4012', 'http://192.168.1.20:4012')).toBe(101)
    expect(await status('suite-sim:4012', 'http://suite-sim:4012')).toBe(101)
    expect(await status('192.168.1.20', 'https://192.168.1.20')).toBe(101)
    expect(await status('192.168.1.20:4012', 'http://192.168.1.20:4013')).toBe(403)
    expect(await status('rebind.test:4012', 'http://rebind.test:4012')).toBe(403)
  })

  test('may have any origin with --cors *, but no foreign Host', async () => {
    const { url } = await listening({ cors: ['*'] })
    expect(await connect(`${url}/chat/cable`, { origin: 'https://any.example.com' })).toBe(101)
    expect(await connect(`${url}/chat/cable`, { host: 'rebind.test' })).toBe(403)
  })
})

describe('a refused preflight', () => {
  const preflight = { 'access-control-request-method': 'POST', origin: 'https://shop.example.com' }

  test('names --cors in the format of the interface, and in the unmatched calls', async () => {
    const app = await fileApp({ cors: ['http://localhost:5173'] })
    for (const { basePath } of INTERFACES) {
      const url = `${basePath}/anything`
      const { statusCode, headers, payload } = await app.fastify.inject({
        method: 'OPTIONS',
        url,
        headers: preflight,
      })
      expect([url, statusCode, headers['access-control-allow-origin']]).toEqual([url, 403, undefined])
      expect(payload).toContain('start the server with --cors https://shop.example.com')
      const [call] = (await app.sim('GET', '/requests?unmatched=true&limit=1')).body.data
      expect(call).toMatchObject({ method: 'OPTIONS', path: url })
      expect(call.hints).toEqual([
        { code: 'foreign', message: expect.stringContaining('--cors https://shop.example.com') as string },
      ])
    }
  })

  test('of the control plane says that --cors opens the interfaces alone', async () => {
    const app = await fileApp({ cors: ['*'] })
    const { statusCode, payload } = await app.fastify.inject({
      method: 'OPTIONS',
      url: '/_sim/workspaces',
      headers: preflight,
    })
    expect([statusCode, payload]).toEqual([403, expect.stringContaining('--cors opens the interfaces alone')])
  })

  test('is none without its header, or of a named origin', async () => {
    const app = await fileApp({ cors: ['https://shop.example.com'] })
    const status = async (headers: Readonly<Record<string, string>>) =>
      (await app.fastify.inject({ method: 'OPTIONS', url: CONTACTS, headers })).statusCode
    expect(await status(preflight)).toBe(204)
    expect(await status({ origin: 'https://other.example.com' })).not.toBe(403)
    expect(await status({ ...preflight, host: 'rebind.test' })).toBe(403)
  })
})

describe('a call of the control plane by a page of another site', () => {
  const cross = { 'sec-fetch-site': 'cross-site' }

  test.each([{}, { adminToken: 'right' }])('is refused, with the options %j', async (options) => {
    const app = await fileApp(options)
    const { id } = await makeWorkspace({
      ...app,
      sim: (method, path, call = {}) => app.sim(method, path, { ...call, ...bearer('right') }),
    })
    const mode = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image', ...cross }
    for (const url of [
      '/workspaces',
      `/workspaces/${id}/snapshot`,
      `/workspaces/${id}/stream`,
      '/docs',
      '/',
    ]) {
      const headers = { ...bearer('right').headers, ...mode }
      const { statusCode, payload } = await app.fastify.inject({ url: `/_sim${url}`, headers })
      expect([url, statusCode, payload]).toEqual([url, 403, expect.stringContaining('pages of other sites')])
    }
    for (const site of ['same-site', 'same-origin', 'none']) {
      const headers = { ...bearer('right').headers, 'sec-fetch-site': site }
      expect((await app.sim('GET', '/workspaces', { headers })).status).toBe(200)
    }
  })

  test('may follow a link to a page, but not to a call', async () => {
    const app = await controlApp()
    const headers = {
      ...cross,
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      accept: 'text/html',
    }
    const statusOf = async (url: string) => (await app.fastify.inject({ url, headers })).statusCode
    for (const url of ['/', '/_sim/', '/_sim/docs', '/_sim/health'])
      expect([url, await statusOf(url)]).toEqual([url, 200])
    expect(await statusOf('/_sim/workspaces')).toBe(403)
  })

  test('does not reach the calls that are open to all, either', async () => {
    const app = await fileApp({ adminToken: 'right' })
    // A page can also send a form, which is a navigation.
    for (const headers of [cross, { ...cross, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }]) {
      const { statusCode } = await app.fastify.inject({ method: 'POST', url: '/_sim/receiver', headers })
      expect(statusCode).toBe(403)
    }
    expect((await app.fastify.inject({ url: '/_sim/health', headers: cross })).statusCode).toBe(403)
  })
})
