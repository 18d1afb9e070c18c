/** The client of the control plane, as test suites use it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  connect,
  receiveWebhooks,
  SimulatorError,
  startSimulator,
  type InterfaceName,
} from '@suite-sim/library/index'
import { PUBLISHED } from '../../../test/support/published.ts'
import { freshWorkspace, sharedSimulator } from './simulator.ts'

/** Returns the error with which the promise was rejected. */
const errorOf = async (promise: Promise<unknown>): Promise<SimulatorError> => {
  const error: unknown = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(SimulatorError)
  return error as SimulatorError
}

/** Creates a payment link and returns its id. */
const newLink = async (workspace: Awaited<ReturnType<typeof freshWorkspace>>): Promise<string> => {
  const json = { amount: 1250, currency: 'USD', description: 'Standing desk' }
  const response = await workspace.fetch('payments', '/payment-links', { json })
  expect(response.status).toBe(201)
  const body = (await response.json()) as { data?: { id: string }; id?: string }
  return body.data?.id ?? body.id ?? ''
}

/** The status of the first GET operation of an interface that lacks its record or query; the others return 200. */
const FIRST_ANSWERS: Readonly<Partial<Record<InterfaceName, number>>> = {
  'lite-invoicing': 400,
  meetings: 404,
}

describe('connect', () => {
  test('returns the same client as startSimulator', async () => {
    const { url } = await sharedSimulator()
    for (const end of ['', '/_sim', '/_sim/']) expect((await connect(url + end)).url).toBe(url)
    const simulator = await connect(`${url}/`)
    expect(simulator).toMatchObject({ url, adminUrl: `${url}/_sim`, adminToken: null })
    expect(await simulator.health()).toMatchObject({ status: 'ok' })
    await using workspace = await simulator.workspaces.create({ name: 'Elsewhere' })
    expect(workspace.name).toBe('Elsewhere')
  })

  test('uses SUITE_SIM_URL and the token in SIM_ADMIN_TOKEN', async () => {
    await using started = await startSimulator({ fixtures: 'none', adminToken: 'open-sesame' })
    vi.stubEnv('SUITE_SIM_URL', started.url)
    vi.stubEnv('SIM_ADMIN_TOKEN', 'open-sesame')
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const simulator = await connect()
    expect(simulator.adminToken).toBe('open-sesame')
    expect(await simulator.workspaces.list()).toEqual([])
  })

  test('reports a missing or wrong token on the first call that requires one', async () => {
    await using started = await startSimulator({ fixtures: 'none', adminToken: 'open-sesame' })
    for (const adminToken of [null, 'wrong']) {
      const simulator = await connect(started.url, { adminToken })
      expect(await errorOf(simulator.workspaces.list())).toMatchObject({ status: 401 })
    }
    const simulator = await connect(started.url, { adminToken: 'open-sesame' })
    expect(await simulator.workspaces.list()).toEqual([])
  })

  test('reports the URL and the reason if no server responds', async () => {
    const { url, close } = await startSimulator({ fixtures: 'none' })
    await close()
    const error = await errorOf(connect(url))
    expect(error).toMatchObject({ code: 'unreachable', status: null })
    expect(error.message).toBe(`No simulator responds at ${url}/_sim: ECONNREFUSED`)
  })

  test.each([
    [200, '{"status":"up"}'],
    [200, 'hello'],
    [404, 'not here'],
    [500, '{"error":"no"}'],
  ])('reports the URL if another server responds with %i %s', async (status, body) => {
    const server = createServer((_request, response) => {
      response.writeHead(status).end(body)
    }).listen(0, '127.0.0.1')
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    expect(await errorOf(connect(`http://127.0.0.1:${String(port)}`))).toMatchObject({
      code: 'unexpected_answer',
    })
  })

  test.each(['127.0.0.1:4012', 'ftp://127.0.0.1', 'simulator'])('refuses the URL %s', async (url) => {
    await expect(connect(url)).rejects.toThrow(`connect(): ${url} must be a URL`)
  })
})

