/** Any record with its state, its possible moves and its history. */
import { describe, expect, test } from 'vitest'
import { controlApp, makeWorkspace } from '../app.ts'

const ACTIVITIES = '/workspace/public/v1/activities'

async function setup() {
  const app = await controlApp()
  const made = await makeWorkspace(app)
  const path = `/workspaces/${made.id}/records`
  return {
    ...app,
    made,
    path,
    read: async (rest = '') => app.sim('GET', path + rest),
    addActivity: async (title = 'Call') => {
      const { body } = await app.call('POST', ACTIVITIES, made.key, { title, type: 'call' })
      return body.data.id as string
    },
    complete: (id: string) => app.call('PATCH', `${ACTIVITIES}/${id}/complete`, made.key),
  }
}

describe('records', () => {
  test('are counted by section', async () => {
    const { read, addActivity } = await setup()
    await addActivity()
    const { body } = await read()
    expect(body.data).toContainEqual({
      section: 'catalog.activities',
      title: 'Catalog and activities: activities',
      count: 1,
      interface: 'catalog',
      internal: false,
    })
    expect(body.data).toContainEqual(
      expect.objectContaining({ section: 'crm.deals', title: 'CRM: deals', count: 0 }),
    )
  })

  test('of a section are paged without duplicates or gaps', async () => {
    const { read, addActivity } = await setup()
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push(await addActivity(String(n)))
    const seen: string[] = []
    for (let cursor = '&cursor='; ;) {
      const { body } = await read(`/catalog.activities?limit=2${cursor}`)
      seen.push(...body.data.map((record: { id: string }) => record.id))
      if (body.nextCursor === null) break
      cursor = `&cursor=${String(body.nextCursor)}`
    }
    expect(seen).toEqual(ids)
  })

  test('show their state, the possible moves and the past ones', async () => {
    const { read, addActivity, complete } = await setup()
    const id = await addActivity()
    const before = await read(`/catalog.activities/${id}`)
    expect(before.body).toMatchObject({
      record: { id, title: 'Call', status: 'pending' },
      machine: 'catalog.activity',
      state: 'pending',
      history: [{ move: 'create', from: null, to: 'pending' }],
    })
    expect(before.body.moves).toContainEqual({
      move: 'complete',
      to: 'completed',
      by: expect.stringContaining('complete'),
    })
    await complete(id)
    expect((await read(`/catalog.activities/${id}`)).body).toMatchObject({
      state: 'completed',
      history: [{ move: 'create' }, { move: 'complete', from: 'pending', to: 'completed' }],
    })
  })

  test('can be waited for until a field has a value', async () => {
    const { read, addActivity, complete } = await setup()
    const id = await addActivity()
    const waiting = read(`/catalog.activities/${id}?until=status:completed&wait=300`)
    await read()
    await complete(id)
    expect((await waiting).body).toMatchObject({ state: 'completed' })
    const late = await read(`/catalog.activities/${id}?until=status:cancelled&wait=0.01`)
    expect(late.body).toMatchObject({ state: 'completed' })
  })

  test.each([
    ['/catalog.activity', 404, 'There is no section catalog.activity; did you mean catalog.activities?'],
    ['/catalog.activities/nobody', 404, 'There is no record nobody in catalog.activities.'],
    ['/catalog.activities?cursor=x', 400, 'cursor must be the nextCursor of a page of this list.'],
    ['/catalog.activities?limit=0', 400, 'Query: limit must be at least 1'],
    ['/catalog.activities/x?until=status', 400, 'Query: until must be FIELD:VALUE, such as status:active'],
    [
      '/catalog.activities/x?until=staus:a',
      400,
      'until must name a field of catalog.activities; did you mean status?',
    ],
  ])('at %s return %d', async (rest, status, message) => {
    const { read } = await setup()
    const answer = await read(rest)
    expect(answer.status).toBe(status)
    expect(answer.body.error.message).toBe(message)
  })
})
