/**
 * The sample events of the point of sale describe one consistent shop: related records match, and sums are correct.
 */
import { describe, expect, test } from 'vitest'
import { problemsOf } from '../../../src/http/schemas/validation.ts'
import { POS_EVENTS } from '../../../src/state/pos/eventNames.ts'
import { findPosEvent } from '../../../src/state/pos/events.ts'
import { freshApp, type FreshApp } from '../../support/app.ts'
import { eventsOf } from '../../support/events.ts'

/* oxlint-disable typescript/no-explicit-any -- payloads of 33 shapes */
type Data = Record<string, any>

/** A line of a sale. */
const ITEM = { name: 'Desk', quantity: 1, unitPrice: 3, taxRate: 7, total: 3 }

async function shop(settings: { currency?: string; timezone?: string } = {}, seed?: string) {
  const fresh = await freshApp(seed === undefined ? {} : { seed })
  fresh.workspace.change(settings)
  fresh.setClock('2026-11-21T18:00:00Z')
  const pull = (name: string, body: object) =>
    fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/triggers/pos.${name}`, { body })
  const emittedEvents = () => eventsOf<Data>(fresh.workspace, 'pos')
  const emit = async (event: string, data?: object): Promise<Data> => {
    const answer = await pull('event.emit', { event, ...(data && { data }) })
    if (answer.status !== 200) throw new Error(answer.text)
    return emittedEvents().at(-1)?.data ?? {}
  }
  return { ...fresh, pull, emit, emittedEvents }
}

describe('related events', () => {
  test('of a sale have its data', async () => {
    const { emit } = await shop()
    const sale = await emit('sale.completed')
    const about = { saleId: sale['id'], total: sale['total'] }
    expect(await emit('sale.delivered')).toMatchObject({
      id: sale['id'],
      number: sale['number'],
      items: sale['items'],
    })
    expect(await emit('payment.recorded')).toMatchObject({
      id: sale['payments'][0].id,
      saleId: sale['id'],
      saleNumber: sale['number'],
      amount: sale['total'],
      method: sale['payments'][0].method,
    })
    expect(await emit('payment.cancelled')).toMatchObject({ id: sale['payments'][0].id, saleId: sale['id'] })
    expect(await emit('return.completed')).toMatchObject({ ...about, items: sale['items'] })
    const invoice = await emit('invoice.enrolled')
    expect(invoice).toMatchObject(about)
    expect(await emit('invoice.cancelled')).toMatchObject({
      id: invoice['id'],
      cufe: invoice['cufe'],
      ...about,
    })
    const stock = await emit('stock.updated')
    expect(stock).toMatchObject({ productId: sale['items'][0].productId, branchId: sale['branchId'] })
    expect(await emit('stock.low')).toMatchObject({ productId: stock['productId'], sku: stock['sku'] })
    expect((await emit('stock.updated'))['previousQuantity']).toBe(stock['quantity'])
    expect(await emit('cash_session.closed')).toMatchObject({
      branchId: sale['branchId'],
      userId: sale['userId'],
    })
    const next = await emit('sale.completed')
    expect(next['id']).not.toBe(sale['id'])
    expect(next['branchId']).toBe(sale['branchId'])
  })

  test('keep the given data', async () => {
    const { emit } = await shop()
    await emit('sale.completed', { id: 'sale-7', number: 'A-7', total: 12.5 })
    expect(await emit('invoice.enrolled')).toMatchObject({ saleId: 'sale-7', total: 12.5 })
  })

  test.each(['product', 'category', 'brand', 'contact', 'expense', 'bill'])(
    'of a new %s have its data',
    async (record) => {
      const { emit } = await shop()
      const made = await emit(`${record}.created`, { id: `${record}-1` })
      expect(await emit(`${record}.updated`)).toEqual({ ...made, updatedAt: expect.any(String) as string })
      expect(await emit(`${record}.deleted`)).toMatchObject({ id: `${record}-1` })
    },
  )

  test('pay a bill in halves, and restore its balance after a cancellation', async () => {
    const { emit } = await shop()
    const bill = await emit('bill.created')
    expect(await emit('bill.received')).toMatchObject({ id: bill['id'], status: 'received' })
    const half = await emit('bill.payment_recorded')
    expect(Number(half['balance']) + Number(half['payment'].amount)).toBeCloseTo(bill['total'], 6)
    const cancelled = await emit('bill.payment_cancelled')
    expect(cancelled).toMatchObject({
      id: bill['id'],
      balance: bill['total'],
      payment: { id: half['payment'].id },
    })
  })
})

test('sells what the catalog contains, in the currency of the workspace', async () => {
  const { at, emit } = await shop()
  const add = async (fields: object) =>
    (
      await at<{ data: { id: string } }>('catalog')('POST', '/products', {
        body: { type: 'physical', ...fields },
      })
    ).body.data
  const desk = await add({ name: 'Desk', basePrice: '449.00', sku: 'D-1' })
  await add({ name: 'Course', type: 'service', basePrice: '10.00' })
  await add({ name: 'Table', basePrice: '300.00', currency: 'EUR' })
  const sale = await emit('sale.completed')
  for (const line of sale['items'] as Data[])
    expect(line).toMatchObject({ productId: desk.id, name: 'Desk', unitPrice: 449 })
  expect(await emit('product.updated')).toMatchObject({ id: desk.id, name: 'Desk', sku: 'D-1', price: 449 })
})

const numbersIn = (value: unknown): number[] =>
  typeof value === 'number'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(numbersIn)
      : []

/** Computes the Luhn check digit of a CUFE, in which letters and dashes count as their ASCII codes. */
function luhnOf(code: string): string {
  const digits = Array.from(
    code.replaceAll(/\D/g, (each) => String(each.charCodeAt(0))),
    Number,
  )
  const doubled = digits.reverse().map((digit, index) => digit * (index % 2 === 0 ? 2 : 1))
  const sum = doubled.reduce((total, each) => total + (each > 9 ? each - 9 : each), 0)
  return String((10 - (sum % 10)) % 10)
}

test('builds the CUFE as lite invoicing does', async () => {
  const { at, emit, pull, emittedEvents, setClock } = await shop()
  // In Panama, it is still the day before.
  setClock('2026-11-22T04:59:59.000Z')
  const { body } = await at<{ result: { cufe: string } }>('lite-invoicing')('POST', '/invoicing/lite', {
    body: {
      branchId: '0001',
      client: { taxReceiverType: '02' },
      items: [{ description: 'Chair', qty: 1, price: 10 }],
      payments: [{ type: '02', amount: 10 }],
    },
  })
  const issuerOf = (cufe: string) => cufe.slice(0, 28)
  const { cufe, number } = await emit('invoice.enrolled')
  expect(cufe.slice(32, 50)).toBe(`20261121${String(number).slice(2).padStart(10, '0')}`)
  expect(await emit('invoice.cancelled')).toMatchObject({ cufe })
  await pull('day.run', { sales: 100 })
  const enrolled = emittedEvents().filter(({ name }) => name === 'invoice.enrolled')
  const branches = new Set(enrolled.map(({ data }) => data['cufe'].slice(28, 32)))
  expect([...branches]).toEqual([expect.stringMatching(/^\d{4}$/)])
  expect(new Set(enrolled.map(({ data }) => data['cufe'].slice(-10, -1))).size).toBe(enrolled.length)
  for (const { data } of enrolled) {
    expect(issuerOf(data['cufe'])).toBe(issuerOf(body.result.cufe))
    expect(data['cufe']).toHaveLength(66)
    expect(data['cufe'].at(-1)).toBe(luhnOf(data['cufe'].slice(0, -1)))
  }
})

test('uses no decimals in a currency without decimals', async () => {
  const { emit, pull, emittedEvents } = await shop({ currency: 'JPY' })
  for (const event of POS_EVENTS) await emit(event)
  await pull('day.run', { sales: 5 })
  for (const { name, data } of emittedEvents()) {
    expect(
      numbersIn(data).filter((number) => !Number.isInteger(number)),
      name,
    ).toEqual([])
    if ('currency' in data) expect(data['currency']).toBe('JPY')
  }
})

test.each([
  [{ total: '12' }, 'data.total'],
  [{ total: -1 }, 'data.total'],
  [{ status: 'sold' }, 'data.status'],
  [{ items: [{ name: 'Desk' }] }, 'data.items.0.productId'],
  [{ number: null }, 'data.number'],
])('refuses a sale with %j and emits nothing', async (data, field) => {
  const { pull, emittedEvents } = await shop()
  const answer = await pull('event.emit', { event: 'sale.completed', data })
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({ error: { code: 'validation_error' } })
  const { details } = (answer.body as { error: { details: { field: string }[] } }).error
  expect(details.map((each) => each.field)).toContain(field)
  expect(emittedEvents()).toEqual([])
})

test('merges an object into the sample field by field', async () => {
  const { emit } = await shop()
  const { payment } = await emit('bill.payment_recorded', { payment: { amount: 3 } })
  expect(payment).toMatchObject({ amount: 3, method: 'transfer', id: expect.any(String) as string })
})

describe('day', () => {
  test('emits its sales in order, with consistent sums', async () => {
    const { pull, emittedEvents } = await shop()
    const { events } = (await pull('day.run', { sales: 60, seed: 'tuesday' })).body as {
      events: { event: string; id: string }[]
    }
    const day = emittedEvents()
    expect(events.map(({ event }) => event)).toEqual(day.map(({ name }) => name))
    for (const { name, data } of day)
      expect(problemsOf(findPosEvent(name)?.payload ?? {}, data), name).toEqual([])
    const of = (name: string) => day.filter((each) => each.name === name).map(({ data }) => data)
    expect(of('sale.completed')).toHaveLength(60)
    for (const name of ['invoice.enrolled', 'return.completed', 'stock.low'])
      expect(of(name).length).toBeGreaterThan(0)
    const sales = new Map(of('sale.completed').map((sale) => [sale['id'], sale]))
    for (const name of ['payment.recorded', 'return.completed', 'invoice.enrolled']) {
      for (const data of of(name))
        expect(data['amount'] ?? data['total']).toBe(sales.get(data['saleId'])?.['total'])
    }
    const stocks = new Map<string, number>()
    for (const { productId, previousQuantity, quantity } of of('stock.updated')) {
      expect(previousQuantity).toBe(stocks.get(productId as string) ?? 40)
      stocks.set(productId as string, quantity as number)
      expect(quantity).toBeGreaterThanOrEqual(0)
    }
    // A stock that stays low is not reported again.
    const falls = of('stock.updated').filter(({ productId, previousQuantity, quantity }) => {
      const { threshold } = of('stock.low').find((low) => low['productId'] === productId) ?? {}
      return previousQuantity >= threshold && quantity < threshold
    })
    expect(of('stock.low').map(({ productId }) => productId as string)).toEqual(
      falls.map(({ productId }) => productId as string),
    )
    const isCash = (saleId: unknown) => sales.get(saleId)?.['payments'][0].method === 'cash'
    const cash = (list: Data[], key: string) =>
      list.filter((each) => isCash(each[key])).reduce((sum, each) => sum + Number(each['total']), 0)
    expect(cash(of('return.completed'), 'saleId')).toBeGreaterThan(0)
    const [closed] = of('cash_session.closed')
    expect(day.at(-1)?.name).toBe('cash_session.closed')
    expect(closed?.['expectedAmount']).toBeCloseTo(
      Number(closed?.['openingAmount']) +
        cash(of('sale.completed'), 'id') -
        cash(of('return.completed'), 'saleId'),
      6,
    )
    expect(closed?.['difference']).toBeCloseTo(closed?.['countedAmount'] - closed?.['expectedAmount'], 6)
  })

  /** The time in the data of an event. */
  const timeOf = ({ name, data }: { name: string; data: Data }): unknown => {
    if (name === 'sale.completed') return data['completedAt']
    return Object.entries(data).find(([field]) =>
      /(?:recorded|updated|enrolled|completed|detected|closed)At/.test(field),
    )?.[1]
  }

  const envelopesOf = async ({
    app,
    workspace,
  }: FreshApp): Promise<{ createdAt: string; event: string; data: Data }[]> => {
    await app.webhooks.sendDue(workspace)
    return app.webhooks
      .list(workspace, { limit: 1000 })
      .map(({ body }) => JSON.parse(body) as { createdAt: string; event: string; data: Data })
      .reverse()
  }

  test.each([
    // [zone, the clock, the day]
    ['UTC', '2026-11-21T18:00:00.000Z', '2026-11-21T09:00:00.000Z', '2026-11-21T18:00:00.000Z'],
    ['UTC', '2026-11-21T17:59:59.999Z', '2026-11-20T09:00:00.000Z', '2026-11-20T18:00:00.000Z'],
    ['America/Panama', '2026-11-22T01:00:00.000Z', '2026-11-21T14:00:00.000Z', '2026-11-21T23:00:00.000Z'],
    ['America/Panama', '2026-11-21T22:59:59.999Z', '2026-11-20T14:00:00.000Z', '2026-11-20T23:00:00.000Z'],
    ['Pacific/Auckland', '2026-11-21T12:00:00.000Z', '2026-11-20T20:00:00.000Z', '2026-11-21T05:00:00.000Z'],
    ['Asia/Kolkata', '2026-01-01T00:00:00.000Z', '2025-12-31T03:30:00.000Z', '2025-12-31T12:30:00.000Z'],
    // On this day, the clocks go back before the shop opens.
    ['America/New_York', '2026-11-02T04:00:00.000Z', '2026-11-01T14:00:00.000Z', '2026-11-01T23:00:00.000Z'],
    ['UTC', '9999-12-31T23:59:59.999Z', '9999-12-31T09:00:00.000Z', '9999-12-31T18:00:00.000Z'],
    // A day before this one would have no four-digit year.
    ['UTC', '0001-01-01T00:00:00.000Z', '0001-01-01T09:00:00.000Z', '0001-01-01T18:00:00.000Z'],
  ])('in %s at %s lies between %s and %s', async (timezone, now, opensAt, closesAt) => {
    const fresh = await shop({ timezone })
    fresh.setClock(now)
    await fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/subscriptions`, {
      body: { interface: 'pos', url: 'http://127.0.0.1:9/', events: ['*'] },
    })
    await fresh.pull('day.run', { sales: 100, seed: 'monday' })
    const envelopes = await envelopesOf(fresh)
    const times = envelopes.map(({ createdAt }) => createdAt)
    expect(times).toEqual([...new Set(times)].sort())
    expect(times.filter((time) => time < opensAt || time > closesAt)).toEqual([])
    for (const { createdAt, event, data } of envelopes) expect(timeOf({ name: event, data })).toBe(createdAt)
    expect(envelopes.at(-1)).toMatchObject({
      createdAt: closesAt,
      data: { openedAt: opensAt, closedAt: closesAt },
    })
  })

  test.each([
    // [the clock of the second call, the day that it runs]
    ['2026-11-21T18:00:00.000Z', '2026-11-22T18:00:00.000Z'],
    ['2026-11-22T17:00:00.000Z', '2026-11-22T18:00:00.000Z'],
    ['2026-11-22T18:00:00.000Z', '2026-11-22T18:00:00.000Z'],
    ['2026-12-24T20:00:00.000Z', '2026-12-24T18:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', '2026-11-22T18:00:00.000Z'],
  ])('that is run again at %s continues the stock and closes at %s', async (again, closedAt) => {
    const { pull, emittedEvents, setClock } = await shop()
    await pull('day.run', { sales: 100 })
    setClock(again)
    await pull('day.run', { sales: 100 })
    const days = emittedEvents()
    const closings = days
      .filter(({ name }) => name === 'cash_session.closed')
      .map(({ data }) => data['closedAt'])
    expect(closings).toEqual(['2026-11-21T18:00:00.000Z', closedAt])
    const stocks = new Map<unknown, Data>()
    for (const { data } of days.filter(({ name }) => name === 'stock.updated')) {
      const before = stocks.get(data['productId'])
      expect(data['previousQuantity']).toBe(before?.['quantity'] ?? 40)
      expect(String(data['updatedAt']) > String(before?.['updatedAt'] ?? '')).toBe(true)
      stocks.set(data['productId'], data)
    }
  })

  test('continues a stock that was emitted, after it, and restocks what is missing', async () => {
    const { pull, emit, emittedEvents } = await shop()
    const { productId } = await emit('stock.updated', { quantity: -7 })
    await pull('day.run', { sales: 100 })
    const [first, second] = emittedEvents()
      .slice(1)
      .filter(({ name, data }) => name === 'stock.updated' && data['productId'] === productId)
    expect(first?.data).toMatchObject({ previousQuantity: -7, quantity: 40, reason: 'purchase' })
    expect(second?.data).toMatchObject({ previousQuantity: 40, reason: 'sale' })
    expect(String(first?.data['updatedAt']) > '2026-11-22T09').toBe(true)
    const last = emittedEvents()
      .filter(({ name, data }) => name === 'stock.updated' && data['branchId'] === first?.data['branchId'])
      .at(-1)
    await emit('sale.completed', { items: [{ ...ITEM, productId: last?.data['productId'] as string }] })
    expect(await emit('stock.updated')).toMatchObject({ previousQuantity: last?.data['quantity'] })
  })

  test('is refused if the calendar ends before it', async () => {
    const { pull, emittedEvents, setClock } = await shop()
    setClock('9999-12-31T23:59:59.999Z')
    expect((await pull('day.run', { sales: 1 })).status).toBe(200)
    const before = emittedEvents()
    expect((await pull('day.run', { sales: 1 })).status).toBe(409)
    expect(emittedEvents()).toEqual(before)
  })

  test('has twenty sales by default, and the same for the same seed', async () => {
    const sold = async (body: object) => {
      const { pull, emittedEvents } = await shop({}, 'one')
      await pull('day.run', body)
      return emittedEvents().map(({ name, data }) => [name, data])
    }
    const day = await sold({ seed: 'a' })
    expect(day.filter(([name]) => name === 'sale.completed')).toHaveLength(20)
    expect(await sold({ seed: 'a' })).toEqual(day)
    expect(await sold({ seed: 'b' })).not.toEqual(day)
    const numbered = await sold({ seed: 4711 })
    expect(await sold({ seed: 4711 })).toEqual(numbered)
    expect(await sold({ seed: '4711' })).toEqual(numbered)
    expect(numbered).not.toEqual(day)
  })

  test.each([
    [1, 200],
    [100, 200],
    [0, 400],
    [101, 400],
    [1.5, 400],
  ])('of %d sales returns %i', async (sales, status) => {
    const { pull } = await shop()
    expect((await pull('day.run', { sales })).status).toBe(status)
  })
})
