/** Settlements and their report. Specification part 2, "Payments v1". */
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { feeOf } from '../../../src/state/payments/fees.ts'
import { PAYMENT_METHODS } from '../../../src/state/payments/tables.ts'
import { freshPayments, NOON, refusal, type Payments } from '../../support/payments.ts'
import { runs } from '../../support/extent.ts'

let payments: Payments

beforeEach(async () => {
  payments = await freshPayments()
})

const only = async () => {
  const [settlement, ...more] = await payments.settlements()
  expect(more).toEqual([])
  return settlement
}

describe('settlement', () => {
  test('includes completed payments minus fees by method', async () => {
    await payments.paid(10_000)
    payments.setClock('2026-11-21T13:00:00.000Z')
    await payments.paid(10_000, { payment_method: 'wallet_1' })
    await payments.paid(10_000, { payment_method: 'ach' })
    await payments.paid(10_000, { outcome: 'pending' })
    await payments.paid(10_000, { outcome: 'failed' })
    payments.setClock('2026-11-22T06:00:00.000Z')
    const { settlement_id } = await payments.settle()
    expect(settlement_id).toMatch(/^stl_[A-Za-z0-9]{20}$/)
    expect(await only()).toEqual({
      id: settlement_id,
      amount: 30_000,
      fees: 320 + 150 + 50,
      net_amount: 30_000 - 520,
      currency: 'USD',
      transactions_count: 3,
      status: 'processing',
      bank_account_last_four: '6789',
      deposited_at: null,
      period_from: NOON,
      period_to: '2026-11-22T06:00:00.000Z',
    })
  })

  test('includes no payment twice', async () => {
    await payments.paid(100)
    await payments.settle()
    expect((await payments.pull('settlement.create')).status).toBe(409)
    await payments.paid(200)
    await payments.settle()
    expect((await payments.settlements()).map(({ amount }) => amount)).toEqual([200, 100])
  })

  test('has one currency', async () => {
    const balboas = await payments.addLink({ currency: 'PAB', amount: 300 })
    await payments.pay(balboas.id)
    expect((await payments.pull('settlement.create')).status).toBe(409)
    await payments.settle({ currency: 'PAB' })
    expect(await only()).toMatchObject({ amount: 300, currency: 'PAB' })
  })

  test('has the currency of the workspace by default', async () => {
    payments.fresh.workspace.change({ currency: 'PAB' })
    await payments.paid(300)
    await payments.settle()
    expect(await only()).toMatchObject({ currency: 'PAB' })
  })

  test('has a period including both ends', async () => {
    for (const [amount, at] of [
      [1000, '2026-11-21T12:00:00.000Z'],
      [2000, '2026-11-22T12:00:00.000Z'],
      [4000, '2026-11-23T12:00:00.000Z'],
      [8000, '2026-11-24T12:00:00.000Z'],
    ] as const) {
      payments.setClock(at)
      await payments.paid(amount)
    }
    const period = { period_from: '2026-11-22T12:00:00.000Z', period_to: '2026-11-23T12:00:00.000Z' }
    await payments.settle(period)
    expect(await only()).toMatchObject({ amount: 6000, transactions_count: 2, ...period })
    await payments.settle({ period_to: '2026-11-24T11:59:59.999Z' })
    expect((await payments.settlements())[0]).toMatchObject({ amount: 1000 })
    expect(
      (await payments.pull('settlement.create', { period_from: '2026-11-24T12:00:00.001Z' })).status,
    ).toBe(409)
    const reversed = { period_from: '2026-11-24T12:00:00Z', period_to: '2026-11-24T11:59:59Z' }
    expect((await payments.pull('settlement.create', reversed)).status).toBe(400)
  })

  test('pays what is left of refunded payments, with fees only for that', async () => {
    const part = await payments.paid(10_000)
    const whole = await payments.paid(5000)
    await payments.paid(1000, { payment_method: 'ach' })
    await payments.refund(part.id, { amount: 4000 })
    await payments.refund(whole.id)
    await payments.settle()
    expect(await only()).toMatchObject({
      amount: 7000,
      fees: feeOf('network_1', 6000) + 50,
      transactions_count: 2,
    })
  })

  test('deducts refunds made after an earlier settlement, once', async () => {
    const { id } = await payments.paid(10_000)
    await payments.settle()
    await payments.refund(id, { amount: 2500 })
    await payments.paid(10_000)
    await payments.settle()
    await payments.refund(id, { amount: 500 })
    await payments.paid(10_000)
    await payments.settle()
    await payments.paid(10_000)
    await payments.settle()
    expect((await payments.settlements()).map(({ amount }) => amount)).toEqual([10_000, 9500, 7500, 10_000])
  })

  test('adds back a deducted refund that failed later, once', async () => {
    const { id } = await payments.paid(10_000)
    await payments.settle()
    const refund = (await payments.refund(id, { amount: 2500 })).body as { data: { id: string } }
    await payments.paid(10_000)
    await payments.settle()
    await payments.happens('refund.fail', { refund_id: refund.data.id })
    for (const amount of [10_000, 10_000]) {
      await payments.paid(amount)
      await payments.settle()
    }
    expect((await payments.settlements()).map(({ amount }) => amount)).toEqual([10_000, 12_500, 7500, 10_000])
  })

  test('is refused if it would be negative', async () => {
    const { id } = await payments.paid(10_000)
    await payments.settle()
    await payments.refund(id)
    await payments.paid(5000)
    expect(await payments.pull('settlement.create')).toMatchObject({ status: 409 })
    await payments.paid(6000)
    await payments.settle()
    expect((await payments.settlements())[0]).toMatchObject({ amount: 1000, transactions_count: 2 })
  })

  test('is refused for only refunded payments', async () => {
    await payments.refund((await payments.paid(10_000)).id)
    expect((await payments.pull('settlement.create')).status).toBe(409)
    expect(await payments.settlements()).toEqual([])
  })

  test('includes nothing of another workspace', async () => {
    await payments.paid(100)
    const { workspace, key } = payments.fresh.tenant()
    const path = `/_sim/workspaces/${workspace.id}/triggers/payments.settlement.create`
    expect((await payments.fresh.call('POST', path, { body: {} })).status).toBe(409)
    await payments.settle()
    expect(await payments.call('GET', '/reports/settlements', { key })).toMatchObject({ body: { data: [] } })
  })
})

