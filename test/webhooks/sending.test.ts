import { skippableTime } from '../support/skippableTime.ts'
import { verify } from '@octokit/webhooks-methods'
import { describe, expect, test } from 'vitest'
import { iso } from '@suite-sim/kit/time/instants'
import { Records } from '../../src/state/storage/records/records.ts'
import { profile } from '../../src/webhooks/profiles/profile.ts'
import { webhookRecords, webhookTraces } from '../../src/webhooks/records.ts'
import { DEFAULT_SCHEDULE } from '../../src/webhooks/profiles/schedule.ts'
import { findSubscription } from '../../src/webhooks/subscriptions/subscriptions.ts'
import {
  START_TIME,
  unreachableUrl,
  HOUR,
  capturedLogger,
  MINUTE,
  openQueue,
  receiver,
  SECOND,
  neverResponds,
  type Queue,
} from '../support/webhooks.ts'
import { loadRecords } from '../support/records.ts'

const delivered = (log: { status: string }[]): boolean => log.every(({ status }) => status !== 'pending')

describe('delivery', () => {
  test('is sent automatically, signed, with the name of its event', async () => {
    const sink = await receiver()
    const queue = openQueue({ userAgent: 'suite-simulator/9.9.9' })
    const { secret } = queue.subscribe(`${sink.url}?tenant=7`)
    const event = queue.emit('sale.completed', { id: 'sale-1', note: 'Café 日本 🦊' })
    const [row] = await queue.until(delivered)
    const [sent] = sink.requests
    expect(sink.requests).toHaveLength(1)
    expect(sent?.method).toBe('POST')
    expect(sent?.path).toBe('/hook?tenant=7')
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      id: event.id,
      event: 'sale.completed',
      createdAt: iso(START_TIME),
      data: { id: 'sale-1', note: 'Café 日本 🦊' },
    })
    expect(sent?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(sent?.body ?? '')),
      'user-agent': 'suite-simulator/9.9.9',
      'x-service-event': 'sale.completed',
      'x-service-delivery': row?.id,
      'x-service-attempt': '1',
    })
    expect(await verify(secret, sent?.body ?? '', String(sent?.headers['x-service-signature']))).toBe(true)
    expect(row).toMatchObject({ status: 'delivered', nextAttemptAt: null, body: sent?.body })
    expect(row?.attempts).toEqual([
      { at: iso(START_TIME), status: 200, durationMs: expect.any(Number) as number, error: null },
    ])
  })

  test('is sent to every subscriber with its own signature', async () => {
    const [one, two] = [await receiver(), await receiver()]
    const queue = openQueue()
    const first = queue.subscribe(one.url, { secret: 'first' })
    const second = queue.subscribe(two.url, { secret: 'second' })
    queue.emit()
    await queue.until(delivered)
    for (const [sink, { secret }] of [
      [one, first],
      [two, second],
    ] as const) {
      const [sent] = sink.requests
      expect(await verify(secret, sent?.body ?? '', String(sent?.headers['x-service-signature']))).toBe(true)
    }
  })

  test('is retried until it is accepted, with the same id and the same bytes', async () => {
    const sink = await receiver((_received, index) => (index < 3 ? 503 : 204))
    const queue = openQueue()
    const { secret } = queue.subscribe(sink.url)
    const event = queue.emit()
    await queue.until(([row]) => row?.attempts.length === 1)
    for (const wait of [6 * SECOND, 6 * MINUTE, 40 * MINUTE]) await queue.advance(wait)
    const [row] = queue.log()
    expect(row).toMatchObject({ status: 'delivered', nextAttemptAt: null, round: 4 })
    expect(row?.attempts.map(({ status, error }) => [status, error])).toEqual([
      [503, 'the receiver responded with 503'],
      [503, 'the receiver responded with 503'],
      [503, 'the receiver responded with 503'],
      [204, null],
    ])
    expect(new Set(sink.requests.map(({ body }) => body))).toEqual(new Set([row?.body]))
    expect(JSON.parse(row?.body ?? '')).toMatchObject({ id: event.id })
    expect(sink.requests.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3', '4'])
    expect(new Set(sink.requests.map(({ headers }) => headers['x-service-delivery']))).toEqual(
      new Set([row?.id]),
    )
    for (const { body, headers } of sink.requests) {
      expect(await verify(secret, body, String(headers['x-service-signature']))).toBe(true)
    }
    await queue.advance(100 * HOUR)
    expect(sink.requests).toHaveLength(4)
  })

  test.each([200, 201, 202, 204, 299])('is accepted when the receiver responds with %i', async (status) => {
    const sink = await receiver(() => status)
    const queue = openQueue()
    queue.subscribe(sink.url)
    queue.emit()
    const [row] = await queue.until(delivered)
    expect(row?.attempts).toMatchObject([{ status, error: null }])
  })

  test.each([300, 304, 400, 401, 404, 429, 500, 503])(
    'fails when the receiver responds with %i',
    async (status) => {
      const sink = await receiver(() => status)
      const queue = openQueue()
      queue.subscribe(sink.url)
      queue.emit()
      const [row] = await queue.until(([first]) => first?.attempts.length === 1)
      expect(row).toMatchObject({ status: 'pending', attempts: [{ status }] })
      expect(row?.attempts[0]?.error).toMatch(status < 400 ? /redirects are not followed/ : /responded with/)
    },
  )

  test('does not follow a redirect', async () => {
    const target = await receiver()
    const sink = await receiver((_received, _index, response) => {
      response.writeHead(307, { location: target.url, 'content-length': 0 }).end()
      return undefined
    })
    const queue = openQueue()
    queue.subscribe(sink.url)
    queue.emit()
    const [row] = await queue.until(([first]) => first?.attempts.length === 1)
    expect(row?.attempts).toMatchObject([{ status: 307, error: 'redirects are not followed' }])
    expect(target.requests).toEqual([])
  })

  test('to a receiver that does not respond, or not completely, times out and is retried later', async () => {
    const silent = await receiver(neverResponds)
    const slow = await receiver((_received, _index, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('half')
      return undefined
    })
    const queue = openQueue({ timeoutMs: 1000 })
    for (const { url } of [silent, slow]) queue.subscribe(url)
    queue.emit()
    const rows = await queue.until((log) => log.every(({ attempts }) => attempts.length === 1))
    const error = 'no complete response within 1000 ms'
    expect(rows).toMatchObject([
      { status: 'pending', attempts: [{ status: null, error }] },
      { status: 'pending', attempts: [{ status: 200, error }] },
    ])
    expect(rows[0]?.attempts[0]?.durationMs).toBeGreaterThan(900)
  })

  test('is accepted by a receiver that responds with 200 and a body that is too long', async () => {
    const sink = await receiver((_received, _index, response) => {
      response.writeHead(200).write('x'.repeat(1024 * 1024))
      return undefined
    })
    const queue = openQueue()
    queue.subscribe(sink.url)
    queue.emit()
    const [row] = await queue.until(delivered)
    expect(row).toMatchObject({ status: 'delivered', attempts: [{ status: 200, error: null }] })
  })

  test('to an unreachable receiver is kept, and sent when the receiver is back', async () => {
    const url = await unreachableUrl()
    const queue = openQueue()
    queue.subscribe(url)
    queue.emit()
    const [row] = await queue.until(([first]) => first?.attempts.length === 1)
    expect(row?.attempts).toMatchObject([{ status: null, error: 'connection refused' }])
    const sink = await receiver(() => 200, Number(new URL(url).port))
    await queue.advance(6 * SECOND)
    expect(queue.log()).toMatchObject([{ status: 'delivered' }])
    expect(sink.requests).toHaveLength(1)
  })

  test('to a receiver that closes the connection is kept', async () => {
    const sink = await receiver((_received, _index, response) => {
      response.destroy()
      return undefined
    })
    const queue = openQueue()
    queue.subscribe(sink.url)
    queue.emit()
    const [row] = await queue.until(([first]) => first?.attempts.length === 1)
    expect(row).toMatchObject({
      status: 'pending',
      attempts: [{ status: null, error: 'connection closed before the response was complete' }],
    })
  })

  test('reaches names below localhost', async () => {
    const sink = await receiver()
    const queue = openQueue()
    queue.subscribe(sink.url.replace('127.0.0.1', 'app.localhost'))
    queue.emit()
    const [row] = await queue.until(([first]) => (first?.attempts.length ?? 0) > 0)
    expect(row).toMatchObject({ status: 'delivered' })
    expect(sink.requests[0]?.headers.host).toMatch(/^app\.localhost:/)
  })

  test('follows the profile of its interface', async () => {
    const sink = await receiver((_received, index) => (index === 0 ? 500 : 200))
    const pos = profile({
      interface: 'pos',
      eventTime: 'at',
      schedule: { delays: [2 * SECOND, 3 * SECOND], jitter: 0 },
    })
    const queue = openQueue({ profiles: [pos] })
    queue.subscribe(sink.url)
    const event = queue.emit('sale.completed', { id: 's' })
    expect(queue.log()).toMatchObject([{ nextAttemptAt: START_TIME + 2 * SECOND }])
    await queue.advance(2 * SECOND)
    expect(queue.log()).toMatchObject([{ status: 'pending', nextAttemptAt: START_TIME + 5 * SECOND }])
    await queue.advance(3 * SECOND)
    expect(queue.log()).toMatchObject([{ status: 'delivered' }])
    const [sent] = sink.requests
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      id: event.id,
      event: 'sale.completed',
      at: iso(START_TIME),
      data: { id: 's' },
    })
  })
})

