/** The reading of webhook bodies. */
import { describe, expect, test } from 'vitest'
import { signatureOf } from '@suite-sim/kit/webhooks/signature'
import { freshApp, type Answer } from '../../support/app.ts'
import { contractOf } from '../../support/contract.ts'
import {
  causeAll,
  chosen,
  FLAT,
  isFlat,
  NESTED,
  NUMBERS,
  typesIn,
  WORDS,
  type Body,
  type Delivery,
} from '../../support/conversationReadings.ts'
import { NOON, NOON_SECONDS } from '../../support/conversations.ts'
import { publishedOf } from '../../support/published.ts'
import { receiver } from '../../support/webhooks.ts'

const CONTRACT = contractOf(publishedOf('conversations'))

const EVENTS = publishedOf('conversations').definition.events ?? []

describe('conversations.webhook_payload', () => {
  test.each([
    ['nested', {}],
    ['flat', FLAT],
  ])('%s: every event has the documented body', async (form, readings) => {
    const account = await chosen(readings)
    await account.subscribe(await receiver())
    await causeAll(account)
    const deliveries = await account.deliveries()
    expect(new Set(deliveries.map(({ event }) => event))).toEqual(new Set(EVENTS.map(({ name }) => name)))
    for (const { event, payload } of deliveries) {
      CONTRACT.checkDelivery(event, JSON.stringify(payload))
      expect(payload.event).toBe(event)
      expect('data' in payload).toBe(form === 'nested')
      expect('account' in payload).toBe(form === 'flat')
    }
  })

  test('flat has the fields of the record beside event and account', async () => {
    const account = await chosen(FLAT)
    await account.subscribe(await receiver())
    const { inbox_id, contact_id, id, message_id } = await causeAll(account)
    const { tenantId, name } = account.fresh.workspace
    const of = { id: tenantId, name }
    const deliveries = await account.deliveries()
    const last = (event: string): Body => deliveries.findLast((each) => each.event === event)?.payload
    const first = (event: string): Body => deliveries.find((each) => each.event === event)?.payload

    const { messages, last_non_activity_message, ...conversation } = await account.get(id)
    expect([messages.length, last_non_activity_message?.id]).toEqual([1, message_id])
    expect(last('conversation_status_changed')).toMatchObject({
      event: 'conversation_status_changed',
      ...conversation,
      account: of,
    })
    const sent = first('message_created')
    expect(sent).toMatchObject({
      event: 'message_created',
      id: message_id,
      content: 'Hello',
      message_type: 1,
      content_type: 'text',
      content_attributes: {},
      private: false,
      created_at: NOON_SECONDS,
      source_id: null,
      sender: { name: 'Test User', type: 'user' },
      account: of,
      inbox: { id: inbox_id, name: 'Shop' },
      conversation: { id, status: 'open', inbox_id, meta: { sender: { id: contact_id } } },
    })
    expect(last('message_updated')).toEqual({
      ...sent,
      event: 'message_updated',
      status: 'read',
      conversation: expect.objectContaining({ id }) as unknown,
    })
    const { body } = (await account.raw('GET', `/contacts/${String(contact_id)}`)) as Answer<Body>
    const { contact_inboxes: _inboxes, ...contact } = body.payload
    expect(first('contact_updated')).toEqual({
      ...contact,
      last_activity_at: null,
      availability_status: 'offline',
      event: 'contact_updated',
      account: of,
    })
    const shop = await account.ask<object>('GET', `/inboxes/${String(inbox_id)}`)
    expect(last('inbox_updated')).toEqual({ ...shop, event: 'inbox_updated', account: of })
  })

  test('flat keeps the headers and signs the body that is sent', async () => {
    const account = await chosen(FLAT)
    const to = await receiver()
    const secret = await account.subscribe(to)
    await account.contact()
    await to.received(1)
    const [{ headers, body } = { headers: {}, body: '' }] = to.requests
    const [delivery] = await account.deliveries()
    expect(JSON.parse(body)).toEqual(delivery?.payload)
    expect(headers).toMatchObject({
      'x-service-event': 'contact_created',
      'x-service-signature': signatureOf(secret, body),
      'x-service-delivery': delivery?.id,
      'x-service-attempt': '1',
    })
  })

  test.each([
    ['nested', NESTED, FLAT],
    ['flat', FLAT, NESTED],
  ])('a pending %s delivery keeps its form when the reading changes', async (form, before, after) => {
    const account = await chosen(before)
    let status = 503
    const to = await receiver(() => status)
    await account.subscribe(to)
    await account.contact({ name: 'Before' })
    await to.received(1)
    await account.sim('GET', '/deliveries?wait=300&count=1')
    await account.choose(after)
    status = 200
    await account.contact({ name: 'After' })
    await account.sim('POST', '/clock/advance', { duration: 'PT1M' })
    const deliveries = await account.deliveries()
    expect(deliveries.map((each) => each.status)).toEqual(['delivered', 'delivered'])
    const isNested = ({ payload }: Delivery): boolean => 'data' in payload
    expect(deliveries.map(isNested)).toEqual([form === 'nested', form !== 'nested'])
    const bodies = to.requests.filter(({ body }) => body.includes('Before')).map(({ body }) => body)
    expect(bodies.length).toBeGreaterThan(1)
    expect(new Set(bodies).size).toBe(1)

    // Sent again, it still has its form.
    const [first] = deliveries
    const count = to.requests.length
    await account.sim('POST', `/deliveries/${String(first?.id)}/redeliver`)
    await to.received(count + 1)
    expect(to.requests.at(-1)?.body).toBe(bodies[0])
  })

  test('flat does not change other interfaces, or other workspaces', async () => {
    const [account, other] = [await chosen(FLAT), await chosen()]
    const to = await receiver()
    await account.subscribe(to, 'pos')
    await account.sim('POST', '/triggers/pos.event.emit', { event: 'sale.completed' })
    const [sale] = await account.deliveries()
    expect(Object.keys(sale?.payload)).toEqual(['id', 'event', 'createdAt', 'data'])

    await Promise.all([account, other].map((each) => each.subscribe(to)))
    await Promise.all([account, other].map((each) => each.contact()))
    const forms = [await isFlat(account), await isFlat(other)]
    expect(forms).toEqual([true, false])
  })

  test('a stale fault leaves a flat body, which has no event time, as it is', async () => {
    const account = await chosen(FLAT)
    const to = await receiver()
    await account.subscribe(to)
    await account.sim('POST', '/faults', { delivery: 'stale' })
    await account.contact()
    await to.received(1)
    expect(JSON.parse(to.requests[0]?.body ?? '')).toEqual((await account.deliveries())[0]?.payload)
  })
})

