import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Records } from '../../../src/state/storage/records/records.ts'
import { webhookRecords, webhookTraces } from '../../../src/webhooks/records.ts'
import { scratchFolder } from '../../support/process.ts'
import {
  delivered,
  gate,
  HOUR,
  openQueue,
  receiver,
  SECOND,
  type Behavior,
  type Queue,
  type Received,
  type Receiver,
} from '../../support/webhooks.ts'
import { dumpOf, keepBaseline, loadRecords } from '../../support/records.ts'

/** The content of a request, as "record step". */
function stepOf({ body }: Pick<Received, 'body'>): string {
  const { data } = JSON.parse(body) as { data: { id: string; step: number } }
  return `${data.id} ${String(data.step)}`
}

const stepsOf = ({ requests }: Receiver, record = ''): string[] =>
  requests.map(stepOf).filter((step) => step.startsWith(record))

/** Accepts everything except one step, which it refuses this many times. */
function refuseStep(step: string, times: number): Behavior {
  let refused = 0
  return (received) => (stepOf(received) === step && refused++ < times ? 500 : 200)
}

/** The steps in the log with their status, oldest first. */
const logOf = (queue: Queue): string[] => queue.log().map((row) => `${stepOf(row)} ${row.status}`)

const idOf = (queue: Queue, step: string): string => queue.log().find((row) => stepOf(row) === step)?.id ?? ''