/** Runs a delivery through its whole schedule, each attempt at its due time, and returns the due times. */
async function exhaust(queue: Queue): Promise<number[]> {
  await queue.webhooks.sendDue(queue.workspace)
  const due: number[] = []
  for (let next = queue.webhooks.earliestDue(queue.workspace); next !== Infinity;) {
    due.push(next - queue.workspace.now())
    await queue.advance(next - queue.workspace.now())
    next = queue.webhooks.earliestDue(queue.workspace)
  }
  return due
}

describe('delivery that no receiver accepts', () => {
  test('is dead after eight attempts, at the times of the schedule with ten percent jitter', async () => {
    const sink = await receiver(() => 500)
    const queue = openQueue()
    queue.subscribe(sink.url)
    queue.emit()
    const waits = await exhaust(queue)
    expect(sink.requests).toHaveLength(8)
    expect(queue.log()).toMatchObject([{ status: 'dead', nextAttemptAt: null, round: 8 }])
    expect(queue.log()[0]?.attempts).toHaveLength(8)
    expect(waits).toHaveLength(7)
    for (const [index, wait] of waits.entries()) {
      const planned = DEFAULT_SCHEDULE.delays[index + 1] ?? NaN
      expect(wait).toBeGreaterThanOrEqual(planned * 0.9)
      expect(wait).toBeLessThanOrEqual(planned * 1.1)
    }
    await queue.advance(1000 * HOUR)
    expect(sink.requests).toHaveLength(8)
  })

  test('stays pending while one of the eight attempts is left', async () => {
    const sink = await receiver(() => 500)
    const queue = openQueue()
    queue.subscribe(sink.url)
    queue.emit()
    await queue.webhooks.sendDue(queue.workspace)
    for (let attempt = 2; attempt <= 7; attempt++) await queue.advance(11 * HOUR)
    expect(queue.log()).toMatchObject([{ status: 'pending', round: 7 }])
    await queue.advance(11 * HOUR)
    expect(queue.log()).toMatchObject([{ status: 'dead', round: 8 }])
  })

  test('is not sent before it is due', async () => {
    const sink = await receiver(() => 500)
    const queue = openQueue()
    queue.subscribe(sink.url)
    queue.emit()
    await queue.webhooks.sendDue(queue.workspace)
    const wait = queue.webhooks.earliestDue(queue.workspace) - START_TIME
    await queue.advance(wait - 1)
    expect(sink.requests).toHaveLength(1)
    await queue.advance(1)
    expect(sink.requests).toHaveLength(2)
  })

  test('can be sent again, and then has the whole schedule', async () => {
    const sink = await receiver(() => 500)
    const queue = openQueue()
    queue.subscribe(sink.url)
    queue.emit()
    await exhaust(queue)
    const [dead] = queue.log()
    queue.webhooks.redeliver(queue.workspace, dead?.id ?? '')
    expect(queue.log()).toMatchObject([{ status: 'pending', round: 0, nextAttemptAt: queue.workspace.now() }])
    await exhaust(queue)
    expect(sink.requests).toHaveLength(16)
    expect(queue.log()).toMatchObject([{ status: 'dead', round: 8 }])
    expect(new Set(sink.requests.map(({ body }) => body)).size).toBe(1)
    sink.behave(() => 200)
    queue.webhooks.redeliver(queue.workspace, dead?.id ?? '')
    await queue.webhooks.sendDue(queue.workspace)
    expect(queue.log()).toMatchObject([{ status: 'delivered' }])
    expect(queue.log()[0]?.attempts).toHaveLength(17)
    expect(sink.requests[16]?.headers['x-service-attempt']).toBe('17')
  })

  test('is logged when it first fails and when it dies, without its secret, its body or its path', async () => {
    const sink = await receiver(() => 500)
    const { lines, logger } = capturedLogger()
    const queue = openQueue({ logger })
    const { secret } = queue.subscribe(`${sink.url}?token=hidden`)
    queue.emit('sale.completed', { id: 'private' })
    await exhaust(queue)
    const facts = {
      workspace: queue.workspace.id,
      interface: 'pos',
      delivery: queue.log()[0]?.id,
      event: 'sale.completed',
      origin: new URL(sink.url).origin,
      status: 500,
      error: 'the receiver responded with 500',
    }
    expect(lines).toEqual([
      { level: 'warn', facts, message: 'webhook failed and will be retried' },
      { level: 'warn', facts, message: 'webhook failed permanently' },
    ])
    for (const word of [secret, 'private', 'hidden']) expect(JSON.stringify(lines)).not.toContain(word)
  })
})