describe('both readings', () => {
  test('together give the webhooks that clients of Chatwoot expect', async () => {
    const account = await chosen({ ...FLAT, ...WORDS })
    const to = await receiver()
    await account.subscribe(to)
    const { id: inbox_id } = await account.inbox()
    await account.receive({ inbox_id, content: 'Where is it?', contact: { name: 'Ana' } })
    const created = (await account.deliveries()).find(({ event }) => event === 'message_created')
    CONTRACT.checkDelivery('message_created', JSON.stringify(created?.payload))
    expect(created?.payload).toMatchObject({
      event: 'message_created',
      message_type: 'incoming',
      content: 'Where is it?',
      sender: { name: 'Ana', type: 'contact' },
      conversation: { status: 'open', messages: [{ message_type: 'incoming' }] },
    })
  })

  test('are carried by clones and snapshots, and differ between workspaces', async () => {
    const [account, other] = [await chosen({ ...FLAT, ...WORDS }), await chosen()]
    const { sim, fresh } = account
    const { id } = await account.begin({ message: { content: 'Hello' } })
    const { id: own } = await other.begin({ message: { content: 'Hello' } })
    expect(typesIn(await account.get(id))).toEqual(['outgoing', 'outgoing'])
    expect(typesIn(await other.get(own))).toEqual([1, 1])

    const { workspace, key } = await sim('POST', '/clone')
    const { tenantId } = fresh.app.workspaces.find(workspace.id) ?? {}
    const url = `/chat/api/v1/accounts/${String(tenantId)}/conversations/${String(id)}`
    const { body } = await fresh.call('GET', url, { key })
    expect(typesIn(body)).toEqual(['outgoing', 'outgoing'])

    const snapshot = await sim('GET', '/snapshot')
    await account.choose({ ...NESTED, ...NUMBERS })
    expect(typesIn(await account.get(id))).toEqual([1, 1])
    await sim('PUT', '/snapshot', snapshot)
    expect(typesIn(await account.get(id))).toEqual(['outgoing', 'outgoing'])
    await Promise.all([account, other].map(async (each) => each.subscribe(await receiver())))
    await Promise.all([account, other].map((each) => each.contact({ name: 'Luis' })))
    expect([await isFlat(account), await isFlat(other)]).toEqual([true, false])
  })

  test('may be those of the server', async () => {
    const { call, app, workspace } = await freshApp({ readings: { ...FLAT, ...WORDS } })
    const path = `/_sim/workspaces/${workspace.id}`
    const to = await receiver()
    await call('POST', `${path}/subscriptions`, { body: { interface: 'conversations', url: to.url } })
    const at = `/chat/api/v1/accounts/${String(workspace.tenantId)}`
    const channel = { type: 'api' }
    const { body: inbox } = (await call('POST', `${at}/inboxes`, {
      body: { name: 'Shop', channel },
    })) as Answer<Body>
    const sent = { inbox_id: inbox.id, content: 'Hello', contact: { name: 'Ana' } }
    await call('POST', `${path}/triggers/conversations.message.receive`, { body: sent })
    const { body: list } = (await call('GET', `${at}/conversations`)) as Answer<Body>
    expect(typesIn(list)).toEqual(['incoming', 'incoming'])
    const [last] = app.webhooks.list(workspace, { limit: 1, event: 'message_created' })
    expect(JSON.parse(last?.body ?? '')).toMatchObject({ content: 'Hello', message_type: 'incoming' })
  })
})

