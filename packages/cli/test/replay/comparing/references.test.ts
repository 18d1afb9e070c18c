/** The comparison of JSON values of two runs with other ids. */
import { describe, expect, test } from 'vitest'
import { formOfId, References } from '../../../src/replay/comparing/references.ts'

const ONE = 'V1StGXR8_Z5jdHi6B-myT'
const OTHER = 'Uakgb_J5m9g-0JDMbcJqL'
const THIRD = 'K2vqp7Xz-Ab3LmN0_qRsT'

describe('ids', () => {
  test.each([
    [ONE, 'token21'],
    ['tz4a98xxat96iws9zmbrgj3a', 'cuid2'],
    ['abcdefghijklmnopqrstuvwx', 'cuid2'],
    ['pl_8fKqA1bC2dE3fG4hI5jK', 'pl_20'],
    ['9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d', 'uuid'],
    ['TitAftmkWaWpLuJwwHWsBKoXlH_BQb4eho1u8s9nDjk', 'token'],
    ['ep_zgzH4Jp6RxPhqYVa3e3HvTdG6nBWvTXH0iGa2MH8', 'token'],
    ['eyJvZmZzZXQiOjI1LCJsaXN0IjoiYWJj', 'token'],
  ])('%s has the form %s', (text, form) => {
    expect(formOfId(text)).toBe(form)
  })

  test.each([
    'completed',
    'card_declined',
    'insufficient_funds_on_card',
    'Spring-Sale-2024-XL',
    'before-checkout-2024-11-30',
    'ORDER-2024-000123-MX',
    '20241130',
    '5512345678',
    'PurchaseOrders',
    'aGIxNzQ2Nz',
  ])('%s is a plain value', (text) => {
    expect(formOfId(text)).toBeNull()
  })
})

