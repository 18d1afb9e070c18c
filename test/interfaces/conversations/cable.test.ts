/** Real-time events. Specification part 3, "Events". */
import { describe, expect, test } from 'vitest'
import { freshChat } from '../../support/chatting.ts'

describe('agents', () => {
  test('receive changes as calls show them', async () => {
    const { agent, website, receive, chat } = await freshChat()
    const inbox = await website()
    const client = await agent()
    expect(client.answer).toBe('confirm_subscription')

    const { conversation_id: id } = await receive({
      inbox_id: inbox,
      content: 'Where is my desk?',
      contact: { name: 'Marta' },
    })
    const frames = [await client.next(), await client.next(), await client.next()]
    expect(frames.map(({ message }) => message)).toMatchObject([
      { event: 'contact.created', data: { name: 'Marta' } },
      { event: 'conversation.created', data: { id } },
      { event: 'message.created', data: { content: 'Where is my desk?', conversation_id: id } },
    ])

    await chat('POST', `/conversations/${String(id)}/toggle_vip`, { vip: true })
    const { body } = await chat('GET', `/conversations/${String(id)}`)
    expect((await client.next()).message).toEqual({ event: 'conversation.updated', data: body })
    expect(body.vip).toBe(true)
    expect((await client.next()).message).toMatchObject({
      event: 'message.created',
      data: { message_type: 2, conversation_id: id },
    })

    await chat('POST', `/conversations/${String(id)}/toggle_status`, { status: 'resolved' })
    expect((await client.next()).message).toMatchObject({
      event: 'conversation.status_changed',
      data: { status: 'resolved' },
    })
    expect((await client.next()).message).toMatchObject({ data: { message_type: 2 } })
    await chat('POST', `/conversations/${String(id)}/messages`, { content: 'A note', private: true })
    expect((await client.next()).message).toMatchObject({
      event: 'message.created',
      data: { content: 'A note', private: true },
    })
  })

  test('receive changes of conversations whose agent or team was removed', async () => {
    const { agent, website, receive, chat } = await freshChat()
    const inbox_id = await website()
    const { conversation_id: id } = await receive({ inbox_id, content: 'Hi', contact: { name: 'Marta' } })
    const luis = { name: 'Luis', email: 'luis@example.com', role: 'agent' }
    const { body: who } = await chat('POST', '/agents', luis)
    const { body: team } = await chat('POST', '/teams', { name: 'sales' })
    await chat('POST', `/conversations/${String(id)}/assignments`, { assignee_id: who.id })
    await chat('POST', `/conversations/${String(id)}/assignments`, { team_id: team.id })
    const client = await agent()
    for (const [path, meta, event] of [
      [`/agents/${String(who.id)}`, { assignee: null, team: { id: team.id } }, 'assignee.changed'],
      [`/teams/${String(team.id)}`, { assignee: null, team: null }, 'team.changed'],
    ] as const) {
      await chat('DELETE', path)
      expect((await client.next()).message).toMatchObject({
        event: 'conversation.updated',
        data: { id, meta },
      })
      expect((await client.next()).message).toMatchObject({ event, data: { id, meta } })
      expect((await client.next()).message).toMatchObject({ data: { message_type: 2 } })
    }
  })

  test('receive a change of assignee and team, only if it is one', async () => {
    const { agent, website, receive, chat } = await freshChat()
    const { conversation_id: id } = await receive({
      inbox_id: await website({ enable_auto_assignment: false }),
      content: 'Hi',
      contact: { name: 'Marta' },
    })
    const { body: team } = await chat('POST', '/teams', { name: 'sales' })
    const client = await agent()
    const eventsAfter = async (path: string, body: object) => {
      await chat('POST', `/conversations/${String(id)}/${path}`, body)
      await chat('POST', '/contacts', { name: 'Next' })
      const events: unknown[] = []
      for (;;) {
        const { event, data } = (await client.next()).message as {
          event: string
          data: { message_type?: number }
        }
        if (event === 'contact.created') return events
        if (data.message_type === undefined) events.push(event)
      }
    }
    const updated = 'conversation.updated'
    expect(await eventsAfter('assignments', { assignee_id: 1 })).toEqual([updated, 'assignee.changed'])
    expect(await eventsAfter('assignments', { assignee_id: 1 })).toEqual([])
    expect(await eventsAfter('assignments', { team_id: team.id })).toEqual([updated, 'team.changed'])
    expect(await eventsAfter('assignments', { assignee_id: 0 })).toEqual([updated, 'assignee.changed'])
    expect(await eventsAfter('toggle_vip', { vip: true })).toEqual([updated])
  })

  test.each(['reset', 'snapshot', 'reset of the server'])('are told about a %s', async (what) => {
    const chat = await freshChat(what === 'reset of the server' ? { fixtures: 'small' } : {})
    const { call, agent, subscriber, workspace } = chat
    const params = { pubsub_token: 'demo-key', account_id: 1 }
    const client = what === 'reset of the server' ? await subscriber(params) : await agent()
    expect(client.answer).toBe('confirm_subscription')
    const path = `/_sim/workspaces/${workspace.id}`
    if (what === 'reset') await call('POST', `${path}/reset`)
    if (what === 'snapshot')
      await call('PUT', `${path}/snapshot`, { raw: (await call('GET', `${path}/snapshot`)).text })
    if (what === 'reset of the server') await call('POST', '/_sim/reset')
    const account_id = what === 'reset of the server' ? 1 : workspace.tenantId
    expect((await client.next()).message).toEqual({ event: 'account.reset', data: { account_id } })
  })

  test('are disconnected when their workspace is deleted', async () => {
    const { agent, call, workspace } = await freshChat()
    const client = await agent()
    await call('DELETE', `/_sim/workspaces/${workspace.id}`)
    expect(await client.next()).toEqual({ type: 'disconnect', reason: 'unauthorized', reconnect: false })
  })

  test('receive the deletion of a contact', async () => {
    const { agent, chat, workspace } = await freshChat()
    const { body } = await chat('POST', '/contacts', { name: 'Marta' })
    const { id } = body.payload.contact
    const client = await agent()
    await chat('DELETE', `/contacts/${String(id)}`)
    const data = { id, account_id: workspace.tenantId }
    expect((await client.next()).message).toEqual({ event: 'contact.deleted', data })
  })

  test('receive nothing of refused changes', async () => {
    const { agent, chat } = await freshChat()
    const client = await agent()
    await chat('POST', '/contacts', { name: 'Marta', email: 'marta@example.com' })
    expect((await chat('POST', '/contacts', { name: 'Other', email: 'marta@example.com' })).status).toBe(422)
    await chat('POST', '/contacts', { name: 'Last' })
    const names = [await client.next(), await client.next()].map(({ message }) => message)
    expect(names).toMatchObject([{ data: { name: 'Marta' } }, { data: { name: 'Last' } }])
  })
})

