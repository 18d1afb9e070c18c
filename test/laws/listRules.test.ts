/** Tests the list rules themselves: a correct list without tests of its own passes, and each broken list fails. */
import { Type } from '@sinclair/typebox'
import { expect, test } from 'vitest'
import type { MountedRoute } from '../../src/http/definition/definition.ts'
import { unpaged } from '../../src/http/definition/paging.ts'
import { LIST_RULES } from './listRules.ts'
import { severalsOf } from './pages.ts'
import { testInterface, type Fault } from './testInterface.ts'

/** The titles of the rules that the toy interface breaks. */
async function brokenBy(...faults: readonly Fault[]): Promise<string[]> {
  const { filled } = await testInterface(...faults)
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

test('reports no broken rule for a correct list', async () => {
  expect(await brokenBy()).toEqual([])
})

test.each<[Fault, RegExp]>([
  ['a page is shorter than its limit', /of the size of its limit/],
  ['a record is missing between pages', /each record once with any page size/],
  ['a record appears twice', /each record once with any page size/],
  ['two records are out of order', /in each of its orders/],
  ['desc does not reverse ties', /in each of its orders/],
  ['the default order is wrong', /published default order/],
  ['any sort is accepted', /orders/],
  ['any limit is accepted', /of the size of its limit/],
  ['a broken cursor returns the first page', /changed, missing or additional character/],
  ['a cursor works with any query', /with another order or filter/],
  ['a cursor works in any workspace', /with another order or filter, or in another workspace/],
  ['a filter is ignored', /with each of its filters/],
  ['a filter reverses the order', /with each of its filters/],
  ['records of all workspaces are shown', /of another workspace/],
  ['the list never ends', /each record once with any page size/],
])('finds a list in which %s', async (fault, rule) => {
  const broken = await brokenBy(fault)
  expect(
    broken.some((title) => rule.test(title)),
    broken.join('; '),
  ).toBe(true)
})

test('finds lists by their published schema, and requires a reason for other arrays of records', async () => {
  const { published } = await testInterface()
  const [route] = published.routes as [MountedRoute]
  const classify = (change: Partial<MountedRoute['operation']>) => {
    const changed = { ...route, operation: { ...route.operation, ...change } }
    const { lists, unexplained, contradicting } = severalsOf([{ ...published, routes: [changed] }])
    return [lists.length, unexplained.length, contradicting.length]
  }
  const several = Type.Object({ pets: Type.Array(Type.Object({ id: Type.String() })) })
  const whole = unpaged('There are never many.')
  expect(classify({})).toEqual([1, 0, 0])
  expect(classify({ answers: { 200: several } })).toEqual([0, 1, 0])
  expect(classify({ answers: { 200: several }, paging: whole })).toEqual([0, 0, 0])
  expect(classify({ paging: whole })).toEqual([0, 0, 1])
  expect(classify({ answers: { 200: Type.Object({ id: Type.String() }) } })).toEqual([0, 0, 0])
})
