/** Who may read the metrics: --metrics-token and --metrics public. */
import { describe, expect, test } from 'vitest'
import type { AppOptions } from '../../../src/app.ts'
import { bearer, controlApp, makeWorkspace, type SimCall } from '../app.ts'

async function setup(options: AppOptions) {
  const app = await controlApp({ allowedHosts: ['sim.example.com'], ...options })
  return {
    ...app,
    app,
    metrics: async ({ headers = {} }: SimCall = {}) => {
      const { statusCode, payload } = await app.fastify.inject({ url: '/_sim/metrics', headers })
      return [statusCode, payload] as const
    },
  }
}

const remote = { headers: { host: 'sim.example.com' } }

describe('a metrics token', () => {
  test('opens the metrics, as does the admin token, and other tokens do not', async () => {
    const { metrics } = await setup({ adminToken: 'right', metricsToken: 'scrape' })
    expect(await metrics(bearer('scrape'))).toEqual([200, expect.stringContaining('suite_sim_workspaces 0')])
    expect((await metrics(bearer('right')))[0]).toBe(200)
    expect((await metrics(bearer('other')))[0]).toBe(401)
    expect((await metrics())[0]).toBe(401)
  })

  test.each([['with', { adminToken: 'right' }] as const, ['without', {}] as const])(
    'opens no other call, %s an admin token',
    async (_name, options) => {
      const { app, sim, published } = await setup({ ...options, metricsToken: 'scrape' })
      for (const { method, path, operation } of (await published('control')).routes) {
        if (
          ['getMetrics', 'getHealth', 'getLiveness', 'getReadiness', 'receiveWebhook'].includes(operation.id)
        )
          continue
        const url = `/_sim${path.replaceAll(/\{\w+\}/g, 'x')}`
        const answer = await app.fastify.inject({ method: method as 'GET', url, ...bearer('scrape') })
        expect([operation.id, answer.statusCode]).toEqual([operation.id, 403])
        expect(answer.payload).toContain('The metrics token opens only GET /_sim/metrics.')
      }
      expect((await sim('GET', '/nothing', bearer('scrape'))).status).toBe(403)
    },
  )

  test('opens them under any allowed host name, also without an admin token', async () => {
    const { metrics } = await setup({ metricsToken: 'scrape' })
    const headers = { ...remote.headers, ...bearer('scrape').headers }
    expect((await metrics({ headers }))[0]).toBe(200)
    expect((await metrics(remote))[0]).toBe(403)
    expect((await metrics())[0]).toBe(200)
  })

  test('does not count as a wrong token', async () => {
    const { sim } = await setup({ adminToken: 'right', metricsToken: 'scrape' })
    for (let count = 0; count < 11; count++) {
      expect((await sim('GET', '/access', bearer('scrape'))).status).toBe(403)
    }
    expect((await sim('GET', '/access', bearer('wrong'))).status).toBe(401)
  })
})

describe('public metrics', () => {
  test('need no token, under any allowed host name, and open no other call', async () => {
    const { metrics, sim } = await setup({ adminToken: 'right', publicMetrics: true })
    expect((await metrics(remote))[0]).toBe(200)
    expect((await metrics(bearer('wrong')))[0]).toBe(200)
    expect((await sim('GET', '/workspaces')).status).toBe(401)
  })
})

test('a control token does not open the metrics', async () => {
  const { app, metrics } = await setup({})
  const { controlToken } = await makeWorkspace(app)
  expect((await metrics(bearer(controlToken)))[0]).toBe(403)
})
