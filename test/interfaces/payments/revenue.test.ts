/** The revenue report. Specification part 2, "Payments v1": "Revenue report". */
import { DateTime } from 'luxon'
import { beforeEach, describe, expect, test } from 'vitest'
import { iso } from '@suite-sim/kit/time/instants'
import type { Takings } from '../../../src/state/payments/revenue.ts'
import { PAYMENT_METHODS } from '../../../src/state/payments/tables.ts'
import { freshPayments, NOON, refusal, type Payments, type RevenueBody } from '../../support/payments.ts'
import { loadRecords } from '../../support/records.ts'

let payments: Payments

beforeEach(async () => {
  payments = await freshPayments()
})

/** Payments of these amounts in cents, completed at these instants. */
async function paidAt(...times: readonly (readonly [at: string, amount: number])[]): Promise<void> {
  for (const [at, amount] of times) {
    payments.setClock(at)
    await payments.paid(amount)
  }
}

const refundId = async (id: string, body?: Readonly<Record<string, unknown>>): Promise<string> =>
  ((await payments.refund(id, body)).body as { data: { id: string } }).data.id

const periods = ({ by_period }: RevenueBody) =>
  by_period.map(({ date, revenue, transactions }) => [date, revenue, transactions])

/** Only the periods with revenue. */
const busy = (report: RevenueBody) => periods(report).filter(([, revenue]) => revenue !== 0)