describe('simulator', () => {
  test('stops at the end of its block, and may be closed earlier', async () => {
    let url
    {
      await using simulator = await startSimulator({ fixtures: 'none' })
      url = simulator.url
      await simulator.health()
      await simulator.close()
    }
    expect(await errorOf(connect(url))).toMatchObject({ code: 'unreachable' })
  })

  test('has methods that work without the object', async () => {
    const { createWorkspace, call } = await sharedSimulator()
    const { id } = await createWorkspace({ name: 'Loose' })
    expect(await call('getWorkspace', { path: { id } })).toMatchObject({ id, name: 'Loose' })
    await call('deleteWorkspace', { path: { id } })
  })

  test('describes itself', async () => {
    const simulator = await sharedSimulator()
    expect((await simulator.triggers()).map(({ name }) => name)).toContain('payments.link.pay')
    expect((await simulator.machines.list()).length).toBeGreaterThan(10)
    expect(await simulator.machines.get('payments.link')).toMatchObject({ name: 'payments.link' })
    expect((await simulator.coverage()).operations.length).toBeGreaterThan(100)
    expect(await simulator.coverage({ format: 'mermaid' })).toContain('stateDiagram')
    expect(await simulator.metrics()).toContain('# HELP')
    const waiting = simulator.unmatched({ wait: 10, limit: 1 })
    await fetch(`${simulator.url}/nowhere`)
    expect(await waiting).toMatchObject([{ path: '/nowhere', status: 404 }])
    expect(await simulator.openapi('pos')).toMatchObject({ openapi: '3.1.0' })
    expect(await simulator.openapi()).toMatchObject({ openapi: '3.1.0' })
  })

  test('returns to its initial state after a reset', async () => {
    await using simulator = await startSimulator({ fixtures: 'none' })
    await simulator.workspaces.create()
    expect(await simulator.workspaces.list()).toHaveLength(1)
    await simulator.reset()
    expect(await simulator.workspaces.list()).toEqual([])
  })
})

describe('workspaces', () => {
  test('are removed at the end of their block, even if they were already deleted', async () => {
    const simulator = await sharedSimulator()
    let id
    {
      await using workspace = await simulator.workspaces.create()
      await using removedWorkspace = await simulator.workspaces.create()
      id = workspace.id
      expect(await workspace.get()).toMatchObject({ id })
      await removedWorkspace.delete()
    }
    expect(await errorOf(simulator.workspaces.get(id))).toMatchObject({ code: 'not_found', status: 404 })
  })

  test('can be found by id, with a key that has all permissions', async () => {
    const simulator = await sharedSimulator()
    const demo = await simulator.workspaces.get('demo')
    expect(demo).toMatchObject({ id: 'demo', key: 'demo-key', accountId: 1 })
    const { id, key, keys } = await freshWorkspace()
    await keys.delete(key)
    const narrow = await keys.create({ interfaces: ['pos'] })
    const found = await simulator.workspaces.get(id)
    expect([key, narrow.key]).not.toContain(found.key)
    expect((await found.fetch('catalog', '/products')).status).toBe(200)
    expect(await keys.list()).toHaveLength(2)
  })

  test('can be changed, reset, and cloned with their records', async () => {
    const workspace = await freshWorkspace({ currency: 'PAB', timezone: 'America/Panama' })
    expect(await workspace.update({ progression: 'manual' })).toMatchObject({ progression: 'manual' })
    const link = await newLink(workspace)
    await using clone = await workspace.clone({ name: 'Twin' })
    expect(clone).toMatchObject({ name: 'Twin', currency: 'PAB', user: { id: expect.any(String) } })
    expect((await clone.records.get('payments.links', link)).state).toBe('active')
    await workspace.reset()
    expect(await errorOf(workspace.records.get('payments.links', link))).toMatchObject({ status: 404 })
  })

  test('send their key to every interface in the header that it requires', async () => {
    const workspace = await freshWorkspace()
    const stranger = workspace.withKey('wrong')
    for (const { definition, routes } of PUBLISHED) {
      const name = definition.name as InterfaceName
      const path = routes
        .find(({ method }) => method === 'GET')
        ?.path.replace('{account_id}', String(workspace.accountId))
        .replaceAll(/\{\w+\}/g, 'none')
      if (path === undefined) throw new Error(`no operation of ${name} reads`)
      expect((await workspace.fetch(name, path)).status, name + path).toBe(FIRST_ANSWERS[name] ?? 200)
      // Integration payments do not reveal whether a key exists.
      expect((await stranger.fetch(name, path)).status, name).toBe(
        name === 'integration-payments' ? 404 : 401,
      )
    }
    const created = await workspace.fetch('catalog', '/products', {
      json: { name: 'Standing desk', type: 'physical', basePrice: '449.00' },
      headers: { 'x-request-id': 'one' },
    })
    expect(created.status).toBe(201)
  })

  test('have users and keys', async () => {
    const { users, keys, key } = await freshWorkspace()
    const { id } = await users.create({ name: 'Ana', email: 'ana@example.com' })
    const made = await keys.create({ userId: id, scopes: ['products:read'] })
    expect(made).toMatchObject({ userId: id, scopes: ['products:read'], interfaces: ['*'] })
    expect((await keys.list()).map((each) => each.key).sort()).toEqual([key, made.key].sort())
  })
})