describe('subscriber', () => {
  const UNAUTHORIZED = { type: 'disconnect', reason: 'unauthorized', reconnect: false }

  test('receives nothing after its key is deleted', async () => {
    const { subscriber, makeKey, call, chat } = await freshChat()
    const key = makeKey({})
    const client = await subscriber({ pubsub_token: key })
    await chat('POST', '/contacts', { name: 'Marta' })
    expect((await client.next()).message).toMatchObject({ event: 'contact.created' })
    expect((await call('DELETE', `/_sim/keys/${key}`)).status).toBe(204)
    await chat('POST', '/contacts', { name: 'Secret' })
    expect(await client.next()).toEqual(UNAUTHORIZED)
    await client.closed
  })

  test('receives nothing after its agent is removed, and is refused until the agent is invited again', async () => {
    const { subscriber, makeKey, call, chat, workspace, agent } = await freshChat()
    const luis = { name: 'Luis', email: 'luis@example.com' }
    const { body: user } = await call('POST', `/_sim/workspaces/${workspace.id}/users`, { body: luis })
    const key = makeKey({ userId: (user as { id: string }).id })
    const subscribe = () => subscriber({ pubsub_token: key })
    const client = await subscribe()
    expect(client.answer).toBe('confirm_subscription')
    const { body: agents } = await chat('GET', '/agents')
    const { id } = (agents as { id: number; email: string }[]).find(({ email }) => email === luis.email) ?? {}
    expect((await chat('DELETE', `/agents/${String(id)}`)).status).toBe(200)
    await chat('POST', '/contacts', { name: 'Secret' })
    expect(await client.next()).toEqual(UNAUTHORIZED)
    await client.closed
    expect((await subscribe()).answer).toBe('reject_subscription')
    expect((await agent()).answer).toBe('confirm_subscription')

    await chat('POST', '/agents', { ...luis, role: 'agent' })
    expect((await subscribe()).answer).toBe('confirm_subscription')
  })

  test('receives nothing after its key has expired', async () => {
    const { subscriber, makeKey, setClock, chat, agent } = await freshChat()
    setClock('2026-11-21T12:00:00.000Z')
    const client = await subscriber({ pubsub_token: makeKey({ expiresAt: Date.UTC(2026, 10, 21, 13) }) })
    const other = await agent()
    setClock('2026-11-21T12:59:59.999Z')
    await chat('POST', '/contacts', { name: 'Marta' })
    setClock('2026-11-21T13:00:00.000Z')
    await chat('POST', '/contacts', { name: 'Secret' })
    expect((await client.next()).message).toMatchObject({ data: { name: 'Marta' } })
    expect(await client.next()).toEqual(UNAUTHORIZED)
    await client.closed
    const messages = [await other.next(), await other.next()].map(({ message }) => message)
    expect(messages).toMatchObject([{ data: { name: 'Marta' } }, { data: { name: 'Secret' } }])
  })
})

