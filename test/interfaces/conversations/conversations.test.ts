/** Conversations. Specification part 3, "Conversation", "Conversation status". */
import { describe, expect, test } from 'vitest'
import { freshAccount, NOON_SECONDS, refusalOf, type ConversationBody } from '../../support/conversations.ts'
import { eventsOf } from '../../support/events.ts'
import { withStatements } from '../../support/statements.ts'

interface Page {
  readonly data: {
    readonly meta: Readonly<Record<string, number>>
    readonly payload: readonly ConversationBody[]
  }
}

type Account = Awaited<ReturnType<typeof freshAccount>>

const ids = ({ data }: Page): number[] => data.payload.map(({ id }) => id)

test('shows the documented fields, with numbers as ids and times', async () => {
  const { begin, account } = await freshAccount()
  expect(await begin({ message: { content: 'Hello' } })).toMatchObject({
    id: 1,
    account_id: account,
    inbox_id: 1,
    status: 'open',
    priority: null,
    vip: false,
    labels: [],
    custom_attributes: {},
    meta: {
      sender: { id: 1, name: 'Marta', email: null, phone_number: null },
      assignee: null,
      team: null,
      channel: 'Channel::WebWidget',
    },
    created_at: NOON_SECONDS,
    updated_at: NOON_SECONDS,
    messages: [{ content: 'Hello', message_type: 1, additional_attributes: {} }],
  })
})

test('lists show what each get shows, with as many queries for nine conversations as for six', async () => {
  const { ask, begin, get } = await freshAccount()
  const { id: team_id } = await ask<{ id: number }>('POST', '/teams', { name: 'sales' })
  const three = async (): Promise<void> => {
    await begin()
    const { id: talked } = await begin({ message: { content: 'Hello' }, team_id })
    await ask('POST', `/conversations/${String(talked)}/toggle_priority`, { priority: 'high' })
    const { id: resolved } = await begin({ message: { content: 'Bye' }, assignee_id: 1 })
    await ask('POST', `/conversations/${String(resolved)}/toggle_status`, { status: 'resolved' })
  }
  const listed = async () => {
    const list = () => ask<Page>('GET', '/conversations?status=all')
    const { result, statements } = await withStatements(list)
    const { payload } = result.data
    expect(payload).toEqual(await Promise.all(payload.map(({ id }) => get(id))))
    return { count: payload.length, statements: statements.length }
  }
  await three()
  // The first one also reads the agents.
  await listed()
  await three()
  const before = await listed()
  await three()
  expect([before, await listed()]).toEqual([
    { count: 6, statements: before.statements },
    { count: 9, statements: before.statements },
  ])
})

test('returns 404 for another account, and for an account that is not a number', async () => {
  const { fresh, account } = await freshAccount()
  const other = fresh.tenant()
  const call = fresh.at('conversations')
  for (const wrong of [String(other.workspace.tenantId), '999999', 'mine', `0${String(account)}`]) {
    const answer = await call('GET', `/accounts/${wrong}/conversations`)
    expect(refusalOf(answer)).toEqual([404, 'Resource could not be found'])
  }
})

test('returns an invalid access token for a missing or wrong token', async () => {
  const { raw } = await freshAccount()
  for (const key of [null, 'wrong']) {
    expect(refusalOf(await raw('GET', '/conversations', { key }))).toEqual([401, 'Invalid Access Token'])
  }
})

