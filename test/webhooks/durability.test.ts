import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { Records } from '../../src/state/storage/records/records.ts'
import { webhookRecords, webhookTraces } from '../../src/webhooks/records.ts'
import { bundle } from '../support/bundle.ts'
import { scratchFolder } from '../support/process.ts'
import {
  delivered,
  HOUR,
  MIGRATIONS,
  openQueue,
  receiver,
  SECOND,
  neverResponds,
  type Receiver,
} from '../support/webhooks.ts'
import { skippableTime } from '../support/skippableTime.ts'
import { keepBaseline } from '../support/records.ts'

const records = new Records(webhookRecords, webhookTraces)

/** A receiver that holds the first request until `answer` is called, and accepts all others. */
async function holding(): Promise<{ sink: Receiver; answer: (status: number) => void }> {
  let first: ServerResponse | undefined
  const sink = await receiver((_received, index, response) => {
    if (index > 0) return 200
    first = response
    return undefined
  })
  return {
    sink,
    answer: (status) => {
      first?.writeHead(status, { 'content-length': 0 }).end()
    },
  }
}

describe('stopping', () => {
  test('waits for running attempts, records their results and starts no new ones', async () => {
    const file = join(scratchFolder(), 'suite.sqlite')
    const { sink, answer } = await holding()
    const queue = openQueue({ file, perOrigin: 1 })
    queue.subscribe(sink.url)
    queue.emit('first')
    queue.emit('second')
    await sink.received(1)
    const stopped = queue.webhooks.stop()
    queue.emit('third')
    answer(200)
    await stopped
    expect(queue.log().map(({ event, status }) => [event, status])).toEqual([
      ['first', 'delivered'],
      ['second', 'pending'],
      ['third', 'pending'],
    ])
    expect(sink.requests).toHaveLength(1)
    await queue.close()

    const next = openQueue({ file })
    await next.until(delivered)
    expect(sink.requests.map(({ headers }) => headers['x-service-event'])).toEqual([
      'first',
      'second',
      'third',
    ])
  })

  test('waits for a silent receiver only until the timeout of the attempt', async () => {
    const skip = skippableTime()
    const sink = await receiver(neverResponds)
    const queue = openQueue({ timeoutMs: 10 * SECOND })
    queue.subscribe(sink.url)
    queue.emit()
    await sink.received(1)
    const stopped = queue.webhooks.stop()
    await skip(10 * SECOND)
    await stopped
    expect(queue.log()).toMatchObject([{ status: 'pending', attempts: [{ status: null }] }])
  })

  test('releases callers that wait for due deliveries', async () => {
    const skip = skippableTime()
    const sink = await receiver(neverResponds)
    const queue = openQueue({ timeoutMs: 10 * SECOND })
    queue.subscribe(sink.url)
    queue.emit()
    const sent = queue.webhooks.sendDue(queue.workspace)
    await sink.received(1)
    const stopped = queue.webhooks.stop()
    await skip(10 * SECOND)
    await stopped
    await sent
    await queue.webhooks.sendDue(queue.workspace)
    expect(sink.requests).toHaveLength(1)
  })
})

describe('a start on the same file', () => {
  test('sends pending deliveries when they are due, with the same bytes', async () => {
    const file = join(scratchFolder(), 'suite.sqlite')
    const sink = await receiver(() => 500)
    const before = openQueue({ file })
    before.subscribe(sink.url)
    before.emit('first')
    await before.until(([row]) => row?.attempts.length === 1)
    await before.webhooks.stop()
    before.emit('second')
    const pending = before.log()
    await before.close()

    sink.behave(() => 200)
    const queue = openQueue({ file })
    await sink.received(2)
    await queue.until((log) => log[1]?.status === 'delivered')
    expect(queue.log()[0]).toMatchObject({ status: 'pending', attempts: [{ status: 500 }] })
    await queue.advance(6 * SECOND)
    expect(delivered(queue.log())).toBe(true)
    expect(sink.requests.map(({ body }) => body)).toEqual([
      pending[0]?.body,
      pending[1]?.body,
      pending[0]?.body,
    ])
    expect(queue.log().map(({ id }) => id)).toEqual(pending.map(({ id }) => id))
  })

  test('knows the next due time before it starts to send', async () => {
    const file = join(scratchFolder(), 'suite.sqlite')
    const sink = await receiver()
    const before = openQueue({ file, start: false })
    before.subscribe(sink.url)
    before.emit()
    const due = before.workspace.now()
    await before.close()
    const queue = openQueue({ file, start: false })
    expect(queue.webhooks.earliestDue(queue.workspace)).toBe(due)
    expect(sink.requests).toEqual([])
  })
})

