/** Numbered pages far back in long lists: each starts at the right record, whatever was read or written before. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { freshApp, type FreshApp } from '../../support/app.ts'
import { multiply } from '../../support/filling.ts'
import { runs } from '../../support/extent.ts'

const MANY = 1500
const LIMIT = 40

interface Listed {
  readonly data: readonly { readonly id: string }[]
  readonly meta: { readonly total_count: number }
}

interface Known {
  readonly id: string
  readonly name: string
}

/** Contacts with nine names, all created at the same instant, so that a hundred records share a sort key. */
async function filled(): Promise<{ fresh: FreshApp; contacts: Known[] }> {
  const fresh = await freshApp()
  const { body } = await fresh.at<Known>('crm')('POST', '/contacts', { body: { name: 'Name 0' } })
  const { id } = body
  const name = `'Name ' || (n * 7 % 9)`
  multiply(fresh.workspace, 'crm_contacts', MANY - 1, { name, name_key: `'name ' || (n * 7 % 9)` })
  const copies = Array.from({ length: MANY - 1 }, (_, index) => ({
    id: `${id}_${String(index + 1)}`,
    name: `Name ${String(((index + 1) * 7) % 9)}`,
  }))
  return { fresh, contacts: [{ id, name: 'Name 0' }, ...copies] }
}

const queries = fc.record({
  page: fc.integer({ min: 1, max: Math.ceil(MANY / LIMIT) + 2 }),
  sort: fc.constantFrom('name', 'created_at'),
  order: fc.constantFrom('asc', 'desc'),
})

type PageQuery = typeof queries extends fc.Arbitrary<infer Value> ? Value : never

/** The expected ids of a page; `contacts` are in order of creation. */
function expected(contacts: readonly Known[], { page, sort, order }: PageQuery): string[] {
  const sorted =
    sort === 'name' ? contacts.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)) : contacts
  const ids = sorted.map(({ id }) => id)
  return (order === 'asc' ? ids : ids.toReversed()).slice((page - 1) * LIMIT, page * LIMIT)
}

async function listed({ at }: FreshApp, { page, sort, order }: PageQuery): Promise<Listed> {
  const query = `page=${String(page)}&per_page=${String(LIMIT)}&sort_by=${sort}&sort_dir=${order}`
  const { status, body } = await at<Listed>('crm')('GET', `/contacts?${query}`)
  expect(status).toBe(200)
  return body
}

test('returns the same pages as the whole list, in any order of requests', async () => {
  const { fresh, contacts } = await filled()
  await fc.assert(
    fc.asyncProperty(queries, async (page) => {
      const { data, meta } = await listed(fresh, page)
      expect(data.map(({ id }) => id)).toEqual(expected(contacts, page))
      expect(meta.total_count).toBe(MANY)
    }),
    { numRuns: runs(200) },
  )
})

test('returns the right pages while contacts are added and removed', async () => {
  const { fresh, contacts } = await filled()
  const crm = fresh.at<Known>('crm')
  const change = fc.oneof(
    fc.record({ page: queries }),
    fc.record({ added: fc.constantFrom('Name 1', 'Name 8') }),
    fc.record({ removed: fc.nat() }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 5, maxLength: 20 }), async (changes) => {
      for (const each of changes) {
        if ('added' in each) {
          const { body } = await crm('POST', '/contacts', { body: { name: each.added } })
          contacts.push({ id: body.id, name: each.added })
        } else if ('removed' in each) {
          const [deleted] = contacts.splice(each.removed % contacts.length, 1)
          expect((await crm('DELETE', `/contacts/${deleted?.id ?? ''}`)).status).toBe(204)
        } else {
          const { data, meta } = await listed(fresh, each.page)
          expect(data.map(({ id }) => id)).toEqual(expected(contacts, each.page))
          expect(meta.total_count).toBe(contacts.length)
        }
      }
    }),
    // The state after a failed run differs from the initial one.
    { numRuns: runs(20), endOnFailure: true },
  )
})
