/** `suite-sim listen --forward-to` against a server that can't reach the local URLs itself. */
import { createServer as createTcpServer, connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { verifySignature } from '@suite-sim/client/receiver'
import type { AppOptions } from '../../../../src/app.ts'
import { startListen, type PrintedEntry } from '../../../../test/support/listening.ts'
import { runHere, serveHere, sharedHere } from '../../../../test/support/commandLine.ts'
import { build, freePort, scratchFolder, start } from '../../../../test/support/process.ts'
import { buildApp } from '../../../../test/support/subject.ts'
import {
  gate,
  neverResponds,
  receiver,
  unreachableUrl,
  type Received,
  type Receiver,
} from '../../../../test/support/webhooks.ts'

beforeAll(build)

interface Delivery {
  readonly id: string
  readonly event: string
  readonly url: string
  readonly status: string
  readonly attempts: readonly { status: number | null; error: string | null; durationMs: number }[]
}

/** Calls the control plane of a server; every call must succeed. */
const calling =
  (url: string, token?: string) =>
  async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const response = await fetch(`${url}/_sim/workspaces/demo${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    expect(response.ok, `${path} ${String(response.status)} ${text}`).toBe(true)
    return (text === '' ? null : JSON.parse(text)) as Body
  }

/** The subscriptions of listeners. */
const listenersOf = async (call: ReturnType<typeof calling>) =>
  (await call<{ data: { url: string }[] }>('GET', '/subscriptions')).data.filter(({ url }) =>
    url.startsWith('listen:'),
  )

/** A server with records and a frozen clock. It counts as open, so it must not send webhooks to this machine. */
async function served(options: AppOptions = {}) {
  const app = await buildApp({ fixtures: 'small', adminToken: 'secret-token', ...options })
  onTestFinished(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  app.webhooks.listensAt({ isOpen: true, ownPort: null })
  const call = calling(url, 'secret-token')
  await call('PUT', '/clock', { frozen: true })
  const token = { SIM_ADMIN_TOKEN: 'secret-token' }
  return {
    app,
    url,
    call,
    listen: (...args: string[]) => startListen(url, args, token),
    listenAsProcess: (...args: string[]) => startListen(url, args, token, true),
    emit: (event: string, data: object = {}) =>
      call<{ deliveries: string[] }>('POST', '/triggers/pos.event.emit', { event, data }),
    deliveries: async (query: string) =>
      (await call<{ data: Delivery[] }>('GET', `/deliveries?wait=300&${query}`)).data,
    subscriptions: () => listenersOf(call),
    advance: (duration: string) => call('POST', '/clock/advance', { duration }),
  }
}

function firstOf({ requests: [first] }: Receiver): Received {
  if (!first) throw new Error('nothing was received')
  return first
}

const attemptOf =
  (event: string, attempt = 1) =>
  ({ kind, title, forwarded }: PrintedEntry): boolean =>
    kind === 'delivery' && title.includes(event) && forwarded?.attempt === attempt

describe('listen --forward-to', () => {
  test('passes signed deliveries to the local URL and records its answer', async () => {
    const { listen, emit, deliveries, subscriptions } = await served()
    const local = await receiver(() => 201)
    const listening = listen('--forward-to', local.url, '--interface', 'pos', '--secret', 's3cret')
    await listening.says(`Sending the webhooks of pos to ${local.url}, signed with the secret s3cret`)

    await emit('sale.completed')
    await local.received(1)
    const { headers, body, method } = firstOf(local)
    expect(method).toBe('POST')
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringContaining('suite-simulator/'),
      'x-service-event': 'sale.completed',
      'x-service-attempt': '1',
    })
    expect(verifySignature(body, String(headers['x-service-signature']), 's3cret')).toBe(true)
    const [delivery] = await deliveries('event=sale.completed&status=delivered')
    expect(delivery).toMatchObject({
      id: headers['x-service-delivery'],
      url: expect.stringMatching(/^listen:\w+\/http:\/\/127\.0\.0\.1:\d+\/hook$/),
      attempts: [{ status: 201, error: null, durationMs: expect.any(Number) }],
    })
    const line = await listening.entry(attemptOf('sale.completed'))
    expect(line.title).toMatch(/^pos sale\.completed answered 201 \(http:\S+\/hook, \d+ ms\)$/)
    expect(await subscriptions()).toHaveLength(1)

    expect(await listening.stop('SIGINT')).toBe(0)
    expect(await subscriptions()).toEqual([])
  })

  test('retries by the schedule on the clock of the workspace, and keeps the order of a record', async () => {
    const { listen, emit, deliveries, advance } = await served()
    let status = 500
    const local = await receiver(() => status)
    const listening = listen('--forward-to', local.url, '--interface', 'pos')
    await listening.says('Sending the webhooks')

    await emit('stock.low', { productId: 'one' })
    const failed = await listening.entry(attemptOf('stock.low'))
    expect(failed.title).toMatch(/answered 500 \(.+ ms\): only 2xx counts as delivered$/)
    await emit('stock.updated', { productId: 'one' })
    await emit('stock.low', { productId: 'two' })
    await local.received(2)
    status = 204
    await advance('PT10S')
    await local.received(5)
    const events = local.requests.map(
      ({ headers, body }) =>
        `${String(headers['x-service-event'])} ${(JSON.parse(body) as { data: { productId: string } }).data.productId} ${String(headers['x-service-attempt'])}`,
    )
    expect(events.slice(0, 2)).toEqual(['stock.low one 1', 'stock.low two 1'])
    expect(events.slice(2).toSorted()).toEqual(['stock.low one 2', 'stock.low two 2', 'stock.updated one 1'])
    expect(events.indexOf('stock.updated one 1')).toBeGreaterThan(events.indexOf('stock.low one 2'))
    const sent = await deliveries('interface=pos&status=delivered&count=3&limit=3')
    expect(sent.map(({ attempts }) => attempts.map((each) => each.status))).toEqual([
      [500, 204],
      [204],
      [500, 204],
    ])
  })

  test('routes by the name of an event, then of an interface, then the rest', async () => {
    const { listen, emit, call } = await served()
    const [byEvent, byInterface, rest] = await Promise.all([receiver(), receiver(), receiver()])
    const listening = listen(
      ...['--forward-to', `pos=${byInterface.url}`],
      ...['--forward-to', `sale.completed=${byEvent.url}`],
      ...['--forward-to', rest.url],
    )
    await listening.says(`to ${rest.url}`)
    expect(listening.text()).toContain(`Sending the sale.completed webhooks of pos to ${byEvent.url}`)

    await emit('sale.completed')
    await emit('stock.low')
    await call('POST', '/triggers/tax-invoicing.certificate.expiring', {})
    await Promise.all([byEvent.received(1), byInterface.received(1), rest.received(1)])
    const eventsOf = ({ requests }: typeof rest) => requests.map(({ headers }) => headers['x-service-event'])
    expect(eventsOf(byEvent)).toEqual(['sale.completed'])
    expect(eventsOf(byInterface)).toEqual(['stock.low'])
    expect(eventsOf(rest)).toEqual([expect.stringContaining('certificate')])
  })

  test('gives each of several listeners everything that it asked for', async () => {
    const { listen, emit, deliveries } = await served()
    const [one, other] = await Promise.all([receiver(), receiver(neverResponds)])
    await listen('--forward-to', other.url, '--events', 'sale.completed').says('Sending')
    await listen('--forward-to', one.url, '--interface', 'pos').says('Sending')
    await emit('sale.completed')
    await emit('stock.low')
    // The one that never answers does not delay the other.
    await Promise.all([one.received(2), other.received(1)])
    expect(await deliveries('interface=pos&status=delivered&count=2&limit=2')).toHaveLength(2)
    expect(other.requests.map(({ headers }) => headers['x-service-event'])).toEqual(['sale.completed'])
  })

  test('explains each failure in one line', async () => {
    const { listen, emit } = await served({ webhookTimeoutMs: 500 })
    const [redirecting, silent] = await Promise.all([receiver(() => 302), receiver(neverResponds)])
    const nobody = await unreachableUrl()
    const listening = listen(
      ...['--forward-to', `stock.low=${redirecting.url}`],
      ...['--forward-to', `stock.updated=${silent.url}`],
      ...['--forward-to', `sale.completed=${nobody}`],
    )
    await listening.says(nobody)
    for (const event of ['stock.low', 'stock.updated', 'sale.completed']) await emit(event)
    const titles = await Promise.all(
      ['stock.low', 'stock.updated', 'sale.completed'].map(
        async (event) => (await listening.entry(attemptOf(event))).title,
      ),
    )
    expect(titles).toEqual([
      expect.stringMatching(/answered 302 \(.+\): redirects are not followed; forward to the final URL$/),
      expect.stringMatching(
        /no complete response within 500 ms \(.+\): answer first, and do slow work afterwards$/,
      ),
      expect.stringMatching(/connection refused \(.+\): nothing listens at http:\/\/127\.0\.0\.1:\d+$/),
    ])
  })

  test('applies faults of deliveries before it passes them on', async () => {
    const { listen, emit, call } = await served()
    await call('POST', '/faults', { delivery: 'wrong_signature', times: 1 })
    const local = await receiver()
    const listening = listen('--forward-to', local.url, '--print', '--interface', 'pos', '--secret', 'mine')
    await listening.says('Sending')
    await emit('sale.completed')
    await local.received(1)
    const { headers, body } = firstOf(local)
    expect(verifySignature(body, String(headers['x-service-signature']), 'mine')).toBe(false)
    expect(await listening.entry(({ kind }) => kind === 'webhook')).toMatchObject({
      event: 'sale.completed',
      verified: false,
      payload: { event: 'sale.completed' },
    })
  })
})

describe('a listener that is gone', () => {
  test('by kill -9 fails its attempt in flight, and its subscription ends after the grace', async () => {
    const { listenAsProcess, emit, deliveries, subscriptions } = await served({ listenerGraceMs: 50 })
    const local = await receiver(neverResponds)
    const listening = listenAsProcess('--forward-to', local.url, '--interface', 'pos')
    await listening.says('Sending')
    await emit('stock.low')
    await local.received(1)
    await listening.stop('SIGKILL')
    // Dead, because the subscription has ended before the retry was due.
    const [delivery] = await deliveries('event=stock.low&status=dead')
    expect(delivery?.attempts).toMatchObject([{ status: null, error: 'the listener disconnected' }])
    expect(await subscriptions()).toEqual([])
    expect((await emit('stock.low')).deliveries).toEqual([])
  })

  test('by a lost connection gets its pending deliveries when it has connected again', async () => {
    const { url, emit, deliveries, call } = await served()
    const proxy = await breakableProxy(Number(new URL(url).port))
    const { behaviour, open } = gate()
    const local = await receiver(behaviour)
    const listening = startListen(proxy.url, ['--forward-to', local.url, '--interface', 'pos'], {
      SIM_ADMIN_TOKEN: 'secret-token',
    })
    await listening.says('Sending')
    await emit('stock.low', { id: 'one' })
    await local.received(1)
    proxy.breakConnections()
    await listening.says('Lost the connection to')
    await listening.says(`Connected to ${proxy.url} again.`)
    open()
    await emit('stock.updated', { id: 'two' })
    const [later] = await deliveries('event=stock.updated&status=delivered')
    expect(later?.attempts).toMatchObject([{ status: 200 }])
    await call('POST', '/clock/advance', { duration: 'PT10S' })
    const [first] = await deliveries('event=stock.low&status=delivered')
    expect(first?.attempts).toMatchObject([
      { status: null, error: 'the listener disconnected' },
      { status: 200, error: null },
    ])
  })

  test('because the server was killed gets what was pending after the restart', async () => {
    const folder = scratchFolder()
    const port = String(await freePort())
    const args = ['--port', port, '--db', join(folder, 'sim.sqlite'), '--fixtures', 'small']
    const first = await start(args, { folder })
    let status = 500
    const local = await receiver(() => status)
    const listening = startListen(first.url, ['--forward-to', local.url, '--interface', 'pos'])
    await listening.says('Sending')
    const call = calling(first.url)
    await call('PUT', '/clock', { frozen: true })
    await call('POST', '/triggers/pos.event.emit', { event: 'stock.low', data: {} })
    await listening.entry(attemptOf('stock.low'))
    await first.stop('SIGKILL')
    await listening.says('Lost the connection to')

    status = 200
    await serveHere(args, { folder })
    await listening.says('again.')
    await call('POST', '/clock/advance', { duration: 'PT10S' })
    const { data } = await call<{ data: Delivery[] }>(
      'GET',
      '/deliveries?event=stock.low&status=delivered&wait=300',
    )
    expect(data[0]?.attempts.map((each) => each.status)).toEqual([500, 200])
    expect(await listening.stop('SIGTERM')).toBe(0)
  })

  test('never came back after a restart loses its pending deliveries', async () => {
    const folder = scratchFolder()
    const db = join(folder, 'sim.sqlite')
    const before = await served({ db, fixtures: 'small' })
    const local = await receiver(() => 500)
    const listening = before.listen('--forward-to', local.url, '--interface', 'pos')
    await listening.says('Sending')
    await before.emit('stock.low')
    await listening.entry(attemptOf('stock.low'))
    await before.app.close()
    await listening.stop('SIGTERM')

    const after = await served({ db, fixtures: 'small', listenerGraceMs: 50 })
    await after.advance('PT10S')
    const [delivery] = await after.deliveries('event=stock.low&status=dead')
    expect(delivery?.attempts).toHaveLength(1)
    expect(local.requests).toHaveLength(1)
  })

  test('because its workspace was deleted ends with one line', async () => {
    const { url, listen } = await served()
    const listening = listen('--print')
    await listening.says('Printing the webhooks')
    const headers = { authorization: 'Bearer secret-token' }
    await fetch(`${url}/_sim/workspaces/demo`, { method: 'DELETE', headers })
    expect(await listening.ended).toBe(1)
    expect(listening.text()).toContain('suite-sim: There is no workspace demo.')
  })
})

describe('listen refuses', () => {
  /** The server of tests that change nothing. */
  async function refusing() {
    const { url } = await sharedHere(['--admin-token', 'secret-token'])
    return { url, subscriptions: () => listenersOf(calling(url, 'secret-token')) }
  }

  test.each([
    [['--forward-to', 'paymnts=http://localhost:3000/'], "'paymnts'; did you mean payments?"],
    [['--forward-to', 'sale.complete=http://localhost:3000/'], 'did you mean sale.completed?'],
    [['--forward-to', 'payments=ftp://localhost/'], 'It must be a URL that starts with http:// or https://'],
    [['--forward-to', 'http://user@localhost/'], 'url must not contain credentials'],
    [
      ['--interface', 'pos', '--forward-to', 'payments=http://localhost:3000/'],
      'payments=http://localhost:3000/ would receive nothing',
    ],
    [
      ['--interface', 'crm', '--events', 'sale.completed', '--print'],
      'sale.completed is an event of pos, not of crm; use --interface pos',
    ],
    [
      ['--interface', 'crm', '--events', 'payment.completed', '--print'],
      'payment.completed is an event of payments',
    ],
    [
      ['--interface', 'crm', '--events', 'contact.create', '--print'],
      "there is no event 'contact.create'; did you mean contact.created?",
    ],
  ])('%j', async (args, words) => {
    const { url, subscriptions } = await refusing()
    const place = {
      folder: scratchFolder(),
      variables: { SIM_URL: url, SIM_ADMIN_TOKEN: 'secret-token' },
    }
    const { code, stderr } = await runHere(['listen', ...args], place)
    expect(stderr).toMatch(/^suite-sim: .+\n$/)
    expect(stderr).toContain(words)
    expect(code).toBe(2)
    expect(await subscriptions()).toEqual([])
  })

  test('to run without the token', async () => {
    const { url } = await refusing()
    const { code, stderr } = await runHere(['listen', '--print'], {
      folder: scratchFolder(),
      variables: { SIM_URL: url },
    })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('The control plane requires the header "Authorization: Bearer TOKEN"'),
    })
  })
})

/** A proxy in front of a local port whose connections can be broken. */
async function breakableProxy(port: number) {
  const sockets = new Set<Socket>()
  const proxy = createTcpServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    }
    client.pipe(upstream).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const breakConnections = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    proxy.close()
    breakConnections()
  })
  return { url: `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`, breakConnections }
}