describe('creating', () => {
  test.each([
    [0, 'open'],
    [1, 'resolved'],
    [2, 'pending'],
    [3, 'snoozed'],
  ])('accepts the number %i for %s', async (status, name) => {
    const { begin } = await freshAccount()
    expect((await begin({ status })).status).toBe(name)
  })

  test('assigns an agent and a team, and refuses unknown ones', async () => {
    const { begin, ask, raw } = await freshAccount()
    const { id: team } = await ask<{ id: number }>('POST', '/teams', { name: 'sales' })
    const { meta } = await begin({ assignee_id: 1, team_id: team })
    expect(meta.assignee).toMatchObject({ id: 1, name: 'Test User' })
    expect(meta.team).toEqual({ id: team, name: 'sales' })
    const body = { inbox_id: 1, contact_id: 1 }
    expect((await raw('POST', '/conversations', { body: { ...body, assignee_id: 9 } })).status).toBe(422)
    expect((await raw('POST', '/conversations', { body: { ...body, team_id: 9 } })).status).toBe(422)
  })

  test('refuses a snooze until a past time', async () => {
    const { begin, raw } = await freshAccount()
    await begin()
    const body = { inbox_id: 1, contact_id: 1, status: 'snoozed' }
    for (const snoozed_until of [1000, NOON_SECONDS]) {
      const answer = await raw('POST', '/conversations', { body: { ...body, snoozed_until } })
      expect(refusalOf(answer)).toEqual([422, 'Snoozed until must be in the future'])
    }
    expect(await begin({ status: 'snoozed', snoozed_until: NOON_SECONDS + 1 })).toMatchObject({
      snoozed_until: NOON_SECONDS + 1,
    })
  })

  test.each(['', '   '])('refuses %j as the first message', async (content) => {
    const { begin, raw } = await freshAccount()
    await begin()
    const body = { inbox_id: 1, contact_id: 1, message: { content } }
    const answer = await raw('POST', '/conversations', { body })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ attributes: ['message.content'] })
  })

  test('requires a connected inbox and a contact', async () => {
    const { raw, begin, ask } = await freshAccount()
    await begin()
    const create = (body: object) => raw('POST', '/conversations', { body })
    expect((await create({ inbox_id: 9, contact_id: 1 })).status).toBe(404)
    expect((await create({ inbox_id: 1, contact_id: 9 })).status).toBe(404)
    expect((await create({ contact_id: 1 })).body).toMatchObject({ attributes: ['inbox_id'] })
    await ask('DELETE', '/inboxes/1')
    expect((await create({ inbox_id: 1, contact_id: 1 })).status).toBe(404)
  })
})