describe('the published document', () => {
  const { document } = CONTRACT

  test('names the readings of each event, and has both of its bodies', () => {
    const names = EVENTS.map(({ name }) => name)
    for (const name of names) {
      const { post } = (document.webhooks as Body)[name]
      const hasMessages = /^(conversation|message)_/.test(name)
      expect([name, post['x-reading']]).toEqual([
        name,
        ['conversations.webhook_payload', ...(hasMessages ? ['conversations.message_type'] : [])],
      ])
      const { schema, example } = post.requestBody.content['application/json']
      expect(schema.anyOf).toMatchObject([
        { required: ['id', 'event', 'createdAt', 'data'], properties: { event: { const: name } } },
        { $ref: expect.stringMatching(/^#\/components\/schemas\/Flat\w+Event$/) as unknown },
      ])
      const flat: Body = document.components.schemas[schema.anyOf[1].$ref.split('/').at(-1)]
      expect(flat.properties.event.enum).toContain(name)
      CONTRACT.checkDelivery(name, JSON.stringify(example))
    }
  })

  test.each([
    ['a body that mixes both', (body: object) => ({ ...body, createdAt: NOON })],
    ['a body without the event', ({ event: _event, ...body }: Body) => body],
    ['another event', (body: object) => ({ ...body, event: 'message_created' })],
  ])('refuses %s', async (_name, change) => {
    const account = await chosen(FLAT)
    await account.subscribe(await receiver())
    await account.contact()
    const [delivery] = await account.deliveries()
    const check = (body: object) => () => {
      CONTRACT.checkDelivery('contact_created', JSON.stringify(body))
    }
    expect(check(delivery?.payload)).not.toThrow()
    expect(check(change(delivery?.payload))).toThrow('contact_created')
  })
})
