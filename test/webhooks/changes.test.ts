/**
 * Deliveries that wait for a slot while their subscription or their records change. Those no longer pending are never
 * sent.
 */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Records } from '../../src/state/storage/records/records.ts'
import { webhookRecords, webhookTraces } from '../../src/webhooks/records.ts'
import type { Subscription } from '../../src/webhooks/subscriptions/subscriptions.ts'
import { scratchFolder } from '../support/process.ts'
import {
  START_TIME,
  delivered,
  gate,
  HOUR,
  openQueue,
  receiver,
  SECOND,
  type Queue,
  type QueueOptions,
  type Receiver,
} from '../support/webhooks.ts'
import { keepBaseline } from '../support/records.ts'

const SLOTS = 5
const WARMED_UP = 20
const WAITING = 40
/** The record of the first warm-up event. */
const RECORD = 'the-first'

const countOf = (queue: Queue, status: string): number =>
  queue.log().filter((row) => row.status === status).length

interface Waiting {
  readonly queue: Queue
  readonly subscription: Subscription
  readonly sink: Receiver
  /** Lets the receiver respond again. */
  readonly open: () => void
}

/** A receiver that has earned all its slots and holds a request in each, while other deliveries wait. */
async function waiting(options: QueueOptions = {}): Promise<Waiting> {
  const { behaviour, open, hold } = gate()
  const sink = await receiver(behaviour)
  const queue = openQueue({ perOrigin: SLOTS, ...options })
  const subscription = queue.subscribe(sink.url)
  open()
  queue.change(RECORD)
  for (let count = 1; count < WARMED_UP; count++) queue.emit('warm-up')
  await queue.until(delivered)
  hold()
  for (let count = 0; count < WAITING; count++) queue.emit('owed', { count })
  await sink.received(WARMED_UP + SLOTS)
  return { queue, subscription, sink, open }
}

/** The waiting deliveries that the receiver got. The order of its connections is not defined. */
const receivedFrom = (sink: Receiver): number[] =>
  sink.requests
    .slice(WARMED_UP)
    .map(({ body }) => (JSON.parse(body) as { data: { count: number } }).data.count)
    .sort((one, other) => one - other)

const first = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

