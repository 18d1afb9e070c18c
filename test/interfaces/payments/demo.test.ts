/** The payments of the demo workspace directly after a start. */
import { expect, test } from 'vitest'
import { freshApp } from '../../support/app.ts'
import type {
  LinkBody,
  PageBody,
  RevenueBody,
  SettlementBody,
  TransactionBody,
} from '../../support/payments.ts'

async function demo() {
  const fresh = await freshApp({ fixtures: 'small' })
  return async <Body>(path: string): Promise<Body> => {
    const { status, body, text } = await fresh.at('payments')('GET', path, { key: 'demo-key' })
    if (status !== 200) throw new Error(`answered ${String(status)}: ${text}`)
    return body as Body
  }
}

test('has links and transactions in every state', async () => {
  const get = await demo()
  const count = async (path: string) => (await get<PageBody<unknown>>(path)).meta.total
  const links = ['active', 'paid', 'expired', 'disabled'].map((status) => `/payment-links?status=${status}`)
  expect(await Promise.all(links.map(count))).toEqual([4, 3, 1, 1])
  const transactions = ['completed', 'pending', 'failed', 'refunded']
  expect(await Promise.all(transactions.map((status) => count(`/transactions?status=${status}`)))).toEqual([
    8, 1, 2, 1,
  ])
  const { data } = await get<PageBody<LinkBody>>('/payment-links')
  expect(data.filter(({ amount }) => amount === null)).toHaveLength(1)
})

test('has payments with every method', async () => {
  const get = await demo()
  const { data } = await get<PageBody<TransactionBody>>('/transactions?per_page=100')
  expect([...new Set(data.map(({ payment_method: method }) => method))].sort()).toEqual([
    'ach',
    'network_1',
    'network_2',
    'network_3',
    'wallet_1',
    'wallet_2',
  ])
})

test('has consistent totals', async () => {
  const get = await demo()
  const { data: settlements } = await get<PageBody<SettlementBody>>('/reports/settlements')
  expect(settlements.map(({ status }) => status)).toEqual(['processing', 'deposited'])
  for (const { amount, fees, net_amount } of settlements) expect(net_amount).toBe(amount - fees)
  const { data: report } = await get<{ data: RevenueBody }>(
    '/reports/revenue?from=2026-10-01&to=2026-11-01T04:59:59.999Z&group_by=week',
  )
  // All payments of October and their refunds are settled.
  expect(settlements.reduce((sum, { amount }) => sum + amount, 0)).toBe(report.total_revenue)
  expect(report.by_period.filter(({ revenue }) => revenue > 0).length).toBeGreaterThan(2)
  expect(report.by_period.reduce((sum, { revenue }) => sum + revenue, 0)).toBe(report.total_revenue)
})
