/**
 * Tests every list of every interface with the shared list rules: pages, order, ends, cursors, filters, workspaces.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { IS_FULL } from '../support/extent.ts'
import { PUBLISHED } from '../support/published.ts'
import { filledLists } from './filled.ts'
import { LIST_RULES, type FilledList } from './listRules.ts'
import { severalsOf } from './pages.ts'

const { lists, unexplained, contradicting } = severalsOf(PUBLISHED)

test('pages every response with several records, or publishes why it is not paged', () => {
  expect(lists.length).toBeGreaterThan(0)
  expect(unexplained).toEqual([])
  expect(contradicting).toEqual([])
})

describe('list', () => {
  let filled: ReadonlyMap<string, FilledList>

  beforeAll(async () => {
    filled = await filledLists(lists, IS_FULL)
  })

  describe.each(lists.map((list) => [list.title, list] as const))('%s', (title, list) => {
    test.each(LIST_RULES.filter(({ concerns }) => concerns(list)))('$title', async ({ holds }) => {
      const found = filled.get(title)
      if (!found) throw new Error(`${title} is not filled`)
      await holds(found)
    })
  })
})
