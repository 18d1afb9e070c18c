/** Workspaces whose fixtures are a file or a URL. */
import { execFileSync } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSource } from '../../../src/control/snapshots/sources.ts'
import { scratchFolder } from '../../support/process.ts'
import { controlApp, makeWorkspace } from '../app.ts'

const PRODUCTS = '/workspace/public/v1/products'

/** Returns an app, the text of a snapshot with one product, and a function that creates a workspace. */
async function setup() {
  const app = await controlApp()
  const made = await makeWorkspace(app, { currency: 'MXN' })
  await app.call('POST', PRODUCTS, made.key, { name: 'Désk 😀', type: 'physical' })
  const { text } = await app.sim('GET', `/workspaces/${made.id}/snapshot`)
  const create = (fixtures: unknown, headers: Record<string, string> = {}) =>
    app.sim('POST', '/workspaces', { body: { fixtures }, headers })
  /** Returns the names of the products of a created workspace. */
  const products = async ({ body }: { body: { key: string } }) =>
    ((await app.call('GET', PRODUCTS, body.key)).body.data as { name: string }[]).map(({ name }) => name)
  const count = async () => ((await app.sim('GET', '/workspaces')).body.data as unknown[]).length
  return { ...app, made, text, create, products, count }
}

function fileWith(content: string | Buffer, name = 'shop.json'): string {
  const file = join(scratchFolder(), name)
  writeFileSync(file, content)
  return file
}

/** Serves a response at every path. */
async function serving(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
}

describe('fixtures of a new workspace can be', () => {
  test('a path, absolute or relative, and a file URL', async () => {
    const { text, create, products } = await setup()
    const file = fileWith(text)
    const relative = `${'../'.repeat(process.cwd().split('/').length)}${file.slice(1)}`
    for (const fixtures of [file, pathToFileURL(file).href, relative]) {
      const created = await create(fixtures)
      expect(created.status).toBe(201)
      expect(created.body.workspace.currency).toBe('MXN')
      expect(await products(created)).toEqual(['Désk 😀'])
    }
  })

  test('a compressed file, by its content', async () => {
    const { text, create, products } = await setup()
    expect(await products(await create(fileWith(gzipSync(text), 'shop.json.gz')))).toEqual(['Désk 😀'])
    expect(await products(await create(fileWith(gzipSync(text), 'shop.json')))).toEqual(['Désk 😀'])
    expect(await products(await create(fileWith(text, 'shop.json.gz')))).toEqual(['Désk 😀'])
  })

  test('a link to a file', async () => {
    const { text, create } = await setup()
    const link = join(scratchFolder(), 'link.json')
    symlinkSync(fileWith(text), link)
    expect((await create(link)).status).toBe(201)
  })

  test('a URL, also compressed, and behind three redirects', async () => {
    const { text, create, products } = await setup()
    const url = await serving((request, response) => {
      const left = Number(/^\/(\d)/.exec(request.url ?? '')?.[1] ?? 0)
      if (left > 0) response.writeHead(302, { location: `/${String(left - 1)}` }).end()
      else if (request.url === '/gz') response.end(gzipSync(text))
      else if (request.url === '/encoded') {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text))
      } else response.end(text)
    })
    for (const path of ['/', '/gz', '/encoded', '/3']) {
      expect(await products(await create(url + path))).toEqual(['Désk 😀'])
    }
    const refused = await create(`${url}/4`)
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      `fixtures: cannot read ${url}/4: more than 3 redirects`,
    ])
  })

  test('the snapshot of a workspace of this server', async () => {
    const { listen, made, create, products } = await setup()
    const url = await listen({ host: '127.0.0.1', port: 0 })
    expect(await products(await create(`${url}/_sim/workspaces/${made.id}/snapshot`))).toEqual(['Désk 😀'])
  })
})