describe('pairs', () => {
  test('makes ids at the same places equal, also later and within texts', () => {
    const references = new References()
    references.learn({ id: ONE, status: 'open' }, { id: OTHER, status: 'open' })
    expect(references.differences({ id: ONE }, { id: OTHER })).toEqual([])
    expect(
      references.differences(
        { url: `http://x/pay/${ONE}?a=1`, text: `Paid ${ONE}.` },
        { url: `http://x/pay/${OTHER}?a=1`, text: `Paid ${OTHER}.` },
      ),
    ).toEqual([])
  })

  test('learns ids from within URLs', () => {
    const references = new References()
    expect(references.compare({ url: `/a/${ONE}` }, { url: `/a/${OTHER}` })).toEqual([])
    expect(references.translate(`/b/${ONE}/c`)).toBe(`/b/${OTHER}/c`)
  })

  test('reports an id that has another partner, on both sides', () => {
    const references = new References()
    references.learn([ONE], [OTHER])
    expect(references.compare([ONE], [THIRD])).toEqual([{ path: '[0]', left: ONE, right: THIRD }])
    expect(references.compare([THIRD], [OTHER])).toEqual([{ path: '[0]', left: THIRD, right: OTHER }])
    expect(references.compare([ONE], [ONE])).toEqual([{ path: '[0]', left: ONE, right: ONE }])
  })

  test('reports an id that was never paired', () => {
    expect(new References().differences({ id: ONE }, { id: OTHER })).toEqual([
      { path: 'id', left: ONE, right: OTHER },
    ])
  })

  test('never pairs ids of different forms', () => {
    const references = new References()
    const left = { id: 'pl_8fKqA1bC2dE3fG4hI5jK' }
    const right = { id: 'tx_8fKqA1bC2dE3fG4hI5jK' }
    expect(references.compare(left, right)).toEqual([{ path: 'id', left: left.id, right: right.id }])
  })

  test('pairs ids that are names of properties', () => {
    const references = new References()
    references.learn({ id: ONE }, { id: OTHER })
    expect(references.differences({ [ONE]: { count: 1 } }, { [OTHER]: { count: 1 } })).toEqual([])
    expect(references.differences({ [ONE]: { count: 1 } }, { [OTHER]: { count: 2 } })).toEqual([
      { path: `${ONE}.count`, left: 1, right: 2 },
    ])
  })

  test('compares the claims of signed tokens, and pairs the tokens', () => {
    const token = (claims: object, signature: string) =>
      [{ alg: 'HS256' }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .concat(signature)
        .join('.')
    const left = token({ sub: ONE, role: 'host' }, 'M38nuBZqLdoLdBXHGR2P')
    const right = token({ sub: OTHER, role: 'host' }, 'ep_zgzH4Jp6RxPhqYVa3')
    const references = new References()
    expect(references.compare({ token: left }, { token: right })).toEqual([])
    expect(references.translate(`Bearer ${left}`)).toBe(`Bearer ${right}`)
    const guest = token({ sub: OTHER, role: 'guest' }, 'ep_zgzH4Jp6RxPhqYVa3')
    expect(new References().compare({ token: left }, { token: guest })).toHaveLength(1)
  })

  test('accepts pairs of texts of any form', () => {
    const references = new References()
    references.pair('one', 'two')
    expect(references.differences('one', 'two')).toEqual([])
    expect(references.translateValue({ path: '/one/x', list: ['one'] })).toEqual({
      path: '/two/x',
      list: ['two'],
    })
  })
})

describe('plain values', () => {
  test.each([
    ['open', 'closed'],
    ['spring-sale-2024', 'spring-sale-2025'],
    [1, 2],
    [1, '1'],
    [null, undefined],
    [null, 0],
    [true, false],
    [[], {}],
    [{}, null],
    [[1], []],
    ['2024-01-01T00:00:00.000Z', '2024-01-01T00:00:01.000Z'],
  ])('%j differs from %j', (left, right) => {
    expect(new References().compare({ value: left }, { value: right })).toHaveLength(1)
  })

  test.each([[[]], [{}], [null], [''], [[{ a: [1, { b: 2 }] }]]])('%j equals itself', (value) => {
    expect(new References().compare({ value }, { value: structuredClone(value) })).toEqual([])
  })

  test('names the path of each difference, and of values on one side', () => {
    const left = { data: [{ a: 1, 'b.c': 2 }], only: true }
    const right = { data: [{ a: 3, 'b.c': 4 }, 5], more: true }
    expect(new References().compare(left, right)).toEqual([
      { path: 'data[0].a', left: 1, right: 3 },
      { path: 'data[0]["b.c"]', left: 2, right: 4 },
      { path: 'data[1]', left: undefined, right: 5 },
      { path: 'only', left: true, right: undefined },
      { path: 'more', left: undefined, right: true },
    ])
  })

  test('limits the number of differences', () => {
    const references = new References({ maxDifferences: 3 })
    expect(references.compare([1, 2, 3, 4], [5, 6, 7, 8])).toHaveLength(3)
  })

  test('compares values of any depth', () => {
    const nest = (depth: number): unknown => {
      let value: unknown = depth
      for (let index = 0; index < 20_000; index++) value = [value]
      return value
    }
    expect(new References().compare(nest(1), nest(1))).toEqual([])
    expect(new References().compare(nest(1), nest(2))).toHaveLength(1)
  })
})

describe('options', () => {
  test('accepts other times if asked', () => {
    const references = new References({ times: 'any' })
    const left = { at: '2024-01-01T00:00:00.000Z', created_at: 1_700_000_000, day: '2024-01-01' }
    const right = { at: '2026-01-01T00:00:00Z', created_at: 1_800_000_000, day: '2024-01-02' }
    expect(references.compare(left, right)).toEqual([{ path: 'day', left: left.day, right: right.day }])
    expect(references.compare({ amount: 1_700_000_000 }, { amount: 1_800_000_000 })).toHaveLength(1)
  })

  test('pairs numbers of the named fields only', () => {
    const references = new References({ numbers: ['account_id'] })
    expect(references.compare({ account_id: 1, id: 1 }, { account_id: 2, id: 1 })).toEqual([])
    expect(references.compare({ account_id: 1 }, { account_id: 3 })).toHaveLength(1)
    expect(references.compare({ id: 1 }, { id: 2 })).toHaveLength(1)
    expect(references.translateValue({ account_id: 1, id: 1 })).toEqual({ account_id: 2, id: 1 })
  })
})