describe('room', () => {
  test.each([
    ['no token', () => ({})],
    ['a token that is not a string', () => ({ pubsub_token: 7 })],
    ['an unknown token', () => ({ pubsub_token: 'nobody' })],
    ["the format of a contact's token", ({ id }: { id: string }) => ({ pubsub_token: `${id}.1.1.x` })],
    ['another workspace', () => ({ pubsub_token: 'nowhere.1.1.x' })],
  ])('refuses %s', async (_what, params) => {
    const { subscriber, workspace, website } = await freshChat()
    await website()
    expect((await subscriber(params(workspace))).answer).toBe('reject_subscription')
  })

  test('accepts the account as a number and as a text, and refuses a key of another account', async () => {
    const { subscriber, key, workspace } = await freshChat()
    const { tenantId } = workspace
    const answers = []
    for (const id of [tenantId, String(tenantId), tenantId + 1, [tenantId]]) {
      answers.push((await subscriber({ pubsub_token: key, account_id: id })).answer)
    }
    const [yes, no] = ['confirm_subscription', 'reject_subscription']
    expect(answers).toEqual([yes, yes, no, no])
  })

  test('accepts keys for conversations until they expire', async () => {
    const { subscriber, makeKey, setClock } = await freshChat()
    setClock('2026-11-21T12:00:00.000Z')
    const answers = []
    for (const parameters of [
      { interfaces: ['conversations'] },
      { interfaces: ['crm'] },
      { expiresAt: Date.UTC(2026, 10, 21, 12, 0, 1) },
      { expiresAt: Date.UTC(2026, 10, 21, 12) },
    ]) {
      answers.push((await subscriber({ pubsub_token: makeKey(parameters) })).answer)
    }
    const [yes, no] = ['confirm_subscription', 'reject_subscription']
    expect(answers).toEqual([yes, no, yes, no])
  })
})
