import { describe, expect, test } from 'vitest'
import { DATA_FORMAT } from '../../../src/state/storage/database/database.ts'
import { BUILD } from '@suite-sim/kit/version'
import { controlApp, error } from '../app.ts'

describe('health', () => {
  test('returns the version and the uptime in whole seconds', async () => {
    const { sim } = await controlApp()
    const answer = await sim('GET', '/health')
    expect(answer.status).toBe(200)
    // The sources run without a build; test/project/revision.test.ts has that of the program.
    const { revision, builtAt, ...facts } = answer.body
    expect([revision, builtAt]).toEqual(
      revision === null ? [null, undefined] : [expect.any(String), expect.any(String)],
    )
    expect(facts).toEqual({
      status: 'ok',
      version: BUILD.version,
      format: DATA_FORMAT,
      uptimeSeconds: expect.any(Number),
    })
    expect(Number.isInteger(answer.body.uptimeSeconds)).toBe(true)
  })

  test('needs no token', async () => {
    const { sim } = await controlApp({ adminToken: 'right' })
    expect((await sim('GET', '/health')).status).toBe(200)
  })

  test.each(['/health', '/health/live', '/health/ready'])(
    'HEAD %s needs no token and has no body',
    async (path) => {
      const app = await controlApp({ adminToken: 'right' })
      const { statusCode, payload, headers } = await app.fastify.inject({
        method: 'HEAD',
        url: `/_sim${path}`,
      })
      expect({ statusCode, payload }).toEqual({ statusCode: 200, payload: '' })
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(Number(headers['content-length'])).toBeGreaterThan(0)
    },
  )

  test('operations without GET refuse HEAD, with the methods that are possible', async () => {
    const app = await controlApp()
    const { statusCode, headers } = await app.fastify.inject({ method: 'HEAD', url: '/_sim/reset' })
    expect({ statusCode, allow: headers.allow }).toEqual({ statusCode: 405, allow: 'POST' })
  })

  test('responds under an allowed host name, for load balancers', async () => {
    const { sim } = await controlApp({ allowedHosts: ['sim.internal'] })
    expect((await sim('GET', '/health', { headers: { host: 'sim.internal' } })).status).toBe(200)
  })
})

const OPEN = /^\/(?:health(?:\/live|\/ready)?|receiver)$/

describe('with a token', () => {
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

  test('accepts a call with the token, under any allowed host name, from any origin', async () => {
    const { sim } = await controlApp({ adminToken: 'right', allowedHosts: ['sim.example.com'] })
    expect((await sim('GET', '/workspaces', bearer('right'))).status).toBe(200)
    const headers = {
      authorization: 'Bearer right',
      host: 'sim.example.com',
      origin: 'https://other.example.com',
    }
    expect((await sim('GET', '/workspaces', { headers })).status).toBe(200)
  })

  test.each([['wrong'], ['righ'], ['rightt'], ['RIGHT']])('refuses the token %s', async (token) => {
    const { sim } = await controlApp({ adminToken: 'right' })
    const answer = await sim('GET', '/workspaces', bearer(token))
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Bearer')
    expect(answer.body).toEqual(
      error(
        'unauthorized',
        'The admin token is wrong. Use the value of --admin-token, or the token that the server printed at its start.',
      ),
    )
  })

  test.each([
    ['no header', {}],
    ['an empty one', { authorization: '' }],
    ['another scheme', { authorization: 'Basic cmlnaHQ=' }],
    ['a token without its scheme', { authorization: 'right' }],
    ['the key of a workspace in its own header', { 'x-api-key': 'right' }],
  ])('refuses %s', async (_name, headers) => {
    const { sim } = await controlApp({ adminToken: 'right' })
    const answer = await sim('GET', '/workspaces', { headers })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Bearer')
    expect(answer.body).toEqual(
      error('unauthorized', 'The control plane requires the header "Authorization: Bearer TOKEN".'),
    )
  })

  test('checks the token first in every operation except health, static pages and the receiver', async () => {
    const { sim, published } = await controlApp({ adminToken: 'right' })
    const closed = (await published('control')).routes.filter(({ path }) => !OPEN.test(path))
    expect(closed.length).toBeGreaterThan(20)
    for (const { method, path } of closed) {
      const answer = await sim(method as 'GET', path.replaceAll(/\{\w+\}/g, 'x'), {
        ...(method !== 'GET' && { raw: 'not JSON' }),
      })
      expect([method, path, answer.status]).toEqual([method, path, 401])
    }
  })

  test('requires it for an unknown path as well', async () => {
    const { sim } = await controlApp({ adminToken: 'right' })
    expect((await sim('GET', '/nothing')).status).toBe(401)
    expect((await sim('GET', '/nothing', bearer('right'))).status).toBe(404)
  })

  test('refuses the key of a workspace as a token', async () => {
    const { sim } = await controlApp({ adminToken: 'right', fixtures: 'demo' })
    expect((await sim('GET', '/workspaces', bearer('demo-key'))).status).toBe(401)
  })
})

