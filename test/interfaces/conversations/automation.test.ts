/** Automatic actions of inboxes: greetings, out-of-office messages, assignments. Specification part 3, "Inbox". */
import { describe, expect, test } from 'vitest'
import { freshAccount, hintsOf, NOON_SECONDS, refusalOf } from '../../support/conversations.ts'

const GREETING = { greeting_enabled: true, greeting_message: 'Hello! How can we help?' }
const OUT_OF_OFFICE = { working_hours_enabled: true, out_of_office_message: 'We are back on Monday.' }

async function withInbox(fields: Readonly<Record<string, unknown>>, type = 'web_widget') {
  const account = await freshAccount()
  const { id: inbox_id } = await account.inbox(type, fields)
  const write = (content = 'Hello', name = 'Marta') =>
    account.receive({ inbox_id, content, contact: { name, email: `${name.toLowerCase()}@example.com` } })
  return {
    ...account,
    inbox_id,
    write,
    /** The automatic messages in the conversation. */
    answers: async (id: number) =>
      (await account.messagesOf(id))
        .filter(({ message_type: type, sender }) => type === 3 && sender === null)
        .map(({ content }) => content),
  }
}

describe('greeting', () => {
  test('answers the first message of a new conversation, and is not a reply', async () => {
    const { write, answers, get, messagesOf } = await withInbox(GREETING)
    const { conversation_id: id } = await write()
    expect(await answers(id)).toEqual([GREETING.greeting_message])
    expect((await messagesOf(id)).map(({ message_type: type }) => type)).toEqual([0, 3])
    expect(await get(id)).toMatchObject({
      unread_count: 1,
      waiting_since: NOON_SECONDS,
      first_reply_created_at: null,
    })
    await write('Are you there?')
    expect(await answers(id)).toHaveLength(1)
  })

  test.each([
    ['is switched off', { ...GREETING, greeting_enabled: false }],
    ['has no text', { ...GREETING, greeting_message: ' ' }],
  ])('is not sent if it %s', async (_why, fields) => {
    const { write, answers } = await withInbox(fields)
    expect(await answers((await write()).conversation_id)).toEqual([])
  })

  test('is not sent to a contact to whom an agent wrote first', async () => {
    const { ask, contact, inbox_id, receive, answers } = await withInbox(GREETING)
    const { id: contact_id } = await contact()
    const body = { inbox_id, contact_id, message: { content: 'Hello' } }
    const { id } = await ask<{ id: number }>('POST', '/conversations', body)
    await receive({ inbox_id, conversation_id: id, content: 'Hi' })
    expect(await answers(id)).toEqual([])
  })

  test('answers an incoming message of an API inbox, and emits an event', async () => {
    const { fresh, ask, contact, inbox_id, answers } = await withInbox(GREETING, 'api')
    const path = `/_sim/workspaces/${fresh.workspace.id}`
    const body = { interface: 'conversations', url: 'https://receiver.example.com/chat', events: ['*'] }
    await fresh.call('POST', `${path}/subscriptions`, { body })
    const { id: contact_id } = await contact()
    const { id } = await ask<{ id: number }>('POST', '/conversations', { inbox_id, contact_id })
    const message = { content: 'Hi', message_type: 'incoming' }
    await ask('POST', `/conversations/${String(id)}/messages`, message)
    expect(await answers(id)).toEqual([GREETING.greeting_message])
    const { body: deliveries } = await fresh.call('GET', `${path}/deliveries?event=message_created`)
    expect((deliveries as { data: unknown[] }).data).toHaveLength(2)
  })
})