describe('clock', () => {
  test('can be read, set, frozen and advanced', async () => {
    const { clock } = await freshWorkspace()
    await clock.freeze('2026-02-01T10:00:00Z')
    expect(await clock.get()).toEqual({ now: '2026-02-01T10:00:00.000Z', frozen: true })
    expect(await clock.advance('PT1H')).toMatchObject({ now: '2026-02-01T11:00:00.000Z', complete: true })
    expect(await clock.set({ frozen: false })).toMatchObject({ frozen: false })
  })

  test('refuses invalid values field by field', async () => {
    const { clock } = await freshWorkspace()
    const error = await errorOf(clock.advance('an hour'))
    expect(error).toMatchObject({ name: 'SimulatorError', status: 400, details: [{ field: 'duration' }] })
    expect(error.message).toContain('duration')
  })
})

describe('triggers and records', () => {
  test('fires a trigger and waits for the change', async () => {
    const workspace = await freshWorkspace()
    const link = await newLink(workspace)
    const waiting = workspace.records.wait('payments.links', link, { until: 'status:paid' })
    const { transaction_id } = await workspace.trigger('payments.link.pay', { link_id: link })
    expect(transaction_id).toMatch(/\w/)
    expect(await waiting).toMatchObject({ state: 'paid', record: { id: link } })
    expect(await workspace.trigger('signage.pairing_code.issue')).toMatchObject({
      pairing_code: expect.any(String),
    })
    expect((await workspace.records.list('payments.links', { limit: 2 })).data).toHaveLength(2)
    const sections = await workspace.records.sections()
    expect(sections.find(({ section }) => section === 'payments.links')?.count).toBeGreaterThan(2)
  })

  test('refuses an unknown trigger and an invalid body', async () => {
    const workspace = await freshWorkspace()
    const named = (verb: string): string => ['payments', 'link', verb].join('.')
    expect(await errorOf(workspace.trigger(named('steal')))).toMatchObject({ status: 404 })
    expect(await errorOf(workspace.trigger(named('pay'), { link: 'x' }))).toMatchObject({ status: 400 })
  })

  test('reports the condition and the current record when a wait times out', async () => {
    const workspace = await freshWorkspace()
    const link = await newLink(workspace)
    const record = workspace.records.wait('payments.links', link, { until: 'status:paid', timeout: 0.05 })
    expect(await errorOf(record)).toMatchObject({
      code: 'timeout',
      message: `Waited 0.05 s for status of payments.links ${link} to be paid; it is active.`,
    })
    const deliveries = workspace.deliveries.wait({ interface: 'pos', count: 2, timeout: 0.05 })
    expect((await errorOf(deliveries)).message).toBe(
      'Waited 0.05 s for 2 deliveries {"status":"delivered","interface":"pos"}; received 0. 1 subscription is subscribed to any event of pos, but not active; the answer 410 of a receiver ends a subscription.',
    )
    expect(await errorOf(workspace.emails.wait({ timeout: 0 }))).toMatchObject({ code: 'timeout' })
  })

  test('lists calls, waits for them and exports them in other formats', async () => {
    const workspace = await freshWorkspace()
    const waiting = workspace.requests.wait({ status: '4xx' })
    await workspace.fetch('catalog', '/products/none')
    const [refused] = await waiting
    expect(refused).toMatchObject({ interface: 'catalog', method: 'GET', status: 404 })
    const id = refused?.id ?? ''
    expect(await workspace.requests({ interface: 'catalog', limit: 5 })).toHaveLength(1)
    expect(await workspace.requests({ body: 'NOT_FOUND' })).toMatchObject([{ id, hintCount: 0 }])
    expect(await workspace.requests({ body: 'no such text' })).toEqual([])
    expect(await workspace.requests.get(id)).toMatchObject({ id, hints: expect.any(Array) })
    expect(await workspace.requests.curl(id)).toMatch(/^curl /)
    expect(await workspace.requests.har(id)).toMatchObject({ log: { version: '1.2' } })
    for (let count = 0; count < 30; count++) await workspace.fetch('catalog', '/products')
    const entriesOf = async (filter?: object) =>
      ((await workspace.requests.har(filter)) as { log: { entries: unknown[] } }).log.entries
    expect(await entriesOf()).toHaveLength(31)
    expect(await entriesOf({ status: '4xx' })).toHaveLength(1)
    expect(await entriesOf({ limit: 5 })).toHaveLength(5)
    await workspace.requests.clear()
    expect(await workspace.requests()).toEqual([])
  })

  test('reads, waits for and clears the webhooks of the built-in receiver', async () => {
    const workspace = await freshWorkspace()
    const url = `${workspace.urlOf('forms').replace('/forms', '')}/_sim/receiver`
    const { id } = await workspace.subscriptions.create({ interface: 'pos', url })
    await workspace.trigger('pos.event.emit', { event: 'stock.low' })
    const [received] = await workspace.inbox.wait({ event: 'stock.low', subscription: id })
    expect(received).toMatchObject({ event: 'stock.low', subscriptionId: id, verified: true })
    expect(await workspace.inbox.list({ limit: 5 })).toEqual([received])
    const [delivery] = await workspace.deliveries.wait({ subscription: id })
    expect(delivery).toMatchObject({ id: received?.deliveryId, subscriptionId: id })
    await workspace.inbox.clear()
    expect(await workspace.inbox.list()).toEqual([])
  })

  test('refuses misspelled filters at run time', async () => {
    const workspace = await freshWorkspace()
    // Bypasses the compiler, as a program without types does.
    const sent = { staus: '5xx' } as object
    const refused = {
      status: 400,
      message: 'staus is not a known query parameter; did you mean status?',
    }
    for (const call of [
      workspace.requests(sent),
      workspace.requests.wait(sent),
      workspace.deliveries.list(sent),
      workspace.deliveries.wait(sent),
    ]) {
      expect(await errorOf(call)).toMatchObject(refused)
    }
    for (const call of [
      workspace.emails.list(sent),
      workspace.timeline(sent),
      workspace.coverage(sent as { format: 'text' }),
      workspace.stream(sent).opened,
      workspace.records.list('catalog.products', sent),
    ]) {
      expect(await errorOf(call)).toMatchObject({ status: 400 })
    }
  })

  test('refuses misspelled options and operations at run time', async () => {
    const workspace = await freshWorkspace()
    const simulator = await sharedSimulator()
    const { url } = simulator
    const as = <Type>(value: unknown): Type => value as Type
    await using receiver = await receiveWebhooks()
    const refused: readonly (readonly [() => Promise<unknown>, string])[] = [
      [
        () => workspace.records.wait('payments.links', 'none', as({ untl: 'status:paid' })),
        'records.wait() has no option untl; did you mean until?; its options are until, timeout',
      ],
      [
        () => workspace.records.wait('payments.links', 'none', as({})),
        'records.wait() needs until, a field and its value: "status:paid"',
      ],
      [
        () => workspace.records.wait('payments.links', 'none', as(undefined)),
        'records.wait() takes an object of options: until, timeout',
      ],
      [
        () =>
          as<(...sent: unknown[]) => Promise<unknown>>(workspace.records.get.bind(workspace.records))(
            'payments.links',
            'none',
            { wiat: 1 },
          ),
        'records.get() takes 2 arguments at most; it has no option wiat',
      ],
      [
        () =>
          as<(options: object) => Promise<unknown>>(simulator.workspaces.list.bind(simulator.workspaces))({
            limt: 1,
          }),
        'workspaces.list() has no option limt; its options are labels',
      ],
      [
        () => workspace.emails.get('none', ...as<[]>([{ html: true }])),
        'emails.get() takes 1 argument at most; it has no option html',
      ],
      [() => workspace.requests.curl('none', ...as<[]>(['x'])), 'requests.curl() takes 1 argument at most'],
      [
        () => as<(id: string) => Promise<unknown>>(simulator.call)('listDeliveris'),
        'there is no operation listDeliveris; did you mean listDeliveries?',
      ],
      [
        () => as<(id: string) => Promise<unknown>>(simulator.call)('constructor'),
        'there is no operation constructor; GET /_sim/openapi/control.json lists them',
      ],
      [
        () => simulator.call('getClock', as({ paht: { id: 'demo' } })),
        "call('getClock') has no option paht; did you mean path?; its options are path, query, body, headers, signal",
      ],
      [
        () => connect(url, as({ admintoken: 'a' })),
        'connect() has no option admintoken; did you mean adminToken?; its options are adminToken',
      ],
      [
        () => receiveWebhooks(as({ secrt: 'a' })),
        'receiveWebhooks() has no option secrt; did you mean secret?; its options are secret, answer, port, hostname',
      ],
      [
        () => receiver.next(as({ evnt: 'a' })),
        'receiver.next() has no option evnt; did you mean event?; its options are event, timeout',
      ],
      [
        () => receiver.wait(1, as({ evnt: 'a' })),
        'receiver.wait() has no option evnt; did you mean event?; its options are event, timeout',
      ],
      [
        () => workspace.fetch('catalog', '/products', as({ jsno: {} })),
        'fetch() has no option jsno; did you mean json?',
      ],
    ]
    for (const [call, words] of refused) {
      const error: unknown = await call().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(TypeError)
      expect((error as Error).message).toBe(words)
    }
    // Undefined values and options of other runtimes pass.
    const get = as<(...sent: unknown[]) => Promise<unknown>>(workspace.clock.get.bind(workspace.clock))
    expect(await get(undefined)).toHaveProperty('now')
    const options = as<object>({ dispatcher: undefined, keepalive: true })
    expect((await workspace.fetch('catalog', '/products', options)).status).toBe(200)
  })

  test('reports hints, the timeline and the coverage of a call', async () => {
    const workspace = await freshWorkspace()
    await workspace.fetch('catalog', '/products?colour=red')
    expect(await workspace.hints()).toContainEqual(expect.objectContaining({ count: 1 }))
    expect(await workspace.timeline({ kind: 'request' })).toHaveLength(1)
    const found = await workspace.search('COLOUR=red', { limit: 1 })
    expect(found).toMatchObject({
      data: [{ kind: 'request', title: 'GET /workspace/public/v1/products 200' }],
      complete: true,
    })
    expect(await workspace.counts()).toMatchObject({ calls: 1, hints: 1, emails: 0 })
    const { operations } = await workspace.coverage()
    expect(operations.find(({ operation }) => operation === 'listProducts')).toMatchObject({ calls: 1 })
    expect(await workspace.coverage({ format: 'text' })).toContain('listProducts')
  })

  test('returns what changed since the start and since a snapshot', async () => {
    const workspace = await freshWorkspace()
    await workspace.fetch('catalog', '/products', { json: { name: 'Desk', type: 'physical' } })
    await workspace.snapshots.save('before')
    const { summary, data } = await workspace.changes({ section: 'catalog' })
    expect(summary).toEqual({ added: 1, changed: 0, removed: 0 })
    expect(data).toMatchObject([{ section: 'catalog.products', change: 'added' }])
    expect((await workspace.changes({ from: 'before' })).data).toEqual([])
    expect((await workspace.changes({ section: 'crm' })).data).toEqual([])
    expect(await errorOf(workspace.changes({ from: 'befor' }))).toMatchObject({ status: 404 })
  })

  test('finds a record by its id and by its name', async () => {
    const workspace = await freshWorkspace()
    await workspace.fetch('catalog', '/products', { json: { name: 'Standing desk', type: 'physical' } })
    const [found] = await workspace.records.find({ text: 'standing', section: 'catalog.products' })
    expect(found).toMatchObject({ section: 'catalog.products', title: 'Standing desk' })
    expect(await workspace.records.find({ id: found?.id ?? '' })).toEqual([found])
  })

  test('makes calls fail with faults until the faults are removed', async () => {
    const workspace = await freshWorkspace()
    const fault = await workspace.faults.add({
      interface: 'catalog',
      path: '/products',
      status: 503,
      times: 1,
    })
    await workspace.faults.add({ preset: 'slow' })
    expect((await workspace.fetch('catalog', '/products')).status).toBe(503)
    expect((await workspace.faults.list()).map(({ met }) => met)).toContain(1)
    await workspace.faults.delete(fault.id)
    expect(await workspace.faults.list()).toHaveLength(1)
    await workspace.faults.clear()
    expect(await workspace.faults.list()).toEqual([])
  })

  test('lets calls wait, and releases them in the order that the test chooses', async () => {
    const workspace = await freshWorkspace()
    const { id } = await workspace.faults.add({ hold: true, method: 'POST' })
    const add = (name: string) =>
      workspace.fetch('catalog', '/products', { json: { name, type: 'physical' } })
    const [first, second] = [add('First'), add('Second')]
    const calls = (await workspace.faults.wait(id, { count: 2 })).map((call) => call.id).reverse()
    expect((await workspace.faults.get(id)).waiting?.map((call) => call.id)).toEqual(calls.toReversed())
    expect(await errorOf(workspace.faults.wait(id, { count: 3, timeout: 0.01 }))).toMatchObject({
      code: 'timeout',
      message: `Waited 0.01 s for 3 calls that ${id} holds; it holds 2.`,
    })
    expect(await workspace.faults.release(id, { calls: calls.slice(0, 1) })).toEqual({
      released: 1,
      waiting: 1,
    })
    await Promise.race([first, second])
    expect(await workspace.faults.release(id)).toEqual({ released: 1, waiting: 0 })
    expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([201, 201])
    expect((await workspace.requests({ method: 'POST' })).map((call) => call.id)).toEqual(calls.reverse())
  })

  test('saves snapshots by name, and returns them as values', async () => {
    const { snapshots, records } = await freshWorkspace()
    expect(await snapshots.save('before')).toMatchObject({ name: 'before' })
    expect(await snapshots.list()).toHaveLength(1)
    const whole = await snapshots.get()
    await snapshots.put({ format: whole['format'] })
    const count = async (): Promise<number | undefined> =>
      (await records.sections()).find(({ section }) => section === 'payments.links')?.count
    expect(await count()).toBe(0)
    await snapshots.restore('before')
    expect(await count()).toBeGreaterThan(0)
    await snapshots.delete('before')
    expect(await snapshots.list()).toEqual([])
  })

  test('waits for e-mails and reads them with their attachments', async () => {
    const workspace = await freshWorkspace()
    const post = async (path: string, json: object): Promise<{ readonly id: string }> =>
      (await (await workspace.fetch('recruiting', path, { json })).json()) as { readonly id: string }
    const { id: vacancy_id } = await post('/vacancies', { title: 'Joiner', status: 'published' })
    const { candidate_id } = await workspace.trigger('recruiting.candidate.apply', {
      vacancy_id,
      name: 'Ana',
      email: 'ana@example.net',
    })
    const waiting = workspace.emails.wait({ to: 'marco@example.net' })
    const { now } = await workspace.clock.get()
    await post('/interviews', {
      vacancy_id,
      candidate_id,
      type: 'video_platform',
      scheduled_at: new Date(Date.parse(now) + 86_400_000).toISOString(),
      interviewers: [{ name: 'Marco Vega', email: 'marco@example.net' }],
    })
    const [email] = await waiting
    const id = email?.id ?? ''
    expect(await workspace.emails.get(id)).toMatchObject({ to: 'marco@example.net', html: null })
    expect(await workspace.emails.eml(id)).toContain('To: marco@example.net')
    const calendar = await workspace.emails.attachment(id, 0)
    expect(new TextDecoder().decode(calendar)).toMatch(/^BEGIN:VCALENDAR/)
  })

  test('reports what a screen plays', async () => {
    const workspace = await freshWorkspace()
    const { data } = await workspace.records.list('signage.screens', { limit: 1 })
    const screen = String(data[0]?.['id'])
    expect(await workspace.screenNow(screen)).toMatchObject({ screen_id: screen })
  })
})