describe('list', () => {
  test('shows open ones by default, 25 on a page', async () => {
    const { ask, inbox, contact } = await freshAccount()
    const body = { inbox_id: (await inbox()).id, contact_id: (await contact()).id }
    for (let count = 0; count < 26; count++) await ask('POST', '/conversations', body)
    await ask('POST', '/conversations', { ...body, status: 'resolved' })
    const first = await ask<Page>('GET', '/conversations')
    expect(first.data.payload).toHaveLength(25)
    expect(first.data.meta).toEqual({
      mine_count: 0,
      assigned_count: 0,
      unassigned_count: 26,
      all_count: 26,
    })
    expect(ids(await ask<Page>('GET', '/conversations?page=2'))).toEqual([1])
    expect(ids(await ask<Page>('GET', '/conversations?status=resolved'))).toEqual([27])
    expect((await ask<Page>('GET', '/conversations?status=all')).data.meta['all_count']).toBe(27)
    expect(ids(await ask<Page>('GET', '/conversations?page=3'))).toEqual([])
  })

  test('counts by assignee after all filters except the assignee filter', async () => {
    const { ask, begin, fresh } = await freshAccount()
    const other = await ask<{ id: number }>('POST', '/agents', {
      name: 'Luis',
      email: 'luis@example.com',
      role: 'agent',
    })
    await begin({ assignee_id: 1 })
    await begin({ assignee_id: other.id })
    await begin()
    await begin({ assignee_id: 1, status: 'pending' })
    const meta = { mine_count: 1, assigned_count: 2, unassigned_count: 1, all_count: 3 }
    for (const [whose, expected] of [
      ['mine', [1]],
      ['me', [1]],
      ['assigned', [2, 1]],
      ['unassigned', [3]],
      ['all', [3, 2, 1]],
    ] as const) {
      const page = await ask<Page>('GET', `/conversations?assignee_type=${whose}`)
      expect(ids(page)).toEqual(expected)
      expect(page.data.meta).toEqual(meta)
    }
    // An invited person who becomes a user is the same agent.
    const user = fresh.workspace.addUser({ name: 'Luis', email: 'Luis@example.com' })
    const key = fresh.makeKey({ userId: user.id })
    expect(ids(await ask<Page>('GET', '/conversations?assignee_type=mine', undefined, { key }))).toEqual([2])
  })

  test('is filtered by inbox, team and label', async () => {
    const { ask, begin } = await freshAccount()
    const { id: team } = await ask<{ id: number }>('POST', '/teams', { name: 'sales' })
    await begin({ team_id: team })
    await begin()
    await ask('PATCH', '/conversations/2', { labels: ['vip', 'new'] })
    expect(ids(await ask<Page>('GET', '/conversations?inbox_id=2'))).toEqual([2])
    expect(ids(await ask<Page>('GET', `/conversations?team_id=${String(team)}`))).toEqual([1])
    expect(ids(await ask<Page>('GET', '/conversations?label=new'))).toEqual([2])
    expect(ids(await ask<Page>('GET', '/conversations?label=ne'))).toEqual([])
  })

  test('is filtered by any of several labels', async () => {
    const { ask, begin } = await freshAccount()
    for (const labels of [['new'], ['late', 'paid'], ['paid']]) {
      const { id } = await begin()
      await ask('PATCH', `/conversations/${String(id)}`, { labels })
    }
    const having = async (query: string) => ids(await ask<Page>('GET', `/conversations?${query}`))
    expect(await having('labels=paid')).toEqual([3, 2])
    expect(await having('labels[]=late')).toEqual([2])
    expect(await having('labels[]=late&labels[]=new')).toEqual([2, 1])
    expect(await having('labels%5B%5D=paid')).toEqual([3, 2])
    expect(await having('labels=late')).toEqual([2])
    expect(await having('labels=late&labels=new')).toEqual([2, 1])
    expect(await having('label=late&labels=paid&labels[]=none')).toEqual([3, 2])
    expect(await having('labels[]=none')).toEqual([])
    expect((await ask<Page>('GET', '/conversations?labels[]=late')).data.meta['all_count']).toBe(1)
  })

  test('shows the most recently active first, and VIPs first in every order', async () => {
    const { ask, begin, fresh, trigger } = await freshAccount()
    for (let minute = 1; minute <= 3; minute++) {
      fresh.setClock(`2026-11-21T12:0${String(minute)}:00.000Z`)
      await begin()
    }
    const order = async (query = '') => ids(await ask<Page>('GET', `/conversations${query}`))
    expect(await order()).toEqual([3, 2, 1])
    fresh.setClock('2026-11-21T12:05:00.000Z')
    await trigger('message.receive', { inbox_id: 1, conversation_id: 1, content: 'Hi' })
    expect(await order()).toEqual([1, 3, 2])
    await ask('POST', '/conversations/2/toggle_vip', { vip: true })
    expect(await order()).toEqual([2, 1, 3])
    expect(await order('?sort_by=last_activity_at_asc')).toEqual([2, 3, 1])
    expect(await order('?sort_by=created_at_asc')).toEqual([2, 1, 3])
    expect(await order('?sort_by=created_at_desc')).toEqual([2, 3, 1])
    await ask('POST', '/conversations/2/toggle_vip', { vip: false })
    expect(await order()).toEqual([1, 3, 2])
  })

  test('sorts by priority, then by activity, and by how long the contact waits, with VIPs first', async () => {
    const { ask, begin, fresh, trigger } = await freshAccount()
    const priorities = ['low', null, 'urgent', 'high', 'medium', 'high', null]
    for (const [minute, priority] of priorities.entries()) {
      fresh.setClock(`2026-11-21T12:0${String(minute)}:00.000Z`)
      const { id } = await begin()
      if (priority !== null) await ask('PATCH', `/conversations/${String(id)}`, { priority })
    }
    for (const [minute, id] of [6, 3, 1].entries()) {
      fresh.setClock(`2026-11-21T13:0${String(minute)}:00.000Z`)
      await trigger('message.receive', { inbox_id: id, conversation_id: id, content: 'Hi' })
    }
    const order = async (by: string, more = '') =>
      ids(await ask<Page>('GET', `/conversations?sort_by=${by}${more}`))
    expect(await order('priority_desc')).toEqual([3, 6, 4, 5, 1, 7, 2])
    expect(await order('priority_asc')).toEqual([1, 5, 6, 4, 3, 7, 2])
    expect(await order('waiting_since_asc')).toEqual([6, 3, 1, 2, 4, 5, 7])
    expect(await order('waiting_since_desc')).toEqual([1, 3, 6, 2, 4, 5, 7])
    for (const id of [2, 3, 4]) await ask('POST', `/conversations/${String(id)}/toggle_vip`, { vip: true })
    expect(await order('priority_desc')).toEqual([3, 4, 2, 6, 5, 1, 7])
    expect(await order('priority_asc')).toEqual([4, 3, 2, 1, 5, 6, 7])
    expect(await order('waiting_since_asc')).toEqual([3, 2, 4, 6, 1, 5, 7])
    expect(await order('waiting_since_desc')).toEqual([3, 2, 4, 1, 6, 5, 7])
    expect(await order('priority_asc', '&inbox_id=7')).toEqual([7])
  })

  test('sorts by them on every page', async () => {
    const { ask, begin, raw } = await freshAccount()
    const { inbox_id, meta } = await begin()
    for (let count = 1; count < 52; count++) {
      await ask('POST', '/conversations', { inbox_id, contact_id: meta.sender.id })
    }
    for (const [index, priority] of ['low', 'high', 'urgent'].entries()) {
      await ask('PATCH', `/conversations/${String(20 * index + 1)}`, { priority, vip: index === 1 })
    }
    for (const by of ['priority_desc', 'priority_asc', 'waiting_since_desc', 'waiting_since_asc']) {
      const pages = []
      for (const page of [1, 2, 3]) {
        pages.push(ids(await ask<Page>('GET', `/conversations?sort_by=${by}&page=${String(page)}`)))
      }
      expect(pages.map(({ length }) => length)).toEqual([25, 25, 2])
      expect(new Set(pages.flat()).size).toBe(52)
      expect(pages[0]?.[0]).toBe(21)
    }
    expect((await raw('GET', '/conversations?sort_by=priority')).status).toBe(422)
  })
})

