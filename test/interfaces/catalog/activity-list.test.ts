/** Specification part 1, GET /activities: sorts, searches and filters. test/laws/lists.test.ts tests the pages. */
import { describe, expect, test } from 'vitest'
import { freshCatalog, invalid, refusal, type Catalog } from '../../support/catalog.ts'

type Fields = Readonly<Record<string, unknown>>

/** The titles of the activities on the page, in order. */
const titles = async ({ listActivities }: Catalog, query: string): Promise<string[]> =>
  (await listActivities(query)).data.map(({ title }) => title)

const fill = async ({ addActivity }: Catalog, activities: readonly Fields[]): Promise<void> => {
  for (const activity of activities) await addActivity(activity)
}

test('returns complete activities and the end of the list', async () => {
  const { call, addActivity } = await freshCatalog()
  const first = await addActivity({ entityType: 'deal', entityId: '1', customData: { a: 1 } })
  const second = await addActivity({
    dueDate: '2027-01-01',
    entities: [{ entityType: 'deal', entityId: '2' }],
  })

  const answer = await call('GET', '/activities')

  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ data: [second, first], pagination: { nextCursor: null, hasMore: false } })
})

describe('sorts', () => {
  test('by the changed due date', async () => {
    const catalog = await freshCatalog()
    await fill(catalog, [
      { title: 'a', dueDate: '2027-01-01' },
      { title: 'b', dueDate: '2027-01-02' },
    ])
    const [a] = (await catalog.listActivities('?search=a')).data
    await catalog.putActivity(a?.id ?? '', { dueDate: '2027-01-03' })

    expect(await titles(catalog, '?sort=due_date&order=asc')).toEqual(['b', 'a'])
  })
})

describe('search', () => {
  const ACTIVITIES = [
    { title: 'Call about the quote', description: '100% sure', notes: 'zzz', location: 'zzz' },
    { title: 'Lunch', description: 'Talk about the_desk' },
    { title: 'Émail', description: null },
  ]

  test.each([
    ['in the title', 'lunch', ['Lunch']],
    ['in title and description', 'ABOUT', ['Lunch', 'Call about the quote']],
    ['without case, also outside of ASCII', 'ÉMAIL', ['Émail']],
    ['in no other field', 'zzz', []],
    ['a percent sign literally', '0%', ['Call about the quote']],
    ['an underscore literally', 'e_d', ['Lunch']],
    ['nothing for an unknown text', 'table', []],
  ])('finds %s', async (_how, search, expected) => {
    const catalog = await freshCatalog()
    await fill(catalog, ACTIVITIES)

    expect(await titles(catalog, `?search=${encodeURIComponent(search)}`)).toEqual(expected)
  })

  test('finds everything for an empty text', async () => {
    const catalog = await freshCatalog()
    await fill(catalog, ACTIVITIES)

    expect(await titles(catalog, '?search=')).toHaveLength(3)
  })
})

describe('filters', () => {
  const filled = async () => {
    const catalog = await freshCatalog()
    const second = catalog.fresh.workspace.addUser({ name: 'Second User', email: 'second.user@example.com' })
    await fill(catalog, [
      { title: 'a', type: 'call', entityType: 'deal', entityId: '1' },
      { title: 'b', type: 'task', ownerId: second.id, entityType: 'contact', entityId: '1' },
      {
        title: 'c',
        type: 'task',
        entityType: 'order',
        entityId: '9',
        entities: [
          { entityType: 'deal', entityId: '2' },
          { entityType: 'contact', entityId: '1' },
        ],
      },
      { title: 'd', type: 'call', ownerId: null, dueDate: '2026-01-01' },
      { title: 'e', type: 'note', entities: [{ entityType: 'invoice', entityId: 'a:b' }] },
    ])
    const [e] = (await catalog.listActivities('?search=e')).data
    await catalog.completeActivity(e?.id ?? '')
    return { catalog, second }
  }

  test.each([
    ['entity_type=deal', ['c', 'a']],
    ['entity_type=contact', ['c', 'b']],
    ['entity_type=invoice', ['e']],
    ['entity_type=company', []],
    ['entity_type=deal&entity_id=1', ['a']],
    ['entity_type=deal&entity_id=2', ['c']],
    ['entity_type=contact&entity_id=1', ['c', 'b']],
    ['entity_type=order&entity_id=9', ['c']],
    // The type of one entity and the id of another match nothing.
    ['entity_type=order&entity_id=1', []],
    ['entity_type=order&entity_id=2', []],
    ['entity_type=invoice&entity_id=a%3Ab', ['e']],
    ['entity_type=invoice&entity_id=a', []],
    ['entity_type=deal&entity_id=', []],
    ['type=task&status=pending&entity_type=contact&entity_id=1&search=c', ['c']],
    ['type=task&status=completed', []],
    ['entity_type=deal&sort=title&order=asc', ['a', 'c']],
  ])('by %s', async (query, expected) => {
    const { catalog } = await filled()

    expect(await titles(catalog, `?${query}`)).toEqual(expected)
  })

  test('by owner', async () => {
    const { catalog, second } = await filled()

    expect(await titles(catalog, `?owner_id=${second.id}`)).toEqual(['b'])
    expect(await titles(catalog, `?owner_id=${catalog.fresh.user.id}`)).toEqual(['e', 'c', 'a'])
  })

  test.each(['entity_id=1', 'entity_id=', 'entity_id=1&type=call'])(
    'refuse an entity without its type: %s',
    async (query) => {
      const { call } = await freshCatalog()

      expect(await call('GET', `/activities?${query}`)).toMatchObject(invalid('entity_type', 'required'))
    },
  )

  test('by an entity across pages', async () => {
    const catalog = await freshCatalog()
    for (let number = 0; number < 7; number++) {
      const entity = { entityType: 'deal', entityId: String(number % 2) }
      await catalog.addActivity({
        title: `a${String(number)}`,
        ...(number < 4 ? entity : { entities: [entity] }),
      })
    }
    const query = '?entity_type=deal&entity_id=0&sort=title&order=asc&limit=3'

    const first = await catalog.listActivities(query)
    const second = await catalog.listActivities(`${query}&cursor=${first.pagination.nextCursor ?? ''}`)

    expect(first.data.map(({ title }) => title)).toEqual(['a0', 'a2', 'a4'])
    expect(second.data.map(({ title }) => title)).toEqual(['a6'])
    expect(second.pagination).toEqual({ nextCursor: null, hasMore: false })
  })

  test('refuse a cursor of another entity', async () => {
    const { catalog } = await filled()
    const page = await catalog.listActivities('?entity_type=contact&entity_id=1&limit=1')
    const cursor = page.pagination.nextCursor ?? ''

    for (const query of [
      'entity_type=contact&entity_id=2',
      'entity_type=contact',
      'entity_type=deal&entity_id=1',
    ]) {
      expect(await catalog.call('GET', `/activities?${query}&cursor=${cursor}`)).toMatchObject(
        refusal(400, 'invalid_cursor'),
      )
    }
  })

  test('refuse a cursor of the products', async () => {
    const { call, addProduct, listProducts } = await freshCatalog()
    await addProduct()
    await addProduct()
    const cursor = (await listProducts('?limit=1')).pagination.nextCursor ?? ''

    expect(await call('GET', `/activities?cursor=${cursor}`)).toMatchObject(refusal(400, 'invalid_cursor'))
  })
})
