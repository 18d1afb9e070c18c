/** The reading payments.refund_event: when a transaction becomes refunded and payment.refunded is sent. */
import { describe, expect, test } from 'vitest'
import { freshPayments, refusal, type Payments, type RefundBody } from '../../support/payments.ts'

type Reading = 'completed' | 'requested'

const choose = (payments: Payments, reading: Reading): void => {
  payments.fresh.workspace.change({ readings: { 'payments.refund_event': reading } })
}

const refundOf = async (payments: Payments, id: string, amount?: number): Promise<RefundBody> => {
  const answer = await payments.refund(id, amount === undefined ? undefined : { amount })
  expect(answer.status).toBe(200)
  return (answer.body as { data: RefundBody }).data
}

const complete = (payments: Payments, { id }: RefundBody) =>
  payments.happens('refund.complete', { refund_id: id })

/** The amounts and statuses of all payment.refunded so far: [amount of the refund, status of the transaction]. */
const announced = (payments: Payments) =>
  payments
    .events()
    .filter(({ name }) => name === 'payment.refunded')
    .map(({ data }) => {
      const { refund, transaction } = data as {
        refund: { amount: number; status: string }
        transaction: { status: string }
      }
      return [refund.amount, refund.status, transaction.status]
    })

const lastHints = async ({ fresh }: Payments) => {
  const path = `/_sim/workspaces/${fresh.workspace.id}/requests`
  const { data } = (await fresh.call('GET', `${path}?limit=1`)).body as { data: { id: string }[] }
  return (
    (await fresh.call('GET', `${path}/${data[0]?.id ?? ''}`)).body as {
      hints: { code: string; message: string }[]
    }
  ).hints
}

test('completed is the default: the transaction follows when its refunds are completed', async () => {
  const payments = await freshPayments()
  const { id } = await payments.paid(1000)
  const part = await refundOf(payments, id, 400)
  expect((await lastHints(payments)).map(({ code }) => code)).toEqual(['refund_in_progress'])
  const rest = await refundOf(payments, id)
  expect(rest.amount).toBe(600)
  expect(await payments.getTransaction(id)).toMatchObject({ status: 'completed', refunded_amount: 1000 })
  expect(announced(payments)).toEqual([])

  await complete(payments, rest)
  expect((await payments.getTransaction(id)).status).toBe('completed')
  await complete(payments, part)
  expect(await payments.getTransaction(id)).toMatchObject({ status: 'refunded', refunded_amount: 1000 })
  expect(announced(payments)).toEqual([
    [600, 'completed', 'completed'],
    [400, 'completed', 'refunded'],
  ])
})

test('requested: the transaction follows when its refunds are requested', async () => {
  const payments = await freshPayments()
  choose(payments, 'requested')
  const { id } = await payments.paid(1000)
  const part = await refundOf(payments, id, 400)
  expect(await lastHints(payments)).toEqual([])
  const rest = await refundOf(payments, id)
  expect((await payments.getTransaction(id)).status).toBe('refunded')
  await complete(payments, part)
  await complete(payments, rest)
  expect(announced(payments)).toEqual([
    [400, 'processing', 'completed'],
    [600, 'processing', 'refunded'],
  ])
})

test('a second refund of the full amount is a duplicate while the first is processing', async () => {
  const payments = await freshPayments()
  const { id } = await payments.paid(1000)
  const first = await refundOf(payments, id)
  for (const body of [undefined, { amount: 1 }, { amount: 5000 }]) {
    expect(await payments.refund(id, body)).toMatchObject(refusal(409, 'duplicate_refund'))
  }
  await complete(payments, first)
  expect(await payments.refund(id)).toMatchObject(refusal(409, 'duplicate_refund'))
  expect(announced(payments)).toHaveLength(1)
})

test('a refund that fails before it was completed was never announced, and its amount can be refunded again', async () => {
  const payments = await freshPayments()
  const { id } = await payments.paid(1000)
  const first = await refundOf(payments, id)
  await payments.happens('refund.fail', { refund_id: first.id })
  expect(await payments.getTransaction(id)).toMatchObject({ status: 'completed', refunded_amount: 0 })
  expect(announced(payments)).toEqual([])
  await complete(payments, await refundOf(payments, id))
  expect((await payments.getTransaction(id)).status).toBe('refunded')
  expect(announced(payments)).toEqual([[1000, 'completed', 'refunded']])
})

describe.each([
  ['requested', 'completed'],
  ['completed', 'requested'],
] as const)('a change from %s to %s while a refund is processing', (before, after) => {
  test('sends the event once', async () => {
    const payments = await freshPayments()
    choose(payments, before)
    const { id } = await payments.paid(1000)
    const refund = await refundOf(payments, id)
    choose(payments, after)
    await complete(payments, refund)
    expect(announced(payments)).toHaveLength(1)
    expect((await payments.getTransaction(id)).status).toBe('refunded')
  })

  test('leaves a failed refund without trace', async () => {
    const payments = await freshPayments()
    choose(payments, before)
    const { id } = await payments.paid(1000)
    const refund = await refundOf(payments, id)
    choose(payments, after)
    await payments.happens('refund.fail', { refund_id: refund.id })
    expect(await payments.getTransaction(id)).toMatchObject({ status: 'completed', refunded_amount: 0 })
  })
})

test('a snapshot keeps whether a refund was announced', async () => {
  const payments = await freshPayments()
  const { fresh } = payments
  const { id } = await payments.paid(1000)
  const refund = await refundOf(payments, id)
  const path = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
  const snapshot = (await fresh.call('GET', path)).body
  expect((await fresh.call('PUT', path, { body: snapshot })).status).toBe(204)
  await complete(payments, refund)
  expect(announced(payments)).toEqual([[1000, 'completed', 'refunded']])
})

test('a receipt says that a refund of the full amount is in progress', async () => {
  const payments = await freshPayments()
  const { fresh } = payments
  const { id } = await payments.paid(1000)
  const titleOf = async () => {
    const { text } = await fresh.call('GET', `/pay/links/${fresh.workspace.id}/receipts/${id}`)
    return /<title>([^<]*)/.exec(text)?.[1]
  }
  const refund = await refundOf(payments, id)
  expect(await titleOf()).toContain('Payment is being refunded')
  await complete(payments, refund)
  expect(await titleOf()).toContain('Payment refunded')
})