describe('revenue report', () => {
  test('sums completed payments by period and by method', async () => {
    await paidAt(
      ['2026-11-02T10:00:00Z', 1000],
      ['2026-11-02T11:00:00Z', 501],
      ['2026-11-04T10:00:00Z', 2000],
    )
    await payments.paid(400, { payment_method: 'ach' })
    await payments.paid(9000, { outcome: 'pending' })
    await payments.paid(9000, { outcome: 'failed' })
    expect(await payments.revenue('from=2026-11-01T00:00:00Z&to=2026-11-04T23:59:59Z')).toEqual({
      total_revenue: 3901,
      total_transactions: 4,
      average_amount: 975,
      currency: 'USD',
      by_period: [
        { date: '2026-11-01', revenue: 0, transactions: 0 },
        { date: '2026-11-02', revenue: 1501, transactions: 2 },
        { date: '2026-11-03', revenue: 0, transactions: 0 },
        { date: '2026-11-04', revenue: 2400, transactions: 2 },
      ],
      by_payment_method: {
        network_1: { revenue: 3501, transactions: 3 },
        ach: { revenue: 400, transactions: 1 },
      },
      by_currency: { USD: { revenue: 3901, transactions: 4 } },
    })
  })

  test('without payments contains zeros for every period', async () => {
    expect(await payments.revenue('from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00.001Z')).toEqual({
      total_revenue: 0,
      total_transactions: 0,
      average_amount: 0,
      currency: 'USD',
      by_period: [
        { date: '2026-11-01', revenue: 0, transactions: 0 },
        { date: '2026-11-02', revenue: 0, transactions: 0 },
      ],
      by_payment_method: {},
      by_currency: {},
    })
  })

  test('counts what is left of refunded payments, at the time of the payment', async () => {
    await paidAt(['2026-11-02T10:00:00Z', 1000], ['2026-11-03T10:00:00Z', 700])
    const { data } = await payments.ask<{ data: { id: string }[] }>('GET', '/transactions')
    payments.setClock('2026-11-04T10:00:00Z')
    await payments.refund(data[1]?.id ?? '', { amount: 250 })
    await payments.refund(data[0]?.id ?? '')
    const report = await payments.revenue('from=2026-11-02&to=2026-11-04')
    expect(periods(report)).toEqual([
      ['2026-11-02', 750, 1],
      ['2026-11-03', 0, 1],
      ['2026-11-04', 0, 0],
    ])
    expect(report).toMatchObject({ total_revenue: 750, total_transactions: 2, average_amount: 375 })
    expect(report.by_payment_method).toEqual({ network_1: { revenue: 750, transactions: 2 } })
  })

  test('counts a payment until it is refunded, also while its full refund is processing', async () => {
    const counts = async () => {
      const { total_revenue, total_transactions, by_payment_method, by_currency, by_period } =
        await payments.revenue('from=2026-11-21&to=2026-11-21')
      expect([by_payment_method['ach'], by_currency['USD']]).toEqual(
        total_transactions === 0
          ? [undefined, undefined]
          : Array(2).fill({ revenue: total_revenue, transactions: total_transactions }),
      )
      expect(periods({ by_period } as RevenueBody)).toEqual([
        ['2026-11-21', total_revenue, total_transactions],
      ])
      return [total_transactions, total_revenue]
    }
    const { id } = await payments.paid(1000, { payment_method: 'ach' })
    expect(await counts()).toEqual([1, 1000])
    const first = await refundId(id, { amount: 400 })
    const rest = await refundId(id)
    expect(await counts()).toEqual([1, 0])
    await payments.happens('refund.complete', { refund_id: first })
    expect(await counts()).toEqual([1, 0])
    await payments.happens('refund.complete', { refund_id: rest })
    expect(await counts()).toEqual([0, 0])
  })

  test('counts a payment again after its refund failed', async () => {
    const { id } = await payments.paid(1000)
    await payments.happens('refund.fail', { refund_id: await refundId(id) })
    expect(await payments.revenue('from=2026-11-21&to=2026-11-21')).toMatchObject({
      total_transactions: 1,
      total_revenue: 1000,
    })
  })

  test('counts a pending payment when it is completed', async () => {
    const { id } = await payments.paid(300, { outcome: 'pending' })
    payments.setClock('2026-11-23T12:00:00Z')
    await payments.happens('transaction.settle', { transaction_id: id, outcome: 'completed' })
    expect(busy(await payments.revenue('from=2026-11-20&to=2026-11-30'))).toEqual([['2026-11-23', 300, 1]])
  })

  test('includes both ends of its range', async () => {
    await paidAt(
      ['2026-11-02T10:00:00.000Z', 1],
      ['2026-11-02T10:00:00.001Z', 10],
      ['2026-11-02T10:00:00.002Z', 100],
    )
    const total = async (from: string, to: string) =>
      (await payments.revenue(`from=2026-11-02T10:00:00.${from}Z&to=2026-11-02T10:00:00.${to}Z`))
        .total_revenue
    expect(await total('000', '002')).toBe(111)
    expect(await total('001', '001')).toBe(10)
    expect(await total('001', '999')).toBe(110)
    expect(await total('000', '001')).toBe(11)
  })

  test('adds both currencies without conversion, in the currency of the workspace', async () => {
    payments.fresh.workspace.change({ currency: 'PAB' })
    for (const currency of ['PAB', 'USD']) await payments.pay((await payments.addLink({ currency })).id)
    const report = await payments.revenue('from=2026-11-21&to=2026-11-21')
    expect(report).toMatchObject({ total_revenue: 2000, total_transactions: 2, currency: 'PAB' })
  })

  test('reflects the last payment, refund or change of the workspace', async () => {
    const total = async () => (await payments.revenue('from=2026-11-21&to=2026-11-21')).total_revenue
    expect([await total(), await total(), await total()]).toEqual([0, 0, 0])
    const { id } = await payments.paid(1000)
    expect([await total(), await total()]).toEqual([1000, 1000])
    await payments.refund(id, { amount: 1 })
    expect(await total()).toBe(999)
    payments.fresh.workspace.change({ timezone: 'Pacific/Kiritimati' })
    expect(await total()).toBe(0)
  })

  test('contains nothing of another workspace', async () => {
    await payments.paid()
    const { key } = payments.fresh.tenant()
    const answer = await payments.call('GET', '/reports/revenue?from=2026-11-21&to=2026-11-21', { key })
    expect(answer).toMatchObject({ body: { data: { total_revenue: 0, by_payment_method: {} } } })
  })

  test('lists methods in the order of the specification', async () => {
    for (const payment_method of PAYMENT_METHODS.toReversed()) await payments.paid(10, { payment_method })
    const { by_payment_method } = await payments.revenue('from=2026-11-21&to=2026-11-21')
    expect(Object.keys(by_payment_method)).toEqual([...PAYMENT_METHODS])
  })
})

