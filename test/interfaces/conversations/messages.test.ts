/** Messages. Specification part 3, "Message", "Message status". */
import { describe, expect, test } from 'vitest'
import { freshAccount, NOON_SECONDS, refusalOf, type MessageBody } from '../../support/conversations.ts'
import { multiply } from '../../support/filling.ts'
import { formOf } from '../../support/forms.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function conversing() {
  const account = await freshAccount()
  const { id } = await account.begin()
  const path = `/conversations/${String(id)}/messages`
  return {
    ...account,
    id,
    path,
    send: (body: Readonly<Record<string, unknown>>) => account.ask<MessageBody>('POST', path, body),
    refused: async (body: Readonly<Record<string, unknown>>) =>
      refusalOf(await account.raw('POST', path, { body })),
  }
}

test('returns a message without an envelope, always with additional_attributes', async () => {
  const { send, id } = await conversing()
  expect(await send({ content: 'Hello' })).toEqual({
    id: 1,
    content: 'Hello',
    inbox_id: 1,
    conversation_id: id,
    message_type: 1,
    content_type: 'text',
    content_attributes: {},
    status: 'sent',
    private: false,
    created_at: NOON_SECONDS,
    additional_attributes: {},
    source_id: null,
    sender: { id: 1, name: 'Test User', type: 'user', email: 'test.user@example.com', thumbnail: '' },
    attachments: [],
  })
  const attributes = { senderName: 'Shop', senderAvatarUrl: 'https://shop.example/a.png' }
  expect(await send({ content: 'Hello', additional_attributes: attributes })).toMatchObject({
    additional_attributes: attributes,
  })
})

test('returns the contact and the latest 20 messages, oldest first', async () => {
  const { send, ask, path, messagesOf, id } = await conversing()
  for (let count = 1; count <= 23; count++) await send({ content: String(count) })
  expect(await ask('GET', path)).toMatchObject({ meta: { contact: { id: 1, name: 'Marta' } } })
  const contents = async (query?: string) =>
    (await messagesOf(id, query)).map(({ content }) => Number(content))
  expect(await contents()).toEqual(Array.from({ length: 20 }, (_, index) => index + 4))
  expect(await contents('?before=4')).toEqual([1, 2, 3])
  expect(await contents('?after=21')).toEqual([22, 23])
  expect(await contents('?after=2&before=5')).toEqual([3, 4])
})

describe('after the clock is set back', () => {
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => String(from + index))

  test('messages keep the order of their creation, each on one page', async () => {
    const { send, messagesOf, id, get, fresh } = await conversing()
    for (const content of numbers(1, 25)) await send({ content })
    const earlier = { body: { now: '2026-11-21T11:00:00.000Z' } }
    const answer = await fresh.call('PUT', `/_sim/workspaces/${fresh.workspace.id}/clock`, earlier)
    expect(answer.status).toBe(200)
    for (const content of numbers(26, 30)) await send({ content })

    const contents = async (query?: string) => (await messagesOf(id, query)).map(({ content }) => content)
    expect(await contents()).toEqual(numbers(11, 30))
    expect(await contents('?before=11')).toEqual(numbers(1, 10))
    expect(await contents('?before=28')).toEqual(numbers(8, 27))
    expect(await contents('?after=20')).toEqual(numbers(21, 30))
    expect(await contents('?after=3&before=29')).toEqual(numbers(4, 28))
    expect((await get(id)).messages).toMatchObject([{ content: '30' }])
  })

  test('before and after accept unknown message ids', async () => {
    const { send, messagesOf, id, begin, fresh } = await conversing()
    await send({ content: '1' })
    const { id: other } = await begin({ message: { content: '2' } })
    await send({ content: '3' })
    await fresh.at('conversations')('DELETE', `/accounts/${String(fresh.workspace.tenantId)}/contacts/2`)
    expect(other).toBe(2)
    const contents = async (query?: string) => (await messagesOf(id, query)).map(({ content }) => content)
    expect(await contents('?before=2')).toEqual(['1'])
    expect(await contents('?after=2')).toEqual(['3'])
    expect(await contents('?before=99')).toEqual(['1', '3'])
    expect(await contents('?after=99')).toEqual([])
  })

  test('messages of a large account have the same order', async () => {
    const { send, messagesOf, id, get, fresh } = await conversing()
    await send({ content: '1' })
    multiply(fresh.workspace, 'chat_messages', 1199, {
      id: 'n + 1',
      content: 'n + 1',
      created_at: 'created_at - n',
    })
    const contents = async (query?: string) => (await messagesOf(id, query)).map(({ content }) => content)
    expect(await contents()).toEqual(numbers(1181, 1200))
    expect(await contents('?before=1181')).toEqual(numbers(1161, 1180))
    expect(await contents('?after=20')).toEqual(numbers(21, 120))
    expect((await get(id)).messages).toMatchObject([{ content: '1200' }])
  })
})

