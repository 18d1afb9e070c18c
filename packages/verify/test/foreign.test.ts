/** Services that are not what they seem: no such answer confirms a claim, and one hanging operation hides no other. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { measure, type Report } from '../src/index.ts'
import { startDrift } from '../../mutate/test/drift/drift.ts'
import { startService, type Service } from '../../../test/support/writing.ts'
import { Baselines } from '../../mutate/test/drift/baselines.ts'

const baselines = new Baselines()
let service: Service

beforeAll(async () => {
  service = await startService()
})

afterAll(async () => {
  await baselines.close()
  await service.close()
})

const reportOf = async (baseUrl: string): Promise<Report> =>
  (
    await measure(
      { baseUrl, key: 'demo-key', budget: 600, rate: null, interfaces: ['payments'] },
      await baselines.one('payments'),
    )
  ).report

test.each([
  ['text/html', '<html>Please log in</html>'],
  ['application/json', '{}'],
  ['application/json', '{"items":[]}'],
  ['application/json', '"ok"'],
])('a server that answers everything with %s %s confirms no claim', async (type, body) => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const report = await reportOf(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`)
  expect(report.summary.differs).toBeGreaterThan(5)
  expect(report.claims.filter(({ verdict }) => verdict === 'agrees').map(({ claim }) => claim)).toEqual([])
})

test('one operation that never answers is not checked, and all others are', async () => {
  let count = 0
  const proxy = await startDrift(service.url, {
    each: ({ path }) => {
      if (path !== '/pay/v1/transactions') return
      count++
      throw new Error('no answer')
    },
  })
  onTestFinished(() => proxy.close())
  const report = await reportOf(proxy.url)
  // One call is tried three times.
  expect(count).toBe(3)
  expect(report.run.endedEarly).toBeNull()
  expect(report.differences.map(({ aspect, place }) => `${aspect} ${place}`)).toEqual([])
  expect(report.notChecked).toContainEqual(
    expect.objectContaining({
      what: 'GET /transactions',
      why: expect.stringContaining('the service did not answer') as string,
    }),
  )
  expect(report.claims).toContainEqual(
    expect.objectContaining({ claim: 'operation GET /payment-links', verdict: 'agrees' }),
  )
})

test('a list without its envelope differs, and does not end the run', async () => {
  const proxy = await startDrift(service.url, {
    at: /\/conversations\/search$/,
    apply: ({ status }) => ({ status, json: {} }),
  })
  onTestFinished(() => proxy.close())
  const options = { baseUrl: proxy.url, key: 'demo-key', account: 1, budget: 600, rate: null }
  const { report } = await measure(
    { ...options, interfaces: ['conversations'] },
    await baselines.one('conversations'),
  )
  const differing = report.claims.filter(({ verdict }) => verdict === 'differs').map(({ claim }) => claim)
  expect(differing.filter((claim) => claim.includes('/conversations/search'))).not.toEqual([])
  expect(report.run.endedEarly).toBeNull()
})
