/** What an attempt is, from whichever thread it is made; and what becomes of attempts whose thread dies. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type {
  Transport,
  TransportOptions,
  Outgoing,
  Sending,
  Result,
} from '../../../src/webhooks/sending/transport.ts'
import { WITHIN_THIS_MACHINE } from '../../../src/webhooks/reach.ts'
import { HttpTransport } from '../../../src/webhooks/sending/httpTransport.ts'
import { ThreadTransport } from '../../../src/webhooks/sending/threadTransport.ts'
import { bundle } from '../../support/bundle.ts'
import { build, scratchFolder, SENDER_THREAD } from '../../support/process.ts'
import {
  deadUrl,
  gate,
  keptLog,
  openQueue,
  receiver,
  SECOND,
  sleeping,
  type Behaviour,
} from '../../support/webhooks.ts'

beforeAll(build)

const COMMON = ['content-type', 'application/json', 'user-agent', 'suite-simulator/0.0.0']

const OPTIONS: TransportOptions = {
  timeoutMs: 10 * SECOND,
  promptMs: 10 * SECOND,
  headers: COMMON,
  connections: 50,
  most: 512,
  reach: WITHIN_THIS_MACHINE,
}

const MS = expect.any(Number) as number
const LOST: Result = { status: null, error: 'the thread that sends webhooks has died', durationMs: MS }

/** What the transport was given, and what came of it; null where no attempt was made. */
interface Given {
  readonly sending: Sending
  readonly ended: Promise<Result | null>
}

function give(transport: Transport, url: string, more: Partial<Outgoing> = {}): Given {
  const outgoing = { url, headers: ['x-service-attempt', '1'], body: '{}', ...more }
  let tell: (result: Result | null) => void = () => undefined
  const ended = new Promise<Result | null>((resolve) => (tell = resolve))
  return { sending: transport.send(outgoing, tell), ended }
}

async function send(transport: Transport, url: string, more: Partial<Outgoing> = {}): Promise<Result> {
  const result = await give(transport, url, more).ended
  if (!result) throw new Error('no attempt was made')
  return result
}

/** A transport with a thread; `deaths` keeps why threads have died. */
function threaded(file: string, options: Partial<TransportOptions> = {}) {
  const deaths: unknown[] = []
  const died = (error: unknown): number => deaths.push(error)
  const transport = new ThreadTransport({ ...OPTIONS, ...options, file, died })
  onTestFinished(() => transport.close())
  return { transport, deaths }
}

const TRANSPORTS: [where: string, make: (options: Partial<TransportOptions>) => Transport][] = [
  ['the thread of the queue', (options) => new HttpTransport({ ...OPTIONS, ...options })],
  ['a thread of its own', (options) => threaded(SENDER_THREAD, options).transport],
]

