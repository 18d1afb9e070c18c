import { describe, expect, test } from 'vitest'
import { delivered, gate, openQueue, receiver, neverResponds } from '../support/webhooks.ts'

describe('a receiver that never responds', () => {
  test('delays no other receiver of any workspace', async () => {
    const [sleeper, awake] = [await receiver(neverResponds), await receiver()]
    const queue = openQueue()
    const other = queue.makeWorkspace()
    queue.subscribe(sleeper.url, { interface: 'crm' })
    queue.subscribe(awake.url)
    queue.subscribe(awake.url, {}, other)
    const slow = { interface: 'crm', name: 'slow', data: {}, record: null }
    for (let count = 0; count < 300; count++) queue.workspace.write(() => queue.workspace.append(slow))
    await sleeper.received(1)
    for (let count = 0; count < 300; count++) {
      queue.emit()
      queue.emit('sale.completed', {}, other)
    }
    await queue.until((log) => delivered(log.filter((row) => row.interface === 'pos')))
    await queue.until(delivered, other)
    const waiting = queue.webhooks.list(queue.workspace, { interface: 'crm', limit: 1000 })
    expect(waiting).toHaveLength(300)
    expect(waiting.every(({ status, attempts }) => status === 'pending' && attempts.length === 0)).toBe(true)
    expect(sleeper.maxConcurrent).toBeLessThanOrEqual(4)
    await sleeper.close()
  })

  test('delays no other receiver, even if there are more such receivers than slots', async () => {
    const awake = await receiver()
    const sleepers = await Promise.all(Array.from({ length: 12 }, () => receiver(neverResponds)))
    const queue = openQueue({ overall: 16, timeoutMs: 1000 })
    for (const sleeper of sleepers) queue.subscribe(sleeper.url, { interface: 'crm' })
    const slow = { interface: 'crm', name: 'slow', data: {}, record: null }
    for (let count = 0; count < 20; count++) queue.workspace.write(() => queue.workspace.append(slow))
    const isTried = new Set<string>()
    await queue.until((log) => {
      for (const { origin, attempts } of log) if (attempts.length > 0) isTried.add(origin)
      return isTried.size === 12
    })
    // From here on all of them are known to be silent, and together hold a quarter of the slots.
    queue.subscribe(awake.url)
    for (let count = 0; count < 50; count++) queue.emit()
    await queue.until((log) => delivered(log.filter((row) => row.interface === 'pos')))
    const late = queue.webhooks.list(queue.workspace, { interface: 'crm', status: 'pending', limit: 1000 })
    expect(late.some(({ attempts }) => attempts.length === 0)).toBe(true)
    expect(awake.requests).toHaveLength(50)
  })
})

describe('concurrent attempts', () => {
  test('to one origin are limited for all workspaces together', async () => {
    const held = gate()
    const sink = await receiver(held.behaviour)
    const queue = openQueue({ perOrigin: 3 })
    const other = queue.makeWorkspace()
    queue.subscribe(sink.url)
    queue.subscribe(sink.url, {}, other)
    for (let count = 0; count < 30; count++) {
      queue.emit()
      queue.emit('sale.completed', {}, other)
    }
    await sink.received(3)
    held.open()
    await queue.until(delivered)
    await queue.until(delivered, other)
    expect(sink.requests).toHaveLength(60)
    expect(sink.maxConcurrent).toBe(3)
  })

  test('to one origin grow to the limit while it responds quickly', async () => {
    const held = gate()
    const sink = await receiver(held.behaviour)
    held.open()
    const queue = openQueue({ perOrigin: 20 })
    queue.subscribe(sink.url)
    for (let count = 0; count < 50; count++) queue.emit()
    await queue.until(delivered)
    held.hold()
    for (let count = 0; count < 50; count++) queue.emit()
    await sink.received(70)
    held.open()
    await queue.until(delivered)
    expect(sink.maxConcurrent).toBe(20)
  })

  test('are limited overall', async () => {
    const gates = Array.from({ length: 4 }, gate)
    const sinks = await Promise.all(gates.map(({ behaviour }) => receiver(behaviour)))
    const queue = openQueue({ overall: 5 })
    for (const { url } of sinks) queue.subscribe(url)
    for (let count = 0; count < 10; count++) queue.emit()
    const total = (): number => sinks.reduce((sum, { requests }) => sum + requests.length, 0)
    await Promise.race(sinks.map((sink) => sink.received(1)))
    expect(total()).toBeLessThanOrEqual(5)
    for (const one of gates) one.open()
    await queue.until(delivered)
    expect(total()).toBe(40)
    expect(Math.max(...sinks.map(({ maxConcurrent }) => maxConcurrent))).toBeLessThanOrEqual(5)
  })

  test('alternate between the workspaces that wait for one origin', async () => {
    const held = gate()
    const sink = await receiver(held.behaviour)
    const queue = openQueue({ perOrigin: 1 })
    const other = queue.makeWorkspace()
    queue.subscribe(sink.url)
    queue.subscribe(sink.url, {}, other)
    for (let count = 0; count < 20; count++) queue.emit('first')
    for (let count = 0; count < 3; count++) queue.emit('second', {}, other)
    await sink.received(1)
    held.open()
    await queue.until(delivered, other)
    const names = sink.requests.map(({ headers }) => headers['x-service-event'])
    expect(names.slice(0, 6).filter((name) => name === 'second')).toHaveLength(3)
    await queue.until(delivered)
  })
})

test('sends thousands of deliveries exactly once', async () => {
  const sink = await receiver()
  const queue = openQueue()
  queue.subscribe(sink.url)
  for (let count = 0; count < 3000; count++) queue.emit('sale.completed', { count })
  await queue.webhooks.sendDue(queue.workspace)
  expect(queue.log()).toHaveLength(3000)
  expect(delivered(queue.log())).toBe(true)
  expect(new Set(sink.requests.map(({ headers }) => headers['x-service-delivery'])).size).toBe(3000)
  expect(sink.requests).toHaveLength(3000)
})