describe('out-of-office message', () => {
  test.each([
    ['2026-11-23T08:59:59.999Z', true],
    ['2026-11-23T09:00:00.000Z', false],
    ['2026-11-27T16:59:59.999Z', false],
    ['2026-11-27T17:00:00.000Z', true],
    ['2026-11-22T12:00:00.000Z', true],
  ])('at %s is sent: %s', async (now, isSent) => {
    const { fresh, write, answers } = await withInbox(OUT_OF_OFFICE)
    fresh.setClock(now)
    expect(await answers((await write()).conversation_id)).toEqual(
      isSent ? [OUT_OF_OFFICE.out_of_office_message] : [],
    )
  })

  test('is sent once a day instead of the greeting', async () => {
    const { fresh, write, answers } = await withInbox({ ...GREETING, ...OUT_OF_OFFICE })
    const { conversation_id: id } = await write()
    await write('Are you there?')
    expect(await answers(id)).toEqual([OUT_OF_OFFICE.out_of_office_message])
    fresh.setClock('2026-11-22T12:00:00.000Z')
    await write('And today?')
    expect(await answers(id)).toEqual([
      OUT_OF_OFFICE.out_of_office_message,
      OUT_OF_OFFICE.out_of_office_message,
    ])
  })

  test('is not sent if an agent has written in the last five minutes', async () => {
    const { fresh, ask, contact, inbox_id, receive, answers } = await withInbox(OUT_OF_OFFICE)
    const { id: contact_id } = await contact()
    const body = { inbox_id, contact_id, message: { content: 'Hello' } }
    const { id } = await ask<{ id: number }>('POST', '/conversations', body)
    fresh.setClock('2026-11-21T12:04:59.000Z')
    await receive({ inbox_id, conversation_id: id, content: 'Hi' })
    expect(await answers(id)).toEqual([])
    fresh.setClock('2026-11-21T12:05:00.000Z')
    await receive({ inbox_id, conversation_id: id, content: 'Still there?' })
    expect(await answers(id)).toEqual([OUT_OF_OFFICE.out_of_office_message])
  })
})

describe('auto-assignment', () => {
  async function withAgents(fields: Readonly<Record<string, unknown>> = {}) {
    const account = await withInbox(fields)
    for (const [place, name] of ['Luis', 'Rosa'].entries()) {
      const email = `${name.toLowerCase()}@example.com`
      await account.ask('POST', '/agents', { name, email, role: 'administrator' })
      await account.ask('PATCH', `/agents/${String(place + 2)}`, { availability: 'online' })
    }
    return {
      ...account,
      assigneeOf: async (id: number) => (await account.get(id)).meta.assignee?.name ?? null,
    }
  }

  test('assigns conversations that contacts start to online agents in rotation', async () => {
    const { write, assigneeOf, ask, messagesOf } = await withAgents()
    const names: (string | null)[] = []
    for (const name of ['Ana', 'Eva', 'Ivo', 'Ola']) {
      names.push(await assigneeOf((await write('Hello', name)).conversation_id))
    }
    expect(names).toEqual(['Luis', 'Rosa', 'Luis', 'Rosa'])
    expect((await messagesOf(1)).at(-1)).toMatchObject({
      message_type: 2,
      content: 'Assigned to Luis by auto-assignment',
    })
    await ask('PATCH', '/agents/2', { availability: 'busy' })
    expect(await assigneeOf((await write('Hello', 'Uma')).conversation_id)).toBe('Rosa')
  })

  test('assigns unassigned conversations that contacts reopen, and keeps other assignments', async () => {
    const { write, assigneeOf, ask } = await withAgents()
    const { conversation_id: id } = await write()
    const path = `/conversations/${String(id)}`
    await ask('POST', `${path}/assignments`, { assignee_id: null })
    await write('Hello?')
    expect(await assigneeOf(id)).toBeNull()
    await ask('POST', `${path}/toggle_status`, { status: 'resolved' })
    await write('One more thing')
    expect(await assigneeOf(id)).toBe('Rosa')
    await ask('POST', `${path}/toggle_status`, { status: 'resolved' })
    await write('And another')
    expect(await assigneeOf(id)).toBe('Rosa')
  })

  test('assigns nothing when it is off, when no agent is online, or when a call creates the conversation', async () => {
    const off = await withAgents({ enable_auto_assignment: false })
    expect(await off.assigneeOf((await off.write()).conversation_id)).toBeNull()
    const alone = await withInbox({})
    const { conversation_id: id } = await alone.write()
    expect((await alone.get(id)).meta.assignee).toBeNull()
    const { begin } = await withAgents()
    expect((await begin()).meta.assignee).toBeNull()
  })
})

