import { describe, expect, test } from 'vitest'
import { problemsOf } from '../../../src/http/schemas/validation.ts'
import { POS_EVENTS } from '../../../src/state/pos/eventNames.ts'
import { emitPosEvent, findPosEvent, posEvents, sample } from '../../../src/state/pos/events.ts'
import type { Workspace } from '../../../src/state/workspace/workspace.ts'
import { freshApp } from '../../support/app.ts'

/** The events as the table of the specification lists them. */
const TABLE = {
  Fiscal: 'invoice.enrolled, invoice.cancelled',
  Inventory: 'stock.updated, stock.low',
  Catalog:
    'product.created, product.updated, product.deleted, category.created, category.updated, category.deleted, brand.created, brand.updated, brand.deleted',
  Sales:
    'sale.completed, sale.delivered, sale.cancelled, sale.expired, payment.recorded, payment.cancelled, return.completed',
  Contacts: 'contact.created, contact.updated, contact.deleted',
  Purchases:
    'bill.created, bill.updated, bill.received, bill.payment_recorded, bill.payment_cancelled, bill.deleted',
  Expenses: 'expense.created, expense.updated, expense.deleted',
  Cash: 'cash_session.closed',
}

const sampleOf = (workspace: Workspace, name: string) => {
  const event = findPosEvent(name)
  if (!event) throw new Error(`There is no event ${name}.`)
  return workspace.write(() => sample(event, workspace.ids, workspace.now()))
}

test('has the 33 events of the specification, in its order and domains', () => {
  const byDomain: Record<string, string[]> = {}
  for (const { domain, name } of posEvents) (byDomain[domain] ??= []).push(name)

  expect(
    Object.fromEntries(Object.entries(byDomain).map(([domain, names]) => [domain, names.join(', ')])),
  ).toEqual(TABLE)
  expect(POS_EVENTS).toHaveLength(33)
  expect(posEvents.map(({ name }) => name)).toEqual(POS_EVENTS)
  expect(new Set(POS_EVENTS).size).toBe(33)
})

/** A workspace of an app with this seed, at a fixed time. */
async function seeded(seed: string): Promise<Workspace> {
  const fresh = await freshApp({ seed })
  fresh.setClock('2026-11-21T10:00:00Z')
  return fresh.workspace
}

describe('samples of all events', () => {
  test('match their shapes, have no other fields, and at most two decimals in any number', async () => {
    const { workspace } = await freshApp()
    for (const name of POS_EVENTS) {
      const data = sampleOf(workspace, name)
      expect([name, problemsOf(findPosEvent(name)?.payload ?? {}, data)]).toEqual([name, []])
      const fields = Object.keys(findPosEvent(name)?.payload.properties ?? {})
      expect([name, Object.keys(data).sort()]).toEqual([name, fields.sort()])
      for (const number of numbersIn(data)) expect(Number(number.toFixed(2)), name).toBe(number)
    }
  })

  test('follow from the seed and the clock', async () => {
    const [once, again, other] = [await seeded('one'), await seeded('one'), await seeded('another')]
    for (const name of POS_EVENTS) {
      const data = sampleOf(once, name)
      expect(sampleOf(again, name), name).toEqual(data)
      expect(sampleOf(other, name), name).not.toEqual(data)
    }
  })

  test('mark every part that the specification does not show as assumed', () => {
    for (const name of POS_EVENTS) {
      const { payload } = findPosEvent(name) ?? {}
      const documentedFields = name === 'sale.completed' ? ['id', 'number', 'total'] : []
      const unlabelled = isAssumed(payload)
        ? []
        : Object.entries(payload?.properties ?? {}).flatMap(([field, schema]) =>
            isAssumed(schema) ? [] : [field],
          )

      expect([name, unlabelled]).toEqual([name, documentedFields])
    }
  })
})

const isAssumed = (schema: object | undefined): boolean => {
  const { 'x-fidelity': fidelity, 'x-fidelity-why': why } = (schema ?? {}) as Record<string, unknown>
  return fidelity === 'assumed' && typeof why === 'string' && why.endsWith('.')
}

const numbersIn = (value: unknown): number[] => {
  if (typeof value === 'number') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(numbersIn)
}

