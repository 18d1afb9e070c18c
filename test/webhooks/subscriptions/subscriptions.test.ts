import { describe, expect, test } from 'vitest'
import { iso } from '@suite-sim/kit/time/instants'
import { Records } from '../../../src/state/storage/records/records.ts'
import { webhookRecords, webhookTraces } from '../../../src/webhooks/records.ts'
import { findSubscription, listSubscriptions } from '../../../src/webhooks/subscriptions/subscriptions.ts'
import { START_TIME, openQueue, SECOND } from '../../support/webhooks.ts'
import { dumpOf, keepBaseline, loadRecords } from '../../support/records.ts'

const URL_A = 'https://a.example.com/hook'
const URL_B = 'https://b.example.com/hook'

describe('subscription', () => {
  test('is created with an id, a secret and each event once', () => {
    const { workspace, webhooks } = openQueue({ start: false })
    const made = webhooks.subscriptions.create(workspace, {
      interface: 'pos',
      url: URL_A,
      events: ['b', 'a', 'b'],
    })
    expect(made).toEqual({
      workspace: workspace.rowScope,
      id: expect.stringMatching(/^[a-z][a-z0-9]{23}$/) as string,
      interface: 'pos',
      url: URL_A,
      events: ['b', 'a'],
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9]{32}$/) as string,
      active: true,
      createdAt: START_TIME,
      updatedAt: START_TIME,
    })
    expect(findSubscription(workspace, made.id)).toEqual(made)
  })

  test('keeps a given secret', () => {
    const { workspace, webhooks } = openQueue({ start: false })
    const made = webhooks.subscriptions.create(workspace, {
      interface: 'pos',
      url: URL_A,
      events: ['a'],
      secret: 's3',
    })
    expect(made.secret).toBe('s3')
  })

  test('is found and listed by its own interface and by all, newest first', () => {
    const queue = openQueue({ start: false })
    const first = queue.subscribe(URL_A)
    const other = queue.subscribe(URL_A, { interface: 'crm' })
    const second = queue.subscribe(URL_A)
    const ids = (of?: string) => listSubscriptions(queue.workspace, of).map(({ id }) => id)
    expect(ids('pos')).toEqual([second.id, first.id])
    expect(ids()).toEqual([second.id, other.id, first.id])
    expect(findSubscription(queue.workspace, first.id, 'pos')?.id).toBe(first.id)
    expect(findSubscription(queue.workspace, first.id, 'crm')).toBeUndefined()
  })

  test('is invisible to another workspace', () => {
    const queue = openQueue({ start: false })
    const other = queue.makeWorkspace()
    const { id } = queue.subscribe(URL_A)
    expect(findSubscription(other, id)).toBeUndefined()
    expect(listSubscriptions(other)).toEqual([])
  })

  test('changes the given fields and keeps the rest', () => {
    const queue = openQueue({ start: false })
    const made = queue.subscribe(URL_A, { events: ['a'] })
    queue.workspace.clock.set(START_TIME + SECOND, true)
    const changed = queue.webhooks.subscriptions.update(queue.workspace, made, { events: ['b', 'b'] })
    expect(changed).toEqual({ ...made, events: ['b'], updatedAt: START_TIME + SECOND })
    expect(findSubscription(queue.workspace, made.id)).toEqual(changed)
  })

  test('gets only the events that it names, of its own interface', () => {
    const queue = openQueue({ start: false })
    queue.subscribe(URL_A, { events: ['sale.completed', 'stock.low'] })
    queue.subscribe(URL_B, { interface: 'crm' })
    queue.emit('sale.completed')
    queue.emit('sale.cancelled')
    queue.emit('stock.low')
    expect(queue.log().map(({ event, url }) => [event, url])).toEqual([
      ['sale.completed', URL_A],
      ['stock.low', URL_A],
    ])
  })

  test('to all events gets every event of its interface', () => {
    const queue = openQueue({ start: false })
    queue.subscribe(URL_A, { events: ['*'] })
    queue.emit('sale.completed')
    queue.emit('never.heard.of')
    expect(queue.log().map(({ event }) => event)).toEqual(['sale.completed', 'never.heard.of'])
  })

  test('gets nothing while it is not active', () => {
    const queue = openQueue({ start: false })
    queue.subscribe(URL_A, { active: false })
    queue.emit()
    expect(queue.log()).toEqual([])
  })

  test('gets nothing for events before its creation', () => {
    const queue = openQueue({ start: false })
    queue.emit()
    queue.subscribe(URL_A)
    expect(queue.log()).toEqual([])
  })

  test('is applied at once after a change or a removal', () => {
    const queue = openQueue({ start: false })
    const made = queue.subscribe(URL_A, { events: ['a'] })
    queue.emit('a')
    const changed = queue.webhooks.subscriptions.update(queue.workspace, made, { events: ['b'], url: URL_B })
    queue.emit('a')
    queue.emit('b')
    queue.webhooks.subscriptions.remove(queue.workspace, changed)
    queue.emit('b')
    expect(queue.log().map(({ event, url, status }) => [event, url, status])).toEqual([
      ['a', URL_B, 'dead'],
      ['b', URL_B, 'dead'],
    ])
  })

  test.each([
    [['sale.completed'], ['pending', 'dead', 'dead']],
    [
      ['stock.low', 'sale.completed'],
      ['pending', 'dead', 'pending'],
    ],
    [['sale.delivered'], ['dead', 'pending', 'dead']],
    [['*'], ['pending', 'pending', 'pending']],
  ])('changed to %j cancels only the deliveries of removed events', (events, statuses) => {
    const queue = openQueue({ start: false })
    const made = queue.subscribe(URL_A)
    queue.subscribe(URL_B)
    for (const name of ['sale.completed', 'sale.delivered', 'stock.low']) queue.emit(name)
    queue.webhooks.subscriptions.update(queue.workspace, made, { events })
    const log = queue.log()
    expect(log.filter(({ url }) => url === URL_A).map(({ status }) => status)).toEqual(statuses)
    expect(log.filter(({ url }) => url === URL_B).map(({ status }) => status)).toEqual(
      Array(3).fill('pending'),
    )
  })

  test('that was never committed gets nothing, even for events in its transaction', () => {
    const queue = openQueue({ start: false })
    const fail = new Error('taken back')
    expect(() =>
      queue.workspace.write(() => {
        queue.subscribe(URL_A)
        queue.emit()
        throw fail
      }),
    ).toThrow(fail)
    queue.emit()
    queue.database.flush()
    queue.emit()
    expect(queue.log()).toEqual([])
  })

  test('whose removal is rolled back still gets events', () => {
    const queue = openQueue({ start: false })
    const made = queue.subscribe(URL_A)
    queue.database.flush()
    queue.emit()
    expect(() =>
      queue.workspace.write(() => {
        queue.webhooks.subscriptions.remove(queue.workspace, made)
        queue.emit()
        throw new Error('taken back')
      }),
    ).toThrow('taken back')
    queue.emit()
    expect(queue.log().map(({ status }) => status)).toEqual(['pending', 'pending'])
  })
})

