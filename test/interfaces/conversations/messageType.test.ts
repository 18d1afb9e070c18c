/** The reading of message types. */
import { describe, expect, test } from 'vitest'
import { freshChat } from '../../support/chatting.ts'
import { contractOf } from '../../support/contract.ts'
import { causeAll, chosen, NUMBERS, typesIn, WORDS, type Body } from '../../support/conversationReadings.ts'
import { publishedOf } from '../../support/published.ts'
import { receiver } from '../../support/webhooks.ts'

const CONTRACT = contractOf(publishedOf('conversations'))

const FORMS = [
  ['integer', NUMBERS, [0, 1, 2, 3]],
  ['string', WORDS, ['incoming', 'outgoing', 'activity', 'template']],
] as const

describe('conversations.message_type', () => {
  test.each(FORMS)('%s: every response has this form', async (_form, readings, types) => {
    const account = await chosen(readings)
    const { ask, receive, raw, trigger, contact } = account
    const { id: inbox_id } = await account.inbox('api')
    const { conversation_id: id } = await receive({
      inbox_id,
      content: 'Where is it?',
      contact: { name: 'Ana' },
    })
    const path = `/conversations/${String(id)}`
    const [incoming, outgoing, activity, template] = types
    const send = (body: object) =>
      ask<{ id: number; message_type: unknown }>('POST', `${path}/messages`, { ...body })
    const sent = await send({ content: 'Soon' })
    expect(sent.message_type).toBe(outgoing)
    expect(typesIn((await trigger('message.status', { message_id: sent.id, status: 'read' })).body)).toEqual([
      outgoing,
    ])
    // Requests take both forms under both readings.
    for (const [message_type, type] of [
      ['incoming', incoming],
      [0, incoming],
      ['outgoing', outgoing],
      [1, outgoing],
    ]) {
      expect((await send({ content: 'Soon', message_type })).message_type).toBe(type)
    }
    for (const message_type of ['template', 3]) {
      const named = { message_type, template_params: { name: 'order_shipped' } }
      expect((await send(named)).message_type).toBe(template)
    }
    expect(typesIn(await ask('POST', `${path}/toggle_vip`, { vip: true }))).toEqual([activity, template])
    expect(typesIn(await ask('PATCH', path, { priority: 'high' }))).toEqual([activity, template])
    expect(typesIn(await ask('GET', path))).toEqual([activity, template])
    const page = [activity, template]
    expect(typesIn(await ask('GET', '/conversations'))).toEqual(page)
    expect(typesIn(await ask('GET', '/conversations/search?q=Soon'))).toEqual(page)
    const payload = [{ attribute_key: 'status', filter_operator: 'equal_to', values: ['open'] }]
    expect(typesIn(await ask('POST', '/conversations/filter', { payload }))).toEqual(page)
    expect(new Set(typesIn(await ask('GET', `${path}/messages`)))).toEqual(new Set<unknown>(types))
    const { id: contact_id } = await contact()
    const message = { content: 'Hello' }
    expect(typesIn(await ask('POST', '/conversations', { inbox_id, contact_id, message }))).toEqual([
      outgoing,
      outgoing,
    ])
    // A type that is neither is refused in the same way.
    const wrong = await raw('POST', `${path}/messages`, { body: { content: 'x', message_type: 'other' } })
    expect(wrong.status).toBe(422)
  })

  test.each(FORMS)('%s: events have this form too', async (_form, readings, [, outgoing, activity]) => {
    const account = await chosen(readings)
    await account.subscribe(await receiver())
    await causeAll(account)
    const deliveries = await account.deliveries()
    expect(new Set(deliveries.flatMap(({ payload }) => typesIn(payload)))).toEqual(
      new Set([outgoing, activity]),
    )
    for (const { event, payload } of deliveries) CONTRACT.checkDelivery(event, JSON.stringify(payload))
  })

  test('a change of the reading applies to responses that were cached before', async () => {
    const { ask, begin, choose } = await chosen()
    const { id } = await begin({ message: { content: 'Hello' } })
    const paths = [`/conversations/${String(id)}`, '/conversations', `/conversations/${String(id)}/messages`]
    const types = async () => {
      const found: unknown[] = []
      for (const path of paths) found.push(...typesIn(await ask('GET', path)))
      return new Set(found)
    }
    for (const [readings, type] of [
      [NUMBERS, 1],
      [WORDS, 'outgoing'],
      [NUMBERS, 1],
    ] as const) {
      await choose(readings)
      // A response is cached on its second request.
      for (let times = 0; times < 3; times++) expect(await types()).toEqual(new Set([type]))
    }
  })

  test('a stored event and its pending delivery keep their form', async () => {
    const account = await chosen()
    await account.subscribe(await receiver(() => 503))
    await account.begin({ message: { content: 'Before' } })
    await account.choose(WORDS)
    await account.begin({ message: { content: 'After' } })
    const sent = (await account.deliveries()).filter(({ event }) => event === 'message_created')
    expect(sent.map(({ payload }) => payload.data.message.message_type)).toEqual([1, 'outgoing'])
  })
})