describe('status', () => {
  const STATES = ['open', 'resolved', 'pending', 'snoozed'] as const
  const moves = STATES.flatMap((from) => STATES.map((to) => [from, to] as const))

  test.each(moves)('changes from %s to %s', async (from, to) => {
    const { begin, ask, get } = await freshAccount()
    const { id } = await begin({ status: from })
    const answer = await ask('POST', `/conversations/${String(id)}/toggle_status`, { status: to })
    expect(answer).toEqual({
      meta: {},
      payload: { success: true, conversation_id: id, current_status: to, snoozed_until: null },
    })
    expect((await get(id)).status).toBe(to)
  })

  test.each([
    ['open', 'resolved'],
    ['resolved', 'open'],
    ['pending', 'open'],
    ['snoozed', 'open'],
  ])('toggles from %s to %s by default', async (from, to) => {
    const { begin, ask } = await freshAccount()
    const { id } = await begin({ status: from })
    expect(await ask('POST', `/conversations/${String(id)}/toggle_status`)).toMatchObject({
      payload: { current_status: to },
    })
  })

  test('is open again exactly at the end of the snooze', async () => {
    const { begin, ask, get, fresh, raw } = await freshAccount()
    const { id } = await begin()
    const path = `/conversations/${String(id)}/toggle_status`
    await ask('POST', path, { status: 'snoozed', snoozed_until: NOON_SECONDS + 3600 })
    fresh.setClock('2026-11-21T12:59:59.000Z')
    expect(await get(id)).toMatchObject({ status: 'snoozed', snoozed_until: NOON_SECONDS + 3600 })
    fresh.setClock('2026-11-21T13:00:00.000Z')
    expect(await get(id)).toMatchObject({ status: 'open', snoozed_until: null })
    const past = await raw('POST', path, { body: { status: 'snoozed', snoozed_until: NOON_SECONDS } })
    expect(past.status).toBe(422)
  })

  test('is refused with all valid names and numbers', async () => {
    const { begin, raw } = await freshAccount()
    const { id } = await begin()
    const { text } = await raw('POST', `/conversations/${String(id)}/toggle_status`, {
      body: { status: 'closed' },
    })
    expect(text).toContain('must be one of open, resolved, pending, snoozed, 0, 1, 2, 3')
  })
})

