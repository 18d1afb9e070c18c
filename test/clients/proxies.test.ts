/** The configurations of deploy/proxies, in the real programs, in front of the real server. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request, type RequestOptions } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { parse } from 'yaml'
import { namesOf, selfSigned } from '../../src/serve/selfSigned.ts'
import { build, freePort, ROOT, scratchFolder, start, stopAfterTest } from '../support/process.ts'
import { describeWith } from '../support/toolchains.ts'

beforeAll(build)

const TOKEN = 'admin-token'
const ADMIN = { authorization: `Bearer ${TOKEN}` }

/** A 1 × 1 PNG: its first 33 bytes are enough, and zeros make it as large as wanted. */
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')

interface Proxy {
  readonly file: string
  /** Changes of the file that a test needs, beyond the addresses: to run without root, next to another. */
  readonly adapt?: (configuration: string) => string
  readonly command: (file: string) => readonly [string, ...string[]]
}

const PROXIES = {
  nginx: {
    file: 'nginx.conf',
    adapt: (configuration) =>
      `daemon off; pid nginx.pid; error_log stderr;\n${configuration.replace('http {', `http { access_log off; ${temporaryPaths()}`)}`,
    command: (file) => ['nginx', '-p', join(file, '..'), '-c', file],
  },
  HAProxy: { file: 'haproxy.cfg', command: (file) => ['haproxy', '-db', '-f', file] },
  Caddy: {
    file: 'Caddyfile',
    adapt: (configuration) => `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${configuration}`,
    command: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
  },
} as const satisfies Readonly<Record<string, Proxy>>

const temporaryPaths = (): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`).join(' ')

interface Answer {
  readonly status: number
  readonly body: string
}

/** Starts the server and the proxy; returns calls through it, as a browser or a program makes them. */
async function behind({ file, adapt = (same) => same, command }: Proxy) {
  const folder = scratchFolder()
  const server = await start(
    ['--port', '0', '--db', ':memory:', '--host', '0.0.0.0', '--trusted-proxies', '127.0.0.1'],
    { folder, variables: { SIM_ADMIN_TOKEN: TOKEN } },
  )
  const { cert, key } = selfSigned(namesOf(['sim.example.com']))
  for (const [name, content] of Object.entries({ 'sim.crt': cert, 'sim.key': key, 'sim.pem': cert + key }))
    writeFileSync(join(folder, name), content)
  const port = await freePort()
  const configuration = readFileSync(join(ROOT, 'deploy/proxies', file), 'utf8')
    .replaceAll('/etc/ssl/', `${folder}/`)
    .replaceAll('127.0.0.1:4012', `127.0.0.1:${new URL(server.url).port}`)
    .replace(/^( *(?:listen |bind :))443/m, `$1${String(port)}`)
    .replace('https://sim.example.com {', `https://sim.example.com:${String(port)} {`)
  const configured = join(folder, file)
  writeFileSync(configured, adapt(configuration))
  // nginx starts as root, and its workers run as another user.
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'logs'), { recursive: true })
  const [program, ...args] = command(configured)
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
  stopAfterTest(child)
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (said: string) => (stderr += said))

  const options: RequestOptions = { host: '127.0.0.1', port, servername: 'sim.example.com', ca: cert }
  const host = `sim.example.com:${String(port)}`
  const open = (method: string, path: string, more: RequestOptions = {}, body?: Buffer) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { host, ...(more.headers as Record<string, string> | undefined) }
      request({ ...options, agent: false, ...more, method, path, headers }, resolve)
        .on('error', reject)
        .end(body)
    })
  const call = async (...args: Parameters<typeof open>): Promise<Answer> => {
    const response = await open(...args)
    return { status: response.statusCode ?? 0, body: await text(response) }
  }
  await expect
    .poll(
      async () => {
        if (child.exitCode !== null) throw new Error(`${program} ended: ${stderr}`)
        return (await call('GET', '/_sim/health').catch(() => null))?.status
      },
      { interval: 100 },
    )
    .toBe(200)
  return { host, port, cert, open, call }
}

