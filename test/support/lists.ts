/**
 * The law of all lists that go on from a cursor, run on each of them: limits, ends, order, no record lost or met
 * twice, and no cursor taken back but for the query that gave it out.
 */
import { describe, expect, test } from 'vitest'
import { freshApp, type Answer, type Call, type FreshApp } from './app.ts'

type Body = Readonly<Record<string, unknown>>

export interface CursorList {
  /** The interface, and the path of the list in it. */
  readonly interface: string
  readonly path: string
  /** The body that makes the record with this number; numbers may repeat a sort key, so that there are ties. */
  body(number: number): Body
  /** What each sort orders by, of the same number; `created_at` is the number's place in time. */
  readonly sorts: Readonly<Record<string, (number: number) => number | string>>
  /** The sort and order that hold when nothing is asked for. */
  readonly byDefault: { readonly sort: string; readonly order: Order }
  /** A value of each filter. */
  readonly filters: Readonly<Record<string, string>>
}

type Order = 'asc' | 'desc'

/** Records that share an instant of creation, for the clock stands still while they are made. */
const MADE_AT_ONCE = 3

/** The number's place in time, for lists that sort by the time of creation. */
export const placeInTime = (number: number): number => Math.floor(number / MADE_AT_ONCE)

export function obeysTheListLaw(subject: CursorList): void {
  describe(`the list of ${subject.interface} ${subject.path}`, () => {
    describe('takes as limit', () => {
      test('whole numbers from 1 to 100, and 25 when none is sent', async () => {
        const list = await filled(subject, 101)
        expect((await list.page('limit=1')).ids).toHaveLength(1)
        expect((await list.page('limit=100')).ids).toHaveLength(100)
        expect((await list.page('')).ids).toHaveLength(25)
      })

      test('nothing else', async () => {
        const list = await filled(subject, 1)
        for (const limit of [
          '0',
          '101',
          '-1',
          '1.5',
          'ten',
          '',
          '99999999999999999999',
          'null',
          '0x10',
          '1e1',
          '%205',
        ]) {
          await list.refuses(`limit=${limit}`, 'invalid')
        }
      })
    })

    describe('ends', () => {
      test('at once when it is empty', async () => {
        const list = await filled(subject, 0)
        expect(await list.page('')).toEqual({ ids: [], next: null })
      })

      test.each([
        ['with a page that is not full', 7, 5, [5, 2]],
        ['with a page that is just full', 10, 5, [5, 5]],
        ['with a page of one', 6, 5, [5, 1]],
        ['with its only page', 5, 5, [5]],
      ])('%s', async (_how, records, limit, expected) => {
        const list = await filled(subject, records)
        const pages = await list.pages(`limit=${String(limit)}`)
        expect(pages.map((page) => page.length)).toEqual(expected)
      })
    })

    describe.each(Object.keys(subject.sorts))('in the order of %s', (sort) => {
      test.each(['asc', 'desc'] as const)('%s is complete and right, whatever the limit', async (order) => {
        const list = await filled(subject, 23)
        for (const limit of [1, 4, 22, 23, 24]) {
          const pages = await list.pages(`sort=${sort}&order=${order}&limit=${String(limit)}`)
          expect(pages.flat()).toEqual(list.ordered(sort, order))
        }
      })

      test.each(['asc', 'desc'] as const)(
        '%s loses and doubles nothing when records come and go between pages',
        async (order) => {
          const list = await filled(subject, 20)
          const query = `sort=${sort}&order=${order}&limit=6`
          const expected = list.ordered(sort, order)
          const first = await list.page(query)
          const [gone, anchor, ahead] = [expected[1], expected[5], expected[8]] as [string, string, string]
          await list.remove(gone)
          await list.remove(anchor)
          await list.remove(ahead)
          for (let number = 0; number < 20; number += 4) await list.make(number)
          const rest = (await list.pages(query, first.next)).flat()
          expect(new Set(rest).size).toBe(rest.length)
          expect(rest.filter((id) => expected.includes(id))).toEqual(
            expected.slice(6).filter((id) => id !== ahead),
          )
        },
      )
    })

    test('comes in its default order when none is asked for', async () => {
      const list = await filled(subject, 20)
      const { sort, order } = subject.byDefault
      expect((await list.page('')).ids).toEqual(list.ordered(sort, order))
    })

    test('refuses a sort or an order that it does not have', async () => {
      const list = await filled(subject, 1)
      for (const sort of ['', 'nonsense', 'id', 'rowid', 'workspace', '__proto__', 'created_at,name', '1']) {
        await list.refuses(`sort=${sort}`, 'invalid')
      }
      for (const order of ['', 'ASC', 'down', '1', 'asc,desc'])
        await list.refuses(`order=${order}`, 'invalid')
    })

    describe('takes a cursor', () => {
      test('again and again, with the same answer', async () => {
        const list = await filled(subject, 9)
        const { next } = await list.page('limit=4')
        const once = await list.page('limit=4', next)
        expect(await list.page('limit=4', next)).toEqual(once)
      })

      test('with another limit', async () => {
        const list = await filled(subject, 9)
        const { next } = await list.page('limit=4')
        const { sort, order } = subject.byDefault
        expect((await list.page('limit=2', next)).ids).toEqual(list.ordered(sort, order).slice(4, 6))
      })

      test('not after any one of its characters was changed', async () => {
        const list = await filled(subject, 3)
        const next = (await list.page('limit=2')).next ?? ''
        for (let index = 0; index < next.length; index += 1) {
          const other = next[index] === 'A' ? 'B' : 'A'
          await list.refuses(
            `cursor=${next.slice(0, index)}${other}${next.slice(index + 1)}`,
            'invalid_cursor',
          )
        }
        for (const cursor of [
          next.slice(1),
          next.slice(0, -1),
          `${next}A`,
          `${next}=`,
          next + next,
          'nonsense',
        ]) {
          await list.refuses(`cursor=${cursor}`, 'invalid_cursor')
        }
      })

      test('not with another sort, order or filter', async () => {
        const list = await filled(subject, 9)
        const { sort, order } = subject.byDefault
        const next = (await list.page('limit=2')).next ?? ''
        const others = Object.keys(subject.sorts).filter((each) => each !== sort)
        for (const each of others) await list.refuses(`sort=${each}&cursor=${next}`, 'invalid_cursor')
        await list.refuses(`order=${order === 'asc' ? 'desc' : 'asc'}&cursor=${next}`, 'invalid_cursor')
        for (const [name, value] of Object.entries(subject.filters)) {
          await list.refuses(`${name}=${encodeURIComponent(value)}&cursor=${next}`, 'invalid_cursor')
        }
      })

      test('not of another workspace, though the records be the same', async () => {
        const list = await filled(subject, 3)
        const { key } = list.fresh.tenant()
        for (let number = 0; number < 3; number += 1) await list.make(number, key)
        const next = (await list.page('limit=2')).next ?? ''
        await list.refuses(`limit=2&cursor=${next}`, 'invalid_cursor', key)
      })

      test('never empty', async () => {
        const list = await filled(subject, 1)
        await list.refuses('cursor=', 'invalid')
      })
    })

    test('shows nothing of another workspace', async () => {
      const list = await filled(subject, 3)
      const { key } = list.fresh.tenant()
      expect(await list.page('', null, key)).toEqual({ ids: [], next: null })
    })
  })
}

