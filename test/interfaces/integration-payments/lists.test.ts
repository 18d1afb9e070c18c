/** Specification part 2, "Limits": the law of the lists of integration payments, which go on by `lim` and `off`. */
import { describe, expect, test } from 'vitest'
import { freshProject, type Project } from '../../support/integrationPayments.ts'

type Records = Readonly<Record<string, readonly { readonly id: string }[]>>

interface Subject {
  readonly path: string
  readonly name: string
  /** How many are there before any is made. */
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

describe.each(SUBJECTS.map((subject) => [subject.path, subject] as const))('the list %s', (path, subject) => {
  /** So many records, three of which share an instant; `ids` has the newest first. */
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

  test('has 10 records unless told otherwise, from 1 to 100, and says how many there are', async () => {
    const { page, ids, total } = await filled(101)
    expect(await page()).toEqual({ ids: ids.slice(0, 10), total })
    expect(await page('?lim=1')).toEqual({ ids: ids.slice(0, 1), total })
    expect(await page('?lim=100')).toEqual({ ids: ids.slice(0, 100), total })
    expect(await page('?lim=100&off=100')).toEqual({ ids: ids.slice(100), total })
  })

  test('loses and doubles nothing from page to page, ties included', async () => {
    const { page, ids, total } = await filled(8)
    for (const lim of [1, 2, 3, 7, 8, 9, 10]) {
      const met: string[] = []
      for (let off = 0; off < total; off += lim) {
        met.push(...(await page(`?lim=${String(lim)}&off=${String(off)}`)).ids)
      }
      expect(met).toEqual(ids)
    }
  })

  test('is empty beyond its end', async () => {
    const { page, total } = await filled(2)
    expect(await page(`?off=${String(total)}`)).toEqual({ ids: [], total })
    expect(await page('?off=1000000000&lim=100')).toEqual({ ids: [], total })
  })

  test.each(['lim=0', 'lim=101', 'lim=', 'lim=ten', 'lim=1.5', 'off=-1', 'off=', 'off=1000000001'])(
    'refuses %s',
    async (query) => {
      const { call } = await freshProject()
      const answer = await call('GET', `${path}?${query}`)
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'ERR_VALIDATION' } } })
    },
  )
})