test('numbers samples of sales consecutively', async () => {
  const { workspace } = await freshApp()

  const numbers = [1, 2, 3].map(() => sampleOf(workspace, 'sale.completed')['number'])

  expect(numbers).toEqual(['V-000001', 'V-000002', 'V-000003'])
})

test('has a sample sale whose lines, taxes and payments add up to its total', async () => {
  const { workspace } = await freshApp()
  for (let count = 0; count < 12; count++) {
    const { items, subtotal, taxTotal, total, payments } = sampleOf(workspace, 'sale.completed') as {
      items: { quantity: number; unitPrice: number; total: number }[]
      subtotal: number
      taxTotal: number
      total: number
      payments: { amount: number }[]
    }

    for (const line of items) expect(line.total).toBeCloseTo(line.quantity * line.unitPrice, 6)
    expect(items.reduce((sum, line) => sum + line.total, 0)).toBeCloseTo(subtotal, 6)
    expect(subtotal + taxTotal).toBeCloseTo(total, 6)
    expect(payments.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(total, 6)
  }
})

test('has a sample bill whose balance is reduced by its payment and restored by a cancellation', async () => {
  const { workspace } = await freshApp()
  const paid = sampleOf(workspace, 'bill.payment_recorded') as unknown as BillSample
  const cancelled = sampleOf(workspace, 'bill.payment_cancelled') as unknown as BillSample

  expect(paid.balance).toBeCloseTo(paid.total - paid.payment.amount, 6)
  expect(paid.status).toBe('partially_paid')
  expect(cancelled.balance).toBe(cancelled.total)
  expect(cancelled.status).toBe('open')
})

interface BillSample {
  readonly total: number
  readonly balance: number
  readonly status: string
  readonly payment: { readonly amount: number }
}

test('returns valid samples at the last instant of the calendar', async () => {
  const fresh = await freshApp()
  const { workspace } = fresh
  fresh.setClock('9999-12-31T23:59:59.999Z')

  expect(
    problemsOf(findPosEvent('bill.created')?.payload ?? {}, sampleOf(workspace, 'bill.created')),
  ).toEqual([])
})

describe('emitting an event', () => {
  test('appends it with sample data in the currency of the workspace', async () => {
    const fresh = await freshApp()
    const { workspace } = fresh.tenant({ currency: 'MXN' })

    const event = emitPosEvent(workspace, 'sale.completed')

    expect(event).toMatchObject({ interface: 'pos', name: 'sale.completed', data: { currency: 'MXN' } })
    expect(event.id).toMatch(/^[a-z][a-z0-9]{23}$/)
  })

  test('appends given data unchanged', async () => {
    const { workspace } = await freshApp()
    const data = { id: 's1', anything: [1, { deep: null }] }

    expect(emitPosEvent(workspace, 'stock.low', data).data).toEqual(data)
  })

  test('names its record: that of the data, or the product of a stock', async () => {
    const { workspace } = await freshApp()
    for (const name of POS_EVENTS) {
      const { record, data } = emitPosEvent(workspace, name)
      expect(record, name).toMatch(/^[a-z][a-z0-9]{23}$/)
      expect(record, name).toBe(name.startsWith('stock.') ? data['productId'] : data['id'])
    }
  })

  test('names no record if the data lacks its id', async () => {
    const { workspace } = await freshApp()

    expect(emitPosEvent(workspace, 'sale.completed', { id: 's1' }).record).toBe('s1')
    expect(emitPosEvent(workspace, 'sale.completed', { id: 7 }).record).toBe('7')
    expect(emitPosEvent(workspace, 'sale.completed', { id: { no: 'id' } }).record).toBeNull()
    expect(emitPosEvent(workspace, 'stock.low', { id: 's1' }).record).toBeNull()
  })

  test('refuses a name that is not one of the 33', async () => {
    const { workspace } = await freshApp()

    expect(() => emitPosEvent(workspace, 'sale.refunded')).toThrow(
      /^event must be one of invoice\.enrolled, /,
    )
    expect(() => emitPosEvent(workspace, '*')).toThrow(/^event must be one of /)
  })
})