describe('hints about settings without effect', () => {
  test('name missing texts or agents of an inbox', async () => {
    const { fresh, ask, inbox } = await freshAccount()
    await inbox('web_widget', { greeting_enabled: true, out_of_office_message: 'Away' })
    expect(await hintsOf(fresh)).toEqual(
      expect.arrayContaining([
        'greeting_enabled has no effect while greeting_message is empty. Set greeting_message.',
        'out_of_office_message is sent only while working_hours_enabled is true.',
        expect.stringContaining('enable_auto_assignment has no effect until'),
      ]),
    )
    await ask('PATCH', '/inboxes/1', { greeting_enabled: false, working_hours_enabled: true })
  })

  test('name roles, and teams with auto-assignment', async () => {
    const { fresh, ask } = await freshAccount()
    await ask('POST', '/agents', { name: 'Luis', email: 'luis@example.com', role: 'agent' })
    await ask('POST', '/teams', { name: 'sales', allow_auto_assign: true })
    expect(await hintsOf(fresh)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^For the role agent: a role is stored/),
        expect.stringMatching(/^allow_auto_assign is stored/),
      ]),
    )
  })
})

test('keys of a removed agent are refused until it is invited again', async () => {
  const { fresh, ask, raw, account } = await freshAccount()
  const { body: user } = await fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/users`, {
    body: { name: 'Luis', email: 'luis@example.com' },
  })
  const key = fresh.makeKey({ userId: (user as { id: string }).id })
  const list = async () => raw('GET', '/conversations', { key })
  expect((await list()).status).toBe(200)
  await ask('DELETE', '/agents/2')
  const refused = await list()
  expect(refusalOf(refused)[0]).toBe(401)
  expect(refusalOf(refused)[1]).toMatch(/was removed from the account/)
  expect(await hintsOf(fresh)).toContain(
    'Conversations now refuse the keys of Luis with 401; other interfaces still accept them.',
  )
  expect((await fresh.at('catalog')('GET', '/products', { key })).status).toBe(200)
  await ask('POST', '/agents', { name: 'Luis', email: 'luis@example.com', role: 'agent' })
  expect((await list()).status).toBe(200)
  expect(account).toBe(fresh.workspace.tenantId)
})

test.each([
  ['whatsapp', 'phone_number', '+50760001234'],
  ['email', 'email', 'marta@example.com'],
])('an inbox on %s sends nothing to a contact without %s', async (type, field, value) => {
  const { ask, inbox_id, contact, receive } = await withInbox({}, type)
  const send = async (contactId: number) => {
    const { id } = await ask<{ id: number }>('POST', '/conversations', { inbox_id, contact_id: contactId })
    const body = { template_params: { name: 'order_shipped' }, message_type: 'template' }
    return ask<{ status: string; content_attributes: object }>(
      'POST',
      `/conversations/${String(id)}/messages`,
      body,
    )
  }
  const { id: without } = await contact()
  expect(await send(without)).toMatchObject({
    status: 'failed',
    content_attributes: {
      external_error: expect.stringMatching(/^The contact has no (phone number|e-mail)/),
    },
  })
  const { id: reachable } = await contact({ name: 'Marta', [field]: value })
  expect((await send(reachable)).status).toBe('delivered')
  const { conversation_id: id } = await receive({ inbox_id, contact_id: without, content: 'Hi' })
  expect(await ask('POST', `/conversations/${String(id)}/messages`, { content: 'Hi' })).toMatchObject({
    status: 'sent',
  })
})

test('lists and filters find labels in any case', async () => {
  const { ask, begin } = await freshAccount()
  await begin()
  await ask('PATCH', '/conversations/1', { labels: ['VIP', 'ENTREGA RÁPIDA'] })
  for (const label of ['vip', 'Vip', 'entrega rápida', 'Entrega Rapida']) {
    const listed = await ask<{ data: { payload: unknown[] } }>(
      'GET',
      `/conversations?label=${encodeURIComponent(label)}`,
    )
    expect(listed.data.payload).toHaveLength(1)
    const payload = [{ attribute_key: 'labels', filter_operator: 'equal_to', values: [label] }]
    const filtered = await ask<{ data: { payload: unknown[] } }>('POST', '/conversations/filter', { payload })
    expect(filtered.data.payload).toHaveLength(1)
  }
  const { data } = await ask<{ data: { payload: unknown[] } }>('GET', '/conversations?label=vi')
  expect(data.payload).toEqual([])
})
