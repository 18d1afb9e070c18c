/** Runs a public client of similar products, unchanged: each of its calls that has an operation here. */
import * as sdk from '@figuro/chatwoot-sdk'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../test/support/subject.ts'

/** The types of this CommonJS module describe a default that exists only at run time. */
type Client = InstanceType<(typeof sdk)['default']['default']>

interface Numbered {
  readonly id: number
}

async function client() {
  const app = await buildApp({ fixtures: 'none' })
  onTestFinished(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const made = await fetch(`${url}/_sim/workspaces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  const { workspace, key } = (await made.json()) as { workspace: { accountId: number }; key: string }
  const config = {
    basePath: `${url}/chat`,
    with_credentials: true,
    credentials: 'include',
    token: key,
  } as const
  return {
    chat: new (sdk.default as unknown as new (options: object) => Client)({ config }),
    accountId: workspace.accountId,
  }
}

test('works unchanged for inboxes, contacts, conversations, messages, agents and teams', async () => {
  const { chat, accountId } = await client()

  const inbox = (await chat.inboxes.create({
    accountId,
    data: { name: 'Website', channel: { type: 'web_widget', website_url: 'https://shop.example' } },
  } as never)) as Numbered
  expect(await chat.inboxes.get({ accountId, id: inbox.id })).toMatchObject({ name: 'Website' })
  await chat.inboxes.update({ accountId, id: inbox.id, data: { name: 'Shop' } } as never)
  expect(await chat.inboxes.list({ accountId })).toMatchObject({ payload: [{ name: 'Shop' }] })

  const created = (await chat.contacts.create({
    accountId,
    data: { inbox_id: inbox.id, name: 'Marta', email: 'marta@example.com' },
  })) as unknown as { payload: { contact: Numbered } }
  const { contact } = created.payload
  await chat.contacts.update({ accountId, id: contact.id, data: { name: 'Marta L.' } })
  expect(await chat.contacts.get({ accountId, id: contact.id })).toMatchObject({
    payload: { name: 'Marta L.' },
  })
  expect(await chat.contacts.list({ accountId })).toMatchObject({ meta: { count: 1 } })
  expect(await chat.contacts.search({ accountId, q: 'marta' })).toMatchObject({ meta: { count: 1 } })
  expect(
    await chat.contacts.filter({
      accountId,
      payload: [{ attribute_key: 'name', filter_operator: 'contains', values: ['marta'] }],
    } as never),
  ).toMatchObject({ meta: { count: 1 } })

  const conversation = (await chat.conversations.create({
    accountId,
    data: { source_id: 'x', inbox_id: inbox.id, contact_id: contact.id },
  } as never)) as Numbered
  expect(await chat.conversations.list({ accountId })).toMatchObject({
    data: { meta: { all_count: 1 }, payload: [{ id: conversation.id }] },
  })
  expect(await chat.conversations.get({ accountId, conversationId: conversation.id })).toMatchObject({
    status: 'open',
  })

  const message = await chat.messages.create({
    accountId,
    conversationId: conversation.id,
    data: { content: 'Hello', message_type: 'outgoing', private: false },
  } as never)
  expect(message).toMatchObject({ content: 'Hello', message_type: 1 })
  expect(await chat.messages.list({ accountId, conversationId: conversation.id })).toMatchObject({
    payload: [{ content: 'Hello' }],
  })
  expect(
    await chat.conversations.toggleStatus({
      accountId,
      conversationId: conversation.id,
      data: { status: 'resolved' },
    } as never),
  ).toMatchObject({ payload: { current_status: 'resolved' } })
  expect(
    await chat.conversations.filter({
      accountId,
      page: 1,
      payload: [{ attribute_key: 'status', filter_operator: 'equal_to', values: ['resolved'] }],
    } as never),
  ).toMatchObject({ data: { meta: { all_count: 1 } } })

  const agent = (await chat.agents.create({
    accountId,
    data: { name: 'Luis', email: 'luis@example.com', role: 'agent' },
  } as never)) as Numbered
  await chat.agents.update({ accountId, id: agent.id, data: { role: 'administrator' } } as never)
  const team = (await chat.teams.create({ accountId, data: { name: 'sales' } })) as Numbered
  await chat.teams.update({ accountId, teamId: team.id, data: { name: 'support' } })
  expect(await chat.teams.get({ accountId, teamId: team.id })).toMatchObject({ name: 'support' })
  expect(
    await chat.conversationAssignment.assign({
      accountId,
      conversationId: conversation.id,
      data: { assignee_id: agent.id },
    }),
  ).toMatchObject({ name: 'Luis', role: 'administrator' })
  expect(await chat.agents.list({ accountId })).toHaveLength(2)
  expect(await chat.teams.list({ accountId })).toHaveLength(1)

  await chat.agents.delete({ accountId, id: agent.id })
  await chat.teams.delete({ accountId, teamId: team.id })
  await chat.contacts.delete({ accountId, id: contact.id })
  expect(await chat.contacts.list({ accountId })).toMatchObject({ meta: { count: 0 } })
})
