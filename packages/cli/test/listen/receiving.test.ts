/** What `suite-sim listen` reports about the answers of local URLs. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { AttemptResult } from '@suite-sim/kit/webhooks/attempts'
import { LocalReceiver } from '../../src/listen/receiving.ts'

/** Longer than any answer takes on a busy machine. */
const TIMEOUT_MS = 60_000

/** Returns the port of a local receiver. */
async function portOf(answer: (response: ServerResponse) => void): Promise<number> {
  const local = createServer((request, response) => {
    request.resume().on('end', () => {
      answer(response)
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => local.once('listening', resolve))
  onTestFinished(() => {
    local.closeAllConnections()
    local.close()
  })
  return (local.address() as AddressInfo).port
}

function receiving(url: string) {
  const targets = [{ name: null, url }]
  const receiver = new LocalReceiver({ targets, secret: 'mine', print: false, json: true })
  receiver.prepare(TIMEOUT_MS)
  const result = new Promise<AttemptResult>((ended) => {
    receiver.receive({ number: 1, route: 0, headers: ['X-Service-Attempt', '1'], body: '{}' }, ended)
  })
  return { receiver, result }
}

const answered = async (answer: (response: ServerResponse) => void): Promise<AttemptResult> =>
  receiving(`http://127.0.0.1:${String(await portOf(answer))}/hook`).result

const DATE = 'Thu, 01 Jan 2026 00:00:00 GMT'
const MINUTE_LATER = 'Thu, 01 Jan 2026 00:01:00 GMT'
const CLOSED = 'connection closed before the response was complete'
const HUGE = Buffer.alloc(1_048_576)

const ANSWERS: Record<string, [(response: ServerResponse) => void, Partial<AttemptResult>]> = {
  '201': [(response) => response.writeHead(201).end('{}'), { status: 201, error: null }],
  'a 200 with a huge body': [(response) => response.end(HUGE), { status: 200, error: null }],
  'a 500 with a huge body': [
    (response) => response.writeHead(500).end(HUGE),
    { status: 500, error: 'the receiver responded with 500' },
  ],
  'a 503 with seconds': [
    (response) => response.writeHead(503, { 'retry-after': '120' }).end(),
    { status: 503, error: 'the receiver responded with 503', retryAfterMs: 120_000 },
  ],
  'a 429 with a date': [
    (response) => response.writeHead(429, { date: DATE, 'retry-after': MINUTE_LATER }).end(),
    { status: 429, error: 'the receiver responded with 429', retryAfterMs: 60_000 },
  ],
  'a 500 with Retry-After': [
    (response) => response.writeHead(500, { 'retry-after': '120' }).end(),
    { status: 500, error: 'the receiver responded with 500' },
  ],
  'half an answer': [
    (response) => {
      response.writeHead(200, { 'content-length': '10' })
      response.write('half', () => response.destroy())
    },
    { status: 200, error: CLOSED },
  ],
  'no answer': [(response) => response.destroy(), { status: null, error: CLOSED }],
}

test.each(Object.keys(ANSWERS))('reports %s', async (name) => {
  const [answer = () => undefined, expected] = ANSWERS[name] ?? []
  expect(await answered(answer)).toEqual({ ...expected, durationMs: expect.any(Number) })
})

test('finds names below localhost on this machine', async () => {
  const port = await portOf((response) => response.end())
  expect(await receiving(`http://app.localhost:${String(port)}/`).result).toMatchObject({ status: 200 })
})

test('ends the attempts in flight when it closes', async () => {
  let arrived = (): void => undefined
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const port = await portOf(() => {
    arrived()
  })
  const { receiver, result } = receiving(`http://127.0.0.1:${String(port)}/`)
  await arrival
  receiver.close()
  expect(await result).toMatchObject({ status: null })
})
