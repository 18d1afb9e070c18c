/** Labels of workspaces: bounds, changes, and lists and deletions by label. */
import { describe, expect, test } from 'vitest'
import { bearer, controlApp, error, makeWorkspace, type ControlApp } from '../app.ts'

const idsOf = async ({ sim }: ControlApp, query: string): Promise<string[]> => {
  const { data } = (await sim('GET', `/workspaces${query}`)).body as { data: { id: string }[] }
  return data.map(({ id }) => id)
}

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`name${String(at)}`, 'x']))

describe('labels', () => {
  test.each([
    [{}],
    [{ team: 'checkout', 'ci.example.com/job': 'build #12, try 2' }],
    [{ ['n'.repeat(63)]: 'v'.repeat(100) }],
    [{ url: 'https://ci.example.com/a:b@c+d=e' }],
    [many(20)],
  ])('%j are stored and returned', async (labels) => {
    const { sim } = await controlApp()
    const { workspace } = (await sim('POST', '/workspaces', { body: { labels } })).body
    expect(workspace.labels).toEqual(labels)
    expect((await sim('GET', `/workspaces/${workspace.id as string}`)).body.labels).toEqual(labels)
  })

  test.each([
    [{ ['n'.repeat(64)]: 'x' }],
    [{ team: 'v'.repeat(101) }],
    [{ team: '' }],
    [{ '': 'x' }],
    [{ '-team': 'x' }],
    [{ 'team:a': 'x' }],
    [{ team: 'é' }],
    [{ team: 'a\nb' }],
    [{ team: 7 }],
    [many(21)],
    [['team']],
    ['team:checkout'],
  ])('%j are refused, and nothing is created or changed', async (labels) => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app, { labels: { team: 'a' } })
    expect((await app.sim('POST', '/workspaces', { body: { labels } })).status).toBe(400)
    const change = { labels, currency: 'PAB' }
    expect((await app.sim('PATCH', `/workspaces/${id}`, { body: change })).status).toBe(400)
    expect((await app.sim('GET', '/workspaces')).body.data).toMatchObject([
      { labels: { team: 'a' }, currency: 'USD' },
    ])
  })

  test.each(['', '-team', 'team:a', 'n'.repeat(64), 'n'.repeat(101)])(
    'with the name %j are refused with the rule of names',
    async (name) => {
      const app = await controlApp()
      const { id } = await makeWorkspace(app)
      const quoted = name.length > 100 ? '' : `, not ${JSON.stringify(name)}`
      const message = `labels must have names of 1 to 63 letters, digits, dots, hyphens, underscores or slashes that start with a letter or digit${quoted}`
      const expected = error('validation_error', message, [
        { field: 'labels', code: 'invalid_format', message },
      ])
      const body = { labels: { [name]: 'x' } }
      expect((await app.sim('POST', '/workspaces', { body })).body).toEqual(expected)
      expect((await app.sim('PATCH', `/workspaces/${id}`, { body })).body).toEqual(expected)
    },
  )

  test('are replaced as a whole, cleared with null, and kept by other changes and resets', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app, { labels: { team: 'a', branch: 'main' } })
    const path = `/workspaces/${id}`
    const patch = async (body: object) => (await app.sim('PATCH', path, { body })).body.labels as unknown
    expect(await patch({ labels: { team: 'b' } })).toEqual({ team: 'b' })
    expect(await patch({ currency: 'PAB' })).toEqual({ team: 'b' })
    await app.sim('POST', `${path}/reset`)
    expect((await app.sim('GET', path)).body.labels).toEqual({ team: 'b' })
    expect(await patch({ labels: null })).toEqual({})
  })

  test('and the ttl are those of the source in a clone', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app, { labels: { team: 'a' }, ttl: 'P7D' })
    const { workspace } = (await app.sim('POST', `/workspaces/${id}/clone`)).body
    expect(workspace).toMatchObject({ labels: { team: 'a' }, ttl: 'P7D' })
  })
})

/** Three workspaces of two teams. */
async function teams() {
  const app = await controlApp()
  const make = async (labels: object) => (await makeWorkspace(app, { labels })).id
  const [one, two] = [await make({ team: 'a', run: '1' }), await make({ team: 'a', run: '2:x' })]
  return { app, one, two, other: await make({ team: 'b', run: '1' }), plain: await make({}) }
}

describe('the list', () => {
  test('returns the workspaces with all labels of the query', async () => {
    const { app, one, two, other, plain } = await teams()
    expect(await idsOf(app, '')).toEqual([one, two, other, plain])
    expect(await idsOf(app, '?label=team:a')).toEqual([one, two])
    expect(await idsOf(app, '?label=team:a&label=run:1')).toEqual([one])
    expect(await idsOf(app, '?label=run:2:x')).toEqual([two])
    expect(await idsOf(app, '?label=team:a&label=team:b')).toEqual([])
    expect(await idsOf(app, '?label=team:A')).toEqual([])
    expect(await idsOf(app, '?label=toString:a')).toEqual([])
  })

  test.each(['?label=', '?label=team', '?label=:a', '?label=team:', `?${'label=a:b&'.repeat(21)}`])(
    'refuses %s',
    async (query) => {
      const { app } = await teams()
      const { status, body } = await app.sim('GET', `/workspaces${query}`)
      expect([status, body.error.message]).toEqual([400, expect.stringContaining('label')])
    },
  )
})

test.each([
  ['label=team', 'team'],
  ['label=', ''],
  ['label=team:a&label=run', 'run'],
  [`label=${'x'.repeat(101)}`, 'x'.repeat(100)],
])('names the wrong label of %j in lists and deletions', async (query, wrong) => {
  const { app } = await teams()
  for (const method of ['GET', 'DELETE'] as const) {
    const { status, body } = await app.sim(method, `/workspaces?${query}`)
    const message = `label must be name:value, such as team:checkout, not "${wrong}"`
    const details = [{ field: 'label', code: 'invalid_format', message }]
    expect([status, body.error]).toMatchObject([400, { message, details }])
  }
  expect(await idsOf(app, '')).toHaveLength(4)
})

describe('the deletion', () => {
  test('deletes the workspaces with all labels, and returns their number', async () => {
    const { app, one, two, other, plain } = await teams()
    const answer = await app.sim('DELETE', '/workspaces?label=team:a&label=run:1')
    expect([answer.status, answer.body]).toEqual([200, { count: 1 }])
    expect(await idsOf(app, '')).toEqual([two, other, plain])
    expect((await app.sim('GET', `/workspaces/${one}`)).status).toBe(404)
    expect((await app.sim('DELETE', '/workspaces?label=team:a')).body).toEqual({ count: 1 })
    expect((await app.sim('DELETE', '/workspaces?label=team:a')).body).toEqual({ count: 0 })
    expect(await idsOf(app, '')).toEqual([other, plain])
  })

  test.each(['', '?', '?label=', '?label=team', '?labels=team:a'])(
    'with %j is refused, and nothing is deleted',
    async (query) => {
      const { app } = await teams()
      expect((await app.sim('DELETE', `/workspaces${query}`)).status).toBe(400)
      expect(await idsOf(app, '')).toHaveLength(4)
    },
  )

  test('ends the control tokens of the workspaces', async () => {
    const app = await controlApp()
    const { id, controlToken } = await makeWorkspace(app, { labels: { team: 'a' } })
    expect((await app.sim('DELETE', '/workspaces?label=team:a', bearer(controlToken))).status).toBe(403)
    await app.sim('DELETE', '/workspaces?label=team:a')
    expect((await app.sim('GET', `/workspaces/${id}`, bearer(controlToken))).status).toBe(401)
  })
})