describe('the cable', () => {
  test.each(FORMS)(
    '%s: pushes messages as in responses',
    async (_form, readings, [incoming, outgoing, activity]) => {
      const chat = await freshChat()
      await chat.call('PATCH', `/_sim/workspaces/${chat.workspace.id}`, { body: { readings } })
      const inbox_id = await chat.website()
      const { conversation_id: id } = await chat.receive({
        inbox_id,
        content: 'Hi',
        contact: { name: 'Ana' },
      })
      const client = await chat.agent()
      await chat.chat('POST', `/conversations/${String(id)}/messages`, { content: 'Hello' })
      const { body } = await chat.chat('GET', `/conversations/${String(id)}/messages`)
      expect(typesIn(body)).toEqual([incoming, outgoing])
      let { message } = await client.next()
      while ((message as Body).event !== 'message.created') ({ message } = await client.next())
      expect((message as Body).data).toEqual({
        ...body.payload.at(-1),
        account_id: chat.workspace.tenantId,
      })
      await chat.chat('POST', `/conversations/${String(id)}/toggle_vip`, { vip: true })
      do ({ message } = await client.next())
      while ((message as Body).event !== 'message.created')
      expect(typesIn(message)).toEqual([activity])
    },
  )
})

describe('the published document', () => {
  const { routes } = publishedOf('conversations')
  const { document } = CONTRACT

  const MESSAGE = '#/components/schemas/Message'

  /** Returns the schemas that a schema refers to, directly or not. */
  function referred(schema: unknown, found = new Set<string>()): Set<string> {
    for (const [, ref = ''] of JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)) {
      if (found.has(ref)) continue
      found.add(ref)
      referred(document.components.schemas[ref.split('/').at(-1) ?? ''] ?? {}, found)
    }
    return found
  }

  test('names the reading of message types where a response contains messages', () => {
    const withMessages: string[] = []
    for (const { operation, method, path } of routes) {
      const published = document.paths[path]?.[method.toLowerCase()]
      const shows = referred(published?.responses ?? {}).has(MESSAGE)
      if (shows) withMessages.push(operation.id)
      expect([operation.id, published?.['x-reading'] ?? []]).toEqual([
        operation.id,
        shows ? ['conversations.message_type'] : [],
      ])
    }
    expect(withMessages).toContain('listMessages')
    expect(withMessages).toContain('toggleVip')
    expect(document.components.schemas['Message']?.['properties']).toMatchObject({
      message_type: {
        anyOf: [
          { type: 'integer', minimum: 0, maximum: 3 },
          { type: 'string', enum: ['incoming', 'outgoing', 'activity', 'template'] },
        ],
        'x-reading': ['conversations.message_type'],
      },
    })
  })
})
