/** Transactions: how links are paid, how payments end, and their list. Specification part 2, "Payments v1". */
import { beforeEach, describe, expect, test } from 'vitest'
import { iso } from '@suite-sim/kit/time/instants'
import { payLink } from '../../../src/state/payments/transactions.ts'
import {
  freshPayments,
  NOON,
  refusal,
  type PageBody,
  type Payments,
  type TransactionBody,
} from '../../support/payments.ts'

let payments: Payments

beforeEach(async () => {
  payments = await freshPayments()
})

const names = () => payments.events().map(({ name }) => name)
const list = (query = '') => payments.ask<PageBody<TransactionBody>>('GET', `/transactions${query}`)

describe('payment', () => {
  test('is shown with the data of its link and its payer', async () => {
    const link = await payments.addLink({ description: 'Desk', currency: 'PAB' })
    const customer = { name: 'Ana Castillo', email: 'ana@example.com' }
    const { id, ...fields } = await payments.pay(link.id, { customer, payment_method: 'network_2' })
    expect(id).toMatch(/^txn_[A-Za-z0-9]{20}$/)
    expect(fields).toEqual({
      link_id: link.id,
      amount: 1000,
      currency: 'PAB',
      description: 'Desk',
      status: 'completed',
      payment_method: 'network_2',
      card_last_four: '4444',
      customer,
      receipt_url: `http://127.0.0.1:4012/pay/links/${payments.fresh.workspace.id}/receipts/${id}`,
      created_at: NOON,
      completed_at: NOON,
      refunded_amount: 0,
      refunds: [],
    })
  })

  test.each([
    ['network_1', 'completed', '4242'],
    ['network_1', 'pending', '0077'],
    ['network_1', 'failed', '0002'],
    ['network_2', 'completed', '4444'],
    ['network_2', 'failed', '4444'],
    ['network_3', 'completed', '0005'],
    ['wallet_1', 'completed', null],
    ['wallet_2', 'failed', null],
    ['ach', 'pending', null],
  ])('by %s that is %s shows the last four digits %j', async (payment_method, outcome, card_last_four) => {
    const made = await payments.paid(500, { payment_method, outcome })
    const isCompleted = outcome === 'completed'
    expect(made).toMatchObject({
      status: outcome,
      payment_method,
      card_last_four,
      customer: { email: null, name: null },
      completed_at: isCompleted ? NOON : null,
    })
    expect(made.receipt_url === null).toBe(!isCompleted)
  })

  test('uses the first method of the link by default', async () => {
    const link = await payments.addLink({ payment_methods: ['ach', 'wallet_1'], max_payments: 3 })
    expect((await payments.pay(link.id)).payment_method).toBe('ach')
    expect((await payments.pay(link.id, { payment_method: 'wallet_1' })).payment_method).toBe('wallet_1')
    const answer = await payments.pull('link.pay', { link_id: link.id, payment_method: 'network_1' })
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'payment_method', code: 'not_allowed' }] } },
    })
  })

  test('of an open amount requires an amount, and of a fixed one allows only the same', async () => {
    const open = await payments.addLink({ amount: undefined, open_amount: true, max_payments: 9 })
    for (const amount of [1, 99_999_999]) {
      expect((await payments.pay(open.id, { amount })).amount).toBe(amount)
    }
    for (const amount of [undefined, 0, -1, 1.5, 100_000_000]) {
      expect((await payments.pull('link.pay', { link_id: open.id, amount })).status).toBe(400)
    }
    const { id } = await payments.addLink({ amount: 700 })
    expect((await payments.pull('link.pay', { link_id: id, amount: 699 })).status).toBe(400)
    expect((await payments.pay(id, { amount: 700 })).amount).toBe(700)
    expect((await list()).meta.total).toBe(3)
  })

  test('emits events at its end with the transaction, the link and its metadata', async () => {
    const link = await payments.addLink({ reference: 'F-1', metadata: { order: 7 }, max_payments: 2 })
    const payment_link = { id: link.id, reference: 'F-1', metadata: { order: 7 } }
    const completed = await payments.pay(link.id)
    const failed = await payments.pay(link.id, { outcome: 'failed' })
    expect(payments.events()).toEqual([
      { name: 'payment.completed', data: { transaction: completed, payment_link } },
      { name: 'payment.failed', data: { transaction: failed, payment_link, failure_reason: 'declined' } },
    ])
  })

  test('emits no event while it is pending', async () => {
    await payments.paid(100, { outcome: 'pending' })
    expect(names()).toEqual([])
  })
})

