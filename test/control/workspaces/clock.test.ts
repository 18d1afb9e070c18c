import { describe, expect, test } from 'vitest'
import { controlApp, error, makeWorkspace } from '../app.ts'
import { unreachableUrl } from '../../support/webhooks.ts'
import { receiver, status } from '../receiver.ts'

const NOON = '2030-01-01T12:00:00.000Z'
const ACTIVITIES = '/workspace/public/v1/activities'

async function setup() {
  const app = await controlApp()
  const made = await makeWorkspace(app)
  const path = `/workspaces/${made.id}`
  const setClock = (body: object) => app.sim('PUT', `${path}/clock`, { body })
  const advance = (duration: unknown) => app.sim('POST', `${path}/clock/advance`, { body: { duration } })
  const now = async () => (await app.sim('GET', `${path}/clock`)).body.now as string
  const activity = async (title: string, dueDate: string) =>
    app.call('POST', ACTIVITIES, made.key, { title, type: 'task', dueDate })
  const statuses = async () =>
    Object.fromEntries(
      (await app.call('GET', ACTIVITIES, made.key)).body.data.map(
        (each: { title: string; status: string }) => [each.title, each.status],
      ),
    ) as Record<string, string>
  /** The delivered events in the order of their times. */
  const deliveredEvents = async () =>
    (await app.sim('GET', `${path}/deliveries?limit=1000`)).body.data
      .map(
        ({ event, payload }: { event: string; payload: { createdAt: string; data: { title?: string } } }) => [
          event,
          payload.data.title,
          payload.createdAt,
        ],
      )
      .reverse() as unknown[]
  return { ...app, ...made, app, path, setClock, advance, now, activity, statuses, deliveredEvents }
}

describe('a clock that is set back', () => {
  test('names the records that are now in its future, and is silent without any', async () => {
    const { setClock, activity, advance } = await setup()
    await setClock({ now: NOON, frozen: true })
    await activity('Call', '2030-02-01T12:00:00Z')
    await activity('Visit', '2030-02-01T12:00:00Z')
    expect((await setClock({ now: NOON })).body).toEqual({ now: NOON, frozen: true })
    expect((await setClock({ now: '2030-01-01T11:59:59.999Z' })).body.hint).toBe(
      '2 records have a creation in the future now: 2 catalog.activities. They stay as they are; lists by date show them as the newest.',
    )
    expect((await advance('PT1S')).body.hint).toBeUndefined()
    expect((await setClock({ now: NOON })).body.hint).toBeUndefined()
  })
})

describe('reading the clock', () => {
  test('shows the real time by default', async () => {
    const { sim, path } = await setup()
    const before = Date.now()
    const { status: code, body } = await sim('GET', `${path}/clock`)
    const currentTime = Date.parse(body.now as string)
    expect(code).toBe(200)
    expect(body).toEqual({ now: expect.any(String), frozen: false })
    expect(currentTime).toBeGreaterThanOrEqual(before)
    expect(currentTime).toBeLessThanOrEqual(Date.now())
  })

  test('returns 404 for an unknown workspace', async () => {
    const { sim } = await controlApp()
    for (const [method, path, body] of [
      ['GET', 'clock', undefined],
      ['PUT', 'clock', { frozen: 'broken' }],
      ['POST', 'clock/advance', {}],
    ] as const) {
      const answer = await sim(method, `/workspaces/nobody/${path}`, { body })
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual(error('not_found', 'There is no workspace nobody.'))
    }
  })
})

