/** The query parameters that the specification describes as dates: they refuse date-times in the words of their interface. */
import { beforeAll, describe, expect, test } from 'vitest'
import { freshApp, type FreshApp } from '../../support/app.ts'
import { everyOperation } from '../../support/examples.ts'
import { publishedOf } from '../../support/published.ts'

/** "from, to (dates)", "from, to (YYYY-MM-DD issue dates)", "date (YYYY-MM-DD)". */
const DATES: readonly (readonly [name: string, path: string, parameters: readonly string[]])[] = [
  ['signage', '/schedules', ['from', 'to']],
  ['tax-invoicing', '/invoices', ['from', 'to']],
  ['tax-invoicing', '/payment-receipts', ['from', 'to']],
  ['tax-invoicing', '/reports/income', ['date']],
  ['tax-invoicing', '/reports/taxes', ['date']],
  ['tax-invoicing', '/reports/cancellations', ['date']],
  ['tax-invoicing', '/reports/xml-download', ['from', 'to']],
]

const CASES = DATES.flatMap(([name, path, parameters]) =>
  parameters.map((parameter) => [`${name} GET ${path}`, parameter, name, path] as const),
)

let fresh: FreshApp

beforeAll(async () => {
  fresh = await freshApp()
})

describe('date in a query', () => {
  test.each(CASES)('of %s, %s, is accepted', async (_title, parameter, name, path) => {
    expect((await fresh.at(name)('GET', `${path}?${parameter}=2026-01-31`)).status).toBe(200)
  })

  test.each(CASES)('of %s, %s, has no time and exists', async (_title, parameter, name, path) => {
    const { invalid_query: refused } = publishedOf(name).definition.dialect.refusals
    for (const sent of [
      '2026-01-31T09:30:00Z',
      '2026-01-31T00:00',
      '2026-02-30',
      '31-01-2026',
      'today',
      '',
    ]) {
      const answer = await fresh.at(name)('GET', `${path}?${parameter}=${sent}`)
      expect([answer.status, answer.text], sent).toEqual([
        refused.status,
        expect.stringContaining(`${parameter} must be a date, such as 2026-01-31`),
      ])
    }
  })
})

test('are all parameters that the documents publish with the format date', () => {
  const published = everyOperation().flatMap(({ route }) => {
    const { properties = {} }: { properties?: Record<string, { format?: string }> } =
      route.schema.querystring ?? {}
    return Object.entries(properties).flatMap(([parameter, { format }]) =>
      format === 'date' ? [`${route.interface} ${route.method} ${route.path} ${parameter}`] : [],
    )
  })
  expect(published.toSorted()).toEqual(CASES.map(([title, parameter]) => `${title} ${parameter}`).toSorted())
})