describe.each(TRANSPORTS)('an attempt from %s', (_where, make) => {
  async function open(options: Partial<TransportOptions> = {}): Promise<Transport> {
    const transport = make(options)
    onTestFinished(() => transport.close())
    await transport.load()
    return transport
  }

  test('brings the receiver the body, its headers and those that all carry', async () => {
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

  test('reaches names below localhost', async () => {
    const sink = await receiver()
    const result = await send(await open(), sink.url.replace('127.0.0.1', 'app.localhost'))
    expect(result).toMatchObject({ status: 200, error: null })
  })

  test('does not follow a redirect', async () => {
    const target = await receiver()
    const sink = await receiver((_received, _index, response) => {
      response.writeHead(307, { location: target.url, 'content-length': 0 }).end()
      return undefined
    })
    const result = await send(await open(), sink.url)
    expect(result).toMatchObject({ status: 307, error: 'redirects are not followed' })
    expect(target.requests).toEqual([])
  })

  test('says so when nobody listens, and when the url is none', async () => {
    const transport = await open()
    const refused = await send(transport, await deadUrl())
    expect(refused).toMatchObject({ status: null, error: 'connection refused' })
    expect(await send(transport, 'nowhere')).toMatchObject({ status: null, error: 'Invalid URL' })
  })

  test('says so when the receiver hangs up', async () => {
    const sink = await receiver(hangingUp)
    const error = 'connection closed before the answer was complete'
    expect(await send(await open(), sink.url)).toMatchObject({ status: null, error })
  })

  test('ends when the time is over, whether an answer has begun or not', async () => {
    const silent = await receiver(sleeping)
    const slow = await receiver((_received, _index, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('half')
      return undefined
    })
    const transport = await open({ timeoutMs: 150 })
    const [none, half] = await Promise.all([send(transport, silent.url), send(transport, slow.url)])
    const error = 'no complete answer within 150 ms'
    expect(none).toMatchObject({ status: null, error })
    expect(half).toMatchObject({ status: 200, error })
    expect(none.durationMs).toBeGreaterThanOrEqual(150)
  })

  test('ends when the time is over, however many have begun and ended meanwhile', async () => {
    const silent = await receiver(sleeping)
    const sink = await receiver()
    const transport = await open({ timeoutMs: 2 * SECOND })
    const late = send(transport, silent.url)
    await silent.received(1)
    for (let round = 0; round < 4; round++) {
      await Promise.all(Array.from({ length: 50 }, () => send(transport, sink.url)))
    }
    expect(sink.requests).toHaveLength(200)
    expect(await late).toMatchObject({ status: null, error: 'no complete answer within 2000 ms' })
  })

  test('is over when the answer is longer than anybody reads', async () => {
    const sink = await receiver((_received, _index, response) => {
      response.writeHead(200).write('x'.repeat(1024 * 1024))
      return undefined
    })
    expect(await send(await open(), sink.url)).toMatchObject({ status: 200, error: null })
  })

  test('is told what came of it, and nothing of the many others', async () => {
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
    for (const [place, { requests, most }] of sinks.entries()) {
      const indexes = requests.map(({ body }) => (JSON.parse(body) as { index: number }).index)
      expect(new Set(indexes).size).toBe(60)
      expect(indexes.every((index) => index % sinks.length === place)).toBe(true)
      expect(most).toBeLessThanOrEqual(7)
    }
  })

  test.each([1, 2])(
    'waits for one of %i connections, in the order in which it was given',
    async (connections) => {
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
      // Several connections are not read in any order.
      expect(connections === 1 ? bodies : bodies.toSorted()).toEqual(['0', '1', '2', '3', '4', '5'])
      expect(sink.most).toBe(connections)
    },
  )

  test('does not wait for the connections of another origin', async () => {
    const [held, free] = [await receiver(sleeping), await receiver()]
    const transport = await open({ connections: 1 })
    give(transport, held.url)
    await held.received(1)
    expect(await send(transport, free.url)).toMatchObject({ status: 200 })
  })

  test('is not made when it is cancelled before it begins', async () => {
    const held = gate()
    const sink = await receiver(held.behaviour)
    const transport = await open({ connections: 2 })
    const given = Array.from({ length: 6 }, (_, index) => give(transport, sink.url, { body: String(index) }))
    await sink.received(2)
    expect(given.map(({ sending }) => sending.cancel())).toEqual([false, false, true, true, true, true])
    expect(given.map(({ sending }) => sending.cancel())).toEqual(Array(6).fill(false))
    const last = give(transport, sink.url, { body: 'last' })
    held.open()
    const taken = expect.objectContaining({ status: 200, error: null }) as Result
    expect(await Promise.all(given.map(({ ended }) => ended))).toEqual([taken, taken, null, null, null, null])
    expect(await last.ended).toEqual(taken)
    expect(sink.requests.map(({ body }) => body).toSorted()).toEqual(['0', '1', 'last'])
    expect([...given, last].some(({ sending }) => sending.cancel())).toBe(false)
  })

  test('is taken back only by whose it is, also when others came after it', async () => {
    const held = gate()
    held.open()
    const sink = await receiver(held.behaviour)
    const transport = await open({ connections: 1 })
    const over = give(transport, sink.url)
    await over.ended
    held.hold()
    give(transport, sink.url)
    const waiting = give(transport, sink.url)
    await sink.received(2)
    expect(over.sending.cancel()).toBe(false)
    held.open()
    expect(await waiting.ended).toMatchObject({ status: 200 })
  })

  test('is not made when those before it brought no answer, or a late one', async () => {
    for (const behaviour of [sleeping, slowly(150), hangingUp]) {
      const sink = await receiver(behaviour)
      const transport = await open({ connections: 2, timeoutMs: 300, promptMs: 100 })
      const given = Array.from({ length: 6 }, () => give(transport, sink.url))
      const results = await Promise.all(given.map(({ ended }) => ended))
      expect(results.slice(2)).toEqual([null, null, null, null])
      expect(results.slice(0, 2)).toEqual([expect.objectContaining({}), expect.objectContaining({})])
      expect(sink.requests).toHaveLength(2)
      expect(given.some(({ sending }) => sending.cancel())).toBe(false)
    }
  })

  test('ends when its transport is closed', async () => {
    const sink = await receiver(sleeping)
    const transport = await open()
    const cutShort = send(transport, sink.url)
    await sink.received(1)
    await transport.close()
    expect(await cutShort).toEqual({ status: null, error: expect.any(String) as string, durationMs: MS })
  })
})

const hangingUp: Behaviour = (_received, _index, response) => {
  response.destroy()
  return undefined
}

const slowly =
  (ms: number): Behaviour =>
  (_received, _index, response) => {
    setTimeout(() => response.writeHead(200).end(), ms)
    return undefined
  }

/** The file of a thread that dies by `death` when it is first handed something; the next one sends. */
function mortal(death: string): string {
  const folder = scratchFolder()
  const file = join(folder, 'thread.cjs')
  const quoted = (path: string): string => JSON.stringify(path)
  writeFileSync(
    file,
    `const { existsSync, writeFileSync } = require('node:fs')
    const { parentPort } = require('node:worker_threads')
    const tombstone = ${quoted(join(folder, 'tombstone'))}
    if (existsSync(tombstone)) require(${quoted(SENDER_THREAD)})
    else parentPort.on('message', () => { writeFileSync(tombstone, ''); ${death} })`,
  )
  return file
}

describe('a thread that dies', () => {
  test('ends what it was given, and the next delivery starts another', async () => {
    const sink = await receiver()
    const { transport, deaths } = threaded(mortal("throw new Error('out of luck')"))
    const first = await Promise.all([send(transport, sink.url), send(transport, sink.url)])
    expect(first).toEqual([LOST, LOST])
    expect(deaths).toEqual([expect.objectContaining({ message: 'out of luck' })])
    expect(await send(transport, sink.url)).toMatchObject({ status: 200, error: null })
    expect(deaths).toHaveLength(1)
    expect(sink.requests).toHaveLength(1)
  })

  test('ends what was cancelled without an attempt', async () => {
    const sink = await receiver()
    const { transport } = threaded(mortal("throw new Error('out of luck')"))
    const [lost, cancelled] = [give(transport, sink.url), give(transport, sink.url)]
    expect(cancelled.sending.cancel()).toBe(true)
    expect(await Promise.all([lost.ended, cancelled.ended])).toEqual([LOST, null])
  })

  test('without a word does so as well', async () => {
    const sink = await receiver()
    const { transport, deaths } = threaded(mortal('process.exit(3)'))
    expect(await send(transport, sink.url)).toEqual(LOST)
    expect(deaths).toEqual([null])
    expect(await send(transport, sink.url)).toMatchObject({ status: 200, error: null })
  })

  test.each(['/nowhere/thread.cjs', 'not-absolute.cjs'])(
    'because there is no %s is not noticed before it is needed',
    async (file) => {
      const idle = threaded(file)
      await idle.transport.close()
      expect(idle.deaths).toEqual([])

      const sink = await receiver()
      const { transport, deaths } = threaded(file)
      expect(await send(transport, sink.url)).toEqual(LOST)
      expect(await send(transport, sink.url)).toEqual(LOST)
      expect(deaths).toHaveLength(2)
      expect(sink.requests).toEqual([])
    },
  )

  test('is logged, and costs a delivery one attempt of its schedule', async () => {
    const sink = await receiver()
    const { lines, logger } = keptLog()
    const queue = openQueue({ thread: mortal("throw new Error('out of luck')"), logger })
    queue.subscribe(sink.url)
    queue.emit()
    await queue.until(([row]) => row?.attempts.length === 1)
    await queue.advance(6 * SECOND)
    const [row] = queue.log()
    expect(row?.status).toBe('delivered')
    expect(row?.attempts).toMatchObject([LOST, { status: 200, error: null }])
    expect(lines.map(({ level, message }) => [level, message])).toEqual([
      ['error', 'the thread that sends webhooks has died; the next delivery starts another'],
      ['warn', 'webhook failed, will be tried again'],
    ])
    expect(lines[0]?.facts).toEqual({ err: expect.objectContaining({ message: 'out of luck' }) as Error })
  })
})

test('a thread keeps the process alive while something is under way, and no longer', async () => {
  const sink = await receiver()
  const folder = scratchFolder()
  const sending = await bundle(fileURLToPath(new URL('sendOnce.ts', import.meta.url)), folder)
  const child = spawn(process.execPath, [sending, SENDER_THREAD, sink.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(JSON.parse(printed)).toMatchObject({ status: 200, error: null })
  expect(code).toBe(0)
})
