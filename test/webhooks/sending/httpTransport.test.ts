/** The attempts of the HTTP transport. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { TransportOptions, Outgoing } from '../../../src/webhooks/sending/transport.ts'
import type { AttemptResult } from '@suite-sim/kit/webhooks/attempts'
import { WITHIN_THIS_MACHINE } from '../../../src/webhooks/targets/allowedTargets.ts'
import { HttpTransport } from '../../../src/webhooks/sending/httpTransport.ts'
import { unreachableUrl, gate, receiver, SECOND, neverResponds } from '../../support/webhooks.ts'

const COMMON = ['content-type', 'application/json', 'user-agent', 'suite-simulator/0.0.0']

const OPTIONS: TransportOptions = {
  timeoutMs: 10 * SECOND,
  headers: COMMON,
  connections: 50,
  targets: WITHIN_THIS_MACHINE,
}

const MS = expect.any(Number) as number

function send(transport: HttpTransport, url: string, more: Partial<Outgoing> = {}): Promise<AttemptResult> {
  const outgoing = { url, headers: ['x-service-attempt', '1'], body: '{}', ...more }
  return new Promise((resolve) => {
    transport.send(outgoing, resolve)
  })
}

async function open(options: Partial<TransportOptions> = {}): Promise<HttpTransport> {
  const transport = new HttpTransport({ ...OPTIONS, ...options })
  onTestFinished(() => transport.close())
  await transport.load()
  return transport
}

describe('attempt', () => {
  test('sends the body, its headers and the common headers', async () => {
    const sink = await receiver()
    const body = '{"note":"Café 日本 🦊"}'
    const headers = ['x-service-event', 'sale.completed', 'x-service-attempt', '3']
    const transport = await open()
    const result = await send(transport, `${sink.url}?tenant=7`, { headers, body })
    expect(result).toEqual({ status: 200, error: null, durationMs: MS })
    const [sent] = sink.requests
    expect(sent).toMatchObject({ method: 'POST', path: '/hook?tenant=7', body })
    expect(sent?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'suite-simulator/0.0.0',
      'content-length': String(Buffer.byteLength(body)),
      'x-service-event': 'sale.completed',
      'x-service-attempt': '3',
    })
  })

  test('reports an unreachable receiver and an invalid URL', async () => {
    const transport = await open()
    const refused = await send(transport, await unreachableUrl())
    expect(refused).toMatchObject({ status: null, error: 'connection refused' })
    expect(await send(transport, 'nowhere')).toMatchObject({ status: null, error: 'Invalid URL' })
  })

  test('times out, whether or not a response has begun, while many others begin and end', async () => {
    const silent = await receiver(neverResponds)
    const slow = await receiver((_received, _index, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('half')
      return undefined
    })
    const sink = await receiver()
    const transport = await open({ timeoutMs: 1000 })
    const both = Promise.all([send(transport, silent.url), send(transport, slow.url)])
    // Many others begin and end before.
    for (let round = 0; round < 4; round++) {
      await Promise.all(Array.from({ length: 50 }, () => send(transport, sink.url)))
    }
    expect(sink.requests).toHaveLength(200)
    const [none, half] = await both
    const error = 'no complete response within 1000 ms'
    expect(none).toMatchObject({ status: null, error })
    expect(half).toMatchObject({ status: 200, error })
    expect(none.durationMs).toBeGreaterThan(900)
  })

  test('ends when the response is too long', async () => {
    const sink = await receiver((_received, _index, response) => {
      response.writeHead(200).write('x'.repeat(1024 * 1024))
      return undefined
    })
    expect(await send(await open(), sink.url)).toMatchObject({ status: 200, error: null })
  })

  test('gets only its own result among many others', async () => {
    const statuses = [200, 201, 204, 404, 500]
    const sinks = await Promise.all(statuses.map((status) => receiver(() => status)))
    const transport = await open({ connections: 7 })
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, index) => {
        const sink = sinks[index % sinks.length]
        return send(transport, sink?.url ?? '', { body: JSON.stringify({ index }) })
      }),
    )
    expect(results.map(({ status }) => status)).toEqual(
      results.map((_result, index) => statuses[index % statuses.length]),
    )
    for (const [place, { requests, maxConcurrent }] of sinks.entries()) {
      const indexes = requests.map(({ body }) => (JSON.parse(body) as { index: number }).index)
      expect(new Set(indexes).size).toBe(60)
      expect(indexes.every((index) => index % sinks.length === place)).toBe(true)
      expect(maxConcurrent).toBeLessThanOrEqual(7)
    }
  })

  test.each([1, 2])('waits for one of %i connections in the order of submission', async (connections) => {
    const held = gate()
    const sink = await receiver(held.behaviour)
    const transport = await open({ connections })
    const results = Array.from({ length: 6 }, (_, index) =>
      send(transport, sink.url, { body: String(index) }),
    )
    await sink.received(connections)
    held.open()
    for (const result of await Promise.all(results)) expect(result).toMatchObject({ status: 200 })
    const bodies = sink.requests.map(({ body }) => body)
    // The order of several connections is not defined.
    expect(connections === 1 ? bodies : bodies.toSorted()).toEqual(['0', '1', '2', '3', '4', '5'])
    expect(sink.maxConcurrent).toBe(connections)
  })

  test('does not wait for the connections of another origin', async () => {
    const [held, free] = [await receiver(neverResponds), await receiver()]
    const transport = await open({ connections: 1 })
    void send(transport, held.url)
    await held.received(1)
    expect(await send(transport, free.url)).toMatchObject({ status: 200 })
  })

  test('ends when its transport is closed', async () => {
    const sink = await receiver(neverResponds)
    const transport = await open()
    const cutShort = send(transport, sink.url)
    await sink.received(1)
    await transport.close()
    expect(await cutShort).toEqual({ status: null, error: expect.any(String) as string, durationMs: MS })
  })
})