describe('priority, VIP and labels', () => {
  test.each([
    ['low', 'low'],
    [0, 'low'],
    ['medium', 'medium'],
    ['high', 'high'],
    [3, 'urgent'],
    [null, null],
  ])('%s is the priority %s', async (sent, priority) => {
    const { begin, raw, get } = await freshAccount()
    const { id } = await begin()
    const answer = await raw('POST', `/conversations/${String(id)}/toggle_priority`, {
      body: { priority: sent },
    })
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect((await get(id)).priority).toBe(priority)
  })

  test('are changed individually by an update', async () => {
    const { begin, ask } = await freshAccount()
    const { id } = await begin()
    const patch = (body: object) => ask('PATCH', `/conversations/${String(id)}`, { ...body })
    expect(await patch({ priority: 'high' })).toMatchObject({ priority: 'high', vip: false, labels: [] })
    expect(await patch({ vip: true })).toMatchObject({ priority: 'high', vip: true, labels: [] })
    expect(await patch({ labels: ['a', 'b'] })).toMatchObject({ vip: true, labels: ['a', 'b'] })
    expect(await patch({ labels: [], priority: null })).toMatchObject({ priority: null, labels: [] })
  })
})

describe('assignments', () => {
  test('set an agent or a team, and remove them', async () => {
    const { begin, ask, get } = await freshAccount()
    const { id } = await begin()
    const { id: team } = await ask<{ id: number }>('POST', '/teams', { name: 'sales' })
    const assign = (body: object) => ask('POST', `/conversations/${String(id)}/assignments`, { ...body })
    expect(await assign({ assignee_id: 1 })).toMatchObject({
      id: 1,
      name: 'Test User',
      role: 'administrator',
    })
    expect(await assign({ team_id: team })).toMatchObject({ id: team, name: 'sales' })
    expect((await get(id)).meta).toMatchObject({ assignee: { id: 1 }, team: { id: team } })
    for (const unassigned of [0, null]) {
      expect(await assign({ assignee_id: unassigned })).toBeNull()
      expect((await get(id)).meta.assignee).toBeNull()
      await assign({ assignee_id: 1 })
    }
    expect(await assign({ team_id: null })).toBeNull()
    expect((await get(id)).meta).toMatchObject({ assignee: { id: 1 }, team: null })
  })

  test('to an unknown agent or team change nothing', async () => {
    const { begin, raw, get } = await freshAccount()
    const { id } = await begin({ assignee_id: 1 })
    const assign = (body: object) => raw('POST', `/conversations/${String(id)}/assignments`, { body })
    expect((await assign({ assignee_id: 9 })).status).toBe(404)
    expect((await assign({ team_id: 9 })).status).toBe(404)
    expect((await assign({})).status).toBe(422)
    expect((await get(id)).meta.assignee).toMatchObject({ id: 1 })
  })

  test('end with the agent or the team', async () => {
    const { begin, ask, get } = await freshAccount()
    const agent = await ask<{ id: number }>('POST', '/agents', {
      name: 'Luis',
      email: 'luis@example.com',
      role: 'agent',
    })
    const { id: team } = await ask<{ id: number }>('POST', '/teams', { name: 'sales' })
    const { id } = await begin({ assignee_id: agent.id, team_id: team })
    await ask('DELETE', `/agents/${String(agent.id)}`)
    await ask('DELETE', `/teams/${String(team)}`)
    expect((await get(id)).meta).toMatchObject({ assignee: null, team: null })
    const { data } = await ask<Page>('GET', '/conversations')
    expect(data.meta).toMatchObject({ assigned_count: 0, unassigned_count: 1 })
  })
})