describe('setting the clock', () => {
  test('to a frozen time stops it there', async () => {
    const { setClock, now } = await setup()
    const answer = await setClock({ now: '2030-01-01T13:00:00+01:00', frozen: true })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ now: NOON, frozen: true })
    expect(await now()).toBe(NOON)
  })

  test('to a time lets it continue from there', async () => {
    const { setClock, now } = await setup()
    const answer = await setClock({ now: NOON })
    expect(answer.body.frozen).toBe(false)
    const elapsed = Date.parse(await now()) - Date.parse(NOON)
    expect(elapsed).toBeGreaterThanOrEqual(0)
    expect(elapsed).toBeLessThan(60_000)
  })

  test('to frozen or running without a time keeps the time', async () => {
    const { setClock } = await setup()
    await setClock({ now: NOON, frozen: true })
    const running = await setClock({ frozen: false })
    expect(running.body.frozen).toBe(false)
    expect(running.body.now).toMatch(/^2030-01-01T12:00/)
    const frozen = await setClock({ frozen: true })
    expect(frozen.body.frozen).toBe(true)
    expect(frozen.body.now).toMatch(/^2030-01-01T12:00/)
  })

  test('without fields changes nothing', async () => {
    const { sim, path, setClock } = await setup()
    await setClock({ now: NOON, frozen: true })
    expect((await setClock({})).body).toEqual({ now: NOON, frozen: true })
    expect((await sim('PUT', `${path}/clock`)).body).toEqual({ now: NOON, frozen: true })
  })

  test('to a time without frozen keeps it frozen', async () => {
    const { setClock } = await setup()
    await setClock({ now: NOON, frozen: true })
    expect((await setClock({ now: '2031-01-01T00:00:00Z' })).body).toEqual({
      now: '2031-01-01T00:00:00.000Z',
      frozen: true,
    })
  })

  test('forward runs due jobs, and backward does not undo them', async () => {
    const { setClock, activity, statuses } = await setup()
    await setClock({ now: NOON, frozen: true })
    await activity('soon', '2030-01-02T00:00:00Z')
    await activity('later', '2030-01-03T00:00:00Z')
    await setClock({ now: '2030-01-01T23:59:59.999Z' })
    expect(await statuses()).toEqual({ soon: 'pending', later: 'pending' })
    await setClock({ now: '2030-01-02T00:00:00Z' })
    expect(await statuses()).toEqual({ soon: 'overdue', later: 'pending' })
    await setClock({ now: '2029-01-01T00:00:00Z' })
    expect(await statuses()).toEqual({ soon: 'overdue', later: 'pending' })
  })

  test('affects only one workspace', async () => {
    const { app, sim, setClock } = await setup()
    const other = await makeWorkspace(app)
    await setClock({ now: NOON, frozen: true })
    const { body } = await sim('GET', `/workspaces/${other.id}/clock`)
    expect(body.frozen).toBe(false)
    expect(body.now < NOON).toBe(true)
  })

  test.each([
    [{ now: 'noon' }, 'now'],
    [{ now: 0 }, 'now'],
    [{ now: null }, 'now'],
    [{ now: '2030-02-30T00:00:00Z' }, 'now'],
    [{ now: '10000-01-01T00:00:00Z' }, 'now'],
    [{ frozen: 'true' }, 'frozen'],
  ])('refuses %j and changes nothing', async (body, field) => {
    const { setClock, now } = await setup()
    await setClock({ now: NOON, frozen: true })
    const answer = await setClock(body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.details[0].field).toBe(field)
    expect(await now()).toBe(NOON)
  })
})

