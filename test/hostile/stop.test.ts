/** A stop ends in time, whatever the connections do. */
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { App, AppOptions } from '../../src/app.ts'
import { receiver, neverResponds } from '../support/webhooks.ts'
import { build, scratchFolder, start } from '../support/process.ts'
import { head, rawClient, type RawClient } from '../support/sockets.ts'
import { buildApp } from '../support/subject.ts'

/** A grace period longer than any test: what ends earlier was not cut off. */
const LONG = 600_000

interface Listening {
  readonly app: App
  readonly url: string
}

async function listening(options: AppOptions = {}): Promise<Listening> {
  const app = await buildApp({ fixtures: 'small', rateLimits: false, closeGraceMs: LONG, ...options })
  onTestFinished(() => app.close())
  return { app, url: await app.listen({ host: '127.0.0.1', port: 0 }) }
}

const KEY = { authorization: 'Bearer demo-key' }
const PRODUCTS = '/workspace/public/v1/products'
const JSON_BODY = { ...KEY, 'content-type': 'application/json' }
const product = JSON.stringify({ name: 'In flight', type: 'physical' })
const wait = '/_sim/workspaces/demo/deliveries?wait=300&count=100'

/** Half a body: the header declares more. */
const halfBody = head('POST', PRODUCTS, { ...JSON_BODY, 'content-length': '1000' }) + '{"name":'

/** A request whose header the server has read, as its response shows. */
async function askedToContinue(url: string, length: number): Promise<RawClient> {
  const client = await rawClient(url)
  client.send(
    head('POST', PRODUCTS, { ...JSON_BODY, 'content-length': String(length), expect: '100-continue' }),
  )
  await client.until('100 Continue')
  return client
}

/** Resolves when the server has accepted connections that send no complete request. */
async function taken(app: App, count: number): Promise<void> {
  const { server } = app.fastify
  const open = (): Promise<number> =>
    new Promise((resolve, reject) => {
      server.getConnections((error, found) => {
        if (error) reject(error)
        else resolve(found)
      })
    })
  while ((await open()) < count) await new Promise(setImmediate)
}

/** Makes one request and keeps the connection open. */
async function keptAlive(url: string): Promise<RawClient> {
  const client = await rawClient(url)
  client.send(head('GET', '/_sim/health'))
  await client.until('"uptimeSeconds"')
  return client
}