describe('sending again', () => {
  test('works for a delivered one, and uses the current URL of the subscription', async () => {
    const [old, current] = [await receiver(), await receiver()]
    const queue = openQueue()
    const made = queue.subscribe(old.url)
    queue.emit()
    const [row] = await queue.until(delivered)
    queue.webhooks.subscriptions.update(queue.workspace, made, { url: current.url })
    queue.webhooks.redeliver(queue.workspace, row?.id ?? '')
    await queue.webhooks.sendDue(queue.workspace)
    expect(queue.log()).toMatchObject([{ status: 'delivered', url: current.url }])
    expect(old.requests).toHaveLength(1)
    expect(current.requests.map(({ body }) => body)).toEqual([row?.body])
  })

  test('sends a pending one immediately', async () => {
    const sink = await receiver((_received, index) => (index === 0 ? 500 : 200))
    const queue = openQueue()
    queue.subscribe(sink.url)
    queue.emit()
    const [row] = await queue.until(([first]) => first?.attempts.length === 1)
    queue.webhooks.redeliver(queue.workspace, row?.id ?? '')
    await queue.until(delivered)
    expect(sink.requests).toHaveLength(2)
  })

  test('is refused without an active subscription', async () => {
    const sink = await receiver()
    const queue = openQueue()
    const made = queue.subscribe(sink.url)
    queue.emit()
    const [row] = await queue.until(delivered)
    const again = (): void => {
      queue.webhooks.redeliver(queue.workspace, row?.id ?? '')
    }
    const inactive = queue.webhooks.subscriptions.update(queue.workspace, made, { active: false })
    expect(again).toThrow(expect.objectContaining({ reason: 'conflict' }))
    queue.webhooks.subscriptions.update(queue.workspace, inactive, { active: true })
    expect(again).not.toThrow()
    await queue.until(delivered)
    queue.webhooks.subscriptions.remove(queue.workspace, made)
    expect(again).toThrow(expect.objectContaining({ reason: 'conflict' }))
    expect(queue.log()).toMatchObject([{ status: 'delivered' }])
  })

  test('is refused for an unknown delivery and for one of another workspace', async () => {
    const sink = await receiver()
    const queue = openQueue()
    const other = queue.makeWorkspace()
    queue.subscribe(sink.url)
    queue.emit()
    const [row] = await queue.until(delivered)
    for (const [workspace, id] of [
      [queue.workspace, 'nothing'],
      [other, row?.id ?? ''],
    ] as const) {
      expect(() => {
        queue.webhooks.redeliver(workspace, id)
      }).toThrow(expect.objectContaining({ reason: 'not_found' }))
    }
  })
})

