/** Validation of very many errors reports only a few, and takes little time. */
import { Type } from '@sinclair/typebox'
import { describe, expect, test } from 'vitest'
import { problemsOf } from '../../src/http/schemas/validation.ts'
import { freshApp } from '../support/app.ts'
import { withoutBlocking } from '../support/loopDelay.ts'

const Bounded = Type.Object({ items: Type.Array(Type.Object({ n: Type.Integer() }), { maxItems: 100_000 }) })

const problems = (schema: object, data: unknown) => withoutBlocking(async () => problemsOf(schema, data))

describe('errors of a value', () => {
  test('are at most twenty, the first ones, with their paths', async () => {
    const found = await problems(Bounded, { items: Array.from({ length: 100_000 }, () => ({ n: 'x' })) })
    expect(found.map(({ field }) => field)).toEqual(
      Array.from({ length: 20 }, (_, n) => `items.${String(n)}.n`),
    )
  })

  test('are found after valid parts', async () => {
    const items: unknown[] = Array.from({ length: 10_000 }, () => ({ n: 1 }))
    items[9999] = { n: 'x' }
    expect((await problems(Bounded, { items })).map(({ field }) => field)).toEqual(['items.9999.n'])
  })

  test('start with the number of items, and then no item is checked', async () => {
    const items = new Proxy(new Array<unknown>(5_000_000).fill('x'), {
      get: (target, name, receiver) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) throw new Error('an item was looked at')
        return Reflect.get(target, name, receiver) as unknown
      },
    })
    expect(await problems(Bounded, { items })).toEqual([
      { field: 'items', code: 'too_many', message: 'items must have at most 100000 items' },
    ])
  })

  test('are at most twenty for unknown names', async () => {
    const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${String(n)}`, n]))
    const strict = Type.Object({}, { additionalProperties: false })
    expect(await problems(strict, body)).toHaveLength(20)
    expect(
      await problems(Type.Record(Type.String(), Type.Boolean(), { maxProperties: 60_000 }), body),
    ).toHaveLength(20)
  })

  test('of one alternative do not hide another that matches', () => {
    const either = Type.Union([Type.Array(Type.Integer()), Type.Array(Type.String())])
    const texts = Array.from({ length: 500 }, () => 'x')
    expect(problemsOf(either, texts)).toEqual([])
    expect(problemsOf(either, [...texts, 1])).not.toEqual([])
  })
})

describe('values without a specified limit', () => {
  const schema = Type.Object({
    text: Type.Optional(Type.String()),
    list: Type.Optional(Type.Array(Type.Integer())),
    free: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    any: Type.Optional(Type.Unknown()),
  })
  const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [String(n), 0]))

  test.each([
    ['a text', 'text', 'x'.repeat(65_536), 'x'.repeat(65_537)],
    ['a list', 'list', new Array(1000).fill(0), new Array(1001).fill(0)],
    ['the names of free data', 'free', names(1000), names(1001)],
    ['the size of free data', 'free', { a: 'x'.repeat(65_528) }, { a: 'x'.repeat(65_529) }],
    ['the size of lists in free data', 'any', new Array(32_767).fill(1), new Array(32_768).fill(1)],
  ])('have a generous limit: %s', (_what, field, taken, tooMuch) => {
    expect(problemsOf(schema, { [field]: taken })).toEqual([])
    expect(problemsOf(schema, { [field]: tooMuch }).map((problem) => problem.field)).toEqual([field])
  })
})

test.each([30_000, 340_000])('refuses a body of %i bad items with a short error', async (count) => {
  const { call } = await freshApp()
  const raw = `{"title":"x","type":"call","entities":[${'{},'.repeat(count)}{}]}`
  const answer = await withoutBlocking(() => call('POST', '/workspace/public/v1/activities', { raw }))
  expect(answer.status).toBe(400)
  expect(answer.text.length).toBeLessThan(2000)
})