describe('a link is paid', () => {
  test('by one payment by default', async () => {
    const { id } = await payments.addLink()
    await payments.pay(id)
    expect(await payments.getLink(id)).toMatchObject({ status: 'paid', paid_at: NOON, max_payments: null })
  })

  test('by the payment that completes its number', async () => {
    const { id } = await payments.addLink({ max_payments: 3 })
    await payments.pay(id)
    await payments.pay(id)
    expect(await payments.getLink(id)).toMatchObject({ status: 'active', paid_at: null })
    payments.setClock('2026-11-21T12:05:00.000Z')
    await payments.pay(id)
    expect(await payments.getLink(id)).toMatchObject({ status: 'paid', paid_at: '2026-11-21T12:05:00.000Z' })
  })

  test('not by a failed payment', async () => {
    const { id } = await payments.addLink()
    await payments.pay(id, { outcome: 'failed' })
    await payments.pay(id, { outcome: 'failed' })
    expect((await payments.getLink(id)).status).toBe('active')
    await payments.pay(id)
    expect((await payments.getLink(id)).status).toBe('paid')
  })

  test('by a payment that was refunded later', async () => {
    const { id } = await payments.addLink({ max_payments: 2 })
    const first = await payments.pay(id)
    await payments.refundWholly(first.id)
    await payments.pay(id)
    expect((await payments.getLink(id)).status).toBe('paid')
  })

  test('at most its number of times including pending payments, which free their place when they fail', async () => {
    const { id } = await payments.addLink({ max_payments: 2 })
    const pending = await payments.pay(id, { outcome: 'pending' })
    await payments.pay(id)
    for (const outcome of ['completed', 'pending', 'failed']) {
      const answer = await payments.pull('link.pay', { link_id: id, outcome })
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'invalid_state' } } })
    }
    expect((await payments.getLink(id)).status).toBe('active')
    await payments.happens('transaction.settle', { transaction_id: pending.id, outcome: 'failed' })
    await payments.pay(id)
    expect((await payments.getLink(id)).status).toBe('paid')
  })

  test('once by two simultaneous payments', async () => {
    const { id } = await payments.addLink()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => payments.pull('link.pay', { link_id: id })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
    expect((await list()).meta.total).toBe(1)
  })

  test('once by a form that is submitted twice, with any outcome', async () => {
    const { workspace } = payments.fresh
    const { id } = await payments.addLink({ max_payments: 9 })
    const pay = (attempt: string, outcome: 'completed' | 'failed' = 'completed', link = id) =>
      payLink(workspace, link, { outcome, attempt }).id
    const first = pay('one')
    expect(pay('one')).toBe(first)
    expect(pay('one', 'failed')).toBe(first)
    expect(pay('two', 'failed')).not.toBe(first)
    await payments.ask('DELETE', `/payment-links/${id}`)
    expect(pay('one')).toBe(first)
    expect(() => pay('three')).toThrow('disabled')
    const other = await payments.addLink()
    expect(() => pay('one', 'completed', other.id)).toThrow('another payment link')
    expect(names()).toEqual(['payment.completed', 'payment.failed'])
  })

  test('not after its expiry, even if due jobs have not run yet', async () => {
    const { workspace } = payments.fresh
    const { id } = await payments.addLink({ expires_at: '2026-11-21T13:00:00Z' })
    workspace.clock.at(Date.parse('2026-11-21T13:00:00Z'), () => {
      expect(() => payLink(workspace, id, { outcome: 'completed' })).toThrow('expired')
    })
    workspace.clock.at(Date.parse('2026-11-21T12:59:59.999Z'), () => {
      expect(payLink(workspace, id, { outcome: 'completed' }).status).toBe('completed')
    })
  })
})