describe('an app that is closed', () => {
  test('answers calls on connections that opened just before', async () => {
    const { app, url } = await listening()
    const silent = await rawClient(url)
    await taken(app, 1)
    // Not accepted yet: the kernel has their requests.
    const opening = Array.from({ length: 20 }, () => rawClient(url))
    const early = await Promise.all(opening)
    for (const client of early) client.send(head('GET', '/_sim/health/live'))
    const closed = app.close()
    silent.send(head('GET', '/_sim/health/live'))
    for (const client of [...early, silent])
      expect(await client.closed).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is)
    await closed
  })

  test('closes silent and idle connections at once', async () => {
    const { app, url } = await listening()
    const silent = await rawClient(url)
    const idle = await keptAlive(url)
    await taken(app, 2)
    await app.close()
    expect(await silent.closed).toBe('')
    expect(await idle.closed).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('releases waiting callers at once with the current data', async () => {
    const { app, url } = await listening()
    const client = await rawClient(url)
    client.send(head('GET', wait))
    const waiting = await keptAlive(url)
    await taken(app, 2)
    await app.close()
    expect(await client.closed).toMatch(
      /^HTTP\/1\.1 200 .*\r\nconnection: close\r\n.*\{"data":\[\],"explanation":/is,
    )
    await waiting.closed
  })

  test('completes a running request and announces the end of the connection', async () => {
    const { app, url } = await listening()
    const client = await askedToContinue(url, product.length)
    const closed = app.close()
    client.send(product)
    expect(await client.closed).toMatch(/HTTP\/1\.1 201 .*\r\nconnection: close\r\n/is)
    await closed
  })

  test('responds to a call whose header completes during the stop, without letting it wait', async () => {
    const { app, url } = await listening()
    const client = await keptAlive(url)
    const request = head('GET', wait)
    client.send(request.slice(0, 30))
    const other = await askedToContinue(url, product.length)
    const closed = app.close()
    client.send(request.slice(30))
    expect(await client.closed).toMatch(/\{"data":\[\],"explanation":"[^"]+"\}$/)
    other.send(product)
    await closed
  })

  test.each<[what: string, open: (where: Listening) => Promise<RawClient>]>([
    [
      'half a header',
      async ({ app, url }) => {
        const client = await rawClient(url)
        client.send('GET /_sim/health HTTP/1.1\r\nhost: local')
        await taken(app, 1)
        return client
      },
    ],
    [
      'half a body',
      async ({ url }) => {
        const client = await askedToContinue(url, 1000)
        client.send('{"name":')
        return client
      },
    ],
    [
      'half a request after a whole one',
      async ({ url }) => {
        const client = await keptAlive(url)
        client.send(halfBody)
        return client
      },
    ],
    [
      'responses that the client does not read',
      async ({ url }) => {
        const client = await rawClient(url, { reads: false })
        // More than the buffers of the system hold.
        client.send(head('GET', '/_sim/openapi.json').repeat(12))
        await once(client.socket, 'readable')
        return client
      },
    ],
  ])('cuts off %s after the grace period', async (_what, open) => {
    const where = await listening({ closeGraceMs: 50 })
    const client = await open(where)
    await where.app.close()
    client.socket.resume()
    await client.closed
    expect(where.app.workspaces.database.open).toBe(false)
  })

  test('cuts off a webhook whose receiver does not respond, and records the failure', async () => {
    const folder = scratchFolder()
    const db = `${folder}/suite.sqlite`
    const sink = await receiver(neverResponds)
    const { app } = await listening({ db, closeGraceMs: 50 })
    const { webhooks, workspaces } = app
    const workspace = workspaces.get('demo')
    webhooks.subscriptions.create(workspace, { interface: 'pos', url: sink.url, events: ['*'] })
    workspace.write(() =>
      workspace.append({ interface: 'pos', name: 'sale.completed', data: {}, record: null }),
    )
    await sink.received(1)
    await app.close()

    const again = await buildApp({ db })
    onTestFinished(() => again.close())
    const [delivery] = again.webhooks.list(again.workspaces.get('demo'), { limit: 1 })
    expect(delivery).toMatchObject({
      status: 'pending',
      attempts: [{ status: null, error: 'the server was stopped before the response was complete' }],
    })
  })
})

describe('the program', () => {
  beforeAll(build)

  test('exits with 0 and a closed database within the grace period, whatever is connected', async () => {
    const folder = scratchFolder()
    const { url, ...server } = await start(['--port', '0', '--db', 'suite.sqlite'], { folder })
    const sink = await receiver(neverResponds)
    const subscription = { interface: 'catalog', url: sink.url }
    await fetch(`${url}/_sim/workspaces/demo/subscriptions`, {
      method: 'POST',
      headers: JSON_BODY,
      body: JSON.stringify(subscription),
    })
    await fetch(url + PRODUCTS, { method: 'POST', headers: JSON_BODY, body: product })
    await sink.received(1)
    const clients = await Promise.all([
      rawClient(url),
      keptAlive(url),
      askedToContinue(url, 1000),
      ...['GET / HTTP/1.1\r\nhost', halfBody, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc', head('GET', wait)].map(
        async (text) => {
          const client = await rawClient(url)
          client.send(text)
          return client
        },
      ),
    ])
    expect(await server.stop('SIGTERM')).toBe(0)
    expect(server.stderr()).toBe('')
    await Promise.all(clients.map((client) => client.closed))
    expect(readdirSync(folder)).toEqual(['files', 'suite.sqlite', 'suite.sqlite-lock'])
  })

  test('exits at once on a second signal, with 128 plus its number', async () => {
    const { url, ...server } = await start(['--port', '0', '--db', ':memory:'], { folder: scratchFolder() })
    const held = await askedToContinue(url, 1000)
    const idle = await keptAlive(url)
    server.signal('SIGTERM')
    await idle.closed
    expect(await server.stop('SIGINT')).toBe(130)
    await held.closed
  })
})
