/** Refunds: partial and full, never twice. Specification part 2, "Payments v1". */
import { beforeEach, describe, expect, test } from 'vitest'
import {
  freshPayments,
  INVALID_AMOUNT,
  INVALID_AMOUNTS,
  NOON,
  refusal,
  type Payments,
  type RefundBody,
} from '../../support/payments.ts'

let payments: Payments

beforeEach(async () => {
  payments = await freshPayments()
  // What is tested here holds under both readings, but for the time of the change: `refund-event.test.ts`.
  payments.fresh.workspace.change({ readings: { 'payments.refund_event': 'requested' } })
})

const made = (answer: { body: unknown }) => (answer.body as { data: RefundBody }).data

describe('refund', () => {
  test('has the full amount by default', async () => {
    const transaction = await payments.paid(1000)
    const answer = await payments.refund(transaction.id)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      data: {
        id: expect.stringMatching(/^ref_[A-Za-z0-9]{20}$/) as unknown,
        transaction_id: transaction.id,
        amount: 1000,
        status: 'processing',
        reason: null,
        created_at: NOON,
      },
    })
    const [refund] = (await payments.getTransaction(transaction.id)).refunds
    expect(refund).toEqual({ ...made(answer), completed_at: null, failure_reason: null })
    expect(await payments.getTransaction(transaction.id)).toEqual({
      ...transaction,
      status: 'refunded',
      refunded_amount: 1000,
      refunds: [refund],
    })
  })

  test('in parts keeps the transaction completed until nothing is left', async () => {
    const { id } = await payments.paid(1000)
    const status = async () => (await payments.getTransaction(id)).status
    expect(made(await payments.refund(id, { amount: 400, reason: 'Late' }))).toMatchObject({
      amount: 400,
      reason: 'Late',
    })
    expect(await status()).toBe('completed')
    expect((await payments.refund(id, { amount: 599 })).status).toBe(200)
    expect(await status()).toBe('completed')
    expect((await payments.refund(id, { amount: 1 })).status).toBe(200)
    expect(await status()).toBe('refunded')
  })

  test('without an amount has the remaining amount', async () => {
    const { id } = await payments.paid(1000)
    await payments.refund(id, { amount: 400 })
    expect(made(await payments.refund(id)).amount).toBe(600)
    expect((await payments.getTransaction(id)).status).toBe('refunded')
  })

  test.each([
    [1000, 1001],
    [1, 2],
    [1000, 99_999_999],
  ])('of %i cannot be %i', async (amount, more) => {
    const { id } = await payments.paid(amount)
    expect(await payments.refund(id, { amount: more })).toMatchObject(refusal(422, 'refund_exceeds_amount'))
    expect((await payments.getTransaction(id)).status).toBe('completed')
  })

  test('cannot exceed the amount that earlier ones have left', async () => {
    const { id } = await payments.paid(1000)
    await payments.refund(id, { amount: 400 })
    expect(await payments.refund(id, { amount: 601 })).toMatchObject(
      refusal(422, 'refund_exceeds_amount', expect.stringContaining('600')),
    )
    expect((await payments.refund(id, { amount: 600 })).status).toBe(200)
  })

  test.each([{}, { amount: 1 }, { amount: 1000 }, { amount: 99_999 }])(
    'of a refunded transaction is a duplicate, with %j',
    async (body) => {
      const { id } = await payments.paid(1000)
      await payments.refund(id)
      expect(await payments.refund(id, body)).toMatchObject(refusal(409, 'duplicate_refund'))
      expect(payments.events().filter(({ name }) => name === 'payment.refunded')).toHaveLength(1)
    },
  )

  test.each(['pending', 'failed'])('of a payment in %s is refused', async (outcome) => {
    const { id } = await payments.paid(1000, { outcome })
    for (const body of [undefined, { amount: 1 }, { amount: 5000 }]) {
      expect(await payments.refund(id, body)).toMatchObject(
        refusal(409, 'transaction_not_refundable', expect.stringContaining(outcome)),
      )
    }
    expect((await payments.getTransaction(id)).status).toBe(outcome)
  })

  test.each(INVALID_AMOUNTS)('of %j cents is refused', async (amount) => {
    const { id } = await payments.paid(1000)
    const answer = await payments.refund(id, { amount })
    expect(answer.status).toBe(422)
    expect(answer.body).toEqual(INVALID_AMOUNT)
    expect(payments.events()).toHaveLength(1)
  })

  test('of more than the largest amount is refused with a message of its own', async () => {
    const { id } = await payments.paid(1000)
    expect(await payments.refund(id, { amount: 100_000_000 })).toMatchObject(
      refusal(422, 'invalid_amount', 'amount must be at most 99999999'),
    )
  })

  test('never exceeds the payment, even with ten simultaneous requests', async () => {
    const { id } = await payments.paid(1000)
    const answers = await Promise.all(Array.from({ length: 10 }, () => payments.refund(id, { amount: 300 })))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
    expect(statuses.filter((status) => status === 422)).toHaveLength(7)
    expect(made(await payments.refund(id)).amount).toBe(100)
  })

  test('emits an event with the refund, the current transaction and its link', async () => {
    const link = await payments.addLink({ reference: 'F-1', metadata: { order: 7 } })
    const transaction = await payments.pay(link.id)
    const part = made(await payments.refund(transaction.id, { amount: 1 }))
    const rest = made(await payments.refund(transaction.id))
    const payment_link = { id: link.id, reference: 'F-1', metadata: { order: 7 } }
    const unfinished = { completed_at: null, failure_reason: null }
    const inPart = { ...transaction, refunded_amount: 1, refunds: [{ ...part, ...unfinished }] }
    const inAll = await payments.getTransaction(transaction.id)
    expect(payments.events().slice(1)).toEqual([
      { name: 'payment.refunded', data: { refund: part, transaction: inPart, payment_link } },
      { name: 'payment.refunded', data: { refund: rest, transaction: inAll, payment_link } },
    ])
    expect(inAll).toMatchObject({ status: 'refunded', refunded_amount: 1000 })
  })
})

