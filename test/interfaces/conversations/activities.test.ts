/** Activity messages, and the data of events. Specification part 3, "Message": activity 2. */
import { describe, expect, test } from 'vitest'
import {
  freshAccount,
  NOON_SECONDS,
  refusalOf,
  type ConversationBody,
  type MessageBody,
} from '../../support/conversations.ts'

type Fields = Readonly<Record<string, unknown>>

async function conversing() {
  const account = await freshAccount()
  const { id } = await account.begin({ message: { content: 'Hello' } })
  const path = `/conversations/${String(id)}`
  return {
    ...account,
    id,
    path,
    /** The contents of the conversation's activity messages, oldest first. */
    activities: async (of = id) =>
      (await account.messagesOf(of))
        .filter(({ message_type: type }) => type === 2)
        .map(({ content }) => content),
  }
}

describe('an activity message is written when a conversation is', () => {
  const LUIS = { name: 'Luis', email: 'luis@example.com', role: 'agent' }

  test.each<[string, readonly (readonly ['POST' | 'PATCH', string, Fields])[], readonly string[]]>([
    [
      'assigned to an agent, and unassigned',
      [
        ['POST', '/assignments', { assignee_id: 2 }],
        ['POST', '/assignments', { assignee_id: null }],
        ['POST', '/assignments', { assignee_id: 1 }],
      ],
      [
        'Assigned to Luis by Test User',
        'Conversation unassigned by Test User',
        'Test User self-assigned this conversation',
      ],
    ],
    [
      'assigned to a team, and unassigned',
      [
        ['POST', '/assignments', { team_id: 1 }],
        ['POST', '/assignments', { team_id: 0 }],
      ],
      ['Assigned to sales by Test User', 'Unassigned from sales by Test User'],
    ],
    [
      'resolved, reopened, snoozed and set to pending',
      [
        ['POST', '/toggle_status', { status: 'resolved' }],
        ['POST', '/toggle_status', { status: 'open' }],
        ['POST', '/toggle_status', { status: 'snoozed' }],
        ['POST', '/toggle_status', { status: 'pending' }],
      ],
      [
        'Conversation was marked resolved by Test User',
        'Conversation was reopened by Test User',
        'Conversation was snoozed by Test User',
        'Conversation was marked as pending by Test User',
      ],
    ],
    [
      'labeled, with all labels of a change together',
      [
        ['PATCH', '', { labels: ['delivery', 'urgent'] }],
        ['PATCH', '', { labels: ['urgent', 'billing'] }],
      ],
      ['Test User added delivery, urgent', 'Test User added billing', 'Test User removed delivery'],
    ],
    [
      'made VIP, and reverted',
      [
        ['POST', '/toggle_vip', { vip: true }],
        ['PATCH', '', { vip: false }],
      ],
      ['Test User marked the conversation as VIP', 'Test User removed the VIP mark of the conversation'],
    ],
    [
      'given another priority',
      [
        ['POST', '/toggle_priority', { priority: 'low' }],
        ['POST', '/toggle_priority', { priority: 'high' }],
        ['PATCH', '', { priority: null }],
      ],
      [
        'Test User set the priority to low',
        'Test User changed the priority from low to high',
        'Test User removed the priority',
      ],
    ],
  ])('%s', async (_what, calls, sentences) => {
    const { fresh, account, ask, path, activities } = await conversing()
    await ask('POST', '/agents', LUIS)
    await ask('POST', '/teams', { name: 'sales' })
    for (const [method, of, body] of calls) {
      const url = `/accounts/${String(account)}${path}${of}`
      // Twice, because a call without a change writes no activity.
      for (let times = 0; times < 2; times++) {
        expect((await fresh.at('conversations')(method, url, { body })).status).toBe(200)
      }
    }
    expect(await activities()).toEqual(sentences)
  })

  test('reopened because its contact writes or its snooze ends', async () => {
    const { fresh, ask, trigger, path, id, activities } = await conversing()
    await ask('POST', `${path}/toggle_status`, { status: 'resolved' })
    await trigger('message.receive', { inbox_id: 1, conversation_id: id, content: 'One more thing' })
    await ask('POST', `${path}/toggle_status`, { status: 'snoozed', snoozed_until: NOON_SECONDS + 60 })
    const clock = `/_sim/workspaces/${fresh.workspace.id}/clock/advance`
    await fresh.call('POST', clock, { body: { duration: 'PT1M' } })
    expect((await activities()).filter((content) => content?.startsWith('System'))).toEqual([
      'System reopened the conversation due to a new incoming message.',
      'System reopened the conversation because its snooze is over.',
    ])
  })

  test('left by a removed agent or team', async () => {
    const { ask, raw, path, activities } = await conversing()
    await ask('POST', '/agents', LUIS)
    await ask('POST', '/teams', { name: 'sales' })
    await ask('POST', `${path}/assignments`, { assignee_id: 2 })
    await ask('POST', `${path}/assignments`, { team_id: 1 })
    await raw('DELETE', '/agents/2')
    await raw('DELETE', '/teams/1')
    expect((await activities()).slice(2)).toEqual([
      'Conversation unassigned by Test User',
      'Unassigned from sales by Test User',
    ])
  })
})

