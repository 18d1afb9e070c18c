import { expect, test } from 'vitest'
import { emitPosEvent } from '../../../src/state/pos/events.ts'
import { bodyOf, profile } from '../../../src/webhooks/profiles/profile.ts'
import { freshApp } from '../../support/app.ts'

/** The point of sale changes nothing of the default delivery profile. */
const posProfile = profile({ interface: 'pos' })

test('delivers exactly id, event, createdAt and data', async () => {
  const fresh = await freshApp()
  fresh.setClock('2026-11-21T10:00:00Z')
  const event = emitPosEvent(fresh.workspace, 'stock.low', { id: 's1' })

  expect(bodyOf(posProfile, event, fresh.workspace)).toEqual({
    id: event.id,
    event: 'stock.low',
    createdAt: '2026-11-21T10:00:00.000Z',
    data: { id: 's1' },
  })
})