for (const [name, proxy] of Object.entries(PROXIES) as [keyof typeof PROXIES, Proxy][]) {
  describeWith(name, `behind ${name}`, () => {
    test('calls, uploads, links, WebSockets, streams, waiting calls and client addresses work', async () => {
      const { host, port, cert, open, call } = await behind(proxy)
      const origin = `https://${host}`

      // A header with underscores, and links with the address of the proxy.
      const key = { api_access_token: 'demo-key' }
      expect(await call('GET', '/chat/api/v1/accounts/1/conversations', { headers: key })).toMatchObject({
        status: 200,
      })
      const headers = { authorization: 'Bearer demo-key' }
      const links = await call('GET', '/pay/v1/payment-links?limit=1', { headers })
      expect(links.body).toContain(`${origin}/pay/`)

      // Small and large bodies.
      for (const bytes of [300, 3_000_000]) {
        const uploaded = await upload(call, bytes)
        expect(uploaded.status, uploaded.body).toBe(201)
        expect(uploaded.body).toContain(`${origin}/`)
      }

      // The WebSockets of the cable and of listeners.
      const connect = (path: string, more: Record<string, string> = {}): WebSocket => {
        const socket = new WebSocket(`wss://127.0.0.1:${String(port)}${path}`, {
          ca: cert,
          // The type of the options lacks those of TLS.
          ...{ servername: 'sim.example.com' },
          headers: { host, ...more },
        })
        onTestFinished(() => {
          socket.terminate()
        })
        return socket
      }
      const [frame] = (await once(connect('/chat/cable'), 'message')) as [Buffer]
      expect(JSON.parse(frame.toString())).toEqual({ type: 'welcome' })
      const listener = connect('/_sim/workspaces/demo/listen', ADMIN)
      await once(listener, 'open')
      listener.send('{"type": "hello"}')
      const [refused] = (await once(listener, 'message')) as [Buffer]
      expect(JSON.parse(refused.toString())).toMatchObject({
        type: 'refused',
        message: 'the first message must have the type "listen"',
      })

      // A stream whose entries arrive while it is open.
      const stream = await open('GET', '/_sim/workspaces/demo/stream', { headers: ADMIN })
      expect(stream.statusCode).toBe(200)
      let streamed = ''
      stream.setEncoding('utf8').on('data', (piece: string) => (streamed += piece))
      stream.on('error', () => undefined)
      const waiting = call(
        'GET',
        '/_sim/workspaces/demo/requests?wait=300&count=1&path=/pay/v1/payouts-of-test',
        {
          headers: ADMIN,
        },
      )
      await call('GET', '/pay/v1/payouts-of-test', { headers })
      await expect.poll(() => streamed).toContain('payouts-of-test')
      stream.destroy()

      // A call that waits.
      const waited = await waiting
      expect(waited.status).toBe(200)
      expect((JSON.parse(waited.body) as { data: unknown[] }).data).toHaveLength(1)

      // The address of the client: wrong tokens are counted for each client, and a client cannot claim another address.
      const wrong = (localAddress: string, claimed: string) =>
        call('GET', '/_sim/workspaces', {
          localAddress,
          headers: { authorization: 'Bearer wrong', 'x-forwarded-for': claimed },
        })
      let last = 401
      for (let index = 0; last === 401 && index < 1000; index++)
        last = (await wrong('127.0.0.2', `203.0.113.${String(index % 250)}`)).status
      expect(last).toBe(429)
      expect((await wrong('127.0.0.3', '127.0.0.2')).status).toBe(401)
    })
  })
}

/** Uploads an image of this size to signage. */
function upload(
  call: (method: string, path: string, more: RequestOptions, body: Buffer) => Promise<Answer>,
  bytes: number,
): Promise<Answer> {
  const head =
    '--end\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n'
  const image = Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)])
  const body = Buffer.concat([Buffer.from(head), image, Buffer.from('\r\n--end--\r\n')])
  const headers = {
    authorization: 'Bearer demo-key',
    'content-type': 'multipart/form-data; boundary=end',
    'content-length': String(body.length),
  }
  return call('POST', '/grid/v1/media', { headers }, body)
}

test('the page shows the files as they are, and says which of them no test runs', () => {
  const page = readFileSync(join(ROOT, 'docs/proxies.md'), 'utf8')
  const files = ['nginx.conf', 'haproxy.cfg', 'Caddyfile', 'traefik.yaml', 'traefik-routes.yaml']
  for (const file of files) {
    const content = readFileSync(join(ROOT, 'deploy/proxies', file), 'utf8')
    expect(page, file).toContain(`\n${content}\`\`\`\n`)
  }
  expect(page).toContain('No test runs Traefik')
  for (const file of ['traefik.yaml', 'traefik-routes.yaml'])
    expect(parse(readFileSync(join(ROOT, 'deploy/proxies', file), 'utf8'))).toBeTypeOf('object')
})
