import { describe, expect, test } from 'vitest'
import { controlApp, error, makeWorkspace } from '../app.ts'
import { receiver } from '../receiver.ts'

async function setup() {
  const app = await controlApp()
  const made = await makeWorkspace(app)
  const path = `/workspaces/${made.id}`
  const pull = (name: string, body: unknown = {}) =>
    app.sim('POST', `${path}/triggers/payments.${name}`, { body })
  const pay = (method: 'GET' | 'POST', address: string, body?: unknown) =>
    app.call(method, `/pay/v1${address}`, made.key, body)
  const addLink = async (fields: object = {}): Promise<string> =>
    (await pay('POST', '/payment-links', { amount: 1000, ...fields })).body.data.id as string
  return { ...app, ...made, app, path, pull, pay, addLink }
}

const NAMES = [
  'payments.link.pay',
  'payments.transaction.settle',
  'payments.refund.complete',
  'payments.refund.fail',
  'payments.settlement.create',
  'payments.settlement.deposit',
]

describe('triggers of payments', () => {
  test('are listed with their parameters and responses', async () => {
    const { sim } = await controlApp()
    const { data } = (await sim('GET', '/triggers')).body as { data: { name: string; body: object }[] }
    const listed = data.filter(({ name }) => name.startsWith('payments.'))
    expect(listed.map(({ name }) => name)).toEqual(NAMES)
    for (const each of listed) {
      expect(each).toMatchObject({
        body: { type: 'object' },
        result: { type: 'object' },
        fidelity: { status: 'assumed' },
      })
    }
    expect(listed[0]?.body).toMatchObject({ required: ['link_id'] })
  })

  test('name invalid fields by their own names', async () => {
    const { pull, addLink } = await setup()
    const problem = (field: string, code: string, message: string) => ({
      status: 400,
      body: { error: { code: 'validation_error', message, details: [{ field, code, message }] } },
    })
    const link_id = await addLink({ payment_methods: ['wallet_1'] })
    expect(await pull('link.pay', { link_id, payment_method: 'ach' })).toMatchObject(
      problem('payment_method', 'not_allowed', 'payment_method must be a method of the link: wallet_1'),
    )
    const period = { period_from: '2027-01-01', period_to: '2026-01-01' }
    expect(await pull('settlement.create', period)).toMatchObject(
      problem('period_to', 'before_from', 'period_to must not be before period_from'),
    )
  })

  test('process a payment from the link to the bank account', async () => {
    const { sim, path, pull, pay, addLink } = await setup()
    const { url } = await receiver()
    await sim('POST', `${path}/subscriptions`, { body: { interface: 'payments', url } })
    const link_id = await addLink()
    const paid = await pull('link.pay', { link_id, outcome: 'pending', customer: { name: 'Ana' } })
    expect(paid).toMatchObject({ status: 200, body: { status: 'pending', link_status: 'active' } })
    const { transaction_id } = paid.body as { transaction_id: string }
    expect(await pull('transaction.settle', { transaction_id, outcome: 'completed' })).toMatchObject({
      status: 200,
      body: { transaction_id, status: 'completed' },
    })
    const refund_id = (await pay('POST', `/transactions/${transaction_id}/refund`, { amount: 200 })).body.data
      .id as string
    expect(await pull('refund.complete', { refund_id })).toMatchObject({
      status: 200,
      body: { refund_id, transaction_id, status: 'completed' },
    })
    const created = await pull('settlement.create')
    expect(created).toMatchObject({
      status: 200,
      body: {
        status: 'processing',
        amount: 800,
        fees: 53,
        net_amount: 747,
        currency: 'USD',
        transactions_count: 1,
      },
    })
    const { settlement_id } = created.body as { settlement_id: string }
    expect(await pull('settlement.deposit', { settlement_id })).toMatchObject({
      status: 200,
      body: { settlement_id, status: 'deposited' },
    })
    const { data } = (await sim('GET', `${path}/deliveries`)).body as { data: { event: string }[] }
    expect(data.map(({ event }) => event).reverse()).toEqual([
      'payment.completed',
      'payment.refunded',
      'settlement.completed',
    ])
  })

  test('pay at once with the first method by default', async () => {
    const { pull, addLink } = await setup()
    const link_id = await addLink({ payment_methods: ['ach'] })
    expect(await pull('link.pay', { link_id })).toMatchObject({
      status: 200,
      body: { status: 'completed', link_status: 'paid' },
    })
  })

  test.each([
    ['link.pay', {}, 'link_id'],
    ['link.pay', { link_id: 7 }, 'link_id'],
    ['link.pay', { link_id: 'pl_1', outcome: 'refunded' }, 'outcome'],
    ['link.pay', { link_id: 'pl_1', payment_method: 'cash' }, 'payment_method'],
    ['link.pay', { link_id: 'pl_1', amount: 0 }, 'amount'],
    ['link.pay', { link_id: 'pl_1', amount: 100_000_000 }, 'amount'],
    ['link.pay', { link_id: 'pl_1', amount: '100' }, 'amount'],
    ['link.pay', { link_id: 'pl_1', customer: 'Ana' }, 'customer'],
    ['link.pay', { link_id: 'pl_1', customer: { email: 'nobody' } }, 'customer.email'],
    ['link.pay', { link_id: 'pl_1', customer: { name: 'x'.repeat(201) } }, 'customer.name'],
    ['transaction.settle', { transaction_id: 'txn_1' }, 'outcome'],
    ['transaction.settle', { transaction_id: 'txn_1', outcome: 'pending' }, 'outcome'],
    ['transaction.settle', { outcome: 'failed' }, 'transaction_id'],
    ['refund.complete', {}, 'refund_id'],
    ['settlement.create', { currency: 'EUR' }, 'currency'],
    ['settlement.create', { period_from: 'yesterday' }, 'period_from'],
    ['settlement.create', { period_to: 7 }, 'period_to'],
    ['settlement.deposit', {}, 'settlement_id'],
  ])('of %s refuse %j', async (name, body, field) => {
    const { pull } = await setup()
    const answer = await pull(name, body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.details[0].field).toBe(field)
  })

  test.each([
    ['link.pay', { link_id: 'pl_no' }, 'There is no payment link pl_no.'],
    [
      'transaction.settle',
      { transaction_id: 'txn_no', outcome: 'failed' },
      'There is no transaction txn_no.',
    ],
    ['refund.complete', { refund_id: 'ref_no' }, 'There is no refund ref_no.'],
    ['settlement.deposit', { settlement_id: 'stl_no' }, 'There is no settlement stl_no.'],
  ])('of %s return not found for unknown records', async (name, body, message) => {
    const { pull } = await setup()
    const answer = await pull(name, body)
    expect([answer.status, answer.body]).toEqual([404, error('not_found', message)])
  })
})