describe('periods', () => {
  const span = 'from=2026-10-28T00:00:00Z&to=2026-11-09T23:59:59Z'

  test('are days by default', async () => {
    const days = await payments.revenue(span)
    expect(days.by_period).toHaveLength(13)
    expect(await payments.revenue(`${span}&group_by=day`)).toEqual(days)
  })

  test('are weeks from Monday, named by their first day', async () => {
    await paidAt(
      ['2026-10-27T12:00:00Z', 1],
      ['2026-10-28T12:00:00Z', 10],
      ['2026-11-01T23:59:59Z', 100],
      ['2026-11-02T00:00:00Z', 1000],
      ['2026-11-09T00:00:00Z', 10_000],
    )
    expect(periods(await payments.revenue(`${span}&group_by=week`))).toEqual([
      ['2026-10-26', 110, 2],
      ['2026-11-02', 1000, 1],
      ['2026-11-09', 10_000, 1],
    ])
  })

  test('are months, across the end of a year and a leap day', async () => {
    await paidAt(
      ['2027-11-30T23:59:59Z', 1],
      ['2027-12-31T23:59:59Z', 10],
      ['2028-01-01T00:00:00Z', 100],
      ['2028-02-29T12:00:00Z', 1000],
      ['2028-03-01T00:00:00Z', 10_000],
    )
    expect(periods(await payments.revenue('from=2027-12-15&to=2028-03-31&group_by=month'))).toEqual([
      ['2027-12-01', 10, 1],
      ['2028-01-01', 100, 1],
      ['2028-02-01', 1000, 1],
      ['2028-03-01', 10_000, 1],
    ])
  })

  test.each([
    ['UTC', 'day', '2026-11-01T00:00:00Z', '2026-11-03T00:00:00Z', ['2026-11-01', '2026-11-02']],
    ['UTC', 'week', '2026-11-02T00:00:00Z', '2026-11-09T00:00:00Z', ['2026-11-02']],
    ['UTC', 'month', '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z', ['2026-11-01']],
    ['UTC', 'day', '2026-11-01', '2026-11-02', ['2026-11-01', '2026-11-02']],
    ['UTC', 'day', '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z', ['2026-11-01']],
    ['America/Panama', 'day', '2026-11-01', '2026-11-02T05:00:00Z', ['2026-11-01']],
    ['America/Panama', 'day', '2026-11-01', '2026-11-02T00:00:00Z', ['2026-11-01']],
    ['America/Panama', 'day', '2026-11-01', '2026-11-02T05:00:00.001Z', ['2026-11-01', '2026-11-02']],
  ])('end before midnight in %s by %s from %s to %s', async (timezone, grouping, from, to, dates) => {
    payments.fresh.workspace.change({ timezone })
    const { by_period } = await payments.revenue(`from=${from}&to=${to}&group_by=${grouping}`)
    expect(by_period.map(({ date }) => date)).toEqual(dates)
  })

  test('include midnight with a payment at that instant', async () => {
    await paidAt(['2026-11-03T00:00:00.000Z', 700])
    const report = await payments.revenue('from=2026-11-02T00:00:00Z&to=2026-11-03T00:00:00Z')
    expect(periods(report)).toEqual([
      ['2026-11-02', 0, 0],
      ['2026-11-03', 700, 1],
    ])
    expect(report.total_revenue).toBe(700)
  })

  test('follow the time zone, including clock changes', async () => {
    payments.fresh.workspace.change({ timezone: 'America/New_York' })
    await paidAt(
      // Clocks go back on November 1, 2026: this day has 25 hours, from 04:00 to 05:00 of the next day.
      ['2026-11-01T03:59:59.999Z', 1],
      ['2026-11-01T04:00:00.000Z', 10],
      ['2026-11-02T04:59:59.999Z', 100],
      ['2026-11-02T05:00:00.000Z', 1000],
      // They go forward on March 14, 2027: this day has 23 hours, from 05:00 to 04:00.
      ['2027-03-14T04:59:59.999Z', 10_000],
      ['2027-03-14T05:00:00.000Z', 20_000],
      ['2027-03-15T03:59:59.999Z', 40_000],
      ['2027-03-15T04:00:00.000Z', 80_000],
    )
    expect(busy(await payments.revenue('from=2026-10-30&to=2027-03-20'))).toEqual([
      ['2026-10-31', 1, 1],
      ['2026-11-01', 110, 2],
      ['2026-11-02', 1000, 1],
      ['2027-03-13', 10_000, 1],
      ['2027-03-14', 60_000, 2],
      ['2027-03-15', 80_000, 1],
    ])
    expect(busy(await payments.revenue('from=2026-10-30&to=2027-03-20&group_by=week'))).toEqual([
      ['2026-10-26', 111, 3],
      ['2026-11-02', 1000, 1],
      ['2027-03-08', 70_000, 3],
      ['2027-03-15', 80_000, 1],
    ])
    expect(busy(await payments.revenue('from=2026-10-30&to=2027-03-20&group_by=month'))).toEqual([
      ['2026-10-01', 1, 1],
      ['2026-11-01', 1110, 3],
      ['2027-03-01', 150_000, 4],
    ])
  })

  test.each([
    'America/Havana',
    'Asia/Beirut',
    'Pacific/Apia',
    'Africa/Cairo',
    'America/Sao_Paulo',
    'Asia/Kathmandu',
  ])('have no gaps or duplicates in %s, where midnights and days are skipped', async (timezone) => {
    payments.fresh.workspace.change({ timezone })
    for (const [from, to] of [
      ['2011-01-01', '2012-12-31'],
      ['2024-01-01', '2027-12-31'],
    ] as const) {
      const { by_period } = await payments.revenue(`from=${from}&to=${to}`)
      const dates = by_period.map(({ date }) => date)
      expect(dates[0]).toBe(from)
      expect(dates.at(-1)).toBe(to)
      expect(new Set(dates).size).toBe(dates.length)
      expect([...dates].sort()).toEqual(dates)
      const days = DateTime.fromISO(to).diff(DateTime.fromISO(from), 'days').days + 1
      // Samoa skipped December 30, 2011.
      const left = timezone === 'Pacific/Apia' && from === '2011-01-01' ? 1 : 0
      expect(dates).toHaveLength(days - left)
    }
  })

  test('contain every payment once, for any periods', async () => {
    payments.fresh.workspace.change({ timezone: 'America/New_York' })
    const start = Date.parse('2026-10-20T00:30:00Z')
    const transactions = Array.from({ length: 400 }, (_, number) => {
      const at = iso(start + number * 5_400_000)
      return {
        id: `txn_${String(number)}`,
        amount: number + 1,
        currency: 'USD',
        status: 'completed',
        paymentMethod: PAYMENT_METHODS[number % 6],
        createdAt: at,
        completedAt: at,
      }
    })
    await loadRecords(payments.fresh.app, payments.fresh.workspace, { payments: { transactions } })
    for (const grouping of ['day', 'week', 'month']) {
      const report = await payments.revenue(`from=2026-10-01&to=2026-12-31&group_by=${grouping}`)
      const sum = (all: readonly (Takings | undefined)[]) => [
        all.reduce((money, each) => money + (each?.revenue ?? 0), 0),
        all.reduce((count, each) => count + (each?.transactions ?? 0), 0),
      ]
      expect([report.total_revenue, report.total_transactions]).toEqual([80_200, 400])
      expect(sum(report.by_period)).toEqual([80_200, 400])
      expect(sum(Object.values(report.by_payment_method))).toEqual([80_200, 400])
      expect(report.average_amount).toBe(201)
    }
  })

  test('are limited to 3,700', async () => {
    expect((await payments.revenue('from=2026-01-01&to=2036-02-17')).by_period).toHaveLength(3700)
    expect(await payments.call('GET', '/reports/revenue?from=2026-01-01&to=2036-02-18')).toMatchObject(
      refusal(400, 'invalid_parameters', expect.stringContaining('3700')),
    )
    const ages = '/reports/revenue?from=0001-01-01&to=9999-12-31'
    expect(await payments.call('GET', ages)).toMatchObject(refusal(400, 'invalid_parameters'))
    expect((await payments.revenue('from=1900-01-01&to=2200-12-31&group_by=month')).by_period).toHaveLength(
      3612,
    )
    const end = await payments.revenue('from=9999-12-01T00:00:00Z&to=9999-12-31T23:59:59.999Z&group_by=month')
    expect(periods(end)).toEqual([['9999-12-01', 0, 0]])
  })
})

test.each([
  ['from=&to=', 'from'],
  [`from=${NOON}&to=never`, 'to'],
  ['from=2026-11-02T00:00:00.001Z&to=2026-11-02T00:00:00.000Z', 'to'],
  ['from=2026-11-02&to=2026-11-01', 'to'],
])('refuses the query %j with a reason', async (query, parameter) => {
  expect(await payments.call('GET', `/reports/revenue?${query}`)).toMatchObject(
    refusal(400, 'invalid_parameters', expect.stringContaining(parameter)),
  )
})

test('shows revenue by currency in addition to the sum', async () => {
  const report = 'from=2026-11-01&to=2026-12-31'
  await payments.paid(1000)
  const link = await payments.addLink({ amount: 300, currency: 'PAB' })
  const { id } = await payments.pay(link.id, { payment_method: 'ach' })
  await payments.refund(id, { amount: 100 })
  expect(await payments.revenue(report)).toMatchObject({
    total_revenue: 1200,
    by_currency: { USD: { revenue: 1000, transactions: 1 }, PAB: { revenue: 200, transactions: 1 } },
  })
})