describe('subscription that ends', () => {
  test.each(['removed', 'deactivated'])('because it is %s gets no more deliveries', async (how) => {
    const sink = await receiver(() => 500)
    const queue = openQueue()
    const made = queue.subscribe(sink.url)
    queue.emit()
    await queue.until(([row]) => row?.attempts.length === 1)
    if (how === 'removed') queue.webhooks.subscriptions.remove(queue.workspace, made)
    else queue.webhooks.subscriptions.update(queue.workspace, made, { active: false })
    queue.emit()
    await queue.advance(100 * HOUR)
    expect(sink.requests).toHaveLength(1)
    expect(queue.log()).toMatchObject([{ status: 'dead', nextAttemptAt: null, attempts: [{ status: 500 }] }])
  })

  test('during an attempt keeps the result of the attempt', async () => {
    let answer = (): void => undefined
    const sink = await receiver((_received, _index, response) => {
      answer = () => response.writeHead(200).end()
      return undefined
    })
    const queue = openQueue()
    const made = queue.subscribe(sink.url)
    queue.emit()
    await sink.received(1)
    queue.webhooks.subscriptions.remove(queue.workspace, made)
    answer()
    const [row] = await queue.until(([first]) => first?.attempts.length === 1)
    expect(row).toMatchObject({
      status: 'dead',
      nextAttemptAt: null,
      attempts: [{ status: 200, error: null }],
    })
  })

  test('and becomes active again gets the events from then on', async () => {
    const sink = await receiver()
    const queue = openQueue({ start: false })
    const made = queue.subscribe(sink.url)
    queue.emit('first')
    const inactive = queue.webhooks.subscriptions.update(queue.workspace, made, { active: false })
    queue.emit('second')
    queue.webhooks.subscriptions.update(queue.workspace, inactive, { active: true })
    queue.emit('third')
    await queue.webhooks.sendDue(queue.workspace)
    expect(sink.requests.map(({ headers }) => headers['x-service-event'])).toEqual(['third'])
    expect(queue.log().map(({ event, status }) => [event, status])).toEqual([
      ['first', 'dead'],
      ['third', 'delivered'],
    ])
  })

  test('through a snapshot, which empties the log, gets no pending deliveries', async () => {
    const sink = await receiver(() => 500)
    const queue = openQueue()
    queue.subscribe(sink.url)
    queue.emit()
    await queue.until(([row]) => row?.attempts.length === 1)
    await loadRecords({ ...queue, records: new Records(webhookRecords, webhookTraces) }, queue.workspace, {})
    await queue.advance(100 * HOUR)
    expect(sink.requests).toHaveLength(1)
    expect(queue.log()).toEqual([])
  })
})

