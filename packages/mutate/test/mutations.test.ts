/** The changes of the vendor, and that they are the same in answers, lists and webhooks. */
import { describe, expect, test } from 'vitest'
import { plusSmallest, timesHundred, toOtherType, withReversedKeys } from '@suite-sim/mutate/changes'
import { kindOf } from '@suite-sim/mutate/kinds/index'
import { mutationsOf } from '@suite-sim/mutate/listing'
import type { Answer, LogLine, Mutation } from '@suite-sim/mutate/mutation'
import { readMet } from '@suite-sim/mutate/readMet'
import { atEndOfFile } from '../../../test/support/endOfFile.ts'
import { sell, startVendor, type Json, type Seen, type Vendor } from './vendor.ts'

/** What a sale without a mutation writes down; it runs once. */
let recorded: LogLine[] | undefined

atEndOfFile(() => {
  recorded = undefined
  return Promise.resolve()
})

async function recordedLines(): Promise<LogLine[]> {
  if (!recorded) {
    const vendor = await startVendor()
    await sell(vendor)
    recorded = vendor.lines()
  }
  return recorded
}

const listed = async (seed = '1', only?: readonly string[]): Promise<Mutation[]> =>
  mutationsOf(await readMet(await recordedLines()), { seed, only })

async function seenWith(id: string, webhooks = 1): Promise<Seen & { readonly lines: LogLine[] }> {
  const mutation = (await listed()).find((each) => each.id === id)
  if (!mutation) throw new Error(`${id} is not among ${(await listed()).map((each) => each.id).join(', ')}`)
  const vendor = await startVendor(mutation)
  return { ...(await sell(vendor, webhooks)), lines: vendor.lines() }
}

const transactionIn = ({ webhooks: [first] }: Seen): Json => first?.['transaction'] as Json

describe('a value', () => {
  test('changes by its smallest unit, or a hundredfold, and keeps its form', () => {
    expect([44900, '449.00', 4.5, '7', 'seven', null].map(plusSmallest)).toEqual([
      44901,
      '449.01',
      4.6,
      '8',
      'seven',
      null,
    ])
    expect([44900, '449.00', 4.5].map(timesHundred)).toEqual([4490000, '44900.00', 450])
  })

  test('gets another type', () => {
    expect([12, true, '12', 'desk'].map(toOtherType)).toEqual(['12', 'true', 12, 4])
  })

  test('has its fields in the opposite order, also within lists', () => {
    expect(JSON.stringify(withReversedKeys({ a: [{ b: 1, c: 2 }], d: null }))).toBe(
      '{"d":null,"a":[{"c":2,"b":1}]}',
    )
  })
})

describe('the list of mutations', () => {
  test('has only what the run met', async () => {
    const ids = (await listed()).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(
      expect.arrayContaining([
        'field-gone payments Link.amount',
        'amount-times-100 payments Link.amount',
        'amount-cent payments Transaction.amount',
        'currency-other payments Link.currency',
        'state-never payments Link.status=paid',
        'state-early payments Link.status=active',
        'status-other payments getPaymentLink 404',
        'error-form payments getPaymentLink 404',
        'page-ends payments listPaymentLinks',
        'order-reversed payments listPaymentLinks',
        'webhook-never payments payment.completed',
        'webhook-twice payments payment.completed',
        'limit-stricter payments listPaymentLinks query.per_page',
        'limit-stricter payments createPaymentLink body.amount',
        'ids-longer payments payments',
      ]),
    )
    expect(ids.filter((id) => /Refund|payment\.failed|crm/.test(id))).toEqual([])
  })

  test('is the same for a seed, and begins with what tells most', async () => {
    const idsWith = async (seed: string): Promise<string[]> => (await listed(seed)).map(({ id }) => id)
    const first = await idsWith('a')
    expect(await idsWith('a')).toEqual(first)
    const other = await idsWith('b')
    expect(other).not.toEqual(first)
    expect(other.toSorted()).toEqual(first.toSorted())
    expect(first.slice(0, 6).map((id) => id.split(' ')[0])).toEqual([
      'amount-times-100',
      'amount-cent',
      'currency-other',
      'state-never',
      'state-early',
      'webhook-never',
    ])
    // A kind with many fields does not hold the others up.
    const kinds = first.map((id) => id.split(' ')[0])
    expect(kinds.indexOf('field-null')).toBeLessThan(kinds.lastIndexOf('field-gone'))
  })

  test('has only the kinds, fields, operations and events that are asked for', async () => {
    const kindsOf = async (name: string): Promise<string[]> =>
      (await listed('1', [name])).map(({ kind }) => kind).toSorted()
    expect(await kindsOf('Link.currency')).toEqual([
      'currency-other',
      'enum-new',
      'field-gone',
      'field-null',
      'field-type',
    ])
    expect(new Set(await kindsOf('webhook-never'))).toEqual(new Set(['webhook-never']))
    expect(await kindsOf('payment.completed')).toContain('webhook-twice')
    expect(await kindsOf('nothing')).toEqual([])
    const except = ['Link.amount', 'field-null', 'payment.completed', 'createPaymentLink']
    const left = mutationsOf(await readMet(await recordedLines()), { seed: '1', except })
    expect(left.length).toBeGreaterThan(0)
    expect(left.map(({ id }) => id).filter((id) => except.some((name) => id.includes(name)))).toEqual([])
  })
})