describe('stream', () => {
  test('sends events as they happen, and events that the client missed', async () => {
    const workspace = await freshWorkspace()
    const stream = workspace.stream()
    await stream.opened
    await workspace.fetch('catalog', '/products')
    let last = ''
    for await (const item of stream) {
      expect(item).toMatchObject({ kind: 'request', title: expect.stringContaining('/products') })
      last = item.id
      break
    }
    await workspace.fetch('crm', '/contacts')
    await using again = workspace.stream({ after: last })
    const { value } = await again[Symbol.asyncIterator]().next()
    expect(value).toMatchObject({ kind: 'request', title: expect.stringContaining('/contacts') })
  })

  test('ends with its workspace, by close() and by a signal', async () => {
    const workspace = await freshWorkspace()
    const all = async (stream: AsyncIterable<unknown>): Promise<number> => {
      const seen = []
      for await (const item of stream) seen.push(item)
      return seen.length
    }
    const closed = workspace.stream()
    await closed.opened
    const counted = all(closed)
    closed.close()
    expect(await counted).toBe(0)
    const controller = new AbortController()
    const aborted = workspace.stream({ signal: controller.signal })
    await aborted.opened
    const failing = all(aborted)
    controller.abort()
    await expect(failing).rejects.toThrow(/abort/i)
    await expect(all(closed)).rejects.toThrow('A stream can be read only once')
    const deleted = workspace.stream()
    await deleted.opened
    const ending = all(deleted)
    await workspace.delete()
    // Not only with the next sign of life, which comes after 15 seconds.
    expect(await ending).toBe(0)
  })

  test('refuses to read the stream of an unknown workspace', async () => {
    const workspace = await freshWorkspace()
    await workspace.delete()
    const stream = workspace.stream()
    expect(await errorOf(stream.opened)).toMatchObject({ status: 404 })
    expect(await errorOf(stream[Symbol.asyncIterator]().next())).toMatchObject({ status: 404 })
  })
})