describe('a delivery that waits for a slot', () => {
  test.each<[string, (held: Waiting) => void]>([
    [
      'is removed',
      ({ queue, subscription }) => {
        queue.webhooks.subscriptions.remove(queue.workspace, subscription)
      },
    ],
    [
      'is no longer active',
      ({ queue, subscription }) =>
        queue.webhooks.subscriptions.update(queue.workspace, subscription, { active: false }),
    ],
  ])('is not sent when its subscription %s', async (_what, change) => {
    const held = await waiting()
    change(held)
    held.open()
    const log = await held.queue.until(
      (rows) => rows.filter(({ attempts }) => attempts.length > 0).length === WARMED_UP + SLOTS,
    )
    await held.queue.webhooks.stop()
    expect(receivedFrom(held.sink)).toEqual(first(SLOTS))
    expect(log).toHaveLength(WARMED_UP + WAITING)
    expect(countOf(held.queue, 'dead')).toBe(WAITING)
  })

  test('goes to the new URL after a change, while the old receiver still holds others', async () => {
    const { queue, subscription, sink, open } = await waiting()
    const next = await receiver()
    queue.webhooks.subscriptions.update(queue.workspace, subscription, { url: next.url })
    // Those that the old receiver holds stay pending until it responds.
    await next.received(WAITING)
    expect(receivedFrom(sink)).toEqual(first(SLOTS))
    open()
    await queue.until(delivered)
    expect(next.requests).toHaveLength(WAITING)
    expect(sink.requests).toHaveLength(WARMED_UP + SLOTS)
  })

  test('goes to the new path after a change', async () => {
    const { queue, subscription, sink, open } = await waiting()
    queue.webhooks.subscriptions.update(queue.workspace, subscription, { url: `${sink.url}/next` })
    open()
    await queue.until(delivered)
    const paths = sink.requests.slice(WARMED_UP).map(({ path }) => path)
    expect(paths).toEqual([
      ...Array<string>(SLOTS).fill('/hook'),
      ...Array<string>(WAITING - SLOTS).fill('/hook/next'),
    ])
    expect(receivedFrom(sink)).toEqual(first(WAITING))
  })

  test('waits when the clock is set back, and is sent when it is due again', async () => {
    const { queue, sink, open } = await waiting()
    queue.workspace.clock.set(START_TIME + SECOND, true)
    queue.workspace.clock.set(START_TIME - HOUR, true)
    open()
    await queue.until(() => countOf(queue, 'delivered') === WARMED_UP + SLOTS)
    await queue.webhooks.sendDue(queue.workspace)
    expect(receivedFrom(sink)).toEqual(first(SLOTS))
    expect(countOf(queue, 'pending')).toBe(WAITING - SLOTS)
    await queue.advance(HOUR)
    expect(receivedFrom(sink)).toEqual(first(WAITING))
    expect(delivered(queue.log())).toBe(true)
  })

  test('is removed by a reset', async () => {
    const records = new Records(webhookRecords, webhookTraces)
    const { queue, sink, open } = await waiting()
    await keepBaseline({ ...queue, records }, queue.workspace)
    records.reset(queue.workspace)
    open()
    queue.emit('owed', { count: 1000 })
    await queue.until((log) => log.length === 1 && delivered(log))
    expect(receivedFrom(sink)).toEqual([...first(SLOTS), 1000])
  })

  test('is removed with its workspace, and those of other workspaces are sent', async () => {
    const records = new Records(webhookRecords, webhookTraces)
    const { queue, sink, open } = await waiting()
    const other = queue.makeWorkspace()
    queue.subscribe(sink.url, {}, other)
    for (let count = 0; count < 10; count++) queue.emit('owed', { count: 1000 + count }, other)
    records.remove(queue.workspace)
    queue.workspaces.remove(queue.workspace)
    open()
    await queue.until(delivered, other)
    expect(receivedFrom(sink)).toEqual([...first(SLOTS), ...first(10).map((count) => 1000 + count)])
  })

  test('goes to the old URL after a change that is rolled back', async () => {
    const { queue, subscription, sink, open } = await waiting()
    const undo = new Error('undo')
    expect(() =>
      queue.workspace.write(() => {
        queue.webhooks.subscriptions.remove(queue.workspace, subscription)
        throw undo
      }),
    ).toThrow(undo)
    open()
    await queue.until(delivered)
    expect(receivedFrom(sink)).toEqual(first(WAITING))
  })

  test('stays pending when the queue is stopped', async () => {
    const file = join(scratchFolder(), 'suite.sqlite')
    const { queue, sink, open } = await waiting({ file })
    const stopped = queue.webhooks.stop()
    open()
    await stopped
    expect(receivedFrom(sink)).toEqual(first(SLOTS))
    expect(countOf(queue, 'pending')).toBe(WAITING - SLOTS)
    await queue.close()

    const next = openQueue({ file })
    await next.until(delivered)
    expect(receivedFrom(sink)).toEqual(first(WAITING))
  })

  test('comes after an earlier one of its record that is sent again', async () => {
    const { queue, sink, open } = await waiting()
    const later = queue.change(RECORD)
    await queue.database.committed()
    queue.webhooks.redeliver(queue.workspace, queue.log()[0]?.id ?? '')
    open()
    await queue.until(delivered)
    const bodies = sink.requests.map(({ body }) => body).filter((body) => body.includes(RECORD))
    expect(bodies.slice(1).map((body) => body === bodies[0])).toEqual([true, false])
    expect(bodies[2]).toContain(later.id)
  })

  test('loses no attempts of its schedule when earlier ones fail', async () => {
    const { queue, sink } = await waiting({ timeoutMs: 300 })
    const log = await queue.until(
      (rows) => rows.filter(({ attempts }) => attempts.length > 0).length > WARMED_UP + SLOTS,
    )
    const attempted = log.slice(WARMED_UP).filter(({ attempts }) => attempts.length > 0)
    // A receiver that does not respond keeps two slots.
    expect(attempted.length).toBeLessThanOrEqual(SLOTS + 4)
    expect(sink.maxConcurrent).toBeLessThanOrEqual(SLOTS)
  })

  test('is sent once when nothing changes', async () => {
    const { queue, sink, open } = await waiting()
    open()
    await queue.until(delivered)
    expect(receivedFrom(sink)).toEqual(first(WAITING))
    expect(sink.maxConcurrent).toBe(SLOTS)
  })
})

test('sends thousands of deliveries exactly once during frequent changes', async () => {
  const sink = await receiver()
  const queue = openQueue()
  const subscription = queue.subscribe(sink.url)
  for (let count = 0; count < 3000; count++) queue.emit('sale.completed', { count })
  for (let reach = 250; reach <= 2500; reach += 250) {
    await sink.received(reach)
    queue.webhooks.subscriptions.update(queue.workspace, subscription, {
      url: `${sink.url}/${String(reach)}`,
    })
    queue.workspace.clock.set(START_TIME - SECOND, true)
    queue.workspace.clock.set(START_TIME, true)
  }
  await queue.until(delivered)
  expect(new Set(sink.requests.map(({ headers }) => headers['x-service-delivery'])).size).toBe(3000)
  expect(sink.requests).toHaveLength(3000)
})