describe('without a token', () => {
  test.each([
    'localhost',
    'localhost:4012',
    'sim.localhost',
    '127.0.0.1',
    '127.0.0.1:4012',
    '127.8.9.1',
    '[::1]',
    '[::1]:4012',
  ])('accepts the host name %s', async (host) => {
    const { sim } = await controlApp()
    expect((await sim('GET', '/workspaces', { headers: { host } })).status).toBe(200)
  })

  test.each([
    'evil.example.com',
    'localhost.evil.example.com',
    '127.0.0.1.evil.example.com',
    '10.0.0.5',
    'notlocalhost',
    '[::2]',
  ])(
    'refuses the host name "%s", also if it is allowed, which is no substitute for a token',
    async (host) => {
      const { sim } = await controlApp({ allowedHosts: ['*'] })
      const answer = await sim('GET', '/workspaces', { headers: { host } })
      expect(answer.status).toBe(403)
      expect(answer.body).toEqual(
        error(
          'forbidden',
          `The control plane refuses the host name ${host}. To use it, start the server with --admin-token.`,
        ),
      )
    },
  )

  test('refuses the host of the public URL, which is no substitute for a token', async () => {
    const { sim } = await controlApp({ publicUrl: 'https://sim.example.com/' })
    const under = async (host: string) => (await sim('GET', '/workspaces', { headers: { host } })).status
    expect(await under('sim.example.com')).toBe(403)
    expect(await under('localhost')).toBe(200)
  })

  test.each(['http://localhost:3000', 'http://127.0.0.1:5173', 'https://app.localhost', 'http://[::1]:80'])(
    'accepts calls of a page on this machine (%s)',
    async (origin) => {
      const { sim } = await controlApp()
      expect((await sim('POST', '/workspaces', { headers: { origin } })).status).toBe(201)
    },
  )

  test.each(['https://evil.example.com', 'null', 'http://localhost.evil.example.com', 'file://', ''])(
    'refuses calls of a page of another site ("%s") and changes nothing',
    async (origin) => {
      const { sim } = await controlApp()
      const answer = await sim('POST', '/workspaces', { headers: { origin } })
      expect(answer.status).toBe(403)
      expect(answer.body).toEqual(
        error('forbidden', `The control plane refuses requests from pages of ${origin}.`),
      )
      expect((await sim('GET', '/workspaces')).body).toEqual({ data: [] })
    },
  )

  test('refuses calls of a page of the public URL', async () => {
    const { sim } = await controlApp({ publicUrl: 'https://sim.example.com' })
    const headers = { origin: 'https://sim.example.com' }
    expect((await sim('POST', '/workspaces', { headers })).status).toBe(403)
  })
})

describe('webhook to the control plane', () => {
  test.each(['x-service-event', 'x-service-signature', 'x-service-delivery'])(
    'is refused because of its header %s, with and without the token, and changes nothing',
    async (name) => {
      for (const adminToken of [null, 'right']) {
        const { sim, workspaces } = await controlApp({ adminToken, fixtures: 'demo' })
        const headers = { [name]: 'any', authorization: 'Bearer right' }
        for (const path of ['/workspaces/demo/reset', '/reset', '/workspaces']) {
          const answer = await sim('POST', path, { headers })
          expect(answer.status).toBe(403)
          expect(answer.body).toEqual(
            error(
              'forbidden',
              'The control plane does not accept webhook deliveries. This request has the headers of one.',
            ),
          )
        }
        expect(workspaces.find('demo')).toBeDefined()
      }
    },
  )
})

describe('unknown path or method', () => {
  test('returns 404 in the format of the control plane for an unknown path', async () => {
    const { sim } = await controlApp()
    const answer = await sim('GET', '/nothing')
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual(
      error(
        'not_found',
        expect.stringMatching(/^There is no operation at \/_sim\/nothing\. Below \/_sim there are /),
      ),
    )
  })

  test('returns 405 with the supported methods for another method', async () => {
    const { sim } = await controlApp()
    const answer = await sim('PATCH', '/workspaces')
    expect(answer.status).toBe(405)
    expect(answer.headers['allow']).toBe('POST, GET, DELETE')
  })
})
