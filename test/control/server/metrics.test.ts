/** The metrics: their format, their names, and what they count. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { METRICS } from '../../../src/control/server/metricsList.ts'
import { DURATION_BOUNDS, RequestDurations } from '../../../src/http/server/logging/requestDurations.ts'
import { DATA_FORMAT } from '../../../src/state/storage/database/database.ts'
import { parseExposition, type Family, type Labels } from '../../support/exposition.ts'
import { scratchFolder } from '../../support/process.ts'
import { PUBLISHED } from '../../support/published.ts'
import { controlApp, makeWorkspace, type ControlApp } from '../app.ts'
import { receiver, status } from '../receiver.ts'

const PRODUCTS = '/workspace/public/v1/products'

async function scrape({ fastify }: ControlApp): Promise<ReadonlyMap<string, Family>> {
  const { payload, headers, statusCode } = await fastify.inject('/_sim/metrics')
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  return parseExposition(payload)
}

/** Returns the value of the only series with these labels; 0 without one. */
function valueOf(families: ReadonlyMap<string, Family>, name: string, labels: Labels = {}): number {
  const family = [...families.values()].find(({ samples }) => samples.some((sample) => sample.name === name))
  const found = (family?.samples ?? []).filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )
  expect(found.length).toBeLessThanOrEqual(1)
  return found[0]?.value ?? 0
}

const answered = (families: ReadonlyMap<string, Family>, area: string, statusClass: string): number =>
  valueOf(families, 'suite_sim_http_request_duration_seconds_count', {
    interface: area,
    status_class: statusClass,
  })

describe('the parser of these tests', () => {
  const head = '# HELP a_total a\n# TYPE a_total counter\n'
  const histogram = (lines: string): string => `# HELP h h\n# TYPE h histogram\n${lines}`
  test.each([
    ['a sample without a type', 'a_total 1\n', 'does not follow'],
    ['two types', `${head}# TYPE a_total counter\n`, 'two TYPE'],
    ['a counter without _total', '# HELP a a\n# TYPE a counter\na 1\n', 'must end with _total'],
    ['a gauge with _total', '# HELP a_total a\n# TYPE a_total gauge\n', 'no counter'],
    ['a series twice', `${head}a_total{x="1",y="2"} 1\na_total{y="2",x="1"} 1\n`, 'occurs twice'],
    ['a label twice', `${head}a_total{x="1",x="2"} 1\n`, 'occurs twice'],
    ['a label without quotes', `${head}a_total{x=1} 1\n`, 'not a label'],
    ['a negative counter', `${head}a_total -1\n`, 'is a counter of -1'],
    ['a text as value', `${head}a_total one\n`, 'not a number'],
    ['no line feed at the end', `${head}a_total 1`, 'end with a line feed'],
    [
      'decreasing buckets',
      histogram('h_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n'),
      'increase',
    ],
    ['a count unlike +Inf', histogram('h_bucket{le="+Inf"} 1\nh_sum 1\nh_count 2\n'), 'equals its count'],
    ['no bucket +Inf', histogram('h_bucket{le="1"} 1\nh_sum 1\nh_count 1\n'), 'equals its count'],
  ])('refuses %s', (_what, text, message) => {
    expect(() => parseExposition(text)).toThrow(message)
  })

  test('reads escaped labels', () => {
    const parsed = parseExposition(`${head}a_total{x="a \\"b\\" \\\\ \\n c"} 1\n`)
    expect(parsed.get('a_total')?.samples).toEqual([
      { name: 'a_total', labels: { x: 'a "b" \\ \n c' }, value: 1 },
    ])
  })
})

describe('durations', () => {
  test('count a request in the first bucket whose bound it does not exceed', () => {
    const durations = new RequestDurations()
    durations.record('pos', 200, 1)
    durations.record('pos', 200, 1.001)
    durations.record('pos', 200, 60_000)
    durations.record('pos', 200, 60_001)
    const [found] = durations.all()
    expect(found).toMatchObject({ area: 'pos', statusClass: '2xx', count: 4 })
    expect(found?.sum).toBeCloseTo(120.003001, 6)
    expect(found?.cumulative).toHaveLength(DURATION_BOUNDS.length)
    expect(found?.cumulative.slice(0, 2)).toEqual([1, 2])
    expect(found?.cumulative.slice(-2)).toEqual([2, 3])
  })

  test('have a class for each first digit of a status, and one without a response', () => {
    const durations = new RequestDurations()
    for (const each of [0, 101, 204, 304, 404, 503]) durations.record('crm', each, 1)
    expect([...durations.all()].map(({ statusClass }) => statusClass)).toEqual([
      'none',
      '1xx',
      '2xx',
      '3xx',
      '4xx',
      '5xx',
    ])
  })
})