describe('path parameters', () => {
  test.each([
    ['..', 'id must not be "..", which leads to another path'],
    ['.', 'id must not be ".", which leads to another path'],
    ['', 'id must not be empty'],
    [undefined, 'id must be a string or a number'],
    [{}, 'id must be a string or a number'],
    ['\ud800', 'id must be well-formed Unicode'],
  ])('refuses %j before it makes a call', async (id, message) => {
    const simulator = await sharedSimulator()
    const source = await freshWorkspace({})
    const error = await errorOf(simulator.call('resetWorkspace', { path: { id: id as string } }))
    expect(error).toMatchObject({ code: 'validation_error', status: null, message })
    expect(error.details).toEqual([{ field: 'id', code: 'invalid', message: message.slice('id '.length) }])
    expect(await source.get()).toMatchObject({ id: source.id })
  })

  test('sends a value unchanged if it only looks like a dot segment', async () => {
    const workspace = await freshWorkspace({})
    for (const name of ['...', '..%2f..', '../..', 'a b', '%2e%2e']) {
      expect(await errorOf(workspace.snapshots.restore(name))).toMatchObject({
        code: 'not_found',
        status: 404,
      })
    }
  })

  test.each([
    '/../../_sim/reset',
    '/products/..',
    '/products/%2E%2e/x',
    '/products/.',
    '/a\\..\\b',
    '/.\t./x',
  ])('refuses the path %j of an interface', async (path) => {
    const workspace = await freshWorkspace({})
    await expect(workspace.fetch('catalog', path)).rejects.toThrow(
      /^fetch\('catalog', '.+'\): path must not contain "(?:\.|%2e){1,2}", which leads to another path$/is,
    )
  })

  test('accepts dots within a segment and in the query', async () => {
    const workspace = await freshWorkspace({})
    expect((await workspace.fetch('catalog', '/products/...')).status).toBe(404)
    expect((await workspace.fetch('catalog', '/products?search=/../')).status).toBe(200)
  })
})