describe('deliveries of one record to one subscription', () => {
  test('are sent one after the other while the first is slow, and others do not wait', async () => {
    const { behaviour, open } = gate()
    const sink = await receiver((received, index, response) =>
      stepOf(received) === 'a 1' ? behaviour(received, index, response) : 200,
    )
    const queue = openQueue()
    queue.subscribe(sink.url)
    for (const step of [1, 2, 3]) for (const record of ['a', 'b']) queue.change(record, { step })
    queue.emit('no.record', { id: 'none', step: 0 })
    await queue.until((log) => log.filter(({ status }) => status === 'delivered').length === 4)
    expect(stepsOf(sink, 'a')).toEqual(['a 1'])
    expect(stepsOf(sink, 'b')).toEqual(['b 1', 'b 2', 'b 3'])
    expect(stepsOf(sink, 'none')).toEqual(['none 0'])
    open()
    await queue.until(delivered)
    expect(stepsOf(sink, 'a')).toEqual(['a 1', 'a 2', 'a 3'])
  })

  test('wait for the retries of the first, and are sent as soon as it is delivered', async () => {
    const sink = await receiver(refuseStep('a 1', 2))
    const queue = openQueue()
    queue.subscribe(sink.url)
    for (const step of [1, 2, 3]) queue.change('a', { step })
    queue.change('b', { step: 1 })
    await queue.webhooks.sendDue(queue.workspace)
    expect(stepsOf(sink).sort()).toEqual(['a 1', 'b 1'])
    await queue.advance(6 * SECOND)
    expect(stepsOf(sink).slice(2)).toEqual(['a 1'])
    await queue.advance(HOUR)
    expect(stepsOf(sink).slice(3)).toEqual(['a 1', 'a 2', 'a 3'])
    expect(delivered(queue.log())).toBe(true)
  })

  test('are pending while they wait, and the queue is due when the first is', async () => {
    const sink = await receiver(refuseStep('a 1', 1))
    const queue = openQueue()
    queue.subscribe(sink.url)
    queue.change('a', { step: 1 })
    queue.change('a', { step: 2 })
    await queue.webhooks.sendDue(queue.workspace)
    const [first, second] = queue.log()
    expect(first).toMatchObject({ status: 'pending', attempts: [{ status: 500 }] })
    expect(second).toMatchObject({
      status: 'pending',
      attempts: [],
      nextAttemptAt: queue.workspace.now(),
    })
    expect(queue.webhooks.earliestDue(queue.workspace)).toBe(first?.nextAttemptAt)
  })

  test('wait only for those of their own subscription', async () => {
    const refuses = await receiver(refuseStep('a 1', 1))
    const takes = await receiver()
    const queue = openQueue()
    queue.subscribe(refuses.url)
    queue.subscribe(takes.url)
    queue.subscribe(`${refuses.url}/other`)
    for (const step of [1, 2]) queue.change('a', { step })
    await queue.webhooks.sendDue(queue.workspace)
    expect(stepsOf(takes)).toEqual(['a 1', 'a 2'])
    const own = (path: string): string[] =>
      refuses.requests.filter((request) => request.path === path).map(stepOf)
    const [held, free] = own('/hook').length === 1 ? ['/hook', '/hook/other'] : ['/hook/other', '/hook']
    expect([own(held), own(free)]).toEqual([['a 1'], ['a 1', 'a 2']])
    await queue.advance(HOUR)
    expect(own(held)).toEqual(['a 1', 'a 1', 'a 2'])
  })

  test('are sent when the first is dead', async () => {
    const sink = await receiver(refuseStep('a 1', 8))
    const queue = openQueue()
    queue.subscribe(sink.url)
    for (const step of [1, 2, 3]) queue.change('a', { step })
    for (let attempt = 1; attempt <= 8; attempt++) await queue.advance(12 * HOUR)
    expect(stepsOf(sink)).toEqual([...Array<string>(8).fill('a 1'), 'a 2', 'a 3'])
    expect(logOf(queue)).toEqual(['a 1 dead', 'a 2 delivered', 'a 3 delivered'])
  })

  test('are sent when the subscription loses the event of the first', async () => {
    const sink = await receiver(refuseStep('a 1', 8))
    const queue = openQueue()
    const made = queue.subscribe(sink.url)
    queue.change('a', { step: 1 })
    for (const step of [2, 3]) {
      queue.workspace.write(() =>
        queue.workspace.append({
          interface: 'pos',
          name: 'sale.delivered',
          data: { id: 'a', step },
          record: 'a',
        }),
      )
    }
    await queue.webhooks.sendDue(queue.workspace)
    expect(stepsOf(sink)).toEqual(['a 1'])
    queue.webhooks.subscriptions.update(queue.workspace, made, { events: ['sale.delivered'] })
    await queue.until((log) => log.every(({ status }) => status !== 'pending'))
    expect(stepsOf(sink)).toEqual(['a 1', 'a 2', 'a 3'])
    expect(logOf(queue)).toEqual(['a 1 dead', 'a 2 delivered', 'a 3 delivered'])
  })

  test('keep their order when the server restarts in the middle', async () => {
    const file = join(scratchFolder(), 'suite.sqlite')
    const sink = await receiver(refuseStep('a 1', 2))
    const before = openQueue({ file })
    before.subscribe(sink.url)
    for (const step of [1, 2, 3]) before.change('a', { step })
    await before.webhooks.sendDue(before.workspace)
    await before.close()
    const queue = openQueue({ file })
    queue.change('a', { step: 4 })
    await queue.advance(6 * SECOND)
    expect(stepsOf(sink)).toEqual(['a 1', 'a 1'])
    await queue.advance(HOUR)
    expect(stepsOf(sink)).toEqual(['a 1', 'a 1', 'a 1', 'a 2', 'a 3', 'a 4'])
  })

  test.each([
    ['dead', 8],
    ['delivered', 0],
  ])('wait for an earlier one that was %s and is sent again', async (status, refusals) => {
    const sink = await receiver(refuseStep('a 1', refusals))
    const queue = openQueue()
    queue.subscribe(sink.url)
    queue.change('a', { step: 1 })
    for (let attempt = 1; attempt <= 8; attempt++) await queue.advance(12 * HOUR)
    expect(logOf(queue)).toEqual([`a 1 ${status}`])

    sink.behave(() => 500)
    for (const step of [2, 3]) queue.change('a', { step })
    await queue.webhooks.sendDue(queue.workspace)
    queue.webhooks.redeliver(queue.workspace, idOf(queue, 'a 1'))
    await queue.webhooks.sendDue(queue.workspace)
    const sent = sink.requests.length
    expect(stepsOf(sink).slice(-2)).toEqual(['a 2', 'a 1'])
    sink.behave(() => 200)
    await queue.advance(HOUR)
    expect(stepsOf(sink).slice(sent)).toEqual(['a 1', 'a 2', 'a 3'])
    expect(delivered(queue.log())).toBe(true)
  })

  test('keep waiting when they are sent again', async () => {
    const sink = await receiver(refuseStep('a 1', 1))
    const queue = openQueue()
    queue.subscribe(sink.url)
    for (const step of [1, 2, 3]) queue.change('a', { step })
    await queue.webhooks.sendDue(queue.workspace)
    queue.webhooks.redeliver(queue.workspace, idOf(queue, 'a 3'))
    await queue.webhooks.sendDue(queue.workspace)
    expect(stepsOf(sink)).toEqual(['a 1'])
    await queue.advance(HOUR)
    expect(stepsOf(sink)).toEqual(['a 1', 'a 1', 'a 2', 'a 3'])
  })

  test('are never in progress together, even if an earlier one is sent again', async () => {
    const { behaviour, open } = gate()
    const sink = await receiver()
    const queue = openQueue()
    queue.subscribe(sink.url)
    queue.change('a', { step: 1 })
    await queue.until(delivered)
    sink.behave(behaviour)
    queue.change('a', { step: 2 })
    await sink.received(2)
    queue.webhooks.redeliver(queue.workspace, idOf(queue, 'a 1'))
    queue.change('b', { step: 1 })
    await sink.received(3)
    expect(stepsOf(sink)).toEqual(['a 1', 'a 2', 'b 1'])
    open()
    await queue.until(delivered)
    expect(stepsOf(sink, 'a')).toEqual(['a 1', 'a 2', 'a 1'])
  })

  test('keep their order when the URL changes, and wait for those that the old receiver holds', async () => {
    const { behaviour, open } = gate()
    const [old, next] = [await receiver(behaviour), await receiver()]
    const queue = openQueue()
    const subscription = queue.subscribe(old.url)
    for (const step of [1, 2, 3]) queue.change('a', { step })
    await old.received(1)
    queue.webhooks.subscriptions.update(queue.workspace, subscription, { url: next.url })
    queue.change('b', { step: 1 })
    await next.received(1)
    expect(stepsOf(next)).toEqual(['b 1'])
    open()
    await queue.until(delivered)
    expect(stepsOf(old)).toEqual(['a 1'])
    expect(stepsOf(next)).toEqual(['b 1', 'a 2', 'a 3'])
  })

  test('block nothing if they were abandoned with their subscription', async () => {
    const sink = await receiver(refuseStep('a 1', 1))
    const queue = openQueue()
    const subscription = queue.subscribe(sink.url)
    for (const step of [1, 2]) queue.change('a', { step })
    await queue.webhooks.sendDue(queue.workspace)
    const inactive = queue.webhooks.subscriptions.update(queue.workspace, subscription, { active: false })
    expect(logOf(queue)).toEqual(['a 1 dead', 'a 2 dead'])
    queue.webhooks.subscriptions.update(queue.workspace, inactive, { active: true })
    queue.change('a', { step: 3 })
    await queue.webhooks.sendDue(queue.workspace)
    expect(stepsOf(sink)).toEqual(['a 1', 'a 3'])
    queue.webhooks.subscriptions.remove(queue.workspace, inactive)
    queue.subscribe(sink.url)
    queue.change('a', { step: 4 })
    await queue.webhooks.sendDue(queue.workspace)
    expect(stepsOf(sink)).toEqual(['a 1', 'a 3', 'a 4'])
  })

  test.each<[string, (records: Records, queue: Queue) => Promise<void> | void]>([
    [
      'reset',
      (records, { workspace }) => {
        records.reset(workspace)
      },
    ],
    [
      'replaced by a snapshot',
      (records, { workspace, workspaces }) =>
        loadRecords({ records, workspaces }, workspace, dumpOf(records, workspace)),
    ],
  ])('block nothing after the workspace was %s', async (_what, change) => {
    const records = new Records(webhookRecords, webhookTraces)
    const sink = await receiver(refuseStep('a 1', 1))
    const queue = openQueue()
    queue.subscribe(sink.url)
    await keepBaseline({ ...queue, records }, queue.workspace)
    for (const step of [1, 2]) queue.change('a', { step })
    await queue.webhooks.sendDue(queue.workspace)
    await change(records, queue)
    queue.change('a', { step: 3 })
    await queue.webhooks.sendDue(queue.workspace)
    expect(stepsOf(sink)).toEqual(['a 1', 'a 3'])
    expect(logOf(queue)).toEqual(['a 3 delivered'])
  })

  test('keep their order when one write creates them, and block nothing when it is rolled back', async () => {
    const sink = await receiver()
    const queue = openQueue()
    queue.subscribe(sink.url)
    const undo = new Error('undo')
    expect(() =>
      queue.workspace.write(() => {
        queue.change('a', { step: 0 })
        throw undo
      }),
    ).toThrow(undo)
    queue.workspace.write(() => {
      for (const step of [1, 2, 3]) queue.change('a', { step })
    })
    await queue.until(delivered)
    expect(stepsOf(sink)).toEqual(['a 1', 'a 2', 'a 3'])
  })

  test('are independent of a record with the same id in another workspace', async () => {
    const sink = await receiver(refuseStep('a 1', 1))
    const queue = openQueue()
    const other = queue.makeWorkspace()
    queue.subscribe(sink.url)
    queue.subscribe(sink.url, {}, other)
    queue.change('a', { step: 1 })
    await queue.webhooks.sendDue(queue.workspace)
    const data = { id: 'a', step: 2 }
    other.write(() => other.append({ interface: 'pos', name: 'sale.completed', data, record: 'a' }))
    await queue.webhooks.sendDue(other)
    expect(stepsOf(sink)).toEqual(['a 1', 'a 2'])
  })
})

const STEPS = 15

test('keep the order of each of many records with many changes and random failures', async () => {
  const sink = await receiver((_received, index) => (index % 7 === 3 ? 503 : 200))
  const queue = openQueue()
  queue.subscribe(sink.url)
  const records = Array.from({ length: 20 }, (_, index) => `r${String(index)}`)
  for (let step = 0; step < STEPS; step++) for (const record of records) queue.change(record, { step })
  for (;;) {
    await queue.webhooks.sendDue(queue.workspace)
    const due = queue.webhooks.earliestDue(queue.workspace)
    if (due === Infinity) break
    await queue.advance(due - queue.workspace.now())
  }
  expect(delivered(queue.log())).toBe(true)
  for (const record of records) {
    const steps = stepsOf(sink, `${record} `)
    const inOrder = [...new Set(steps)]
    expect(inOrder).toEqual(Array.from({ length: STEPS }, (_, step) => `${record} ${String(step)}`))
    // A refused step is followed by itself.
    expect(
      steps.every(
        (step, index) => index === 0 || inOrder.indexOf(step) >= inOrder.indexOf(steps[index - 1] ?? ''),
      ),
    ).toBe(true)
  }
})
