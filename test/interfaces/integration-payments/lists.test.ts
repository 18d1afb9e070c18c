/**
 * Specification part 2, "Limits": lists are newest first with 10 by default. Shared rules are tested in
 * test/laws/lists.test.ts.
 */
import { describe, expect, test } from 'vitest'
import { freshProject, type Project } from '../../support/integrationPayments.ts'

type Records = Readonly<Record<string, readonly { readonly id: string }[]>>

interface Subject {
  readonly path: string
  readonly name: string
  /** The number of existing records. */
  readonly before: number
  make(project: Project, number: number): Promise<{ readonly id: string }>
}

const SUBJECTS: readonly Subject[] = [
  {
    path: '/v1/products',
    name: 'products',
    before: 1,
    make: ({ addProduct }, number) => addProduct({ productCode: `p${String(number)}` }),
  },
  { path: '/v1/customers', name: 'customers', before: 0, make: ({ addCustomer }) => addCustomer() },
  {
    path: '/v1/payment-links',
    name: 'paymentLinks',
    before: 0,
    make: ({ addCollectionLink, addPaymentLink }, number) =>
      number % 2 === 0 ? addCollectionLink() : addPaymentLink(),
  },
]

describe.each(SUBJECTS.map((subject) => [subject.path, subject] as const))('list %s', (path, subject) => {
  /** Creates this many records, three at each instant; `ids` has the newest first. */
  async function filled(count: number) {
    const project = await freshProject()
    const page = async (query = '') => {
      const data = await project.ask<Records & { total: number }>('GET', path + query)
      return { ids: (data[subject.name] ?? []).map(({ id }) => id), total: data.total }
    }
    const ids = (await page()).ids
    for (let number = 0; number < count; number++) {
      project.setClock(new Date(Date.UTC(2026, 10, 21, 12, 0, Math.floor(number / 3))).toISOString())
      ids.unshift((await subject.make(project, number)).id)
    }
    return { page, ids, total: count + subject.before }
  }

  test('has the newest 10 by default, and the total', async () => {
    const { page, ids, total } = await filled(12)
    expect(await page()).toEqual({ ids: ids.slice(0, 10), total })
    expect(await page('?lim=3&off=10')).toEqual({ ids: ids.slice(10, 13), total })
  })
})