test('sends pending deliveries to the new URL after a change', async () => {
  const [old, current] = [await receiver(() => 500), await receiver()]
  const queue = openQueue()
  const made = queue.subscribe(old.url)
  queue.emit()
  await queue.until(([row]) => row?.attempts.length === 1)
  queue.webhooks.subscriptions.update(queue.workspace, made, { url: current.url })
  await queue.advance(6 * SECOND)
  expect(old.requests).toHaveLength(1)
  expect(current.requests.map(({ body }) => body)).toEqual(old.requests.map(({ body }) => body))
  expect(queue.log()).toMatchObject([{ status: 'delivered', url: current.url }])
})

describe('clock', () => {
  test('that is frozen delays retries, but not deliveries that are due at once', async () => {
    const sink = await receiver(() => 500)
    const queue = openQueue()
    queue.subscribe(sink.url)
    queue.emit()
    await queue.until(([row]) => row?.attempts.length === 1)
    queue.workspace.clock.set(START_TIME + 4 * SECOND, true)
    await queue.webhooks.sendDue(queue.workspace)
    expect(sink.requests).toHaveLength(1)
    queue.emit()
    await sink.received(2)
  })

  test('that is set forward sends due deliveries automatically', async () => {
    const sink = await receiver((_received, index) => (index === 0 ? 500 : 200))
    const queue = openQueue()
    queue.subscribe(sink.url)
    queue.emit()
    await queue.until(([row]) => row?.attempts.length === 1)
    queue.workspace.clock.set(START_TIME + 6 * SECOND, true)
    const [row] = await queue.until(delivered)
    expect(row?.attempts.map(({ at }) => at)).toEqual([iso(START_TIME), iso(START_TIME + 6 * SECOND)])
  })

  test('that runs sends a retry when it is due', async () => {
    const schedule = { delays: [0, 20], jitter: 0 }
    const sink = await receiver((_received, index) => (index === 0 ? 500 : 200))
    const queue = openQueue({ profiles: [profile({ interface: 'pos', schedule })] })
    queue.workspace.clock.set(START_TIME, false)
    queue.subscribe(sink.url)
    queue.emit()
    const [row] = await queue.until(delivered)
    const [first, second] = (row?.attempts ?? []).map(({ at }) => Date.parse(at))
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(20)
  })

  test('of one workspace does not affect another', async () => {
    const sink = await receiver(() => 500)
    const queue = openQueue()
    const other = queue.makeWorkspace()
    queue.subscribe(sink.url)
    queue.subscribe(sink.url, {}, other)
    queue.emit()
    queue.emit('sale.completed', {}, other)
    await queue.until(([row]) => row?.attempts.length === 1)
    await queue.until(([row]) => row?.attempts.length === 1, other)
    await queue.advance(6 * SECOND, other)
    expect(queue.log()).toMatchObject([{ attempts: [{ status: 500 }] }])
    expect(queue.log(other)[0]?.attempts).toHaveLength(2)
  })
})