describe('depositing a settlement', () => {
  test('happens once and emits an event', async () => {
    await payments.paid(100)
    const { settlement_id } = await payments.settle()
    payments.setClock('2026-11-23T09:00:00.000Z')
    expect(await payments.happens('settlement.deposit', { settlement_id })).toMatchObject({
      settlement_id,
      status: 'deposited',
    })
    const settlement = await only()
    expect(settlement).toMatchObject({ status: 'deposited', deposited_at: '2026-11-23T09:00:00.000Z' })
    const [, deposited, ...more] = payments.events()
    expect([deposited, more]).toEqual([{ name: 'settlement.completed', data: { settlement } }, []])
    expect((await payments.pull('settlement.deposit', { settlement_id })).status).toBe(409)
    expect((await payments.pull('settlement.deposit', { settlement_id: 'stl_nobody' })).status).toBe(404)
    expect(payments.events()).toHaveLength(2)
  })
})

describe('report of settlements', () => {
  test('is filtered by status and period', async () => {
    await payments.paid(100)
    const { settlement_id: first } = await payments.settle()
    await payments.happens('settlement.deposit', { settlement_id: first })
    payments.setClock('2026-11-22T12:00:00.000Z')
    await payments.paid(200)
    const { settlement_id: second } = await payments.settle()
    const ids = async (query: string) => (await payments.settlements(`?${query}`)).map(({ id }) => id)
    expect(await ids('')).toEqual([second, first])
    expect(await ids('status=deposited')).toEqual([first])
    expect(await ids('status=processing')).toEqual([second])
    expect(await ids(`from=${NOON}&to=${NOON}`)).toEqual([first])
    expect(await ids('from=2026-11-21T12:00:00.001Z')).toEqual([second])
    expect(await ids('to=2026-11-22T11:59:59.999Z')).toEqual([first])
    expect(await ids('status=processing&to=2026-11-22T11:59:59.999Z')).toEqual([])
  })

  test.each(['from=x', 'from=2026-11-22&to=2026-11-21'])('refuses %s', async (query) => {
    expect(await payments.call('GET', `/reports/settlements?${query}`)).toMatchObject(
      refusal(400, 'invalid_parameters'),
    )
  })
})

describe('fee of a payment', () => {
  test.each([
    ['network_1', 10_000, 320, 'of a card is 2.9 % and 30 cents'],
    ['network_2', 50, 31, 'is rounded for each payment: 1.45 cents are 1'],
    ['network_3', 53, 32, 'is rounded for each payment: 1.537 cents are 2'],
    ['wallet_1', 10_000, 150, 'of a wallet is 1.5 %'],
    ['wallet_2', 100, 2, 'rounds half a cent up'],
    ['ach', 99_999_999, 50, 'of a bank transfer is 50 cents'],
    ['network_1', 7, 7, 'is never more than the payment'],
    ['ach', 1, 1, 'is never more than the payment'],
  ] as const)('%s %i: %i, %s', (method, amount, fee, _why) => {
    expect(feeOf(method, amount)).toBe(fee)
  })
})

test('keeps the totals consistent for any payments, refunds and settlements', async () => {
  const payment = fc.record({
    amount: fc.integer({ min: 1, max: 5000 }),
    method: fc.constantFrom(...PAYMENT_METHODS),
    refund: fc.option(fc.integer({ min: 1, max: 5000 }), { nil: null }),
    settled: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(payment, { minLength: 1, maxLength: 8 }), async (all) => {
      const world = await freshPayments()
      let paid = 0
      for (const { amount, method, refund, settled } of all) {
        const { id } = await world.paid(amount, { payment_method: method })
        paid += amount
        if (settled) await world.pull('settlement.create')
        if (refund !== null && (await world.refund(id, { amount: refund })).status === 200) paid -= refund
      }
      // More than all refunds together, so that the last settlement covers every remaining one.
      await world.paid(50_000)
      paid += 50_000
      await world.settle()
      const settlements = await world.settlements()
      expect(settlements.reduce((sum, { amount }) => sum + amount, 0)).toBe(paid)
      for (const { amount, fees, net_amount } of settlements) expect(net_amount).toBe(amount - fees)
      const { total_revenue } = await world.revenue('from=2026-11-21&to=2026-11-21')
      expect(total_revenue).toBe(paid)
    }),
    { numRuns: runs(12), seed: 4012 },
  )
})
