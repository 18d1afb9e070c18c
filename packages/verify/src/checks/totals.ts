/** The total of a list whose pages have a fixed size is the number of rows on all of them. */
import { valueAt } from '../model/list.ts'
import type { Operation } from '../model/operation.ts'
import { record, type CheckContext } from './context.ts'

export function checkTotals(context: CheckContext, operation: Operation): void {
  const { answers } = context
  const list = answers.listOf(operation)
  if (!list?.totalAt || !list.position || list.size) return
  for (const first of answers.plain(operation)) {
    const pages = answers
      .of(operation, 'whole')
      .filter(
        ({ probe: { purpose }, status }) => purpose.kind === 'whole' && purpose.of === first && status < 300,
      )
    const counts = [first, ...pages].map((page) => answers.rows(page).length)
    const total = valueAt(first.body, list.totalAt)
    const [perPage = 0] = counts
    // A last page that is full may be followed by another one.
    if (typeof total !== 'number' || pages.length === 0 || (counts.at(-1) ?? 0) >= perPage) continue
    const expected = counts.reduce((sum, count) => sum + count, 0)
    record(context, 'relations', first, {
      aspect: 'total',
      place: list.totalAt.map((name) => `.${name}`).join(''),
      isEqual: total === expected,
      message: 'The total is not the number of rows on all pages.',
      expected,
      actual: total,
    })
  }
}