describe('earliest due time', () => {
  test('considers only pending deliveries', async () => {
    const sink = await receiver((_received, index) => (index === 0 ? 500 : 200))
    const queue = openQueue({ start: false })
    const other = queue.makeWorkspace()
    queue.subscribe(sink.url)
    expect(queue.webhooks.earliestDue(queue.workspace)).toBe(Infinity)
    queue.emit()
    expect(queue.webhooks.earliestDue(queue.workspace)).toBe(START_TIME)
    expect(queue.webhooks.earliestDue(other)).toBe(Infinity)
    await queue.webhooks.sendDue(queue.workspace)
    const [row] = queue.log()
    expect(queue.webhooks.earliestDue(queue.workspace)).toBe(row?.nextAttemptAt)
    await queue.advance(6 * SECOND)
    expect(queue.webhooks.earliestDue(queue.workspace)).toBe(Infinity)
  })

  test('includes attempts in progress, which are pending until they are recorded', async () => {
    const skip = skippableTime()
    const sink = await receiver(neverResponds)
    const queue = openQueue({ timeoutMs: 1000 })
    queue.subscribe(sink.url)
    queue.emit()
    await sink.received(1)
    expect(queue.webhooks.earliestDue(queue.workspace)).toBe(START_TIME)
    const sent = queue.webhooks.sendDue(queue.workspace)
    await skip(1000)
    await sent
    expect(queue.webhooks.earliestDue(queue.workspace)).toBeGreaterThan(START_TIME)
    expect(sink.requests).toHaveLength(1)
  })
})

