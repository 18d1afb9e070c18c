/** Accounts with very many past agents: each conversation in a list may refer to a different one. */
import { expect, test } from 'vitest'
import { freshAccount, type ConversationBody } from '../support/conversations.ts'
import { multiply } from '../support/filling.ts'
import { withoutBlocking } from '../support/loopDelay.ts'

test('lists and answers conversations of an account with thousands of past agents without blocking other calls', async () => {
  const { fresh, ask, begin } = await freshAccount()
  const { id: agent } = await ask<{ id: number }>('POST', '/agents', {
    name: 'Lucía',
    email: 'lucia@example.com',
    role: 'agent',
  })
  multiply(fresh.workspace, 'chat_agents', 4000, {
    number: 'number + n',
    email: 'n || email',
    removed_at: 'CASE WHEN n > 500 THEN updated_at END',
  })
  for (let made = 0; made < 25; made++) {
    const { id } = await begin()
    await ask('POST', `/conversations/${String(id)}/assignments`, { assignee_id: agent + 500 - made })
  }

  const { listed, last } = await withoutBlocking(async () => {
    const { data } = await ask<{ data: { payload: ConversationBody[] } }>('GET', '/conversations?status=all')
    const [first] = data.payload
    await ask('POST', `/conversations/${String(first?.id)}/messages`, { content: 'We are on it.' })
    return { listed: data.payload, last: first }
  })

  expect(listed).toHaveLength(25)
  expect(last?.meta.assignee).toMatchObject({ email: '476lucia@example.com' })
  const { id: next } = await ask<{ id: number }>('POST', '/agents', {
    name: 'Rosa',
    email: 'rosa@example.com',
    role: 'agent',
  })
  expect(next).toBe(agent + 4001)
})