describe('pending payment', () => {
  const settle = (id: string, outcome: string) =>
    payments.pull('transaction.settle', { transaction_id: id, outcome })

  test.each([
    ['completed', 'payment.completed', 'paid'],
    ['failed', 'payment.failed', 'active'],
  ] as const)('that ends as %s emits its event', async (outcome, event, linkStatus) => {
    const pending = await payments.paid(100, { outcome: 'pending' })
    payments.setClock('2026-11-22T09:00:00.000Z')
    expect(await settle(pending.id, outcome)).toMatchObject({
      status: 200,
      body: { transaction_id: pending.id, status: outcome },
    })
    expect(await payments.getTransaction(pending.id)).toEqual({
      ...pending,
      status: outcome,
      ...(outcome === 'completed' && {
        completed_at: '2026-11-22T09:00:00.000Z',
        receipt_url: expect.any(String) as unknown,
      }),
    })
    expect(names()).toEqual([event])
    expect((await payments.getLink(pending.link_id ?? '')).status).toBe(linkStatus)
  })

  test.each([
    ['expired', 'paid', 1],
    ['expired', 'expired', 2],
    ['disabled', 'disabled', 1],
  ] as const)(
    'may be completed when its link is %s, which then is %s after 1 of %i payments',
    async (state, after, max_payments) => {
      const { id } = await payments.addLink({ expires_at: '2026-11-21T13:00:00Z', max_payments })
      const pending = await payments.pay(id, { outcome: 'pending' })
      if (state === 'expired') payments.setClock('2026-11-21T13:00:00Z')
      else await payments.ask('DELETE', `/payment-links/${id}`)
      expect((await payments.getLink(id)).status).toBe(state)
      const now = payments.fresh.workspace.now()
      expect((await settle(pending.id, 'completed')).status).toBe(200)
      expect(await payments.getLink(id)).toMatchObject({
        status: after,
        paid_at: after === 'paid' ? iso(now) : null,
      })
    },
  )

  test('that fails leaves its expired link expired', async () => {
    const { id } = await payments.addLink({ expires_at: '2026-11-21T13:00:00Z' })
    const pending = await payments.pay(id, { outcome: 'pending' })
    payments.setClock('2026-11-21T13:00:00Z')
    await settle(pending.id, 'failed')
    expect((await payments.getLink(id)).status).toBe('expired')
  })

  /** A transaction in each state. */
  const inState: Readonly<Record<TransactionBody['status'], () => Promise<TransactionBody>>> = {
    pending: () => payments.paid(100, { outcome: 'pending' }),
    completed: () => payments.paid(100),
    failed: () => payments.paid(100, { outcome: 'failed' }),
    async refunded() {
      const { id } = await payments.paid(100)
      await payments.refundWholly(id)
      return payments.getTransaction(id)
    },
  }

  test.each([
    ['pending', 'completed', 200],
    ['pending', 'failed', 200],
    ['completed', 'completed', 409],
    ['completed', 'failed', 409],
    ['failed', 'completed', 409],
    ['failed', 'failed', 409],
    ['refunded', 'completed', 409],
    ['refunded', 'failed', 409],
  ] as const)(
    'can end, and no other transaction can: %s to %s returns %i',
    async (state, outcome, status) => {
      const transaction = await inState[state]()
      const before = payments.events().length
      expect((await settle(transaction.id, outcome)).status).toBe(status)
      if (status === 409) {
        expect(await payments.getTransaction(transaction.id)).toEqual(transaction)
        expect(payments.events()).toHaveLength(before)
      }
    },
  )
})

describe('list of transactions', () => {
  /** The amounts identify them. */
  async function filled(): Promise<Record<'open' | 'one', string>> {
    const open = (await payments.addLink({ amount: undefined, open_amount: true, max_payments: 99 })).id
    const one = (await payments.addLink({ amount: 50 })).id
    await payments.pay(open, { amount: 10, payment_method: 'ach' })
    await payments.pay(open, { amount: 20, outcome: 'failed' })
    payments.setClock('2026-11-21T13:00:00.000Z')
    await payments.pay(open, { amount: 30, outcome: 'pending' })
    const { id } = await payments.pay(open, { amount: 40, payment_method: 'wallet_1' })
    await payments.refundWholly(id)
    await payments.pay(one)
    return { open, one }
  }
  const amounts = async (query: string) => (await list(`?${query}`)).data.map(({ amount }) => amount)

  test.each([
    ['', [50, 40, 30, 20, 10]],
    ['from=2026-11-21T13:00:00Z', [50, 40, 30]],
    ['from=2026-11-21T13:00:00.001Z', []],
    ['to=2026-11-21T12:00:00Z', [20, 10]],
    ['to=2026-11-21T11:59:59.999Z', []],
    ['min_amount=30', [50, 40, 30]],
    ['min_amount=51', []],
    ['max_amount=20', [20, 10]],
    ['max_amount=0', []],
    ['min_amount=20&max_amount=40', [40, 30, 20]],
    ['min_amount=40&max_amount=40', [40]],
    ['status=completed&payment_method=ach&min_amount=10&max_amount=10&from=2026-11-21&to=2026-11-21', [10]],
    ['status=completed&payment_method=wallet_1', []],
  ])('filters with %j', async (query, expected) => {
    await filled()
    expect(await amounts(query)).toEqual(expected)
  })

  test('filters by link', async () => {
    const { open, one } = await filled()
    expect(await amounts(`link_id=${one}`)).toEqual([50])
    expect(await amounts(`link_id=${open}&status=failed`)).toEqual([20])
  })

  test('shows the same as get, also after a change', async () => {
    const transaction = await payments.paid()
    await list()
    expect((await list()).data).toEqual([transaction])
    await payments.refundWholly(transaction.id)
    expect((await list()).data).toEqual([await payments.getTransaction(transaction.id)])
    expect((await list()).data).toMatchObject([{ status: 'refunded', refunded_amount: 1000, refunds: [{}] }])
  })

  test.each([
    'min_amount=2&max_amount=1',
    'from=2026-11-22T00:00:00Z&to=2026-11-21T23:59:59Z',
    'from=nonsense',
    'link_id=a&link_id=b',
  ])('refuses %s', async (query) => {
    expect(await payments.call('GET', `/transactions?${query}`)).toMatchObject(
      refusal(400, 'invalid_parameters', expect.stringMatching(/^Query: /)),
    )
  })
})
