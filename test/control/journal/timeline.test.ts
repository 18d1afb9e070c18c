/** The timeline of a workspace in order, with causes; the live stream; and coverage. */
import { get, type IncomingMessage } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { head, rawClient } from '../../support/sockets.ts'
import { skippableTime } from '../../support/skippableTime.ts'
import { controlApp, makeWorkspace } from '../app.ts'
import { receiver, status } from '../receiver.ts'

const PRODUCTS = '/workspace/public/v1/products'

async function setup() {
  const app = await controlApp({ ownApp: true })
  const made = await makeWorkspace(app)
  const of = `/workspaces/${made.id}`
  return {
    ...app,
    made,
    of,
    addProduct: (name = 'Desk') => app.call('POST', PRODUCTS, made.key, { name, type: 'physical' }),
    timeline: async (query = '') => (await app.sim('GET', `${of}/timeline?${query}`)).body.data,
  }
}

describe('timeline', () => {
  test('shows causes and effects, newest first', async () => {
    const { sim, of, addProduct, timeline } = await setup()
    const to = await receiver()
    await sim('POST', `${of}/subscriptions`, { body: { interface: 'catalog', url: to.url } })
    await addProduct()
    await sim('GET', `${of}/deliveries?status=delivered&wait=300`)
    expect(await timeline()).toMatchObject([
      {
        id: 'dlv_5',
        kind: 'delivery',
        title: 'catalog product.created answered 200',
        causedBy: 'dlv_4',
        outcome: 'succeeded',
      },
      { id: 'dlv_4', kind: 'delivery', causedBy: 'evt_3' },
      { id: 'evt_3', kind: 'event', title: 'catalog product.created', causedBy: 'req_1' },
      { id: 'mov_2', kind: 'transition', causedBy: 'req_1' },
      { id: 'req_1', kind: 'request', title: `POST ${PRODUCTS} 201`, causedBy: null },
    ])
  })

  test('shows how calls and attempts ended', async () => {
    const { sim, of, addProduct, call, made, timeline } = await setup()
    const broken = await receiver(status(500))
    await sim('POST', `${of}/subscriptions`, { body: { interface: 'catalog', url: broken.url } })
    // Otherwise a retry would be added on a slow machine.
    await sim('PUT', `${of}/clock`, { body: { frozen: true } })
    await addProduct()
    const attempted = async () =>
      ((await timeline('kind=delivery')) as { title: string }[]).some(({ title }) => title.endsWith('500'))
    await expect.poll(attempted).toBe(true)
    await call('GET', `${PRODUCTS}/none`, made.key)
    await sim('POST', `${of}/faults`, { body: { path: '/products', status: 503 } })
    await call('GET', PRODUCTS, made.key)
    const items = (await timeline()) as { kind: string; title: string; outcome?: string }[]
    const outcomes = items.filter(({ kind }) => kind === 'request' || kind === 'delivery')
    expect(outcomes.map(({ title, outcome }) => [title, outcome])).toEqual([
      [`GET ${PRODUCTS} 503`, 'failed'],
      [`GET ${PRODUCTS}/none 404`, 'refused'],
      ['catalog product.created answered 500', 'failed'],
      [`catalog product.created queued for ${new URL(broken.url).origin}`, undefined],
      [`POST ${PRODUCTS} 201`, 'succeeded'],
    ])
    for (const { kind, outcome } of items) if (kind === 'event') expect(outcome).toBeUndefined()
  })

  test('shows triggers and jobs of the clock as causes', async () => {
    const { sim, of, call, made, timeline } = await setup()
    await call('POST', '/workspace/public/v1/activities', made.key, {
      title: 'Call',
      type: 'call',
      dueDate: '2036-01-01T00:00:00Z',
    })
    await sim('PUT', `${of}/clock`, { body: { now: '2036-01-02T00:00:00Z' } })
    await sim('POST', `${of}/triggers/signage.pairing_code.issue`)
    const all = (await timeline()) as { id: string; kind: string; title: string; causedBy: string | null }[]
    const job = all.find(({ kind }) => kind === 'job')
    expect(job).toMatchObject({ title: 'catalog.activity.overdue', causedBy: null })
    expect(all).toContainEqual(expect.objectContaining({ kind: 'transition', causedBy: job?.id }))
    const trigger = all.find(({ kind }) => kind === 'trigger')
    expect(trigger).toMatchObject({ title: 'signage.pairing_code.issue' })
    expect(all).toContainEqual(expect.objectContaining({ kind: 'transition', causedBy: trigger?.id }))
  })

  test('is filtered by kind and paged', async () => {
    const { addProduct, timeline } = await setup()
    for (const name of ['A', 'B', 'C']) await addProduct(name)
    const requests = await timeline('kind=request&limit=2')
    expect(requests.map(({ id }: { id: string }) => id)).toEqual(['req_7', 'req_4'])
    expect(await timeline('kind=request&before=req_4')).toMatchObject([{ id: 'req_1' }])
  })

  test.each(['kind=call', 'limit=0', 'limit=1001', 'before=nobody'])('refuses %s', async (query) => {
    const { sim, of } = await setup()
    expect((await sim('GET', `${of}/timeline?${query}`)).status).toBe(400)
  })
})