describe('activity message', () => {
  test('is not a reply, and not the message of a preview', async () => {
    const { fresh, begin, ask, trigger, get } = await freshAccount()
    const { id } = await begin()
    await trigger('message.receive', { inbox_id: 1, conversation_id: id, content: 'Where is my desk?' })
    const before = await get(id)
    fresh.setClock('2026-11-21T13:00:00.000Z')
    await ask('POST', `/conversations/${String(id)}/toggle_vip`, { vip: true })
    const after = await get(id)
    expect(after).toEqual({
      ...before,
      vip: true,
      updated_at: NOON_SECONDS + 3600,
      messages: [expect.objectContaining({ message_type: 2, sender: null, status: 'sent', private: false })],
    })
    expect(after).toMatchObject({
      unread_count: 1,
      waiting_since: NOON_SECONDS,
      first_reply_created_at: null,
      last_non_activity_message: { content: 'Where is my desk?' },
    })
    const found = await ask<{ data: { payload: ConversationBody[] } }>('GET', '/conversations/search?q=VIP')
    expect(found.data.payload).toEqual([])
  })

  test('is neither delivered nor read', async () => {
    const { ask, trigger, id, path, messagesOf } = await conversing()
    await ask('POST', `${path}/toggle_vip`, { vip: true })
    const last = (await messagesOf(id)).at(-1)
    const answer = await trigger('message.status', { message_id: last?.id, status: 'read' })
    expect(answer.status).toBe(409)
  })

  test('is written in a disconnected inbox as well, where nothing is sent', async () => {
    const { ask, raw, path, activities } = await conversing()
    await raw('DELETE', '/inboxes/1')
    await ask('POST', `${path}/toggle_status`, { status: 'resolved' })
    expect(await activities()).toEqual(['Conversation was marked resolved by Test User'])
    expect(refusalOf(await raw('POST', `${path}/messages`, { body: { content: 'Hi' } }))[0]).toBe(422)
  })
})

test('events contain the account, and message events the conversation as shown', async () => {
  const { fresh, account, begin, ask, get } = await freshAccount()
  const path = `/_sim/workspaces/${fresh.workspace.id}`
  const body = { interface: 'conversations', url: 'https://receiver.example.com/chat', events: ['*'] }
  await fresh.call('POST', `${path}/subscriptions`, { body })
  const { id } = await begin()
  const message = await ask<MessageBody>('POST', `/conversations/${String(id)}/messages`, {
    content: 'Hello',
  })
  const { data } = (await fresh.call('GET', `${path}/deliveries?interface=conversations`)).body as {
    data: { event: string; payload: { data: Fields } }[]
  }
  expect(data.map(({ event }) => event)).toHaveLength(4)
  for (const { payload } of data) expect(payload.data['account_id']).toBe(account)
  expect(data.find(({ event }) => event === 'message_created')?.payload.data).toEqual({
    account_id: account,
    message,
    conversation: await get(id),
  })
})