describe('log', () => {
  test('is newest first, limited, and filtered by interface, event and status', async () => {
    const sink = await receiver(({ headers }) => (headers['x-service-event'] === 'bad' ? 500 : 200))
    const queue = openQueue({ start: false })
    const other = queue.makeWorkspace()
    queue.subscribe(sink.url)
    queue.subscribe(sink.url, { interface: 'crm' })
    queue.subscribe(sink.url, {}, other)
    const crm = { interface: 'crm', name: 'good', data: {}, record: null }
    queue.emit('good')
    queue.workspace.write(() => queue.workspace.append(crm))
    queue.emit('bad')
    queue.emit('good', {}, other)
    await queue.webhooks.sendDue(queue.workspace)
    const names = (query: object) =>
      queue.webhooks
        .list(queue.workspace, { limit: 10, ...query })
        .map((row) => `${row.interface} ${row.event} ${row.status}`)
    expect(names({})).toEqual(['pos bad pending', 'crm good delivered', 'pos good delivered'])
    expect(names({ limit: 2 })).toEqual(['pos bad pending', 'crm good delivered'])
    expect(names({ limit: 1 })).toEqual(['pos bad pending'])
    expect(names({ interface: 'crm' })).toEqual(['crm good delivered'])
    expect(names({ event: 'good' })).toEqual(['crm good delivered', 'pos good delivered'])
    expect(names({ event: 'good', interface: 'pos' })).toEqual(['pos good delivered'])
    expect(names({ status: 'pending' })).toEqual(['pos bad pending'])
    expect(names({ status: 'delivered' })).toEqual(['crm good delivered', 'pos good delivered'])
    expect(names({ status: 'dead' })).toEqual([])
    expect(names({ event: 'other' })).toEqual([])
  })
})

describe('Retry-After', () => {
  test.each<[what: string, status: number, headers: Record<string, string>, seconds: number]>([
    ['seconds', 429, { 'retry-after': '120' }, 120],
    ['seconds', 503, { 'retry-after': ' 120' }, 120],
    ['fewer seconds than the schedule', 429, { 'retry-after': '1' }, 5],
    ['years', 429, { 'retry-after': '99999999' }, 86_400],
    [
      'a date relative to the Date header',
      503,
      { 'retry-after': 'Tue, 01 Jan 2030 00:10:00 GMT', date: 'Tue, 01 Jan 2030 00:00:00 GMT' },
      600,
    ],
    ['nonsense', 503, { 'retry-after': 'soon' }, 5],
    ['seconds of a response with another status', 500, { 'retry-after': '120' }, 5],
  ])('with %s of a %i', async (_what, status, headers, seconds) => {
    const sink = await receiver()
    sink.behave((_received, _index, response) => {
      response.sendDate = !('date' in headers)
      response.writeHead(status, { 'content-length': 0, ...headers }).end()
      return undefined
    })
    const pos = profile({ interface: 'pos', schedule: { delays: [0, 5 * SECOND, SECOND], jitter: 0 } })
    const queue = openQueue({ start: false, profiles: [pos] })
    queue.subscribe(sink.url)
    queue.emit('sale.completed')
    await queue.webhooks.sendDue(queue.workspace)
    expect(queue.log()).toMatchObject([
      { status: 'pending', nextAttemptAt: START_TIME + seconds * SECOND, attempts: [{ status }] },
    ])
  })
})

test('deactivates the subscription of a receiver that returns 410', async () => {
  const sink = await receiver()
  const queue = openQueue({ start: false })
  const { id } = queue.subscribe(sink.url)
  const other = queue.subscribe(sink.url)
  queue.emit('sale.completed')
  queue.emit('sale.completed')
  sink.behave((_received, index) => (index < 2 ? 410 : 200))
  await queue.webhooks.sendDue(queue.workspace)
  queue.emit('sale.completed')
  expect(queue.log().filter(({ status }) => status === 'pending')).toEqual([])
  expect([findSubscription(queue.workspace, id), findSubscription(queue.workspace, other.id)]).toMatchObject([
    { active: false },
    { active: false },
  ])
  expect(sink.requests.length).toBeLessThanOrEqual(4)
})