describe('stream', () => {
  async function streaming() {
    const app = await setup()
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const open = (headers: Record<string, string> = {}) =>
      new Promise<{ response: IncomingMessage; text: () => string }>((resolve, reject) => {
        const request = get(`${url}/_sim${app.of}/stream`, { headers }, (response) => {
          let text = ''
          response.on('data', (chunk: Buffer) => (text += chunk.toString()))
          resolve({ response, text: () => text })
        })
        request.on('error', reject)
        onTestFinished(() => void request.destroy())
      })
    return { ...app, open, url }
  }

  test('sends entries as they happen', async () => {
    const { open, addProduct } = await streaming()
    const { response, text } = await open()
    expect(response.headers['content-type']).toBe('text/event-stream')
    await addProduct()
    await expect.poll(text).toContain('id: req_1\nevent: request\ndata: {"id":"req_1"')
    expect(text()).toContain('event: transition')
  })

  test('continues after the last entry received', async () => {
    const { open, addProduct } = await streaming()
    await addProduct('A')
    await addProduct('B')
    const { text } = await open({ 'last-event-id': 'evt_3' })
    await expect.poll(text).toContain('id: req_4')
    expect(text()).not.toContain('id: mov_2')
  })

  test('is cut off if its client does not read, without delaying others', async () => {
    const { open, addProduct, made, call } = await streaming()
    const { response } = await open()
    response.pause()
    await addProduct()
    for (let n = 0; n < 3000; n++) await call('GET', `${PRODUCTS}/${'x'.repeat(900)}`, made.key)
    expect((await addProduct()).status).toBe(201)
  })

  test('ends after the given number of seconds', async () => {
    const skip = skippableTime()
    const { fastify, of, addProduct } = await streaming()
    await addProduct()
    const stream = { isOver: false }
    const streamed = fastify
      .inject({ url: `/_sim${of}/stream?wait=30` })
      .finally(() => (stream.isOver = true))
    await addProduct()
    while (!stream.isOver) await skip(1000)
    expect((await streamed).payload).toContain('event: event')
  })

  test('sends nothing after its end, although earlier calls still complete', async () => {
    const { url, of, addProduct, open, fastify } = await streaming()
    const streams = await rawClient(url)
    const requestHead = (wait: number) => head('GET', `/_sim${of}/stream?wait=${String(wait)}`)
    streams.send(requestHead(20) + requestHead(0.1))
    const { text } = await open()
    await streams.until('timeline of the workspace')
    await fastify.inject({ url: `/_sim${of}/stream?wait=0.2` })
    await addProduct()
    await expect.poll(text).toContain('event: event')
    await streams.until('event: event')
  })

  test('ends when the server stops', async () => {
    const { open, close } = await streaming()
    const { response } = await open()
    const ended = new Promise((resolve) => response.once('close', resolve))
    await close()
    await ended
  })
})

describe('coverage', () => {
  test('counts calls by status, moves and events, including zeros', async () => {
    const { sim, of, addProduct, call, made } = await setup()
    await addProduct()
    await call('GET', `${PRODUCTS}/nobody`, made.key)
    for (const path of [`${of}/coverage`, '/coverage']) {
      const { body } = await sim('GET', path)
      expect(body.operations).toContainEqual({
        interface: 'catalog',
        operation: 'createProduct',
        calls: 1,
        statuses: { 201: 1 },
      })
      expect(body.operations).toContainEqual({
        interface: 'catalog',
        operation: 'deleteProduct',
        calls: 0,
        statuses: {},
      })
      expect(body.events).toContainEqual({ interface: 'catalog', event: 'product.created', count: 1 })
      expect(body.transitions).toContainEqual(
        expect.objectContaining({ machine: 'catalog.activity', move: 'complete', count: 0 }),
      )
      expect(body.summary.operations.met).toBe(2)
      expect(body.summary.operations.of).toBe(body.operations.length)
    }
  })

  test('of the server is kept by a reset', async () => {
    const { sim, of, addProduct } = await setup()
    await addProduct()
    await sim('POST', `${of}/reset`)
    expect((await sim('GET', `${of}/coverage`)).body.summary.operations.met).toBe(0)
    expect((await sim('GET', '/coverage')).body.summary.operations.met).toBe(1)
  })

  test('is available as a table and as diagrams', async () => {
    const { fastify, of, addProduct } = await setup()
    await addProduct()
    const text = await fastify.inject({ url: `/_sim${of}/coverage?format=text` })
    expect(text.payload).toMatch(/^operations: 1 of \d+$/m)
    expect(text.payload).toMatch(/^catalog createProduct +1 {2}201: 1$/m)
    const diagrams = await fastify.inject({ url: '/_sim/coverage?format=mermaid' })
    expect(diagrams.payload).toContain('%% catalog.activity\nstateDiagram-v2')
    expect(diagrams.payload).toContain('pending --> completed: complete (never)')
  })
})