describe('metrics', () => {
  test('have the declared types and labels, and base units', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app)
    await app.sim('POST', `/workspaces/${id}/subscriptions`, {
      body: { interface: 'catalog', url: 'http://127.0.0.1:9/hook' },
    })
    await app.call('POST', PRODUCTS, key, { name: 'Desk', type: 'physical' })
    const families = await scrape(app)
    for (const { name, type, help, labels = [] } of METRICS) {
      const family = families.get(name)
      expect(family).toMatchObject({ name, type, help })
      expect(name).toMatch(/^suite_sim_[a-z_]+$/)
      expect(name).not.toMatch(/_(?:ms|milliseconds|minutes|kilobytes|megabytes|kib|mib)(?:_|$)/)
      for (const sample of family?.samples ?? []) {
        const { le: _bound, ...own } = sample.labels
        expect(Object.keys(own), name).toEqual([...labels])
      }
    }
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'process_heap_bytes',
      'process_open_fds',
      'process_start_time_seconds',
      'nodejs_heap_size_used_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ]) {
      expect(families.get(name)?.samples.length, name).toBeGreaterThan(0)
    }
    // Undefined until the first measurement.
    for (const { name, samples } of families.values())
      for (const { value } of samples) expect(Number.isFinite(value), name).toBe(true)
  })

  test('never have a workspace, a key or a path in a label', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app)
    await app.call('GET', `${PRODUCTS}/pro_secret`, key)
    await app.call('GET', '/nowhere/special', key)
    await app.call('GET', PRODUCTS, 'key-of-nobody')
    await app.sim('GET', `/workspaces/${id}`)
    const { payload } = await app.fastify.inject('/_sim/metrics')
    for (const text of [id, key, 'pro_secret', 'special', 'key-of-nobody'])
      expect(payload).not.toContain(text)
  })

  test('count requests by interface and status class', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app)
    const before = await scrape(app)
    await app.call('POST', PRODUCTS, key, { name: 'Desk', type: 'physical' })
    await app.call('GET', `${PRODUCTS}/nobody`, key)
    await app.call('GET', PRODUCTS, 'wrong')
    await app.call('GET', '/nowhere', key)
    await app.fastify.inject('/')
    await app.fastify.inject('/pay/links/nothing')
    await app.fastify.inject('/files/nothing')
    await app.sim('GET', `/workspaces/${id}`)
    await app.sim('POST', `/workspaces/${id}/faults`, { body: { interface: 'catalog', status: 503 } })
    await app.call('GET', PRODUCTS, key)
    const after = await scrape(app)
    const added = (area: string, statusClass: string): number =>
      answered(after, area, statusClass) - answered(before, area, statusClass)
    expect(added('catalog', '2xx')).toBe(1)
    expect(added('catalog', '4xx')).toBe(2)
    expect(added('catalog', '5xx')).toBe(1)
    expect(added('other', '4xx')).toBe(1)
    expect(added('other', '2xx')).toBe(1)
    expect(added('pages', '4xx')).toBe(1)
    expect(added('files', '4xx')).toBe(1)
    // The two calls, and the first scrape.
    expect(added('control', '2xx')).toBe(3)
    const unmatched = 'suite_sim_unmatched_requests_total'
    expect(valueOf(after, unmatched) - valueOf(before, unmatched)).toBe(3)
    const created = { interface: 'catalog', operation: 'createProduct', status: '201' }
    const calls = 'suite_sim_requests_total'
    expect(valueOf(after, calls, created) - valueOf(before, calls, created)).toBe(1)
  })

  test('count a call whose connection a fault cuts, without a status', async () => {
    const app = await controlApp({ ownApp: true })
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const { id, key } = await makeWorkspace(app)
    await app.sim('POST', `/workspaces/${id}/faults`, { body: { interface: 'catalog', reset: true } })
    await expect(fetch(url + PRODUCTS, { headers: { authorization: `Bearer ${key}` } })).rejects.toThrow()
    await expect.poll(async () => answered(await scrape(app), 'catalog', 'none')).toBe(1)
  })

  test('do not decrease when the workspace that they count is deleted', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app)
    await app.call('POST', PRODUCTS, key, { name: 'Desk', type: 'physical' })
    const read = async (): Promise<number[]> => {
      const families = await scrape(app)
      return [
        valueOf(families, 'suite_sim_requests_total', { operation: 'createProduct', status: '201' }),
        valueOf(families, 'suite_sim_events_total', { interface: 'catalog', event: 'product.created' }),
        valueOf(families, 'suite_sim_workspaces'),
      ]
    }
    const [requests = 0, events = 0, count = 0] = await read()
    expect([requests > 0, events > 0]).toEqual([true, true])
    await app.sim('DELETE', `/workspaces/${id}`)
    expect(await read()).toEqual([requests, events, count - 1])
  })

  test('count attempts and the outcomes of webhooks', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const path = `/workspaces/${id}`
    await app.sim('PUT', `${path}/clock`, { body: { now: '2030-01-01T12:00:00.000Z', frozen: true } })
    const emit = () => app.sim('POST', `${path}/triggers/pos.event.emit`, { body: { event: 'stock.low' } })
    const advance = (duration: string) => app.sim('POST', `${path}/clock/advance`, { body: { duration } })
    const sink = await receiver((response, count) => {
      status(count === 1 ? 200 : 500)(response)
    })
    const { body } = await app.sim('POST', `${path}/subscriptions`, {
      body: { interface: 'pos', url: sink.url },
    })
    const before = await scrape(app)
    await emit()
    await advance('PT0S')
    await emit()
    await advance('P10D')
    const attempts = await scrape(app)
    const sent = sink.received.length
    // In flight or not, it is canceled.
    await emit()
    await app.sim('DELETE', `${path}/subscriptions/${(body as { id: string }).id}`)
    const after = await scrape(app)
    const added = (until: typeof after, name: string, outcome: string): number =>
      valueOf(until, name, { interface: 'pos', outcome }) -
      valueOf(before, name, { interface: 'pos', outcome })
    expect(added(attempts, 'suite_sim_delivery_attempts_total', 'succeeded')).toBe(1)
    expect(added(attempts, 'suite_sim_delivery_attempts_total', 'failed')).toBe(sent - 1)
    expect(added(after, 'suite_sim_deliveries_total', 'delivered')).toBe(1)
    expect(added(after, 'suite_sim_deliveries_total', 'dead')).toBe(1)
    expect(added(after, 'suite_sim_deliveries_total', 'canceled')).toBe(1)
  })

  test.each([
    ['suite_sim_delivery_attempts_total', ['succeeded', 'failed']],
    ['suite_sim_deliveries_total', ['delivered', 'dead', 'canceled']],
  ])('have every series of %s from the start, at 0', async (name, outcomes) => {
    const families = await scrape(await controlApp({ ownApp: true }))
    const sending = PUBLISHED.filter(({ definition: { events = [] } }) => events.length > 0)
    expect(sending.length).toBeGreaterThan(0)
    const expected = sending.flatMap((each) =>
      outcomes.map((outcome) => ({ name, labels: { interface: each.definition.name, outcome }, value: 0 })),
    )
    expect(families.get(name)?.samples).toEqual(expected)
  })

  test('report the pending webhooks and how late they are', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app)
    await app.sim('POST', `/workspaces/${id}/subscriptions`, {
      body: { interface: 'catalog', url: 'http://127.0.0.1:9/hook' },
    })
    await app.call('POST', PRODUCTS, key, { name: 'Desk', type: 'physical' })
    const families = await scrape(app)
    expect(valueOf(families, 'suite_sim_deliveries_pending')).toBe(1)
    expect(valueOf(families, 'suite_sim_delivery_lag_seconds')).toBeGreaterThanOrEqual(0)
    expect(valueOf(families, 'suite_sim_deliveries_stuck_seconds')).toBe(0)
  })

  test('report the sizes of the database, its log, the stored files and the disk', async () => {
    const app = await controlApp({ db: join(scratchFolder(), 'suite.sqlite'), fixtures: 'demo' })
    const families = await scrape(app)
    for (const name of ['database', 'wal', 'stored_file', 'disk_free', 'disk_size']) {
      expect(valueOf(families, `suite_sim_${name}_bytes`), name).toBeGreaterThan(1000)
    }
    const inMemory = await scrape(await controlApp())
    expect(valueOf(inMemory, 'suite_sim_database_bytes')).toBeGreaterThan(1000)
    expect(valueOf(inMemory, 'suite_sim_wal_bytes')).toBe(0)
    expect(valueOf(inMemory, 'suite_sim_ready')).toBe(1)
    expect(valueOf(inMemory, 'suite_sim_database_ok')).toBe(1)
    expect(
      valueOf(inMemory, 'suite_sim_build_info', {
        format: String(DATA_FORMAT),
        node: process.versions.node,
      }),
    ).toBe(1)
  })
})
