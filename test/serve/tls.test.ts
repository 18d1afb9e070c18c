/** HTTPS: certificates of the user, the self-signed one, and what still speaks plain HTTP. */
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { connect as plainConnect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as secureConnect } from 'node:tls'
import { promisify } from 'node:util'
import { Agent, request } from 'undici'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { namesOf, selfSigned } from '../../src/serve/selfSigned.ts'
import { tlsOf } from '../../src/serve/tlsFiles.ts'
import { runHere, serveHere } from '../support/commandLine.ts'
import { BINARY, build, ROOT, run, scratchFolder } from '../support/process.ts'

beforeAll(build)

const DAY = 86_400_000
const NAMES = namesOf([])

/** Calls a server whose certificate must be signed by `ca`. */
async function get(url: string, ca: string, headers: Record<string, string> = {}) {
  const dispatcher = new Agent({ connect: { ca } })
  onTestFinished(() => dispatcher.destroy())
  const { statusCode, body } = await request(url, { dispatcher, headers })
  return { status: statusCode, body: await body.text() }
}

/** A folder with a certificate and its key, and the arguments for them. */
function filesWith({ cert, key } = selfSigned(NAMES)) {
  const folder = scratchFolder()
  const [certFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')]
  writeFileSync(certFile, cert)
  writeFileSync(keyFile, key)
  const tls = ['--tls-cert', certFile, '--tls-key', keyFile]
  return {
    folder,
    certFile,
    keyFile,
    cert,
    tls,
    args: ['--port', '0', '--db', ':memory:', '--fixtures', 'none', ...tls],
  }
}

describe('a certificate in files', () => {
  test('serves HTTPS, with https in the printed URL and in the URLs of answers', async () => {
    const { folder, args, cert } = filesWith()
    const server = await serveHere([...args, '--fixtures', 'demo'], { folder })
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    const link = '/pay/v1/payment-links?limit=1'
    const answer = await get(`${server.url}${link}`, cert, { authorization: 'Bearer demo-key' })
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toContain(`${server.url}/pay/`)
    expect(answer.body).not.toContain('http://')
    expect(await server.stop('SIGTERM')).toBe(0)
  })

  test('answers plain HTTP with 400 and the reason, in the format of the interface', async () => {
    const { folder, args } = filesWith()
    const server = await serveHere(args, { folder })
    const plain = server.url.replace('https', 'http')
    const [control, payments] = await Promise.all([
      fetch(`${plain}/_sim/health`),
      fetch(`${plain}/pay/v1/payment-links`),
    ])
    const message = 'This port speaks HTTPS. Use https:// instead of http:// in the URL.'
    expect(control.status).toBe(400)
    expect(await control.json()).toEqual({ error: { code: expect.any(String), message } })
    expect(payments.status).toBe(400)
    expect(await payments.json()).toMatchObject({ message })
    const asked = await runHere(['workspace', 'list', '--url', plain], { folder })
    expect(asked).toMatchObject({ code: 1, stderr: `suite-sim: ${message}\n` })
  })

  test('survives connections that break off, send nothing or no handshake, and stops without waiting for them', async () => {
    const { folder, args, cert } = filesWith()
    const server = await serveHere(args, { folder })
    const port = Number(new URL(server.url).port)
    const behaviors: ((socket: Socket) => void)[] = [
      () => undefined,
      (socket) => socket.end(),
      (socket) => socket.write(Buffer.from([0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5])),
      (socket) => {
        socket.write('\u0016GET')
        socket.resetAndDestroy()
      },
    ]
    const connections = behaviors.map((behave) => {
      const socket = plainConnect(port, '127.0.0.1')
      return socket.on('connect', () => {
        behave(socket)
      })
    })
    for (const each of connections) each.on('error', () => undefined)
    await Promise.all(connections.map((each) => once(each, 'connect')))
    const idle = secureConnect({ port, host: '127.0.0.1', ca: cert })
    await once(idle, 'secureConnect')
    expect((await get(`${server.url}/_sim/health`, cert)).status).toBe(200)
    const closed = once(idle.resume(), 'close')
    expect(await server.stop('SIGTERM')).toBe(0)
    await closed
    expect(server.stderr()).toBe('')
    for (const each of connections) each.destroy()
  })

  test('serves the cable over wss, and answers an offer of HTTP/2 with HTTP/1.1', async () => {
    const { folder, args, cert } = filesWith()
    const { url } = await serveHere(args, { folder })
    const socket = new WebSocket(`${url.replace('https', 'wss')}/chat/cable`, { ca: cert })
    onTestFinished(() => {
      socket.terminate()
    })
    const [frame] = (await once(socket, 'message')) as [Buffer]
    expect(JSON.parse(frame.toString())).toEqual({ type: 'welcome' })

    const { port } = new URL(url)
    const offered = secureConnect({ port: Number(port), host: '127.0.0.1', ca: cert })
    offered.write(
      'GET /_sim/health HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade, close\r\nupgrade: h2c\r\n\r\n',
    )
    expect(await text(offered)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  test('loads changed files on SIGHUP at both addresses of localhost, and keeps the certificate if they do not fit', async () => {
    const { folder, args, cert, certFile, keyFile } = filesWith()
    const server = await serveHere([...args, '--host', 'localhost'], { folder })
    const renewed = selfSigned(NAMES)
    writeFileSync(certFile, renewed.cert)
    server.signal('SIGHUP')
    await expect.poll(server.stdout).toContain('kept the current certificate: --tls-key: ')
    expect((await get(`${server.url}/_sim/health`, cert)).status).toBe(200)

    writeFileSync(keyFile, renewed.key)
    server.signal('SIGHUP')
    await expect.poll(server.stdout).toContain('loaded the changed certificate')
    const { port } = new URL(server.url)
    for (const host of ['localhost', '127.0.0.1']) {
      expect((await get(`https://${host}:${port}/_sim/health`, renewed.cert)).status).toBe(200)
    }
    await expect(get(`${server.url}/_sim/health`, cert)).rejects.toThrow('self-signed certificate')
  })

  test('is loaded again without a signal when its files change', async () => {
    const { certFile, keyFile } = filesWith()
    const loaded: (Error | null)[] = []
    const files = { tlsCert: certFile, tlsKey: keyFile }
    const { follow } = tlsOf({ db: ':memory:', host: 'localhost', ...files })
    onTestFinished(follow((error) => loaded.push(error), 20))
    const renewed = selfSigned(NAMES)
    writeFileSync(keyFile, renewed.key)
    writeFileSync(certFile, renewed.cert)
    await expect.poll(() => loaded.at(-1)).toBe(null)
  })

  test('is checked by the health check, whatever names it has', async () => {
    const { folder, args, tls } = filesWith(selfSigned(['sim.example.com']))
    const { url } = await serveHere(args, { folder })
    const { port } = new URL(url)
    const well = { code: 0, stdout: `https://127.0.0.1:${port}/_sim/health is healthy\n`, stderr: '' }
    const variables = { PORT: port, SIM_TLS_CERT: tls[1] ?? '' }
    expect(await runHere(['healthcheck', '--port', port, ...tls.slice(0, 2)], { folder })).toEqual(well)
    expect(await runHere(['healthcheck'], { folder, variables })).toEqual(well)
    expect(await runHere(['healthcheck', '--port', port], { folder })).toMatchObject({
      code: 1,
      stderr: `suite-sim: http://127.0.0.1:${port}/_sim/health responded with 400\n`,
    })
    // The script of the image, with the command of the image.
    symlinkSync(BINARY, join(folder, 'suite-sim'))
    const env = { ...variables, PATH: `${folder}:${process.env['PATH'] ?? ''}` }
    const script = join(ROOT, 'scripts/healthcheck.sh')
    const check = promisify(execFile)
    expect((await check('bash', [script], { env })).stderr).toBe('')
    await expect(check('bash', [script], { env: { ...env, PORT: '1' } })).rejects.toThrow('Command failed')
  })

  test('is reported as the server at its port', async () => {
    const { folder, args } = filesWith()
    const { url } = await serveHere(args, { folder })
    const { stderr } = await runHere(['--port', new URL(url).port, '--db', ':memory:'], { folder })
    expect(stderr).toContain(`a suite simulator runs at ${url}\n`)
  })
})

describe('a certificate that cannot be served: one line, exit code 2, and nothing on disk', () => {
  const good = selfSigned(NAMES)
  const cases: [what: string, arrange: () => readonly string[], says: RegExp][] = [
    ['no key', () => filesWith(good).tls.slice(0, 2), /--tls-cert needs --tls-key/],
    ['no certificate', () => filesWith(good).tls.slice(2), /--tls-key needs --tls-cert/],
    [
      'both kinds',
      () => [...filesWith(good).tls, '--tls', 'self-signed'],
      /without --tls-cert and --tls-key/,
    ],
    ['another mode', () => ['--tls', 'on'], /It must be "self-signed"/],
    ['an empty name', () => ['--tls-cert', ''], /It must not be empty/],
    [
      'a missing file',
      () => ['--tls-cert', '/nowhere/tls.crt', '--tls-key', '/nowhere/tls.key'],
      /--tls-cert: cannot read \/nowhere\/tls\.crt: the file does not exist/,
    ],
    ['a folder', () => ['--tls-cert', '/', '--tls-key', '/'], /--tls-cert: cannot read \/: it is a folder/],
    [
      'no certificate in the file',
      () => filesWith({ ...good, cert: 'certificate' }).tls,
      /tls\.crt must be a certificate in PEM format/,
    ],
    [
      'no key in the file',
      () => filesWith({ ...good, key: good.cert }).tls,
      /tls\.key must be a private key in PEM format without a passphrase/,
    ],
    [
      'the key of another certificate',
      () => filesWith({ ...good, key: selfSigned(NAMES).key }).tls,
      /tls\.key is not the key of .*tls\.crt/,
    ],
    [
      'an expired one',
      () => filesWith(selfSigned(NAMES, Date.now() - 826 * DAY)).tls,
      /tls\.crt expired on /,
    ],
    ['one of tomorrow', () => filesWith(selfSigned(NAMES, Date.now() + DAY)).tls, /is valid only from /],
  ]

  test.each(cases)('%s', async (_what, arrange, says) => {
    const folder = scratchFolder()
    const { code, stdout, stderr } = await runHere(['--db', 'new/a.sqlite', ...arrange()], { folder })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^suite-sim: .+\n$/)
    expect(stderr).toMatch(says)
    expect(readdirSync(folder)).toEqual([])
  })

  test('a file that this user may not read', async () => {
    const { folder, args, keyFile } = filesWith()
    chmodSync(keyFile, 0o000)
    const { code, stderr } = await run(args, { folder, bound: true })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `suite-sim: --tls-key: cannot read ${keyFile}: this user may not read it\n`,
    })
  })
})

describe('--tls self-signed', () => {
  const ARGS = ['--port', '0', '--db', 'data/a.sqlite', '--fixtures', 'none', '--tls', 'self-signed']
  const CERT = 'data/a.sqlite-cert.pem'
  const KEY = 'data/a.sqlite-key.pem'

  test('makes a certificate that programs can trust, and keeps it for the next start', async () => {
    const folder = scratchFolder()
    const server = await serveHere(ARGS, { folder })
    const cert = readFileSync(join(folder, CERT), 'utf8')
    const key = readFileSync(join(folder, KEY), 'utf8')
    expect(statSync(join(folder, KEY)).mode & 0o777).toBe(0o600)
    const { port } = new URL(server.url)
    for (const host of ['127.0.0.1', 'localhost']) {
      expect((await get(`https://${host}:${port}/_sim/health`, cert)).status).toBe(200)
    }
    const messages = () =>
      server
        .printed()
        .slice(1)
        .map((line) => (JSON.parse(line) as { msg: string }).msg)
    await expect
      .poll(messages)
      .toEqual([
        `tls: self-signed, ${CERT}`,
        `tls: curl --cacert ${CERT} ${server.url}/_sim/health`,
        `tls: NODE_EXTRA_CA_CERTS=${CERT} node app.js`,
      ])
    expect(await server.stop('SIGTERM')).toBe(0)

    const again = await serveHere(ARGS, { folder })
    expect(readFileSync(join(folder, CERT), 'utf8')).toBe(cert)
    expect(readFileSync(join(folder, KEY), 'utf8')).toBe(key)
    expect((await get(`${again.url}/_sim/health`, cert)).status).toBe(200)
  })

  test('is accepted by the commands if they know it, and otherwise named in the error', async () => {
    const folder = scratchFolder()
    const { url } = await serveHere(ARGS, { folder })
    const list = ['workspace', 'list', '--url', url]
    const variables = { NODE_EXTRA_CA_CERTS: join(folder, CERT) }
    expect(await run(list, { folder, variables })).toMatchObject({ code: 0, stderr: '' })
    expect(await runHere(list, { folder })).toMatchObject({
      code: 1,
      stderr: `suite-sim: ${url} does not respond: self-signed certificate; to trust its certificate, set NODE_EXTRA_CA_CERTS to the file of the certificate\n`,
    })
  })

  test('has the names of --host and --public-url, and makes another certificate if a name is missing', async () => {
    const folder = scratchFolder()
    const first = await serveHere(ARGS, { folder })
    await first.stop('SIGTERM')
    const before = readFileSync(join(folder, CERT), 'utf8')
    const more = [
      '--host',
      '127.0.0.2',
      '--public-url',
      'https://Sim.example.com/suite',
      '--admin-token',
      'a',
    ]
    await serveHere([...ARGS, ...more], { folder })
    const cert = readFileSync(join(folder, CERT), 'utf8')
    expect(cert).not.toBe(before)
    const certificate = new X509Certificate(cert)
    expect(certificate.subjectAltName).toBe(
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:127.0.0.2, DNS:sim.example.com',
    )
    expect(certificate.ca).toBe(false)
  })

  test.each([
    ['expires within 30 days', selfSigned(NAMES, Date.now() - 800 * DAY), false],
    ['lasts longer', selfSigned(NAMES, Date.now() - 790 * DAY), true],
    ['cannot be read', { cert: 'certificate', key: 'key' }, false],
  ])('a kept certificate that %s', async (_what, pair, stays) => {
    const folder = scratchFolder()
    const at = (file: string) => join(folder, file.replace('data/', ''))
    writeFileSync(at(CERT), pair.cert)
    writeFileSync(at(KEY), pair.key, { mode: 0o644 })
    const server = await serveHere([...ARGS, '--db', 'a.sqlite'], { folder })
    const cert = readFileSync(at(CERT), 'utf8')
    expect(cert === pair.cert).toBe(stays)
    if (!stays) expect(statSync(at(KEY)).mode & 0o777).toBe(0o600)
    expect((await get(`${server.url}/_sim/health`, cert)).status).toBe(200)
  })

  test('writes nothing to disk with a database in memory', async () => {
    const folder = scratchFolder()
    const server = await serveHere([...ARGS, '--db', ':memory:'], { folder })
    expect(readdirSync(folder)).toEqual([])
    await expect.poll(server.stdout).toContain(`curl --insecure ${server.url}/_sim/health`)
  })
})
