/** Removal of agents and teams with very many conversations. */
import { expect, test } from 'vitest'
import { freshAccount } from '../../support/conversations.ts'
import { multiply } from '../../support/filling.ts'
import { withoutBlocking } from '../../support/loopDelay.ts'

/** Enough to block for many times as long as allowed if they left in one turn. */
const COUNT = 3000

test.each([
  ['agents', 'assignee_id', { name: 'Luis', email: 'luis@example.com', role: 'agent' }],
  ['teams', 'team_id', { name: 'sales' }],
])(
  '%s leave very many conversations without blocking other calls',
  async (list, field, body) => {
    const { fresh, ask, raw, begin, get } = await freshAccount()
    const { id: whose } = await ask<{ id: number }>('POST', `/${list}`, body)
    await begin({ [field]: whose })
    multiply(fresh.workspace, 'chat_conversations', COUNT - 1, { id: 'n + 1' })
    fresh.setClock('2026-11-21T13:00:00.000Z')
    // A retry no longer finds it.
    await withoutBlocking(() => raw('DELETE', `/${list}/${String(whose)}`))

    const { updated_at: before } = await begin()
    for (const id of [1, COUNT / 2, COUNT]) {
      expect(await get(id)).toMatchObject({ updated_at: before, meta: { assignee: null, team: null } })
    }
    const counts = { assigned_count: 0, all_count: COUNT + 1 }
    expect(await ask('GET', '/conversations')).toMatchObject({ data: { meta: counts } })
  },
  60_000,
)
