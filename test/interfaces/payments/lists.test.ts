/** The lists of payments under the law of all that have numbered pages. Specification part 2, "Limits". */
import { writtenInstant } from '../../../src/state/clock.ts'
import { instantOfNumber, obeysTheNumberedListLaw } from '../../support/numberedLists.ts'
import type { FreshApp } from '../../support/app.ts'

/** Fills a list by the operation that makes its records. */
const byPosting = (path: string, body: object) => async (fresh: FreshApp, count: number) => {
  const ids: string[] = []
  for (let number = 0; number < count; number++) {
    fresh.setClock(instantOfNumber(number))
    const made = await fresh.at<{ data: { id: string } }>('payments')('POST', path, { body })
    ids.push(made.body.data.id)
  }
  return ids
}

/** Fills a list of what people make, by putting a snapshot there. */
const byLoading =
  (name: string, record: (id: string, at: string) => object) =>
  async (fresh: FreshApp, count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, (_, number) => `record-${String(number)}`)
    const records = ids.map((id, number) => record(id, instantOfNumber(number)))
    fresh.app.records.load(fresh.workspace, { payments: { [name]: records } })
    fresh.workspace.setClock(writtenInstant(instantOfNumber(count)), true)
    return Promise.resolve(ids)
  }

const perPage = 20

obeysTheNumberedListLaw({
  interface: 'payments',
  path: '/payment-links',
  fill: byPosting('/payment-links', { amount: 100 }),
  perPage,
})

obeysTheNumberedListLaw({
  interface: 'payments',
  path: '/transactions',
  fill: byLoading('transactions', (id, at) => ({
    id,
    amount: 100,
    currency: 'USD',
    status: 'completed',
    paymentMethod: 'ach',
    createdAt: at,
    completedAt: at,
  })),
  perPage,
})

obeysTheNumberedListLaw({
  interface: 'payments',
  path: '/reports/settlements',
  fill: byLoading('settlements', (id, at) => ({
    id,
    amount: 100,
    fees: 50,
    netAmount: 50,
    currency: 'USD',
    transactionsCount: 1,
    bankAccountLastFour: '6789',
    periodFrom: at,
    periodTo: at,
    createdAt: at,
  })),
  perPage,
})

obeysTheNumberedListLaw({
  interface: 'payments',
  path: '/webhooks',
  fill: byPosting('/webhooks', { url: 'https://receiver.example.com/', events: ['payment.completed'] }),
  perPage,
})