describe('fixtures are refused, and no workspace is created:', () => {
  test.each([
    ['demmo', /^fixtures must be "none", .*; did you mean "demo"\?$/],
    ['nothing', /^fixtures must be "none", "small", "demo", a snapshot, or the URL or path of one \(a path/],
    ['ftp://example.com/a.json', /^fixtures must be a URL that starts with http, https or file$/],
    ['https://', /^fixtures must be a complete URL$/],
    ['http://a:b@127.0.0.1/x.json', /^fixtures must be a URL without credentials$/],
    ['file://other.example.com/x.json', /: it is on another machine$/],
    ['/nowhere/x.json', /^fixtures: cannot read the file \/nowhere\/x.json: the file does not exist$/],
    ['./x\u0000.json', /NUL/],
    ['/dev/zero', /^fixtures: cannot read the file \/dev\/zero: it is not a regular file$/],
    ['/tmp/', /: it is not a regular file$/],
    [
      'http://127.0.0.1:1/x.json',
      /^fixtures: cannot read http:\/\/127.0.0.1:1\/x.json: it cannot be read \(bad port\)$/,
    ],
    [`/${'x'.repeat(2000)}`, /^fixtures must have at most 2000 characters$/],
    ['', /^fixtures must not be empty$/],
    [
      7,
      /^fixtures must be "none", "small", "demo", a snapshot, the URL or path of one, or \{workspace, snapshot\}$/,
    ],
  ])('%j', async (fixtures, message) => {
    const { create, count } = await setup()
    const before = await count()
    const answer = await create(fixtures)
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toMatch(message)
    expect(await count()).toBe(before)
  })

  test.each([
    ['', 'The snapshot does not fit'],
    ['root:x:0:0:secret', 'is not valid JSON'],
    ['{"format":"suite-simulator/1","__proto__":{}}', 'is not valid JSON'],
    ['[1]', 'The snapshot does not fit'],
    ['{"format":"other"}', 'The snapshot does not fit'],
    ['{"format":"suite-simulator/1","crm":{"contacts":[{}]}}', 'The snapshot does not fit'],
  ])('a file with %j', async (content, message) => {
    const { create, count } = await setup()
    const before = await count()
    const answer = await create(fileWith(content))
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain(message)
    expect(answer.text).not.toContain('secret')
    expect(await count()).toBe(before)
  })

  test('incomplete gzip data and named pipes', async () => {
    const { text, create } = await setup()
    const half = gzipSync(text).subarray(0, 200)
    expect((await create(fileWith(half))).body.error.message).toContain('it is not complete gzip data')
    const pipe = join(scratchFolder(), 'pipe.json')
    execFileSync('mkfifo', [pipe])
    expect((await create(pipe)).body.error.message).toContain('it is not a regular file')
    const folder = join(scratchFolder(), 'x.json')
    mkdirSync(folder)
    expect((await create(folder)).body.error.message).toContain('it is not a regular file')
  })

  test('a URL that answers with an error, a forbidden redirect or a cut connection', async () => {
    const { create } = await setup()
    const url = await serving((request, response) => {
      if (request.url === '/missing?token=secret') response.writeHead(404).end('no')
      else if (request.url === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end()
      else if (request.url === '/key') response.writeHead(302, { location: 'http://a:b@127.0.0.1/' }).end()
      else if (request.url === '/moved') response.writeHead(301).end()
      else {
        response.writeHead(200, { 'content-length': '1000' }).write('{"format"')
        setImmediate(() => response.destroy())
      }
    })
    const messages: string[] = []
    for (const path of ['/missing?token=secret', '/file', '/key', '/moved', '/cut']) {
      const answer = await create(url + path)
      expect(answer.status).toBe(400)
      messages.push(String(answer.body.error.message).replace(url, ''))
    }
    expect(messages).toEqual([
      'fixtures: cannot read /missing?token=[redacted]: the server answered 404',
      'fixtures: cannot read /file: it redirects to an address that is not allowed',
      'fixtures: cannot read /key: it redirects to an address that is not allowed',
      'fixtures: cannot read /moved: the server answered 301',
      expect.stringMatching(/^fixtures: cannot read \/cut: it cannot be read/),
    ])
  })

  test('a URL at which nothing listens', async () => {
    const { create } = await setup()
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
    server.close()
    await once(server, 'close')
    expect((await create(url)).body.error.message).toBe(`fixtures: cannot read ${url}: nothing listens there`)
  })

  test('a URL that sends nothing', async () => {
    const url = await serving(() => undefined)
    const read = async () => {
      for await (const chunk of openSource(url, 20)) expect.unreachable(chunk.toString())
    }
    await expect(read()).rejects.toThrow(`${url}: no data for 0.02 seconds`)
  })
})

describe('a file or a URL is refused', () => {
  test('for pages of other sites and other host names, which see nothing of the file', async () => {
    const { create, text, count } = await setup()
    const file = fileWith(text)
    const before = await count()
    for (const headers of [
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
      { host: 'evil.example.com' },
      { host: '127.0.0.1.evil.example.com' },
    ]) {
      const answers = [await create(file, headers), await create('/nowhere.json', headers)]
      expect(answers.map(({ status }) => status)).toEqual([403, 403])
      expect(answers[0]?.text).toBe(answers[1]?.text)
    }
    expect(await count()).toBe(before)
  })

  test('by a server that others can reach, which accepts the snapshot itself', async () => {
    const { text } = await setup()
    const app = await controlApp({ publicUrl: 'https://sim.example.com', adminToken: 't' })
    const headers = { authorization: 'Bearer t' }
    const refused = await app.sim('POST', '/workspaces', { body: { fixtures: fileWith(text) }, headers })
    expect(refused.status).toBe(403)
    expect(refused.body.error.message).toContain('only if the server listens on this machine alone')
    const body = { fixtures: JSON.parse(text) as object }
    expect((await app.sim('POST', '/workspaces', { body, headers })).status).toBe(201)

    const open = await controlApp({ adminToken: 't' })
    await open.listen({ host: '0.0.0.0', port: 0 })
    const again = await open.sim('POST', '/workspaces', { body: { fixtures: '/x.json' }, headers })
    expect(again.status).toBe(403)
  })
})

describe('a new workspace can have', () => {
  test('an id and a key, each of which is refused a second time', async () => {
    const { sim, call, count } = await setup()
    const body = { id: 'shop-1', key: 'shop~key.1' }
    const created = await sim('POST', '/workspaces', { body })
    expect(created.body).toMatchObject({ workspace: { id: 'shop-1' }, key: 'shop~key.1' })
    expect((await call('GET', PRODUCTS, 'shop~key.1')).status).toBe(200)
    const before = await count()
    for (const again of [{ id: 'shop-1' }, { key: 'shop~key.1' }, { key: 'shop~key.1', fixtures: 'small' }]) {
      expect((await sim('POST', '/workspaces', { body: again })).status).toBe(409)
    }
    expect(await count()).toBe(before)
  })

  test.each([
    [{ id: '' }, 400],
    [{ id: 'a/b' }, 400],
    [{ id: 'é' }, 400],
    [{ id: 'x'.repeat(65) }, 400],
    [{ id: 'x'.repeat(64) }, 201],
    [{ key: 'a b' }, 400],
    [{ key: 'k'.repeat(101) }, 400],
    [{ key: 'k'.repeat(100) }, 201],
  ])('%j: %d', async (body, status) => {
    const { sim } = await setup()
    expect((await sim('POST', '/workspaces', { body })).status).toBe(status)
  })
})
