/** Payments in snapshots: round trips, and refused impossible states. */
import { beforeEach, describe, expect, test } from 'vitest'
import { freshPayments, NOON, type Payments } from '../../support/payments.ts'

let payments: Payments

beforeEach(async () => {
  payments = await freshPayments()
})

const path = () => `/_sim/workspaces/${payments.fresh.workspace.id}`
const take = async () =>
  (await payments.fresh.call('GET', `${path()}/snapshot`)).body as Record<string, unknown>
const put = (body: object) => payments.fresh.call('PUT', `${path()}/snapshot`, { body })

/** Everything that the interface shows. */
async function readAll(): Promise<unknown[]> {
  const paths = [
    '/payment-links',
    '/transactions',
    '/reports/settlements',
    '/reports/revenue?from=2026-11-01&to=2026-11-30',
  ]
  return Promise.all(paths.map((each) => payments.ask('GET', each)))
}

async function busy(): Promise<void> {
  const link = await payments.addLink({
    max_payments: 5,
    expires_at: '2026-12-01T00:00:00Z',
    metadata: { a: 1 },
  })
  const { id } = await payments.pay(link.id, { customer: { name: 'Ana', email: 'ana@example.com' } })
  await payments.settle()
  await payments.refund(id, { amount: 100, reason: 'Late' })
  await payments.pay(link.id, { outcome: 'failed' })
  await payments.pay(link.id, { outcome: 'pending' })
  await payments.refund((await payments.paid(300)).id)
}

test('restores all records and the balance for the next settlement', async () => {
  await busy()
  const before = await readAll()
  const snapshot = await take()
  await payments.fresh.call('POST', `${path()}/reset`)
  expect(await readAll()).not.toEqual(before)
  expect((await put(snapshot)).status).toBe(204)
  expect(await readAll()).toEqual(before)
  expect(await take()).toEqual(snapshot)
  await payments.paid(1000)
  await payments.settle()
  expect((await payments.settlements())[0]).toMatchObject({ amount: 900, transactions_count: 1 })
})

test('never stores more of a card than its last four digits', async () => {
  await busy()
  expect(JSON.stringify(await take())).not.toMatch(/\d{12,}/)
})

describe('refused snapshots', () => {
  const transaction = {
    id: 'txn_1',
    amount: 100,
    currency: 'USD',
    status: 'completed',
    paymentMethod: 'ach',
    createdAt: NOON,
    completedAt: NOON,
  }
  const settlement = {
    id: 'stl_1',
    amount: 100,
    fees: 10,
    netAmount: 90,
    currency: 'USD',
    transactionsCount: 1,
    bankAccountLastFour: '6789',
    periodFrom: NOON,
    periodTo: NOON,
    createdAt: NOON,
  }
  const link = { id: 'pl_1', currency: 'USD', paymentMethods: ['ach'], metadata: {}, createdAt: NOON }

  test.each<[what: string, payments: object]>([
    [
      'a transaction refunded by more than its amount',
      { transactions: [{ ...transaction, refundedAmount: 101 }] },
    ],
    [
      'a refunded transaction with a remaining amount',
      { transactions: [{ ...transaction, status: 'refunded' }] },
    ],
    [
      'a pending transaction with a refund',
      { transactions: [{ ...transaction, status: 'pending', completedAt: null, refundedAmount: 1 }] },
    ],
    ...['__proto__', 'constructor', 'toString', 'no_money'].map((failure): [string, object] => [
      `a transaction that failed by ${failure}`,
      { transactions: [{ ...transaction, status: 'failed', completedAt: null, failure }] },
    ]),
    ['a failed transaction with a completion time', { transactions: [{ ...transaction, status: 'failed' }] }],
    [
      'a completed transaction without a completion time',
      { transactions: [{ ...transaction, completedAt: null }] },
    ],
    ['a paid link without a time', { links: [{ ...link, status: 'paid' }] }],
    ['an active link with a payment time', { links: [{ ...link, paidAt: NOON }] }],
    [
      'refunds that exceed the sum in their transaction',
      {
        transactions: [{ ...transaction, refundedAmount: 50 }],
        refunds: [
          { id: 'ref_1', transactionId: 'txn_1', amount: 30, createdAt: NOON },
          { id: 'ref_2', transactionId: 'txn_1', amount: 21, createdAt: NOON },
        ],
      },
    ],
    [
      'a completed refund without a time',
      {
        transactions: [{ ...transaction, refundedAmount: 50 }],
        refunds: [{ id: 'ref_1', transactionId: 'txn_1', amount: 50, status: 'completed', createdAt: NOON }],
      },
    ],
    ['a settlement with inconsistent sums', { settlements: [{ ...settlement, netAmount: 91 }] }],
    ['a deposit without a time', { settlements: [{ ...settlement, status: 'deposited' }] }],
    ['an amount with a fraction', { links: [{ ...link, amount: 1.5 }] }],
    ['an unknown currency', { links: [{ ...link, currency: 'EUR' }] }],
    ['an unknown status', { links: [{ ...link, status: 'open' }] }],
    ['an unknown method', { links: [{ ...link, paymentMethods: ['cash'] }] }],
    ['a complete card number', { transactions: [{ ...transaction, cardLastFour: '4242424242424242' }] }],
    ['a transaction of an unknown link', { transactions: [{ ...transaction, linkId: 'pl_no' }] }],
    [
      'a refund of an unknown transaction',
      { refunds: [{ id: 'ref_1', transactionId: 'txn_no', amount: 1, createdAt: NOON }] },
    ],
  ])('include one with %s', async (_what, section) => {
    await busy()
    const before = await take()
    const answer = await put({ format: 'suite-simulator/1', payments: section })
    expect(answer.status, answer.text).toBe(400)
    expect(await take()).toEqual(before)
  })

  test('do not include a valid one', async () => {
    const section = {
      links: [link],
      settlements: [settlement],
      transactions: [{ ...transaction, linkId: 'pl_1', refundedAmount: 50 }],
      refunds: [{ id: 'ref_1', transactionId: 'txn_1', amount: 50, createdAt: NOON }],
    }
    expect((await put({ format: 'suite-simulator/1', payments: section })).status).toBe(204)
    expect(await payments.getTransaction('txn_1')).toMatchObject({ link_id: 'pl_1', status: 'completed' })
  })
})