describe('a mutation', () => {
  test('changes a field in each answer, and that of another schema stays', async () => {
    const { created, paid, listed: list, webhooks } = await seenWith('amount-times-100 payments Link.amount')
    expect([created.data['amount'], paid.data['amount']]).toEqual([4490000, 4490000])
    expect((list.data as unknown as Json[]).map(({ amount }) => amount)).toContain(125000)
    expect(transactionIn({ webhooks } as Seen)['amount']).toBe(44900)
  })

  test('changes a field in webhooks', async () => {
    expect(transactionIn(await seenWith('amount-cent payments Transaction.amount'))['amount']).toBe(44901)
    expect(transactionIn(await seenWith('field-gone payments Transaction.currency'))).not.toHaveProperty(
      'currency',
    )
  })

  test.each([
    ['field-gone payments Link.currency', undefined],
    ['field-null payments Link.currency', null],
    ['field-type payments Link.currency', 3],
    ['currency-other payments Link.currency', 'EUR'],
  ])('%s', async (id, value) => {
    const { created, paid } = await seenWith(id)
    expect([created.data['currency'], paid.data['currency']]).toEqual([value, value])
  })

  test.each([
    ['state-never payments Link.status=paid', 'active', 'active'],
    ['state-early payments Link.status=active', 'paid', 'paid'],
    ['enum-new payments Link.status', 'active_v2', 'paid_v2'],
  ])('%s', async (id, before, after) => {
    const { created, paid } = await seenWith(id)
    expect([created.data['status'], paid.data['status']]).toEqual([before, after])
  })

  test('refuses with another status, or in another form', async () => {
    const { refused, paid } = await seenWith('status-other payments getPaymentLink 404')
    expect([refused.status, paid.status]).toEqual([410, 200])
    const other = await seenWith('error-form payments getPaymentLink 404')
    expect(other.refused).toMatchObject({
      status: 404,
      json: { errors: [{ detail: expect.any(Object) as object }] },
    })
  })

  test('refuses an unknown key with another status', async () => {
    const refused = async ({ simulator }: Vendor): Promise<number> => {
      const workspace = await simulator.workspaces.create()
      return (await workspace.withKey('unknown').fetch('crm', '/contacts')).status
    }
    const vendor = await startVendor()
    expect(await refused(vendor)).toBe(401)
    const only = ['status-other', 'keys-reversed']
    const [other, reversed] = mutationsOf(await readMet(vendor.lines()), { seed: '1', only })
    expect(await refused(await startVendor(other))).toBe(403)
    expect(await refused(await startVendor(reversed))).toBe(401)
  })

  test('fails a call that has its effect', async () => {
    const { created, paid } = await seenWith('answer-fails payments createPaymentLink')
    expect([created.status, paid.status, paid.data['status']]).toEqual([500, 200, 'paid'])
    expect(created.json).toEqual({
      error: 'internal_error',
      message: 'Internal server error',
      status: 500,
    })
  })

  test('ends a page early, or reverses it', async () => {
    const rowsOf = ({ listed: { data } }: Seen): unknown[] =>
      (data as unknown as Json[]).map(({ description }) => description)
    const all = rowsOf(await sell(await startVendor()))
    expect(all).toHaveLength(2)
    expect(rowsOf(await seenWith('page-ends payments listPaymentLinks'))).toEqual(all.slice(0, 1))
    expect(rowsOf(await seenWith('order-reversed payments listPaymentLinks'))).toEqual(all.toReversed())
  })

  test.each([
    [
      { pagination: { hasMore: true, nextCursor: 'c' } },
      { pagination: { hasMore: false, nextCursor: null } },
    ],
    [{ meta: { current_page: 2, total_pages: 9 } }, { meta: { current_page: 2, total_pages: 2 } }],
  ])('says that no page follows the one that ends early: %j', (before, after) => {
    const answer: Answer = {
      operation: 'listAll',
      status: 200,
      headers: {},
      json: { data: [{}, {}], ...before },
      failure: () => ({}),
    }
    const places = [{ operation: 'listAll', at: '/data' }]
    const mutation = { kind: 'page-ends', places } as unknown as Mutation
    expect(kindOf('page-ends')?.answer?.(answer, mutation).json).toEqual({ data: [{}], ...after })
  })

  test('has a stricter limit, in the words of the interface', async () => {
    const { listed: list, lines } = await seenWith('limit-stricter payments listPaymentLinks query.per_page')
    expect(list.status).toBeGreaterThanOrEqual(400)
    expect(lines).toMatchObject([{ met: 'change', example: { where: 'listPaymentLinks' } }])
  })

  test.each(['items', 'items.*.qty', 'items.*.description', 'payments.*.amount', 'client.taxReceiverType'])(
    'has a stricter limit at body.%s, also within lists, texts and objects',
    async (place) => {
      const issue = async ({ simulator }: Vendor): Promise<number> => {
        const workspace = await simulator.workspaces.create()
        const json = {
          branchId: '0001',
          client: { taxReceiverType: '02' },
          items: [
            { description: 'Chair', qty: 2, price: 10 },
            { description: 'A desk', qty: 3, price: 10 },
          ],
          payments: [{ type: '02', amount: 50 }],
        }
        return (await workspace.fetch('lite-invoicing', '/invoicing/lite', { json })).status
      }
      const undisturbed = await startVendor()
      expect(await issue(undisturbed)).toBe(200)
      const limits = mutationsOf(await readMet(undisturbed.lines()), { seed: '1', only: ['limit-stricter'] })
      const limit = limits.find(({ subject }) => subject.endsWith(` body.${place}`))
      if (place.startsWith('client')) {
        // A word of a list has no length of its own.
        expect(limit).toBeUndefined()
        return
      }
      const stricter = await startVendor(limit)
      expect(await issue(stricter)).toBe(400)
      expect(stricter.lines()).toHaveLength(1)
    },
  )

  test('sends a webhook never, or twice with the same id', async () => {
    expect((await seenWith('webhook-never payments payment.completed', 0)).webhooks).toEqual([])
    const { webhooks } = await seenWith('webhook-twice payments payment.completed', 2)
    expect(webhooks).toHaveLength(2)
    expect(webhooks[0]).toEqual(webhooks[1])
  })

  test('adds fields to declared objects only, and headers', async () => {
    const { created, webhooks } = await seenWith('field-more payments payments')
    expect(created.data).toMatchObject({ vendor_added: 'new', metadata: {} })
    expect(webhooks[0]).toMatchObject({ transaction: { vendor_added: 'new' } })
    expect((await seenWith('header-more payments payments')).created.header).toBe('new')
  })

  test('makes longer ids, with which every call works', async () => {
    const { created, paid } = await seenWith('ids-longer payments payments')
    expect(created.data['id']).toMatch(/^pl_.{20}x7q$/)
    expect(paid.data).toMatchObject({ id: created.data['id'], status: 'paid' })
  })

  test('writes down the first change, and nothing if it changed nothing', async () => {
    const { lines } = await seenWith('amount-cent payments Link.amount')
    expect(lines).toMatchObject([{ met: 'change', example: { where: 'createPaymentLink' } }])
    const refused = (await listed()).find(({ id }) => id === 'error-form payments getPaymentLink 404')
    const vendor = await startVendor(refused)
    const workspace = await vendor.simulator.workspaces.create()
    const json = { amount: 1250, currency: 'USD', description: 'A lamp' }
    const response = await workspace.fetch('payments', '/payment-links', { json })
    const { data } = (await response.json()) as { data: { id: string } }
    await workspace.fetch('payments', `/payment-links/${data.id}`)
    expect(vendor.lines()).toEqual([])
    await workspace.fetch('payments', '/payment-links/none')
    expect(vendor.lines()).toHaveLength(1)
  })
})