describe('an invalid call of an interface', () => {
  test.each([
    ['payment', '/payment-links', "there is no interface 'payment'; did you mean 'payments'?"],
    ['toString', '/x', "there is no interface 'toString'; the interfaces are catalog, crm, "],
    [
      'catalog',
      'products',
      "fetch('catalog', 'products'): path must begin with /: fetch('catalog', '/products')",
    ],
    ['catalog', '', "fetch('catalog', ''): path must begin with /"],
    ['catalog', 'http://127.0.0.1/x', "fetch('catalog', 'http://127.0.0.1/x'): path must begin with /"],
    [undefined, undefined, 'the name of an interface is required; the interfaces are catalog, crm, '],
    ['catalog', undefined, "fetch('catalog', '…'): path must be a string that begins with /"],
  ])('refuses %s %j', async (name, path, words) => {
    const workspace = await freshWorkspace({})
    const call = workspace.fetch(name as InterfaceName, path as unknown as string)
    await expect(call).rejects.toThrow(TypeError)
    await expect(call).rejects.toThrow(words)
  })

  test('refuses invalid URLs and headers', async () => {
    const workspace = await freshWorkspace({})
    const words = "there is no interface 'metings'; did you mean 'meetings'?"
    expect(() => workspace.urlOf('metings' as InterfaceName)).toThrow(words)
    expect(() => workspace.headersOf('metings' as InterfaceName)).toThrow(words)
  })
})