describe('advancing the clock', () => {
  test.each([
    ['PT0S', NOON],
    ['PT1H', '2030-01-01T13:00:00.000Z'],
    ['PT0.5S', '2030-01-01T12:00:00.500Z'],
    ['P1D', '2030-01-02T12:00:00.000Z'],
    ['P1M', '2030-02-01T12:00:00.000Z'],
    ['P1Y2M3DT4H5M6S', '2031-03-04T16:05:06.000Z'],
    ['P2W', '2030-01-15T12:00:00.000Z'],
  ])('by %s leads to %s', async (duration, expected) => {
    const { setClock, advance } = await setup()
    await setClock({ now: NOON, frozen: true })
    const answer = await advance(duration)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      now: expected,
      frozen: true,
      complete: true,
      ran: [],
      deliveries: { sent: 0, pending: 0 },
    })
  })

  test('lets a running clock continue from the new time', async () => {
    const { setClock, advance } = await setup()
    await setClock({ now: NOON })
    const { body } = await advance('P1D')
    expect(body.frozen).toBe(false)
    expect(body.now).toMatch(/^2030-01-02T12:00/)
  })

  test.each(['-PT1H', 'PT-1H', 'P1D-', '1 hour', '', 'P', 'PT', 'P9000Y', 'pt1h', '+PT1H'])(
    'refuses "%s" and changes nothing',
    async (duration) => {
      const { setClock, advance, now } = await setup()
      await setClock({ now: NOON, frozen: true })
      const answer = await advance(duration)
      expect(answer.status).toBe(400)
      expect(answer.body.error.code).toBe('validation_error')
      expect(answer.body.error.details[0].field).toBe('duration')
      expect(await now()).toBe(NOON)
    },
  )

  test.each([[undefined], [3600], [null], [{}]])('refuses %j', async (duration) => {
    const { advance } = await setup()
    const answer = await advance(duration)
    expect(answer.status).toBe(400)
    expect(answer.body.error.details[0].field).toBe('duration')
  })

  test('refuses a missing body', async () => {
    const { sim, path } = await setup()
    expect((await sim('POST', `${path}/clock/advance`)).status).toBe(400)
  })

  test('runs the jobs that become due, each at its own time and in order', async () => {
    const { sim, path, setClock, advance, activity, statuses, deliveredEvents } = await setup()
    const { url } = await receiver()
    await setClock({ now: NOON, frozen: true })
    await activity('third', '2030-01-01T15:00:00Z')
    await activity('first', '2030-01-01T13:00:00Z')
    await activity('second', '2030-01-01T14:00:00Z')
    await activity('never', '2030-01-01T15:00:00.001Z')
    const body = { interface: 'catalog', url, events: ['activity.overdue'] }
    await sim('POST', `${path}/subscriptions`, { body })

    await advance('PT3H')
    expect(await statuses()).toEqual({
      first: 'overdue',
      second: 'overdue',
      third: 'overdue',
      never: 'pending',
    })
    expect(await deliveredEvents()).toEqual([
      ['activity.overdue', 'first', '2030-01-01T13:00:00.000Z'],
      ['activity.overdue', 'second', '2030-01-01T14:00:00.000Z'],
      ['activity.overdue', 'third', '2030-01-01T15:00:00.000Z'],
    ])
  })

  test('makes every retry of a webhook at its time in one big step, and gives up after the last', async () => {
    const { sim, path, setClock, advance } = await setup()
    const { url, received } = await receiver(status(503))
    await setClock({ now: NOON, frozen: true })
    await sim('POST', `${path}/subscriptions`, { body: { interface: 'pos', url } })
    await sim('POST', `${path}/triggers/pos.event.emit`, { body: { event: 'stock.low' } })
    const answer = await advance('P2D')
    expect(answer.body.now).toBe('2030-01-03T12:00:00.000Z')

    const { data } = (await sim('GET', `${path}/deliveries`)).body as {
      data: { status: string; nextAttemptAt: string | null; attempts: { at: string; status: number }[] }[]
    }
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({ status: 'dead', nextAttemptAt: null })
    const times = data[0]?.attempts.map(({ at }) => at) ?? []
    expect(times).toHaveLength(8)
    expect(times).toEqual([...times].sort())
    expect(new Set(times).size).toBe(8)
    expect(times[0]).toBe(NOON)
    expect(received).toHaveLength(8)
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
  })

  test('keeps the order of a record in one big step: later events wait for the retries of the first', async () => {
    const { app, sim, id, path, setClock, advance } = await setup()
    // The first dies after eight failures; the second is accepted on its third attempt.
    const { url, received } = await receiver((response, count) => {
      response.writeHead(count <= 10 ? 503 : 200).end()
    })
    await setClock({ now: NOON, frozen: true })
    await sim('POST', `${path}/subscriptions`, { body: { interface: 'pos', url } })
    const workspace = app.workspaces.get(id)
    workspace.write(() => {
      for (const step of [1, 2, 3]) {
        workspace.append({ interface: 'pos', name: 'stock.low', data: { step }, record: 'one' })
      }
    })
    await advance('P2D')
    const steps = received.map(({ body }) => (JSON.parse(body) as { data: { step: number } }).data.step)
    expect(steps).toEqual([...Array<number>(8).fill(1), 2, 2, 2, 3])
    const { data } = (await sim('GET', `${path}/deliveries`)).body as { data: { status: string }[] }
    expect(data.map(({ status: one }) => one)).toEqual(['delivered', 'delivered', 'dead'])
  })

  test('makes exactly the retries that become due', async () => {
    const { sim, path, setClock, advance } = await setup()
    const { url, received } = await receiver(status(500))
    await setClock({ now: NOON, frozen: true })
    await sim('POST', `${path}/subscriptions`, { body: { interface: 'pos', url } })
    await sim('POST', `${path}/triggers/pos.event.emit`, { body: { event: 'stock.low' } })
    await advance('PT0S')
    expect(received).toHaveLength(1)
    // The second attempt is made after 5 s, plus or minus ten percent.
    await advance('PT4.4S')
    expect(received).toHaveLength(1)
    await advance('PT1.2S')
    expect(received).toHaveLength(2)
  })

  test('alternates jobs and retries in order of their due times', async () => {
    const { sim, path, setClock, advance, activity } = await setup()
    const { url, received } = await receiver((response, count) => {
      response.writeHead(count === 1 ? 500 : 200).end()
    })
    await setClock({ now: NOON, frozen: true })
    await sim('POST', `${path}/subscriptions`, { body: { interface: 'catalog', url } })
    // The first attempt fails, and the next is made after 5 s; overdue after 8 s and 2 s.
    await activity('first', '2030-01-01T12:00:08Z')
    await activity('second', '2030-01-01T12:00:02Z')
    await advance('PT1M')
    const order = received.map(({ body }) => {
      const { event, data } = JSON.parse(body) as { event: string; data: { title: string } }
      return `${event} ${data.title}`
    })
    expect(order[0]).toBe('activity.created first')
    expect(order.slice(2)).toEqual([
      'activity.overdue second',
      'activity.created first',
      'activity.overdue first',
    ])
  })

  test('delays later events of a record until the retry of an earlier one succeeds', async () => {
    const { sim, path, setClock, advance, activity } = await setup()
    const { url, received } = await receiver((response, count) => {
      response.writeHead(count === 1 ? 500 : 200).end()
    })
    await setClock({ now: NOON, frozen: true })
    await sim('POST', `${path}/subscriptions`, { body: { interface: 'catalog', url } })
    // Becomes overdue before the retry of the event of its creation.
    await activity('early', '2030-01-01T12:00:02Z')
    await advance('PT1M')
    expect(received.map(({ body }) => (JSON.parse(body) as { event: string }).event)).toEqual([
      'activity.created',
      'activity.created',
      'activity.overdue',
    ])
  })

  test('runs two simultaneous advances in sequence', async () => {
    const { setClock, advance, now } = await setup()
    await setClock({ now: NOON, frozen: true })
    const answers = await Promise.all([advance('PT1H'), advance('PT1H'), advance('PT30M')])
    expect(answers.map(({ body }) => body.now as string)).toEqual([
      '2030-01-01T13:00:00.000Z',
      '2030-01-01T14:00:00.000Z',
      '2030-01-01T14:30:00.000Z',
    ])
    expect(await now()).toBe('2030-01-01T14:30:00.000Z')
  })

  test('returns a conflict if the workspace is reset during the advance, and does not affect the reset', async () => {
    let arrive = (): void => undefined
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    let finish = (): void => undefined
    const { sim, path, setClock, advance, now } = await setup()
    const { url } = await receiver((response) => {
      finish = () => response.end()
      arrive()
    })
    await setClock({ now: NOON, frozen: true })
    await sim('POST', `${path}/subscriptions`, { body: { interface: 'pos', url } })
    await sim('POST', `${path}/triggers/pos.event.emit`, { body: { event: 'stock.low' } })
    const advancing = advance('P1D')
    await arrived
    expect((await sim('POST', `${path}/reset`)).status).toBe(204)
    finish()
    const answer = await advancing
    expect(answer.status).toBe(409)
    expect(answer.body.error.code).toBe('conflict')
    expect((await now()) < NOON).toBe(true)
  })
})

