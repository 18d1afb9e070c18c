import { expect, test } from 'vitest'
import { pos } from '../../../src/interfaces/pos/index.ts'
import { posProfile } from '../../../src/interfaces/pos/profile.ts'
import { emitPosEvent, POS_EVENTS } from '../../../src/state/pos/events.ts'
import { freshApp } from '../../support/app.ts'

test('the point of sale delivers id, event, createdAt and data, and nothing else', async () => {
  const fresh = await freshApp()
  fresh.setClock('2026-11-21T10:00:00Z')
  const event = emitPosEvent(fresh.workspace, 'stock.low', { id: 's1' })

  expect(posProfile.envelope(event)).toEqual({
    id: event.id,
    event: 'stock.low',
    createdAt: '2026-11-21T10:00:00.000Z',
    data: { id: 's1' },
  })
})

test('a delivery names its event in a header', () => {
  expect(posProfile.headers('stock.low')).toEqual({ 'x-service-event': 'stock.low' })
})

test('subscriptions may ask for the 33 events', () => {
  expect(pos.events?.map(({ name }) => name)).toEqual(POS_EVENTS)
})
