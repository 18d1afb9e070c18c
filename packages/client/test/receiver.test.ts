/** The webhook receiver, and the webhooks that a simulator sends to it. */
import { createHmac } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  type EventData,
  type FlatEvent,
  receiveWebhooks,
  SimulatorError,
  verifySignature,
  type InterfaceName,
  type NewWorkspace,
  type ReceiverOptions,
  type WebhookReceiver,
} from '@suite-sim/library/index'
import { freshWorkspace } from './simulator.ts'

/** An event whose published types have both forms. */
interface Published {
  readonly contact_created: {
    readonly post: {
      readonly requestBody: {
        readonly content: {
          readonly 'application/json':
            | { id: string; event: string; data: { contact: { name: string } } }
            | { event: string; id: number; name: string }
        }
      }
    }
  }
}

async function receiver(options?: ReceiverOptions): Promise<WebhookReceiver> {
  const made = await receiveWebhooks(options)
  onTestFinished(() => made.close())
  return made
}

const signed = (body: string, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** Sends a webhook as a simulator would, and returns the status. */
async function send(
  { url }: WebhookReceiver,
  body: string,
  headers: Record<string, string>,
): Promise<number> {
  return (await fetch(url, { method: 'POST', body, headers })).status
}

const sendEvent = (to: WebhookReceiver, event: string): Promise<number> =>
  send(to, JSON.stringify({ id: event, event, data: {} }), { 'x-service-event': event })

describe('verifySignature', () => {
  const body = '{"id":"é"}'

  test('accepts only the signature of these bytes with this secret', () => {
    expect(verifySignature(body, signed(body, 'one'), 'one')).toBe(true)
    expect(verifySignature(Buffer.from(body), signed(body, 'one'), 'one')).toBe(true)
    expect(verifySignature(body, signed(body, 'one'), 'two')).toBe(false)
    expect(verifySignature(`${body} `, signed(body, 'one'), 'one')).toBe(false)
  })

  test.each([undefined, '', 'sha256=', 'sha256=00', signed(body, 'one').slice('sha256='.length)])(
    'refuses %s',
    (signature) => {
      expect(verifySignature(body, signature, 'one')).toBe(false)
    },
  )
})

describe('receiver', () => {
  /** An action for each interface that emits an event. */
  const CAUSES: Readonly<Partial<Record<InterfaceName, (workspace: NewWorkspace) => Promise<unknown>>>> = {
    catalog: (workspace) =>
      workspace.fetch('catalog', '/products', {
        json: { name: 'Standing desk', type: 'physical', basePrice: '449.00' },
      }),
    payments: async (workspace) => {
      const { data } = await workspace.records.list('payments.links', { limit: 100 })
      const link = data.find(({ status, amount }) => status === 'active' && amount !== null)
      await workspace.trigger('payments.link.pay', { link_id: String(link?.['id']) })
    },
    pos: (workspace) => workspace.trigger('pos.event.emit', { event: 'sale.completed' }),
    recruiting: (workspace) => workspace.fetch('recruiting', '/vacancies', { json: { title: 'Joiner' } }),
  }

  test.each(Object.keys(CAUSES) as InterfaceName[])('verifies the webhooks of %s', async (name) => {
    const workspace = await freshWorkspace()
    const webhooks = await receiver()
    await webhooks.subscribe(workspace, { interface: name })
    await CAUSES[name]?.(workspace)
    const webhook = await webhooks.next()
    expect(webhook).toMatchObject({ verified: true, attempt: 1, status: 200, id: webhook.payload['id'] })
    expect(webhook.event).toBe(webhook.payload['event'])
    expect(webhook.data).toEqual(webhook.payload['data'])
  })

  test('returns the whole body and the id of the delivery for a webhook without an envelope', async () => {
    const event = 'contact_created'
    const readings = { 'conversations.webhook_payload': 'flat' } as const
    const workspace = await freshWorkspace({ fixtures: 'small', readings })
    const webhooks = await receiver()
    await webhooks.subscribe(workspace, { interface: 'conversations', events: [event] })
    const write = (name: string) =>
      workspace.trigger('conversations.message.receive', { inbox_id: 1, content: 'Hello', contact: { name } })
    await write('Marta')
    const webhook = await webhooks.next<FlatEvent<Published, typeof event>>({ event })
    expect(webhook).toMatchObject({ verified: true, event })
    expect(webhook.data.name).toBe('Marta')
    expect(webhook.data).toEqual(webhook.payload)
    const [delivery] = await workspace.deliveries.list({ interface: 'conversations' })
    expect(delivery).toMatchObject({ id: webhook.id, payload: webhook.payload })

    await workspace.update({ readings: { 'conversations.webhook_payload': 'nested' } })
    await write('Luis')
    const nested = await webhooks.next<EventData<Published, typeof event>>({ event })
    expect(nested.data.contact.name).toBe('Luis')
    expect(nested.id).toBe(nested.payload['id'])
  })

  test('responds with 401 to a signature of another secret, records the request, and does not return it', async () => {
    const webhooks = await receiver({ secret: ['one', 'two'] })
    const body = '{"id":"a","event":"sale.completed","data":{}}'
    const headers = { 'x-service-event': 'sale.completed' }
    expect(await send(webhooks, body, { ...headers, 'x-service-signature': signed(body, 'three') })).toBe(401)
    expect(await send(webhooks, body, headers)).toBe(401)
    const error: unknown = await webhooks.next({ timeout: 0.05 }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SimulatorError)
    expect(error).toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('sale.completed (wrong signature)'),
    })
    expect(await send(webhooks, body, { ...headers, 'x-service-signature': signed(body, 'two') })).toBe(200)
    expect(await webhooks.next()).toMatchObject({ id: 'a', verified: true })
    expect(webhooks.received.map(({ verified }) => verified)).toEqual([false, false, true])
  })

  test('returns each webhook once from next(), and all of them from wait()', async () => {
    const webhooks = await receiver()
    const waiting = webhooks.wait(2, { event: 'sale.completed' })
    for (const event of ['sale.completed', 'sale.refunded', 'sale.completed'])
      await sendEvent(webhooks, event)
    expect((await waiting).map(({ event }) => event)).toEqual(['sale.completed', 'sale.completed'])
    expect(await webhooks.next({ event: 'sale.refunded' })).toMatchObject({ id: 'sale.refunded' })
    const [one, other] = [await webhooks.next(), await webhooks.next()]
    expect(one).not.toBe(other)
    await expect(webhooks.next({ timeout: 0.02 })).rejects.toThrow(
      'Waited 0.02 s for another webhook. Received in all: sale.completed, sale.refunded, sale.completed.',
    )
    expect(await webhooks.wait(3)).toHaveLength(3)
    webhooks.clear()
    await expect(webhooks.wait(1, { timeout: 0.02 })).rejects.toThrow('Received in all: nothing')
  })

  test('returns a different webhook to each concurrent next()', async () => {
    const webhooks = await receiver()
    const both = Promise.all([webhooks.next(), webhooks.next()])
    await sendEvent(webhooks, 'one')
    await sendEvent(webhooks, 'other')
    expect((await both).map(({ event }) => event)).toEqual(['one', 'other'])
  })

  test('responds with the configured status, so that the simulator retries', async () => {
    const workspace = await freshWorkspace()
    const webhooks = await receiver({ answer: 503 })
    await webhooks.subscribe(workspace, { interface: 'pos', events: ['sale.completed'] })
    await workspace.trigger('pos.event.emit', { event: 'sale.completed' })
    expect(await webhooks.next()).toMatchObject({ attempt: 1, status: 503 })
    webhooks.answerWith(({ attempt }) => (attempt === 2 ? 500 : 204))
    await workspace.clock.advance('PT10S')
    expect(await webhooks.next()).toMatchObject({ attempt: 2, status: 500 })
    await workspace.clock.advance('PT10M')
    const third = await webhooks.next()
    expect(third).toMatchObject({ attempt: 3, status: 204 })
    expect(new Set(webhooks.received.map(({ id }) => id)).size).toBe(1)
    const [delivery] = await workspace.deliveries.wait({ event: 'sale.completed' })
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([503, 500, 204])
    await workspace.deliveries.redeliver(delivery?.id ?? '')
    expect(await webhooks.next()).toMatchObject({ id: third.id })
    expect(await workspace.deliveries.redeliverAll()).toBe(0)
    await workspace.deliveries.wait({ event: 'sale.completed' })
    expect(await workspace.deliveries.redeliverAll({ status: 'delivered', event: 'sale.completed' })).toBe(1)
    expect(await webhooks.next()).toMatchObject({ id: third.id })
  })

  test('shows a sample of an event that did not occur', async () => {
    const workspace = await freshWorkspace()
    const webhooks = await receiver()
    await webhooks.subscribe(workspace, { interface: 'crm' })
    const { eventId } = await workspace.deliveries.sample({
      interface: 'crm',
      event: 'deal.won',
      data: { deal: 7 },
    })
    expect(await webhooks.next()).toMatchObject({ id: eventId, event: 'deal.won', data: { deal: 7 } })
  })

  test('shows a webhook that a fault changed in transit', async () => {
    const workspace = await freshWorkspace()
    const webhooks = await receiver()
    await webhooks.subscribe(workspace, { interface: 'pos' })
    await workspace.faults.add({ delivery: 'truncate', times: 1 })
    await workspace.trigger('pos.event.emit', { event: 'sale.completed' })
    const [spoilt] = await workspace.deliveries.wait({ status: 'pending' })
    expect(spoilt).toBeDefined()
    await expect.poll(() => webhooks.received.length).toBe(1)
    expect(webhooks.received[0]).toMatchObject({ event: 'sale.completed', verified: false, payload: {} })
  })

  test('shows the URL that a simulator on another host can use', async () => {
    const named = await receiver({ hostname: 'localhost' })
    expect(named.url).toMatch(/^http:\/\/localhost:\d+\/webhooks$/)
    vi.stubEnv('SUITE_SIM_WEBHOOK_HOST', 'localhost')
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const { url } = await receiver()
    expect(url).toMatch(/^http:\/\/localhost:/)
    expect((await fetch(url.replace('localhost', '127.0.0.2'), { method: 'POST' })).status).toBe(200)
  })

  test('is unreachable after its block has ended', async () => {
    let url
    {
      await using webhooks = await receiveWebhooks()
      url = webhooks.url
      await webhooks.close()
    }
    await expect(fetch(url)).rejects.toThrow()
  })

  test('uses the given port, or reports that the port is in use', async () => {
    const { url } = await receiver()
    await expect(receiveWebhooks({ port: Number(new URL(url).port) })).rejects.toThrow(/EADDRINUSE/)
  })
})
