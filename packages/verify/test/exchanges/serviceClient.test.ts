/** Calls that get no answer, or a 429 with a wait. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ServiceClient, ServiceError } from '../../src/exchanges/serviceClient.ts'
import type { Operation } from '../../src/model/operation.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

async function clientOf(
  handler: Handler,
): Promise<{ client: ServiceClient; seen: string[]; times: number[] }> {
  const seen: string[] = []
  const times: number[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method ?? ''} ${request.url ?? ''}`)
    times.push(Date.now())
    handler(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  const client = new ServiceClient({
    service: { baseUrl, key: 'k3y' },
    budget: 100,
    intervalMs: 0,
    mayWrite: true,
  })
  return { client, seen, times }
}

const send = (client: ServiceClient, path: string, method = 'GET') =>
  client.send({
    operation: {
      interface: 'crm',
      id: path,
      method,
      path,
      address: `${method} ${path}`,
      inPath: [],
      inQuery: [],
      successes: [200],
      published: { responses: {} },
      document: { servers: [], components: { securitySchemes: {} }, security: [] },
    } as unknown as Operation,
    path: {},
    query: {},
    purpose: { kind: 'plain' },
  })

const cuts: Handler = (request, response) => {
  if (request.url === '/slow') response.destroy()
  else response.end('ok')
}

test('an operation without an answer does not end the run', async () => {
  const { client, seen } = await clientOf(cuts)
  for (let round = 0; round < 4; round++) {
    expect((await send(client, '/slow'))?.status).toBe(0)
    expect((await send(client, '/other'))?.status).toBe(200)
  }
  // Each call is tried three times.
  expect(seen.filter((call) => call === 'GET /slow')).toHaveLength(12)
})

test('three calls in a row without an answer end it, and only the first is tried again', async () => {
  const { client, seen } = await clientOf(cuts)
  expect((await send(client, '/slow'))?.status).toBe(0)
  expect((await send(client, '/slow'))?.status).toBe(0)
  const error = await send(client, '/slow').catch((found: unknown) => found)
  expect(error).toBeInstanceOf(ServiceError)
  expect((error as ServiceError).message).toContain('does not respond')
  expect((error as ServiceError).exchange.status).toBe(0)
  expect(seen).toHaveLength(5)
  // It is called again when it responds again.
  expect((await send(client, '/other'))?.status).toBe(200)
})

test('a call that writes is never sent twice', async () => {
  const { client, seen } = await clientOf(cuts)
  expect((await send(client, '/slow', 'POST'))?.status).toBe(0)
  expect(seen).toEqual(['POST /slow'])
})

test('waits until the date of Retry-After', async () => {
  let until = 0
  const { client, seen, times } = await clientOf((_, response) => {
    if (until === 0) {
      // A date has no fractions of a second.
      until = Math.floor(Date.now() / 1000) * 1000 + 3000
      response.writeHead(429, { 'retry-after': new Date(until).toUTCString() })
    }
    response.end('ok')
  })
  expect((await send(client, '/contacts'))?.status).toBe(200)
  expect(seen).toHaveLength(2)
  // The clocks of timers and of dates may differ by some milliseconds.
  expect(times[1]).toBeGreaterThan(until - 100)
})

test.each(['0', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
  'does not wait because of Retry-After: %s',
  async (text) => {
    let count = 0
    const { client, times } = await clientOf((_, response) => {
      if (count++ === 0) response.writeHead(429, { 'retry-after': text })
      response.end('ok')
    })
    expect((await send(client, '/contacts'))?.status).toBe(200)
    expect(times).toHaveLength(2)
  },
)
