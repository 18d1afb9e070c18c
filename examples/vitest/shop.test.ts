/** Each test has a workspace of its own, so all of them may run at the same time. */
import type { Workspace } from 'suite-simulator'
import { test } from 'suite-simulator/vitest'
import { expect } from 'vitest'
import { Shop } from '../shop/shop.mjs'

const shopOf = (workspace: Workspace): Shop =>
  new Shop({ url: workspace.urlOf('payments'), key: workspace.key })

const ORDER = { amount: 44900, currency: 'USD', description: 'Standing desk' }

test('an order is paid, and the shop is told', async ({ workspace, webhooks }) => {
  await webhooks.subscribe(workspace, { interface: 'payments', events: ['payment.completed'] })
  const shop = shopOf(workspace)
  const { id } = await shop.sell(ORDER)
  expect(await shop.isPaid(id)).toBe(false)

  await workspace.trigger('payments.link.pay', { link_id: id })

  const { data } = await webhooks.next({ event: 'payment.completed' })
  expect(data).toMatchObject({ transaction: { link_id: id, amount: 44900 } })
  expect(await shop.isPaid(id)).toBe(true)
})

test('a payment that fails leaves the order open', async ({ workspace, webhooks }) => {
  await webhooks.subscribe(workspace, { interface: 'payments' })
  const shop = shopOf(workspace)
  const { id } = await shop.sell(ORDER)
  await workspace.trigger('payments.link.pay', { link_id: id, outcome: 'failed' })
  expect(await webhooks.next()).toMatchObject({ event: 'payment.failed', verified: true })
  expect(await shop.isPaid(id)).toBe(false)
})

test('a sale survives a short outage', async ({ workspace }) => {
  await workspace.faults.add({ interface: 'payments', method: 'POST', status: 503, times: 2 })
  await shopOf(workspace).sell(ORDER)
  const statuses = (await workspace.requests({ method: 'POST' })).map(({ status }) => status)
  expect(statuses).toEqual([201, 503, 503])
})

test('a link expires after a day', async ({ workspace }) => {
  const { now } = await workspace.clock.freeze('2026-03-01T09:00:00Z')
  expect(now).toBe('2026-03-01T09:00:00.000Z')
  const { id } = await shopOf(workspace).sell({ ...ORDER, expires_at: '2026-03-02T09:00:00Z' })
  await workspace.clock.advance('P2D')
  expect(await workspace.records.get('payments.links', id)).toMatchObject({ state: 'expired' })
})
