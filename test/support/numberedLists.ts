/**
 * The law of all lists whose pages have numbers, run on each of them: limits, ends, order, ties, and nothing of
 * another workspace.
 */
import { describe, expect, test } from 'vitest'
import { freshApp, type FreshApp } from './app.ts'

export interface NumberedList {
  /** The interface, and the path of the list in it. */
  readonly interface: string
  readonly path: string
  /** Puts so many records there, in twos that share an instant; answers with their ids in the order of making. */
  fill(fresh: FreshApp, count: number): Promise<string[]>
  /** How many a page has when nothing is asked for. */
  readonly perPage: number
}

interface Page {
  readonly ids: readonly string[]
  readonly meta: { readonly total: number; readonly page: number; readonly per_page: number }
}

/** The newest first, and of those that are equally new the one that was made last. */
export function obeysTheNumberedListLaw(subject: NumberedList): void {
  describe(`the list of ${subject.interface} ${subject.path}`, () => {
    test('has pages of 1 to 100, each with its place and the number of all', async () => {
      const { ids, page } = await filled(subject, 101)
      const newest = ids.toReversed()
      const { perPage } = subject
      expect(await page('')).toEqual({
        ids: newest.slice(0, perPage),
        meta: { total: 101, page: 1, per_page: perPage },
      })
      expect(await page('per_page=1&page=101')).toEqual({
        ids: newest.slice(100),
        meta: { total: 101, page: 101, per_page: 1 },
      })
      expect((await page('per_page=100')).ids).toEqual(newest.slice(0, 100))
      expect((await page('per_page=100&page=2')).ids).toEqual(newest.slice(100))
    })

    test('loses and doubles nothing from page to page, whatever their size', async () => {
      const { ids, page } = await filled(subject, 11)
      for (const size of [1, 2, 3, 5, 10, 11, 12]) {
        const met: string[] = []
        for (let number = 1; number <= Math.ceil(11 / size); number++) {
          met.push(...(await page(`per_page=${String(size)}&page=${String(number)}`)).ids)
        }
        expect(met).toEqual(ids.toReversed())
      }
    })

    test('is empty where there is nothing, and beyond its end', async () => {
      const { page } = await filled(subject, 2)
      expect(await page('page=2')).toEqual({
        ids: [],
        meta: { total: 2, page: 2, per_page: subject.perPage },
      })
      expect((await page('page=1000000000&per_page=100')).ids).toEqual([])
      const empty = await filled(subject, 0)
      expect(await empty.page('')).toEqual({
        ids: [],
        meta: { total: 0, page: 1, per_page: subject.perPage },
      })
    })

    test('refuses other numbers of pages and of records', async () => {
      const { fresh } = await filled(subject, 1)
      const { status } = (await fresh.definition(subject.interface)).dialect.refusals.invalid_query
      for (const number of [
        '0',
        '-1',
        '1.5',
        'ten',
        '',
        '99999999999999999999',
        '0x10',
        '1e1',
        '%205',
        'null',
      ]) {
        for (const name of ['page', 'per_page']) {
          const answer = await fresh.at(subject.interface)('GET', `${subject.path}?${name}=${number}`)
          expect(answer.status, `${name}=${number}`).toBe(status)
        }
      }
      const tooMany = await fresh.at(subject.interface)('GET', `${subject.path}?per_page=101`)
      expect(tooMany.status).toBe(status)
    })

    test('shows nothing of another workspace', async () => {
      const { fresh, page } = await filled(subject, 3)
      const { key } = fresh.tenant()
      expect((await page('', key)).meta.total).toBe(0)
      expect((await page('', key)).ids).toEqual([])
    })
  })
}

async function filled(subject: NumberedList, count: number) {
  const fresh = await freshApp()
  const ids = await subject.fill(fresh, count)
  const page = async (query: string, key = fresh.key): Promise<Page> => {
    const answer = await fresh.at<{ data: { id: string }[]; meta: Page['meta'] }>(subject.interface)(
      'GET',
      `${subject.path}?${query}`,
      { key },
    )
    expect(answer.status, answer.text).toBe(200)
    return { ids: answer.body.data.map(({ id }) => id), meta: answer.body.meta }
  }
  return { fresh, ids, page }
}

/** The instant at which the record with this number is made; two share one. */
export const instantOfNumber = (number: number): string =>
  new Date(Date.UTC(2026, 0, 1) + Math.floor(number / 2) * 1000).toISOString()