describe('an event that is rolled back', () => {
  test('is never sent', async () => {
    const sink = await receiver()
    const queue = openQueue()
    queue.subscribe(sink.url)
    expect(() =>
      queue.workspace.write(() => {
        queue.emit('refused')
        throw new Error('refused')
      }),
    ).toThrow('refused')
    queue.emit('kept')
    await queue.until(delivered)
    expect(sink.requests.map(({ headers }) => headers['x-service-event'])).toEqual(['kept'])
  })

  test('with its whole transaction is never sent, and the queue continues', async () => {
    const sink = await receiver()
    const queue = openQueue()
    queue.subscribe(sink.url)
    queue.database.flush()
    queue.emit('lost')
    queue.database.sqlite.prepare('ROLLBACK').run()
    await expect(queue.database.committed()).rejects.toThrow()
    const workspace = queue.workspaces.byRowScope(queue.workspace.rowScope)
    if (!workspace) throw new Error('the workspace is gone')
    queue.emit('kept', {}, workspace)
    await queue.until((log) => log.length === 1 && delivered(log), workspace)
    expect(sink.requests.map(({ headers }) => headers['x-service-event'])).toEqual(['kept'])
  })
})

describe('the result of an attempt', () => {
  test('is not written to a delivery with the same id after a reset', async () => {
    const { sink, answer } = await holding()
    const queue = openQueue({ seed: 'same' })
    queue.subscribe(sink.url)
    await keepBaseline({ ...queue, records }, queue.workspace)
    queue.emit('before')
    await sink.received(1)
    const [before] = queue.log()
    records.reset(queue.workspace)
    queue.emit('after')
    await queue.until(delivered)
    answer(500)
    await queue.webhooks.stop()
    const log = queue.log()
    expect(log).toMatchObject([
      { id: before?.id, event: 'after', status: 'delivered', attempts: [{ status: 200 }] },
    ])
  })

  test('is ignored if its workspace was deleted, and other deliveries continue', async () => {
    const { sink, answer } = await holding()
    const queue = openQueue()
    const other = queue.makeWorkspace()
    queue.subscribe(sink.url)
    queue.subscribe(sink.url, {}, other)
    queue.emit()
    await sink.received(1)
    records.remove(queue.workspace)
    queue.workspaces.remove(queue.workspace)
    answer(500)
    queue.emit('sale.completed', {}, other)
    await queue.until(delivered, other)
    await queue.webhooks.stop()
    expect(sink.requests).toHaveLength(2)
  })
})

describe('kill -9', () => {
  test('at any time loses no accepted event', async () => {
    const folder = scratchFolder()
    const emitter = await bundle(fileURLToPath(new URL('emitter.ts', import.meta.url)), folder)
    const file = join(folder, 'suite.sqlite')
    // Some are accepted at once and some fail first, so deliveries are in every state when the process dies.
    const sink = await receiver((_received, index) => (index % 3 === 1 ? 500 : 200))
    const accepted: string[] = []

    for (const lifetime of [1, 40, 150, 400]) {
      const child = spawn(process.execPath, [emitter, file, MIGRATIONS, sink.url], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const exited = once(child, 'exit')
      let receivedCount = 0
      for await (const line of createInterface({ input: child.stdout })) {
        accepted.push(line)
        if (++receivedCount === lifetime) child.kill('SIGKILL')
      }
      expect(await exited).toEqual([null, 'SIGKILL'])
    }

    sink.behave(() => 200)
    const queue = openQueue({ file })
    queue.workspace.clock.set(queue.workspace.now() + HOUR, true)
    await queue.webhooks.sendDue(queue.workspace)
    const taken = new Set(sink.requests.map(({ body }) => (JSON.parse(body) as { id: string }).id))
    expect(accepted.length).toBeGreaterThanOrEqual(591)
    expect(accepted.filter((id) => !taken.has(id))).toEqual([])
    expect(queue.log().filter(({ status }) => status !== 'delivered')).toEqual([])
    const bodies = new Map<string, string>()
    for (const { headers, body } of sink.requests) {
      const id = String(headers['x-service-delivery'])
      expect(bodies.get(id) ?? body).toBe(body)
      bodies.set(id, body)
    }
  })
})