describe('the result of an advance', () => {
  test('lists the jobs run and the deliveries sent, and is complete', async () => {
    const { sim, path, setClock, advance, activity } = await setup()
    const { url } = await receiver(status(503))
    await setClock({ now: NOON, frozen: true })
    await sim('POST', `${path}/subscriptions`, { body: { interface: 'pos', url } })
    await sim('POST', `${path}/triggers/pos.event.emit`, { body: { event: 'stock.low' } })
    await activity('first', '2030-01-01T12:00:08Z')
    expect((await advance('P2D')).body).toEqual({
      now: '2030-01-03T12:00:00.000Z',
      frozen: true,
      complete: true,
      ran: [{ job: 'catalog.activity.overdue', count: 1 }],
      deliveries: { sent: 8, pending: 0 },
    })
  })

  test('lists a receiver that did not respond and that delayed no other', async () => {
    const { sim, path, setClock } = await setup()
    const hanging = await receiver(() => undefined)
    const failing = await receiver(status(503))
    await setClock({ now: NOON, frozen: true })
    for (const { url } of [hanging, failing]) {
      await sim('POST', `${path}/subscriptions`, { body: { interface: 'pos', url } })
    }
    await sim('POST', `${path}/triggers/pos.event.emit`, { body: { event: 'stock.low' } })
    const { body } = await sim('POST', `${path}/clock/advance`, { body: { duration: 'P2D', waitMs: 1500 } })
    expect(body).toMatchObject({ complete: false, deliveries: { sent: 8, pending: 1 } })
    expect(body.now).toBe('2030-01-03T12:00:00.000Z')
    expect(failing.received).toHaveLength(8)
    expect(hanging.received).toHaveLength(1)
    const { data } = (await sim('GET', `${path}/deliveries?status=dead`)).body as {
      data: { attempts: { at: string }[] }[]
    }
    expect(new Set(data[0]?.attempts.map(({ at }) => at)).size).toBe(8)
  })

  test('is returned at once without waiting', async () => {
    const { sim, path, setClock } = await setup()
    const { url } = await receiver(() => undefined)
    await setClock({ now: NOON, frozen: true })
    await sim('POST', `${path}/subscriptions`, { body: { interface: 'pos', url } })
    await sim('POST', `${path}/triggers/pos.event.emit`, { body: { event: 'stock.low' } })
    const { body } = await sim('POST', `${path}/clock/advance`, { body: { duration: 'PT1H', waitMs: 0 } })
    expect(body).toMatchObject({ complete: false, deliveries: { pending: 1 } })
  })

  test('has all deliveries to an unreachable port dead in the end, each attempted at its own times', async () => {
    const { app, path, key, sim, setClock, advance } = await setup()
    const live = await receiver()
    await setClock({ now: NOON, frozen: true })
    for (const url of [await unreachableUrl(), live.url]) {
      await sim('POST', `${path}/subscriptions`, { body: { interface: 'catalog', url } })
    }
    const names = Array.from({ length: 60 }, (_, index) => `Product ${String(index)}`)
    for (const name of names) {
      const made = await app.call('POST', '/workspace/public/v1/products', key, { name, type: 'physical' })
      // Later events of the same product wait until the first is dead.
      if (name.endsWith('0'))
        await app.call('PUT', `/workspace/public/v1/products/${made.body.data.id as string}`, key, {
          name: `${name}, new`,
        })
    }
    const all = names.length + 6
    const { body } = await advance('P30D')
    expect(body).toMatchObject({ complete: true, deliveries: { pending: 0 } })
    const list = async (status: string) =>
      (await sim('GET', `${path}/deliveries?status=${status}&limit=1000`)).body.data as {
        attempts: { at: string; status: number | null; error: string | null; durationMs: number }[]
      }[]
    const dead = await list('dead')
    expect(dead).toHaveLength(all)
    for (const { attempts } of dead) {
      expect(attempts).toHaveLength(8)
      expect(attempts.every(({ status, error }) => status === null && error === 'connection refused')).toBe(
        true,
      )
      const times = attempts.map(({ at }) => Date.parse(at))
      const minutes = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 60_000)
      for (const [index, expectedDelay] of [5 / 60, 5, 30, 120, 300, 600, 600].entries()) {
        expect(Math.abs((minutes[index] ?? 0) - expectedDelay)).toBeLessThanOrEqual(
          expectedDelay / 10 + 0.001,
        )
      }
    }
    expect(await list('delivered')).toHaveLength(all)
    const { body: timeline } = await sim('GET', `${path}/timeline?kind=delivery&limit=1000`)
    const refusals = (timeline.data as { at: string; title: string }[])
      .filter(({ title }) => title.endsWith('connection refused'))
      .map(({ at }) => at)
    expect(refusals).toHaveLength(8 * all)
    expect(refusals).toEqual(refusals.toSorted().reverse())
  })

  test.each([-1, 60_001, '5', 1.5])('refuses waitMs %j', async (waitMs) => {
    const { sim, path } = await setup()
    const answer = await sim('POST', `${path}/clock/advance`, { body: { duration: 'PT1H', waitMs } })
    expect(answer.status).toBe(400)
  })
})
