/** What an attempt is, from whichever thread it is made; and what becomes of attempts whose thread dies. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { verify } from '@octokit/webhooks-methods'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Courier, CourierOptions, Outgoing, Result } from '../../src/webhooks/courier.ts'
import { Sender } from '../../src/webhooks/sender.ts'
import { ThreadedSender } from '../../src/webhooks/threadedSender.ts'
import { bundle } from '../support/bundle.ts'
import { build, scratchFolder, SENDER_THREAD } from '../support/process.ts'
import { deadUrl, keptLog, openQueue, receiver, SECOND, sleeping } from '../support/webhooks.ts'

beforeAll(build)

const OPTIONS: CourierOptions = { timeoutMs: 10 * SECOND, connections: 50 }

const MS = expect.any(Number) as number
const LOST: Result = { status: null, error: 'the thread that sends webhooks has died', durationMs: MS }

function send(courier: Courier, url: string, more: Partial<Outgoing> = {}): Promise<Result> {
  const outgoing = { url, headers: ['x-service-attempt', '1'], body: '{}', secret: 'whsec', ...more }
  return new Promise((resolve) => {
    courier.send(outgoing, resolve)
  })
}

/** A courier with a thread; `deaths` keeps why threads have died. */
function threaded(file: string, options: Partial<CourierOptions> = {}) {
  const deaths: unknown[] = []
  const died = (error: unknown): number => deaths.push(error)
  const courier = new ThreadedSender({ ...OPTIONS, ...options, file, died })
  onTestFinished(() => courier.close())
  return { courier, deaths }
}

const COURIERS: [where: string, make: (options: Partial<CourierOptions>) => Courier][] = [
  ['the thread of the queue', (options) => new Sender({ ...OPTIONS, ...options })],
  ['a thread of its own', (options) => threaded(SENDER_THREAD, options).courier],
]

describe.each(COURIERS)('an attempt from %s', (_where, make) => {
  async function open(options: Partial<CourierOptions> = {}): Promise<Courier> {
    const courier = make(options)
    onTestFinished(() => courier.close())
    await courier.load()
    return courier
  }

  test('brings the receiver the body and the headers, and a signature under the secret', async () => {
    const sink = await receiver()
    const body = '{"note":"Café 日本 🦊"}'
    const headers = ['content-type', 'application/json', 'x-service-event', 'sale.completed']
    const courier = await open()
    const result = await send(courier, `${sink.url}?tenant=7`, { headers, body, secret: 'first' })
    expect(result).toEqual({ status: 200, error: null, durationMs: MS })
    const [sent] = sink.requests
    expect(sent).toMatchObject({ method: 'POST', path: '/hook?tenant=7', body })
    expect(sent?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'x-service-event': 'sale.completed',
    })
    expect(await verify('first', body, String(sent?.headers['x-service-signature']))).toBe(true)
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
    const courier = await open()
    const refused = await send(courier, await deadUrl())
    expect(refused).toMatchObject({ status: null, error: 'connection refused' })
    expect(await send(courier, 'nowhere')).toMatchObject({ status: null, error: 'Invalid URL' })
  })

  test('says so when the receiver hangs up', async () => {
    const sink = await receiver((_received, _index, response) => {
      response.destroy()
      return undefined
    })
    const error = 'connection closed before the answer was complete'
    expect(await send(await open(), sink.url)).toMatchObject({ status: null, error })
  })

  test('ends when the time is over, whether an answer has begun or not', async () => {
    const silent = await receiver(sleeping)
    const slow = await receiver((_received, _index, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('half')
      return undefined
    })
    const courier = await open({ timeoutMs: 150 })
    const [none, half] = await Promise.all([send(courier, silent.url), send(courier, slow.url)])
    const error = 'no complete answer within 150 ms'
    expect(none).toMatchObject({ status: null, error })
    expect(half).toMatchObject({ status: 200, error })
    expect(none.durationMs).toBeGreaterThanOrEqual(150)
  })

  test('ends when the time is over, however many have begun and ended meanwhile', async () => {
    const silent = await receiver(sleeping)
    const sink = await receiver()
    const courier = await open({ timeoutMs: 2 * SECOND })
    const late = send(courier, silent.url)
    await silent.received(1)
    for (let round = 0; round < 4; round++) {
      await Promise.all(Array.from({ length: 50 }, () => send(courier, sink.url)))
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
    const courier = await open({ connections: 7 })
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, index) => {
        const sink = sinks[index % sinks.length]
        return send(courier, sink?.url ?? '', { body: JSON.stringify({ index }) })
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

  test('ends when its courier is closed', async () => {
    const sink = await receiver(sleeping)
    const courier = await open()
    const cutShort = send(courier, sink.url)
    await sink.received(1)
    await courier.close()
    expect(await cutShort).toEqual({ status: null, error: expect.any(String) as string, durationMs: MS })
  })
})

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
    const { courier, deaths } = threaded(mortal("throw new Error('out of luck')"))
    const first = await Promise.all([send(courier, sink.url), send(courier, sink.url)])
    expect(first).toEqual([LOST, LOST])
    expect(deaths).toEqual([expect.objectContaining({ message: 'out of luck' })])
    expect(await send(courier, sink.url)).toMatchObject({ status: 200, error: null })
    expect(deaths).toHaveLength(1)
    expect(sink.requests).toHaveLength(1)
  })

  test('without a word does so as well', async () => {
    const sink = await receiver()
    const { courier, deaths } = threaded(mortal('process.exit(3)'))
    expect(await send(courier, sink.url)).toEqual(LOST)
    expect(deaths).toEqual([null])
    expect(await send(courier, sink.url)).toMatchObject({ status: 200, error: null })
  })

  test.each(['/nowhere/thread.cjs', 'not-absolute.cjs'])(
    'because there is no %s is not noticed before it is needed',
    async (file) => {
      const idle = threaded(file)
      await idle.courier.close()
      expect(idle.deaths).toEqual([])

      const sink = await receiver()
      const { courier, deaths } = threaded(file)
      expect(await send(courier, sink.url)).toEqual(LOST)
      expect(await send(courier, sink.url)).toEqual(LOST)
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