describe('an assignment to a removed agent or team', () => {
  test.each(['agents', 'teams'])('emits an event of an assignment to null: %s', async (list) => {
    const { fresh, begin, ask, get } = await freshAccount()
    const luis = { name: 'Luis', email: 'luis@example.com', role: 'agent' }
    const { id: whose } = await ask<{ id: number }>(
      'POST',
      `/${list}`,
      list === 'agents' ? luis : { name: 'sales' },
    )
    const field = list === 'agents' ? 'assignee_id' : 'team_id'
    for (let count = 0; count < 51; count++) await begin({ [field]: whose })
    await begin()
    const path = `/_sim/workspaces/${fresh.workspace.id}`
    const body = { interface: 'conversations', url: 'https://receiver.example.com/chat', events: ['*'] }
    await fresh.call('POST', `${path}/subscriptions`, { body })
    fresh.setClock('2026-11-21T13:00:00.000Z')
    await ask('DELETE', `/${list}/${String(whose)}`)

    const eventsNamed = async (event: string) =>
      (
        (await fresh.call('GET', `${path}/deliveries?interface=conversations&event=${event}&limit=100`))
          .body as { data: unknown[] }
      ).data
    expect(await eventsNamed('conversation_updated')).toHaveLength(51)
    expect(await eventsNamed('message_created')).toHaveLength(51)
    expect(await get(51)).toMatchObject({
      updated_at: NOON_SECONDS + 3600,
      meta: { assignee: null, team: null },
    })
    expect((await get(52)).updated_at).toBe(NOON_SECONDS)
  })
})

describe('snapshot', () => {
  test.each([
    ['inboxId', '77'],
    ['teamId', '77'],
  ])('with an unknown %s of a conversation is refused and changes nothing', async (column, value) => {
    const { fresh, begin, get } = await freshAccount()
    const { id } = await begin()
    const path = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
    const { body } = (await fresh.call('GET', path)) as { body: Snapshot }
    expect((await fresh.call('PUT', path, { body })).status).toBe(204)
    for (const conversation of body.conversations.conversations) conversation[column] = value
    const answer = await fresh.call('PUT', path, { body })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('77')
    expect((await get(id)).inbox_id).toBe(1)
  })
})

interface Snapshot {
  readonly conversations: { readonly conversations: readonly Record<string, unknown>[] }
}

describe('events', () => {
  test('are sent to subscriptions of the control plane', async () => {
    const { fresh, begin, ask } = await freshAccount()
    const path = `/_sim/workspaces/${fresh.workspace.id}`
    const body = { interface: 'conversations', url: 'https://receiver.example.com/chat', events: ['*'] }
    await fresh.call('POST', `${path}/subscriptions`, { body })
    const { id } = await begin({ message: { content: 'Hello' } })
    await ask('POST', `/conversations/${String(id)}/toggle_vip`, { vip: true })
    await ask('POST', `/conversations/${String(id)}/toggle_vip`, { vip: true })
    await ask('POST', `/conversations/${String(id)}/toggle_status`, { status: 'resolved' })
    const { data } = (await fresh.call('GET', `${path}/deliveries?interface=conversations`)).body as {
      data: { event: string }[]
    }
    expect(data.map(({ event }) => event).reverse()).toEqual([
      'inbox_created',
      'contact_created',
      'conversation_created',
      'message_created',
      'conversation_updated',
      'message_created',
      'conversation_status_changed',
      'message_created',
    ])
  })

  test.each([
    ['a call', 'outgoing', async ({ begin }) => begin({ message: { content: 'Hello' } })],
    [
      'a message of the contact',
      'incoming',
      async ({ inbox, receive }) => {
        const { id: inbox_id } = await inbox('api')
        await receive({ inbox_id, contact: { name: 'Marta' }, content: 'Hello' })
      },
    ],
    ['a call without a message', undefined, async ({ begin }) => begin()],
  ] satisfies [string, string | undefined, (account: Account) => Promise<unknown>][])(
    'show the first message of a conversation that began with %s',
    async (_what, type, start) => {
      const account = await freshAccount()
      await start(account)
      const events = eventsOf<{ conversation: ConversationBody }>(account.fresh.workspace, 'conversations')
      const created = events.filter(({ name }) => name === 'conversation_created')
      expect(created).toHaveLength(1)
      const { messages, last_activity_at } = created[0]?.data.conversation ?? {}
      const message = { content: 'Hello', message_type: type === 'outgoing' ? 1 : 0 }
      expect(messages).toMatchObject(type === undefined ? [] : [message])
      expect(last_activity_at).toBe(NOON_SECONDS)
      const order = events.map(({ name }) => name).filter((name) => name.endsWith('_created'))
      if (type !== undefined)
        expect(order.indexOf('conversation_created')).toBeLessThan(order.indexOf('message_created'))
    },
  )
})
