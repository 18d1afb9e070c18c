/** The laws hold: an interface that has no tests of its own meets them, and one that breaks one is found out. */
import { Type } from '@sinclair/typebox'
import { expect, test } from 'vitest'
import type { MountedRoute } from '../../src/http/definition.ts'
import { unpaged } from '../../src/http/paging.ts'
import { LIST_RULES } from './listRules.ts'
import { severalsOf } from './pages.ts'
import { toy, type Fault } from './toy.ts'

/** The titles of the rules that the toy breaks. */
async function brokenBy(...faults: readonly Fault[]): Promise<string[]> {
  const { filled } = await toy(...faults)
  const broken: string[] = []
  for (const { title, concerns, holds } of LIST_RULES) {
    if (!concerns(filled.reader.list)) continue
    try {
      await holds(filled)
    } catch {
      broken.push(title)
    }
  }
  return broken
}

test('a list that is right breaks no rule', async () => {
  expect(await brokenBy()).toEqual([])
})

test.each<[Fault, RegExp]>([
  ['a page is shorter than its limit', /as its limit says/],
  ['a record is lost between pages', /loses and doubles nothing/],
  ['a record is met twice', /loses and doubles nothing/],
  ['two records are out of order', /in each of its orders/],
  ['ties are not turned round', /in each of its orders/],
  ['the default order is another one', /published as its default/],
  ['any sort is taken', /orders/],
  ['any limit is taken', /as its limit says/],
  ['a broken cursor is the first page', /of which a character was changed/],
  ['a cursor opens any query', /with another order or filter/],
  ['a cursor opens any workspace', /with another order or filter, or in another workspace/],
  ['a filter is ignored', /by each of its filters/],
  ['a filter turns the order round', /by each of its filters/],
  ['records of all workspaces are shown', /of another workspace/],
  ['there is no end', /loses and doubles nothing/],
])('a list of which %s is found out', async (fault, rule) => {
  const broken = await brokenBy(fault)
  expect(
    broken.some((title) => rule.test(title)),
    broken.join('; '),
  ).toBe(true)
})

test('a list is found by what is published of it, and one that is none has to say why', async () => {
  const { published } = await toy()
  const [route] = published.routes as [MountedRoute]
  const judged = (change: Partial<MountedRoute['operation']>) => {
    const changed = { ...route, operation: { ...route.operation, ...change } }
    const { lists, unexplained, contradicting } = severalsOf([{ ...published, routes: [changed] }])
    return [lists.length, unexplained.length, contradicting.length]
  }
  const several = Type.Object({ pets: Type.Array(Type.Object({ id: Type.String() })) })
  const whole = unpaged('There are never many.')
  expect(judged({})).toEqual([1, 0, 0])
  expect(judged({ answers: { 200: several } })).toEqual([0, 1, 0])
  expect(judged({ answers: { 200: several }, paging: whole })).toEqual([0, 0, 0])
  expect(judged({ paging: whole })).toEqual([0, 0, 1])
  expect(judged({ answers: { 200: Type.Object({ id: Type.String() }) } })).toEqual([0, 0, 0])
})
