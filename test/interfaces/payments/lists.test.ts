/**
 * Lists of payments are newest first with 20 on a page. Specification part 2, "Limits". Shared rules are tested in
 * test/laws/lists.test.ts.
 */
import { expect, test } from 'vitest'
import { freshPayments, type PageBody } from '../../support/payments.ts'
import { loadRecords } from '../../support/records.ts'

interface Listed {
  readonly id: string
}

const at = (number: number): string =>
  new Date(Date.UTC(2026, 0, 1) + Math.floor(number / 2) * 1000).toISOString()

/** Twenty-one records created outside of the interface, two at each instant. */
const MADE_OUTSIDE = {
  transactions: (id: string, createdAt: string) => ({
    id,
    amount: 100,
    currency: 'USD',
    status: 'completed',
    paymentMethod: 'ach',
    createdAt,
    completedAt: createdAt,
  }),
  settlements: (id: string, createdAt: string) => ({
    id,
    amount: 100,
    fees: 50,
    netAmount: 50,
    currency: 'USD',
    transactionsCount: 1,
    bankAccountLastFour: '6789',
    periodFrom: createdAt,
    periodTo: createdAt,
    createdAt,
  }),
}

test.each([
  ['/transactions', 'transactions'],
  ['/reports/settlements', 'settlements'],
] as const)('%s is newest first, 20 on a page', async (path, name) => {
  const { ask, fresh } = await freshPayments()
  const ids = Array.from({ length: 21 }, (_, number) => `record-${String(number)}`)
  const records = ids.map((id, number) => MADE_OUTSIDE[name](id, at(number)))
  await loadRecords(fresh.app, fresh.workspace, { payments: { [name]: records } })

  const { data, meta } = await ask<PageBody<Listed>>('GET', path)

  expect(data.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 20))
  expect(meta).toEqual({ total: 21, page: 1, per_page: 20 })
})

test.each([
  ['/payment-links', { amount: 100 }],
  ['/webhooks', { url: 'https://receiver.example.com/', events: ['payment.completed'] }],
])('%s is newest first, 20 on a page', async (path, body) => {
  const { ask, setClock } = await freshPayments()
  const ids: string[] = []
  for (let number = 0; number < 21; number++) {
    setClock(at(number))
    ids.push((await ask<{ data: Listed }>('POST', path, body)).data.id)
  }

  const { data, meta } = await ask<PageBody<Listed>>('GET', path)

  expect(data.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 20))
  expect(meta).toEqual({ total: 21, page: 1, per_page: 20 })
})
