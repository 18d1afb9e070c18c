/** The files of the dashboard as a browser receives them. Its behavior is tested in packages/dashboard/test. */
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { build } from '../../support/process.ts'
import { controlApp, makeWorkspace } from '../app.ts'

beforeAll(build)

const FILES = ['app.js', 'app.css', 'icon.svg']

const fetched = async (options: Parameters<typeof controlApp>[0] = {}) => {
  const app = await controlApp(options)
  return {
    ...app,
    get: (url: string, headers: Record<string, string> = {}) => app.fastify.inject({ url, headers }),
  }
}

describe('page', () => {
  test('runs only its own script, and is linked from the root', async () => {
    const { get } = await fetched()
    const { statusCode, headers, payload } = await get('/_sim/')
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("style-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(String(headers['content-security-policy'])).not.toContain('unsafe')
    expect(payload).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|https?:/)
    expect((await get('/', { accept: 'text/html' })).payload).toContain('href="_sim/"')
    expect((await get('/')).json()).toMatchObject({ dashboard: '/_sim/' })
  })

  test('is found without the trailing slash behind any proxy path', async () => {
    const { get } = await fetched()
    const { statusCode, headers } = await get('/_sim')
    expect(statusCode).toBe(302)
    expect(headers.location).toBe('_sim/')
  })

  test('is open to browsers with all its files; the calls that it makes are not', async () => {
    const { get } = await fetched({ adminToken: 'right' })
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    for (const path of ['/_sim/', '/_sim/docs']) {
      expect({ path, status: (await get(path, browser)).statusCode }).toEqual({ path, status: 200 })
      expect({ path, status: (await get(path)).statusCode }).toEqual({ path, status: 401 })
      const page = await get(path, { authorization: 'Bearer right' })
      expect({ path, status: page.statusCode }).toEqual({ path, status: 200 })
    }
    for (const path of [
      'dashboard/mail.html',
      ...FILES.map((name) => `dashboard/${name}`),
      'docs/start.js',
    ]) {
      expect({ path, status: (await get(`/_sim/${path}`)).statusCode }).toEqual({ path, status: 200 })
    }
    expect((await get('/_sim/workspaces', browser)).statusCode).toBe(401)
  })

  test('shows e-mails in a frame that allows only styles', async () => {
    const { get } = await fetched()
    const { headers } = await get('/_sim/dashboard/mail.html')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
    )
  })
})

describe('files', () => {
  test('are small, compressed on request, and sent again only after a change', async () => {
    const { get } = await fetched()
    let size = 0
    for (const name of FILES) {
      const plain = await get(`/_sim/dashboard/${name}`)
      expect(plain.headers['content-encoding']).toBeUndefined()
      const packed = await get(`/_sim/dashboard/${name}`, { 'accept-encoding': 'gzip, br' })
      expect(packed.headers['content-encoding']).toBe('gzip')
      expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
      size += packed.rawPayload.length
      const etag = String(plain.headers.etag)
      const again = await get(`/_sim/dashboard/${name}`, { 'if-none-match': etag })
      expect({ status: again.statusCode, body: again.payload }).toEqual({ status: 304, body: '' })
    }
    expect(size).toBeLessThan(150_000)
  })
})

describe('due jobs', () => {
  test('are listed by kind, earliest first, without past ones', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app)
    const path = `/workspaces/${id}/clock`
    await app.sim('PUT', path, { body: { now: '2030-01-01T12:00:00Z', frozen: true } })
    expect((await app.sim('GET', `${path}/due`)).body).toEqual({ data: [] })
    const activity = { title: 'Call', type: 'task', dueDate: '2030-01-02T12:00:00Z' }
    await app.call('POST', '/workspace/public/v1/activities', key, activity)
    await app.call('POST', '/workspace/public/v1/activities', key, {
      ...activity,
      dueDate: '2030-01-01T13:00:00Z',
    })
    await app.call('POST', '/pay/v1/payment-links', key, {
      amount: 100,
      currency: 'USD',
      expires_at: '2030-01-01T12:30:00Z',
    })
    const noAttempt = { delivery: null, heldBackBy: null }
    expect((await app.sim('GET', `${path}/due`)).body).toEqual({
      data: [
        { job: 'payments.link.expire', at: '2030-01-01T12:30:00.000Z', ...noAttempt },
        { job: 'catalog.activity.overdue', at: '2030-01-01T13:00:00.000Z', ...noAttempt },
      ],
    })
    await app.sim('POST', `${path}/advance`, { body: { duration: 'PT1H' } })
    expect((await app.sim('GET', `${path}/due`)).body).toEqual({
      data: [{ job: 'catalog.activity.overdue', at: '2030-01-02T12:00:00.000Z', ...noAttempt }],
    })
    expect((await app.sim('GET', '/workspaces/none/clock/due')).status).toBe(404)
  })
})

describe('built-in receiver', () => {
  test('accepts webhooks, and is the only URL of this server that can be subscribed', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const subscribe = (url: string) =>
      app.sim('POST', `/workspaces/${id}/subscriptions`, { body: { interface: 'pos', url } })
    expect((await subscribe(`${address}/_sim/receiver`)).status).toBe(201)
    for (const path of ['/_sim/reset', '/_sim/receiver/', '/_sim/receiver/../reset', '/']) {
      expect({ path, status: (await subscribe(address + path)).status }).toEqual({ path, status: 400 })
    }
    await app.sim('POST', `/workspaces/${id}/triggers/pos.event.emit`, { body: { event: 'sale.completed' } })
    const { body } = await app.sim('GET', `/workspaces/${id}/deliveries?status=delivered&wait=300`)
    expect(body.data).toMatchObject([{ url: `${address}/_sim/receiver`, attempts: [{ status: 200 }] }])
  })

  test('needs no token and accepts any request', async () => {
    const { sim } = await controlApp({ adminToken: 'right' })
    expect(await sim('POST', '/receiver', { body: { any: 'thing' } })).toMatchObject({
      status: 200,
      body: { received: true },
    })
  })
})