describe('event', () => {
  test('and its deliveries are written together or not at all', () => {
    const queue = openQueue({ start: false })
    queue.subscribe(URL_A)
    expect(() =>
      queue.workspace.write(() => {
        queue.emit()
        throw new Error('refused')
      }),
    ).toThrow('refused')
    expect(queue.log()).toEqual([])
  })

  test('is rendered once, with the same bytes for all subscribers', () => {
    const queue = openQueue({ start: false })
    queue.subscribe(URL_A)
    queue.subscribe(URL_B)
    const event = queue.emit('sale.completed', { id: 'x', total: 1.5 })
    const body = JSON.stringify({
      id: event.id,
      event: 'sale.completed',
      createdAt: iso(START_TIME),
      data: { id: 'x', total: 1.5 },
    })
    expect(queue.log().map((one) => one.body)).toEqual([body, body])
  })
})

describe('subscriptions of a snapshot', () => {
  const records = new Records(webhookRecords, webhookTraces)

  test('are unchanged after a round trip', async () => {
    const queue = openQueue({ start: false })
    const made = queue.subscribe(URL_A, { events: ['a', 'b'] })
    const snapshot = dumpOf(records, queue.workspace)
    queue.webhooks.subscriptions.remove(queue.workspace, made)
    await loadRecords({ ...queue, records }, queue.workspace, snapshot)
    expect(listSubscriptions(queue.workspace)).toEqual([{ ...made, workspace: queue.workspace.rowScope }])
    expect(dumpOf(records, queue.workspace)).toEqual(snapshot)
  })

  test('are applied at once, also after a reset', async () => {
    const queue = openQueue({ start: false })
    await keepBaseline({ ...queue, records }, queue.workspace)
    queue.subscribe(URL_A)
    const snapshot = dumpOf(records, queue.workspace)
    queue.emit()
    records.reset(queue.workspace)
    queue.emit()
    expect(queue.log()).toEqual([])
    await loadRecords({ ...queue, records }, queue.workspace, snapshot)
    queue.emit()
    expect(queue.log().map(({ url }) => url)).toEqual([URL_A])
  })

  test.each([
    ['an invalid URL', { url: 'nowhere' }],
    ['a URL of another protocol', { url: 'ftp://a.example.com' }],
    ['events that are not a list', { events: 'sale.completed' }],
    ['events that are not names', { events: [1] }],
  ])('refuse %s', async (_what, wrong) => {
    const queue = openQueue({ start: false })
    queue.subscribe(URL_A)
    const snapshot = dumpOf(records, queue.workspace)
    const [good] = snapshot['webhooks']?.['subscriptions'] ?? []
    const bad = { webhooks: { subscriptions: [{ ...good, ...wrong }] } }
    await expect(loadRecords({ ...queue, records }, queue.workspace, bad)).rejects.toThrow(
      expect.objectContaining({ reason: 'invalid' }),
    )
    expect(dumpOf(records, queue.workspace)).toEqual(snapshot)
  })
})
