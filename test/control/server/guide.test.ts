/** How the built site of the guide is served. Its content and look are tested in test/clients/guide*.test.ts. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import type { AppOptions } from '../../../src/app.ts'
import { scratchFolder } from '../../support/process.ts'
import { controlApp } from '../app.ts'

const FILES = {
  'guide/index.html': '<!doctype html><script src="/_sim/guide/assets/app.js"></script>',
  'guide/404.html': '<!doctype html><p>Page not found</p>',
  'guide/reference/index.html': '<!doctype html><p>Reference</p>',
  'guide/assets/app.js': 'const base = "/_sim/guide/"',
  'guide/assets/style.css': '.now { background: url(/_sim/guide/assets/now.png) }',
  'guide/assets/now.png': '\u0000/_sim/guide/',
  'guide/assets/now.webp': '\u0000',
  'guide/hashmap.json': '{}',
  'secret.html': 'not a part of the guide',
}

const served = async (options: AppOptions = {}, files: Readonly<Record<string, string>> = FILES) => {
  const folder = scratchFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const app = await controlApp({ guideFolder: join(folder, 'guide'), ...options })
  return {
    folder,
    get: (url: string, headers: Record<string, string> = {}) => app.fastify.inject({ url, headers }),
    head: (url: string) => app.fastify.inject({ method: 'HEAD', url }),
  }
}

test('knows weak tags and refused codings', async () => {
  const { get } = await served()
  const { headers } = await get('/_sim/guide/')
  const tag = String(headers.etag)
  const statusOf = async (sent: string) => (await get('/_sim/guide/', { 'if-none-match': sent })).statusCode
  // Weak, because compressed files have the same tag.
  expect(tag).toMatch(/^W\/"[^"]+"$/)
  for (const known of [tag, tag.slice(2), `"x", ${tag}`, `"x,y" ,${tag.slice(2)},"z"`, '*'])
    expect([known, await statusOf(known)]).toEqual([known, 304])
  for (const other of ['W/"x"', 'W/*', tag.slice(3, -1), ''])
    expect([other, await statusOf(other)]).toEqual([other, 200])
  const codingOf = async (sent: string) =>
    (await get('/_sim/guide/', { 'accept-encoding': sent })).headers['content-encoding']
  expect([await codingOf('gzip;q=0'), await codingOf('gzip; q=0.0, br')]).toEqual([undefined, undefined])
  expect([await codingOf('gzip;q=0.5'), await codingOf('br;q=0, gzip')]).toEqual(['gzip', 'gzip'])
})

test('sends each file with its type', async () => {
  const { get } = await served()
  const typeOf = async (path: string) => {
    const { statusCode, headers } = await get(`/_sim/guide/${path}`)
    expect({ path, statusCode }).toEqual({ path, statusCode: 200 })
    return headers['content-type']
  }
  expect(await typeOf('')).toBe('text/html; charset=utf-8')
  expect(await typeOf('index.html')).toBe('text/html; charset=utf-8')
  expect(await typeOf('reference/')).toBe('text/html; charset=utf-8')
  expect(await typeOf('assets/app.js')).toBe('text/javascript; charset=utf-8')
  expect(await typeOf('assets/style.css')).toBe('text/css; charset=utf-8')
  expect(await typeOf('assets/now.png')).toBe('image/png')
  expect(await typeOf('assets/now.webp')).toBe('image/webp')
  expect(await typeOf('hashmap.json')).toBe('application/json; charset=utf-8')
})

test('allows only its own scripts, and is linked from the root', async () => {
  const { get } = await served()
  const policy = String((await get('/_sim/guide/')).headers['content-security-policy']).split('; ')
  expect(policy).toEqual(
    expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]),
  )
  expect((await get('/', { accept: 'text/html' })).payload).toContain('href="_sim/guide/"')
  expect((await get('/')).json()).toMatchObject({ guide: '/_sim/guide/' })
  expect((await get('/llms.txt')).payload).toContain('/_sim/guide/')
})

test('redirects to the path with a slash, behind any proxy path', async () => {
  const { get } = await served()
  const { statusCode, headers } = await get('/_sim/guide')
  expect([statusCode, headers.location]).toEqual([302, 'guide/'])
})

test('needs no token, because it has no data', async () => {
  const { get } = await served({ adminToken: 'right' })
  for (const path of ['', 'assets/app.js']) expect((await get(`/_sim/guide/${path}`)).statusCode).toBe(200)
  expect((await get('/_sim/guide')).statusCode).toBe(302)
  expect((await get('/_sim/workspaces')).statusCode).toBe(401)
})

test('answers HEAD like GET, without the body', async () => {
  const { get, head } = await served()
  for (const path of ['', 'assets/app.js', 'none.html']) {
    const [whole, bare] = [await get(`/_sim/guide/${path}`), await head(`/_sim/guide/${path}`)]
    expect([bare.statusCode, bare.payload]).toEqual([whole.statusCode, ''])
    expect(bare.headers.etag).toBe(whole.headers.etag)
    expect(bare.headers['content-length']).toBe(whole.headers['content-length'])
  }
})

test('compresses texts on request', async () => {
  const { get } = await served()
  const packed = await get('/_sim/guide/', { 'accept-encoding': 'br, gzip' })
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  expect(gunzipSync(packed.rawPayload).toString()).toBe(FILES['guide/index.html'])
  const image = await get('/_sim/guide/assets/now.png', { 'accept-encoding': 'gzip' })
  expect(image.headers['content-encoding']).toBeUndefined()
})

test('sends a page again only after a new build, and an asset never again', async () => {
  const { folder, get } = await served()
  const page = await get('/_sim/guide/')
  expect(page.headers['cache-control']).toBe('no-cache')
  const known = { 'if-none-match': String(page.headers.etag) }
  expect(await get('/_sim/guide/', known)).toMatchObject({ statusCode: 304, payload: '' })
  writeFileSync(join(folder, 'guide/index.html'), '<!doctype html><p>New</p>')
  expect(await get('/_sim/guide/', known)).toMatchObject({
    statusCode: 200,
    payload: '<!doctype html><p>New</p>',
  })
  const { headers } = await get('/_sim/guide/assets/app.js')
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
})

test('shows its own page for an unknown path', async () => {
  const { get } = await served()
  for (const path of ['none.html', 'reference', 'assets/', 'a/b/c']) {
    const { statusCode, headers, payload } = await get(`/_sim/guide/${path}`)
    expect({ path, statusCode, payload }).toEqual({ path, statusCode: 404, payload: FILES['guide/404.html'] })
    expect(headers['cache-control']).toBe('no-cache')
  }
})

test('sends no file outside its folder', async () => {
  const { get } = await served()
  for (const path of [
    '../secret.html',
    '%2e%2e/secret.html',
    '..%2fsecret.html',
    'assets/..%2f..%2fsecret.html',
    '..%5csecret.html',
    '%2fetc/passwd',
    '/etc/passwd',
  ]) {
    const { statusCode, payload } = await get(`/_sim/guide/${path}`)
    expect({ path, statusCode }).toEqual({ path, statusCode: 404 })
    expect(payload).not.toContain('not a part')
  }
  expect((await get('/_sim/guide/index.html%00')).statusCode).toBe(400)
})

test('has the path of the public URL in its links, below which a proxy serves it', async () => {
  const { get } = await served({ publicUrl: 'https://example.com/tools/sim/', adminToken: 'any' })
  const { payload } = await get('/_sim/guide/')
  expect(payload).toBe('<!doctype html><script src="/tools/sim/_sim/guide/assets/app.js"></script>')
  expect((await get('/_sim/guide/assets/app.js')).payload).toBe('const base = "/tools/sim/_sim/guide/"')
  const image = await get('/_sim/guide/assets/now.png')
  expect(image.payload).toBe(FILES['guide/assets/now.png'])
  // With another public URL it has the same name, but another content.
  expect((await get('/_sim/guide/assets/app.js')).headers['cache-control']).toBe('no-cache')
})

describe('a guide that is not built', () => {
  /** A server of a clone, and how its build of the guide ends. */
  async function unbuilt() {
    const folder = scratchFolder()
    let end = (_error?: Error): void => undefined
    const buildGuide = vi.fn(
      () =>
        new Promise<void>((resolve, reject) => {
          end = (error) => {
            if (error) reject(error)
            else resolve()
          }
        }),
    )
    const app = await controlApp({ guideFolder: join(folder, 'guide'), buildGuide })
    const get = async () => {
      const { statusCode, headers, payload } = await app.fastify.inject('/_sim/guide/')
      return { statusCode, headers, payload }
    }
    const finish = (error?: Error): void => {
      end(error)
    }
    return { folder, buildGuide, get, end: finish }
  }

  test('is built once when it is opened, while a page waits for it', async () => {
    const { folder, buildGuide, get, end } = await unbuilt()
    for (const { statusCode, headers, payload } of await Promise.all([get(), get()])) {
      expect(statusCode).toBe(503)
      expect(headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' })
      expect(payload).toContain('<meta http-equiv="refresh" content="2">')
    }
    expect(buildGuide).toHaveBeenCalledTimes(1)
    mkdirSync(join(folder, 'guide'))
    writeFileSync(join(folder, 'guide/index.html'), 'the guide')
    end()
    expect(await get()).toMatchObject({ statusCode: 200, payload: 'the guide' })
  })

  test('is not built again after a build that failed', async () => {
    const { buildGuide, get, end } = await unbuilt()
    await get()
    end(new Error('no space left'))
    const { statusCode, payload } = await get()
    expect(statusCode).toBe(404)
    expect(payload).toContain('The guide is not built. Run `npm run docs:build`')
    expect(buildGuide).toHaveBeenCalledTimes(1)
  })
})

test('says how to build it if this program can not build it', async () => {
  const { get } = await served({}, {})
  for (const path of ['', 'webhooks.html']) {
    const { statusCode, payload } = await get(`/_sim/guide/${path}`)
    expect(statusCode).toBe(404)
    expect(payload).toContain('The guide is not built. Run `npm run docs:build`')
  }
})