interface Page {
  readonly ids: readonly string[]
  readonly next: string | null
}

/** A fresh app with so many records in the list. */
async function filled(subject: CursorList, count: number): Promise<FilledList> {
  const list = new FilledList(subject, await freshApp())
  for (let number = 0; number < count; number += 1) await list.make(number)
  return list
}

class FilledList {
  readonly fresh: FreshApp
  readonly #subject: CursorList
  readonly #call: Call
  /** Of the first workspace, in the order in which they were made. */
  readonly #made: { readonly id: string; readonly number: number }[] = []

  constructor(subject: CursorList, fresh: FreshApp) {
    this.#subject = subject
    this.fresh = fresh
    this.#call = fresh.at(subject.interface)
  }

  /** Makes the record with this number, at its place in time unless time has gone on. */
  async make(number: number, key = this.fresh.key): Promise<void> {
    const instant = new Date(Date.UTC(2026, 0, 1) + placeInTime(number) * 1000).toISOString()
    this.fresh.setClock(instant)
    const made = await this.#call('POST', this.#subject.path, { body: this.#subject.body(number), key })
    expect(made.status).toBe(201)
    const { id } = (made.body as { data: { id: string } }).data
    if (key === this.fresh.key) this.#made.push({ id, number })
  }

  async remove(id: string): Promise<void> {
    const answer = await this.#call('DELETE', `${this.#subject.path}/${id}`)
    expect(answer.status).toBeLessThan(300)
  }

  /** The ids as the list has to have them: by the key, those of one key as they were made, all turned for desc. */
  ordered(sort: string, order: Order): string[] {
    const keyOf = this.#subject.sorts[sort]
    if (!keyOf) throw new Error(`The list has no sort ${sort}.`)
    const ascending = this.#made.toSorted((a, b) => {
      const [one, other] = [keyOf(a.number), keyOf(b.number)]
      return one < other ? -1 : one > other ? 1 : 0
    })
    const ids = ascending.map(({ id }) => id)
    return order === 'asc' ? ids : ids.toReversed()
  }

  async page(query: string, cursor: string | null = null, key = this.fresh.key): Promise<Page> {
    const answer = await this.#get(cursor === null ? query : `${query}&cursor=${cursor}`, key)
    expect(answer.status, answer.text).toBe(200)
    const { data, pagination } = answer.body as {
      data: { id: string }[]
      pagination: { nextCursor: string | null; hasMore: boolean }
    }
    expect(pagination.hasMore).toBe(pagination.nextCursor !== null)
    return { ids: data.map(({ id }) => id), next: pagination.nextCursor }
  }

  /** Every page from the cursor on. */
  async pages(query: string, cursor: string | null = null): Promise<(readonly string[])[]> {
    const pages: (readonly string[])[] = []
    let next = cursor
    do {
      const page = await this.page(query, next)
      pages.push(page.ids)
      next = page.next
    } while (next !== null)
    return pages
  }

  async refuses(query: string, reason: 'invalid' | 'invalid_cursor', key = this.fresh.key): Promise<void> {
    const { refusals } = (await this.fresh.definition(this.#subject.interface)).dialect
    const answer = await this.#get(query, key)
    expect(answer.status, `${query}: ${answer.text}`).toBe(refusals[reason].status)
    expect(answer.text, query).toContain(`"${refusals[reason].code}"`)
  }

  #get(query: string, key: string): Promise<Answer> {
    return this.#call('GET', `${this.#subject.path}?${query}`, { key })
  }
}