describe('a sent message', () => {
  test.each([
    ['outgoing', 1],
    [1, 1],
  ])('as %s has the type %i', async (sent, message_type) => {
    const { send } = await conversing()
    expect(await send({ content: 'Hello', message_type: sent })).toMatchObject({ message_type })
  })

  test.each(['template', 3, 'outgoing', 1, undefined])(
    'as %s with template parameters has the type 3',
    async (message_type) => {
      const { send } = await conversing()
      const template_params = { name: 'order_shipped' }
      expect(
        await send({ template_params, ...(message_type !== undefined && { message_type }) }),
      ).toMatchObject({ message_type: 3, status: 'delivered' })
    },
  )

  test('as incoming is accepted only in an API inbox', async () => {
    const { refused, ask, inbox, contact } = await conversing()
    const body = { content: 'Hello', message_type: 'incoming' }
    expect(await refused(body)).toEqual([422, 'Incoming messages are only allowed in Api inboxes'])
    const { id: inbox_id } = await inbox('api')
    const { id: contact_id } = await contact()
    const { id } = await ask<{ id: number }>('POST', '/conversations', { inbox_id, contact_id })
    expect(await ask('POST', `/conversations/${String(id)}/messages`, body)).toMatchObject({
      message_type: 0,
      sender: { id: contact_id, type: 'contact' },
    })
  })

  test.each([{}, { content: '' }, { content: '  ' }, { content: null }])('is not empty: %j', async (body) => {
    const { refused } = await conversing()
    expect(await refused(body)).toEqual([422, "Content can't be blank"])
  })

  test('has at most 100 content attributes, including its template', async () => {
    const { send, refused } = await conversing()
    const withAttributes = (count: number) => ({
      template_params: { name: 'order_shipped' },
      content_attributes: Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${String(n)}`, n])),
    })
    expect(Object.keys((await send(withAttributes(99))).content_attributes)).toHaveLength(100)
    expect(await refused(withAttributes(100))).toEqual([
      422,
      'Content attributes must have at most 100 fields',
    ])
  })
})

test('a note is private and is not a reply', async () => {
  const { receive, send, get } = await conversing()
  const { conversation_id: id } = await receive({ inbox_id: 1, contact_id: 1, content: 'Hello?' })
  expect(await send({ content: 'Rings twice', private: true })).toMatchObject({ private: true })
  expect(await get(id)).toMatchObject({ unread_count: 1, first_reply_created_at: null })
  await send({ content: 'Hello, Marta' })
  expect(await get(id)).toMatchObject({
    unread_count: 0,
    first_reply_created_at: NOON_SECONDS,
    waiting_since: null,
  })
})

describe('note', () => {
  test.each(['incoming', 'template', 3])('is from an agent, and cannot be %s', async (message_type) => {
    const { ask, raw, inbox, contact, get } = await freshAccount()
    const { id: inbox_id } = await inbox('api')
    const { id: contact_id } = await contact()
    const { id } = await ask<{ id: number }>('POST', '/conversations', {
      inbox_id,
      contact_id,
      status: 'resolved',
    })
    const body = { content: 'A secret', message_type, private: true }
    const answer = await raw('POST', `/conversations/${String(id)}/messages`, { body })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ attributes: ['private'] })
    expect(await get(id)).toMatchObject({ status: 'resolved', unread_count: 0, messages: [] })
  })

  test('is not a template, even with template_params', async () => {
    const { refused } = await conversing()
    expect((await refused({ template_params: { name: 'order_shipped' }, private: true }))[0]).toBe(422)
  })
})

describe('form', () => {
  test.each([
    ['1', 1],
    ['outgoing', 1],
  ])('accepts the message type %s', async (sent, message_type) => {
    const { raw, path } = await conversing()
    const answer = await raw('POST', path, formOf({ content: 'Hello', message_type: sent }))
    expect([answer.status, answer.body]).toMatchObject([200, { message_type }])
  })

  test('has objects as JSON texts', async () => {
    const { raw, path } = await conversing()
    const template_params = { name: 'order_shipped', language: 'es' }
    const attributes = { senderName: 'Shop' }
    const form = formOf({
      template_params: JSON.stringify(template_params),
      additional_attributes: JSON.stringify(attributes),
      content_attributes: '{"plan":"office"}',
    })
    expect((await raw('POST', path, form)).body).toMatchObject({
      message_type: 3,
      status: 'delivered',
      additional_attributes: attributes,
      content_attributes: { plan: 'office', template_params },
    })
  })

  test.each(['order_shipped', '{"name":', '7', '["a"]', 'null', ''])(
    'is refused with %j in place of an object',
    async (sent) => {
      const { raw, path } = await conversing()
      const answer = await raw('POST', path, formOf({ content: 'Hello', template_params: sent }))
      expect(answer.status).toBe(422)
      expect(answer.body).toMatchObject({ attributes: ['template_params'] })
    },
  )

  test('uploads files, which can be downloaded', async () => {
    const { raw, path, fresh } = await conversing()
    const answer = await raw(
      'POST',
      path,
      formOf({
        content: 'See these',
        message_type: 'outgoing',
        private: 'false',
        'attachments[]': [
          { filename: 'dot.png', content: PNG },
          { filename: 'list.txt', content: 'one\ntwo' },
        ],
      }),
    )
    const { attachments, content } = answer.body as MessageBody
    expect([answer.status, content]).toEqual([200, 'See these'])
    expect(attachments).toMatchObject([
      { file_type: 'image', extension: 'png', file_size: PNG.length, message_id: 1 },
      { file_type: 'file', extension: 'txt', file_size: 7, thumb_url: '' },
    ])
    const { pathname, search } = new URL(attachments[1]?.data_url ?? '')
    expect((await fresh.call('GET', pathname + search)).text).toBe('one\ntwo')
    const requests = `/_sim/workspaces/${fresh.workspace.id}/requests`
    const { data } = (await fresh.call('GET', `${requests}?operation=createMessage`)).body as {
      data: { id: string; request: { body: unknown } }[]
    }
    expect(data[0]?.request.body).toMatchObject({
      content: 'See these',
      attachments: [{ filename: 'dot.png' }, {}],
    })
    const { hints } = (await fresh.call('GET', `${requests}/${data[0]?.id ?? ''}`)).body as {
      hints: { code: string }[]
    }
    expect(hints.filter(({ code }) => code === 'unknown_body_field')).toEqual([])
  })

  test('may have only files, or be a note', async () => {
    const { raw, path } = await conversing()
    const file = { filename: 'list.txt', content: 'one' }
    expect((await raw('POST', path, formOf({ 'attachments[]': [file] }))).body).toMatchObject({
      content: null,
    })
    expect((await raw('POST', path, formOf({ content: 'a', private: 'true' }))).body).toMatchObject({
      private: true,
    })
  })

  test('has at most 15 files', async () => {
    const { raw, path } = await conversing()
    const files = (count: number) =>
      formOf({ 'attachments[]': Array.from({ length: count }, () => ({ filename: 'a.txt', content: 'a' })) })
    expect((await raw('POST', path, files(15))).status).toBe(200)
    expect((await raw('POST', path, files(16))).status).toBe(422)
  })

  test('has no texts in place of files', async () => {
    const { raw, path } = await conversing()
    expect((await raw('POST', path, formOf({ 'attachments[]': ['text'] }))).status).toBe(422)
  })
})

describe('contact', () => {
  test('that is new is created with a conversation', async () => {
    const { inbox, receive, ask, messagesOf, get } = await freshAccount()
    const { id: inbox_id } = await inbox()
    const contact = { name: 'Marta', email: 'marta@example.com' }
    const { conversation_id: id } = await receive({ inbox_id, content: 'Hello', contact })
    expect(await get(id)).toMatchObject({
      unread_count: 1,
      waiting_since: NOON_SECONDS,
      meta: { sender: { name: 'Marta', email: 'marta@example.com' } },
    })
    expect(await messagesOf(id)).toMatchObject([{ message_type: 0, sender: { type: 'contact' } }])
    const again = await receive({ inbox_id, content: 'Still there?', contact })
    expect(again.conversation_id).toBe(id)
    expect(await ask('GET', '/contacts/1')).toMatchObject({
      payload: { availability_status: 'online', last_activity_at: NOON_SECONDS },
    })
  })

  test('no longer waits for a reply in a conversation that is resolved', async () => {
    const { inbox, receive, ask, get } = await freshAccount()
    const { id: inbox_id } = await inbox()
    const { conversation_id: id } = await receive({ inbox_id, content: 'Hello', contact: { name: 'Marta' } })
    await ask('POST', `/conversations/${String(id)}/toggle_status`, { status: 'pending' })
    expect((await get(id)).waiting_since).toBe(NOON_SECONDS)
    await ask('POST', `/conversations/${String(id)}/toggle_status`, { status: 'resolved' })
    expect((await get(id)).waiting_since).toBeNull()
  })

  test.each(['resolved', 'snoozed'])('that writes reopens a conversation that was %s', async (status) => {
    const { begin, receive, get } = await freshAccount()
    const { id } = await begin({ status })
    await receive({ inbox_id: 1, content: 'One more thing', contact_id: 1 })
    expect((await get(id)).status).toBe('open')
  })

  test('that writes leaves a pending conversation pending', async () => {
    const { begin, receive, get } = await freshAccount()
    const { id } = await begin({ status: 'pending' })
    await receive({ inbox_id: 1, content: 'One more thing', contact_id: 1 })
    expect((await get(id)).status).toBe('pending')
  })

  test('cannot write to a conversation of another inbox or contact', async () => {
    const { begin, inbox, contact, trigger } = await freshAccount()
    const { id: conversation_id } = await begin()
    await inbox()
    await contact({ name: 'Other' })
    const receive = async (body: object) =>
      (await trigger('message.receive', { content: 'a', ...body })).status
    expect(await receive({ inbox_id: 2, conversation_id })).toBe(409)
    expect(await receive({ inbox_id: 1, conversation_id, contact_id: 2 })).toBe(409)
    expect(await receive({ inbox_id: 1 })).toBe(400)
    expect(await receive({ inbox_id: 9, contact_id: 1 })).toBe(404)
    expect(await receive({ inbox_id: 1, conversation_id: 9 })).toBe(404)
  })
})

describe('deleted inbox', () => {
  test('keeps its conversations, but sends and receives nothing', async () => {
    const { ask, refused, trigger, messagesOf, send, id } = await conversing()
    await send({ content: 'Hello' })
    await ask('DELETE', '/inboxes/1')
    expect(await messagesOf(id)).toHaveLength(1)
    expect((await refused({ content: 'Hello' }))[1]).toMatch(/disconnected/)
    expect((await trigger('message.receive', { inbox_id: 1, contact_id: 1, content: 'a' })).status).toBe(409)
    expect(await messagesOf(id)).toHaveLength(1)
  })

  test('keeps private notes, which nobody receives', async () => {
    const { ask, refused, messagesOf, send, id } = await conversing()
    await ask('DELETE', '/inboxes/1')
    expect(await send({ content: 'Call them', private: true })).toMatchObject({
      private: true,
      status: 'sent',
    })
    expect((await refused({ content: 'Hi', private: false }))[1]).toMatch(/disconnected/)
    expect((await refused({ content: '', private: true }))[0]).toBe(422)
    expect((await messagesOf(id)).map(({ content }) => content)).toEqual(['Call them'])
  })
})

describe('messaging app', () => {
  async function onWhatsapp() {
    const account = await freshAccount()
    const { id: inbox_id } = await account.inbox('whatsapp')
    await account.contact()
    const { conversation_id: id } = await account.receive({ inbox_id, contact_id: 1, content: 'Hello' })
    const path = `/conversations/${String(id)}/messages`
    const send = (body: Readonly<Record<string, unknown>>) => account.ask<MessageBody>('POST', path, body)
    return { ...account, id, send }
  }

  test('delivers a free text within a day after the contact wrote', async () => {
    const { send, fresh, get, id } = await onWhatsapp()
    fresh.setClock('2026-11-22T11:59:59.000Z')
    expect((await get(id)).can_reply).toBe(true)
    expect((await send({ content: 'Hello' })).status).toBe('sent')
    fresh.setClock('2026-11-22T12:00:00.000Z')
    expect((await get(id)).can_reply).toBe(false)
    expect((await send({ content: 'Hello' })).status).toBe('failed')
    expect((await send({ content: 'A note', private: true })).status).toBe('sent')
  })

  test.each(['open', 'resolved', 'snoozed', 'pending'])(
    'delivers a template at any time, also if it is %s',
    async (status) => {
      const { send, ask, fresh, id } = await onWhatsapp()
      await ask('POST', `/conversations/${String(id)}/toggle_status`, { status })
      fresh.setClock('2026-12-22T12:00:00.000Z')
      const template_params = { name: 'order_shipped', language: 'es' }
      expect(await send({ template_params })).toMatchObject({
        status: 'delivered',
        message_type: 3,
        content_attributes: { template_params },
      })
    },
  )
})

describe('status of a message', () => {
  const STATES = ['sent', 'delivered', 'read', 'failed'] as const
  const ALLOWED: Readonly<Record<string, readonly string[]>> = {
    sent: ['sent', 'delivered', 'read', 'failed'],
    delivered: ['delivered', 'read'],
    read: ['read'],
    failed: ['failed', 'sent'],
  }

  test.each(STATES.flatMap((from) => STATES.map((to) => [from, to] as const)))(
    'from %s to %s',
    async (from, to) => {
      const { send, trigger } = await conversing()
      const { id: message_id } = await send({ content: 'Hello' })
      const set = (status: string) => trigger('message.status', { message_id, status })
      await set(from)
      const { status, body } = await set(to)
      const isAllowed = ALLOWED[from]?.includes(to) ?? false
      expect(status).toBe(isAllowed ? 200 : 409)
      if (isAllowed) expect(body).toMatchObject({ status: to })
    },
  )

  test('does not exist for incoming messages and notes', async () => {
    const { send, trigger, receive } = await conversing()
    const { id: note } = await send({ content: 'A note', private: true })
    const { message_id: incoming } = await receive({ inbox_id: 1, contact_id: 1, content: 'Hello' })
    for (const message_id of [note, incoming]) {
      expect((await trigger('message.status', { message_id, status: 'read' })).status).toBe(409)
    }
  })
})

describe('search', () => {
  const found = async (account: Awaited<ReturnType<typeof freshAccount>>, q: string) => {
    const { data } = await account.ask<{ data: { payload: { id: number }[] } }>(
      'GET',
      `/conversations/search?q=${encodeURIComponent(q)}`,
    )
    return data.payload.map(({ id }) => id)
  }

  test('finds incoming and outgoing messages of every status, without case and accents', async () => {
    const account = await freshAccount()
    const first = await account.begin({ message: { content: 'El ARMARIO está listo' }, status: 'resolved' })
    const second = await account.begin()
    await account.receive({ inbox_id: second.inbox_id, conversation_id: second.id, content: 'armário?' })
    expect(await found(account, 'Armario')).toEqual([second.id, first.id])
    expect(await found(account, 'esta listo')).toEqual([first.id])
    expect(await found(account, 'sofa')).toEqual([])
    expect((await account.raw('GET', '/conversations/search')).status).toBe(422)
  })
})
