/** The server's own endpoints: health, the root, and the API reference. */
import { describe, expect, test } from 'vitest'
import { controlApp } from './app.ts'
import { INTERFACES } from '../support/subject.ts'

async function setup() {
  const app = await controlApp()
  const get = (url: string, headers: Record<string, string> = {}) => app.fastify.inject({ url, headers })
  return { ...app, app, get }
}

describe('health', () => {
  test('reports liveness and readiness', async () => {
    const { sim } = await setup()
    for (const path of ['/health', '/health/live', '/health/ready']) {
      expect(await sim('GET', path)).toMatchObject({ status: 200, body: { status: 'ok' } })
    }
  })

  test('is open even if all other calls require a token', async () => {
    const { sim } = await controlApp({ adminToken: 'secret' })
    expect((await sim('GET', '/health/live')).status).toBe(200)
    expect((await sim('GET', '/metrics')).status).toBe(401)
    expect((await sim('GET', '/docs')).status).toBe(401)
  })
})

describe('a new client', () => {
  test('gets a description with links at /', async () => {
    const { get } = await setup()
    const index = (await get('/')).json()
    expect(index).toMatchObject({
      name: 'Suite Simulator',
      controlPlane: '/_sim',
      documentation: '/_sim/docs',
    })
    expect(index.interfaces.map(({ name }: { name: string }) => name)).toEqual(
      INTERFACES.map(({ name }) => name),
    )
    const page = await get('/', { accept: 'text/html,*/*' })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.payload).toContain('<a href="_sim/docs">')
  })

  test('gets it for an unknown path as well', async () => {
    const { get } = await setup()
    const { statusCode, payload } = await get('/nothing')
    expect(statusCode).toBe(404)
    expect(payload).toContain('Nothing is mounted at /nothing; the interfaces are at /workspace/public/v1,')
    expect(payload).toContain('GET / shows more.')
  })

  test('finds only valid links in llms.txt', async () => {
    const { get } = await setup()
    const { payload } = await get('/llms.txt')
    expect(payload).toMatch(/^# Suite Simulator\n/)
    const links = [...payload.matchAll(/\]\((\/[^)]+)\)/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(INTERFACES.length)
    for (const link of links) expect((await get(link)).statusCode, link).toBe(200)
  })
})

describe('API reference page', () => {
  test('loads files only from this server', async () => {
    const { get } = await setup()
    const page = await get('/_sim/docs')
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-security-policy']).toContain("script-src 'self'")
    const files = [...page.payload.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(files).toEqual(['docs/swagger-ui.css', 'docs/start.js', 'docs/swagger-ui.js'])
    expect(page.payload).not.toMatch(/https?:\/\//)
    for (const path of files) {
      const file = await get(`/_sim/${path}`)
      expect(file.statusCode).toBe(200)
      const type = path.endsWith('.css') ? 'text/css' : 'text/javascript'
      expect(file.headers['content-type']).toBe(`${type}; charset=utf-8`)
      if (path === 'docs/start.js') continue
      const gzip = { 'accept-encoding': 'gzip' }
      const compressed = await get(`/_sim/${path}`, gzip)
      expect(compressed.headers['content-encoding']).toBe('gzip')
      expect(compressed.rawPayload.length).toBeLessThan(file.rawPayload.length / 3)
      const known = { 'if-none-match': String(file.headers.etag) }
      expect((await get(`/_sim/${path}`, known)).statusCode).toBe(304)
    }
  })

  test('shows every interface and the control plane', async () => {
    const { get } = await setup()
    const { payload } = await get('/_sim/docs/start.js')
    const names = [...INTERFACES.map(({ name }) => name), 'control']
    expect(payload).toContain(`const names = ${JSON.stringify(names)}\n`)
  })
})