describe('a refund ends', () => {
  test('once, when it reaches the payer, and emits no further events', async () => {
    const { id } = made(await payments.refund((await payments.paid()).id))
    const before = payments.events().length
    expect(await payments.happens('refund.complete', { refund_id: id })).toMatchObject({
      refund_id: id,
      status: 'completed',
    })
    expect(await payments.pull('refund.complete', { refund_id: id })).toMatchObject({ status: 409 })
    expect(await payments.pull('refund.complete', { refund_id: 'ref_nobody' })).toMatchObject({ status: 404 })
    expect(payments.events()).toHaveLength(before)
  })

  test('only in its own workspace', async () => {
    const { id } = made(await payments.refund((await payments.paid()).id))
    const { workspace } = payments.fresh.tenant()
    const path = `/_sim/workspaces/${workspace.id}/triggers/payments.refund.complete`
    expect((await payments.fresh.call('POST', path, { body: { refund_id: id } })).status).toBe(404)
  })
})

describe('failed refund', () => {
  test('makes the amount refundable again, shows the reason, and can be repeated', async () => {
    const { id } = await payments.paid(1000)
    const first = made(await payments.refund(id, { amount: 300 }))
    const rest = made(await payments.refund(id))
    const failed = await payments.pull('refund.fail', { refund_id: rest.id, reason: 'Account closed' })
    expect(failed).toMatchObject({
      status: 200,
      body: { refund_id: rest.id, transaction_id: id, status: 'failed' },
    })
    const transaction = await payments.getTransaction(id)
    expect(transaction).toMatchObject({ status: 'completed', refunded_amount: 300 })
    expect(transaction.refunds).toMatchObject([
      { id: rest.id, amount: 700, status: 'failed', failure_reason: 'Account closed' },
      { id: first.id, amount: 300, status: 'processing', failure_reason: null },
    ])
    expect((await payments.ask<{ data: unknown[] }>('GET', '/transactions')).data).toEqual([transaction])
    expect((await payments.refund(id)).status).toBe(200)
    expect((await payments.getTransaction(id)).status).toBe('refunded')
  })

  test.each(['complete', 'fail'])('fails once, and not after "%s"', async (name) => {
    const { id } = await payments.paid(1000)
    const refund = made(await payments.refund(id))
    await payments.happens(`refund.${name}`, { refund_id: refund.id })
    expect((await payments.pull('refund.fail', { refund_id: refund.id })).status).toBe(409)
  })

  test('after its completion is shown at once', async () => {
    const { id } = await payments.paid(1000)
    const refund = made(await payments.refund(id))
    await payments.getTransaction(id)
    await payments.happens('refund.complete', { refund_id: refund.id })
    expect((await payments.getTransaction(id)).refunds).toMatchObject([
      { status: 'completed', completed_at: NOON },
    ])
  })

  test('is returned by the next settlement if one has deducted it, and is never deducted later', async () => {
    const { id } = await payments.paid(1000)
    await payments.settle()
    const deducted = made(await payments.refund(id, { amount: 400 }))
    await payments.paid(1000)
    await payments.settle()
    await payments.happens('refund.fail', { refund_id: deducted.id })
    const never = made(await payments.refund(id, { amount: 100 }))
    await payments.happens('refund.fail', { refund_id: never.id })
    await payments.paid(1000)
    await payments.settle()
    await payments.paid(1000)
    await payments.settle()
    expect((await payments.settlements()).map(({ amount }) => amount)).toEqual([1000, 1400, 600, 1000])
  })
})

test('shows the newest hundred refunds', async () => {
  const { id } = await payments.paid(1000)
  for (let count = 0; count < 101; count++) await payments.refund(id, { amount: 1 })
  const { refunds, refunded_amount } = await payments.getTransaction(id)
  expect([refunds.length, refunded_amount]).toEqual([100, 101])
})
