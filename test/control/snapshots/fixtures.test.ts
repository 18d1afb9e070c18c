import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { WRITTEN_FOR } from '../../../src/control/snapshots/builtIn/demoDates.ts'
import { FixtureError, readBuiltIn, readFixture } from '../../../src/control/snapshots/builtIn/fixtures.ts'
import type { Records } from '../../../src/state/storage/records/records.ts'
import { ROOT, scratchFolder } from '../../support/process.ts'
import { controlApp } from '../app.ts'

const CATALOG = '/workspace/public/v1'
const FIXTURES = join(ROOT, 'fixtures')

function fileWith(text: string): string {
  const file = join(scratchFolder(), 'mine.json')
  writeFileSync(file, text)
  return file
}

/** Checks a built-in fixture like a file. Only built-in fixtures may have a history. */
async function mustBeValid(records: Records, fixture: object | undefined): Promise<void> {
  const text = JSON.stringify({ ...fixture, history: undefined })
  const snapshot = await readFixture(fileWith(text), FIXTURES, records, WRITTEN_FOR)
  await snapshot?.close()
}

describe('demo fixture', () => {
  test('is valid, although it is not checked at each start', async () => {
    const { records } = await controlApp()
    for (const name of ['small', 'demo']) {
      await mustBeValid(records, readBuiltIn(name, FIXTURES, records, WRITTEN_FOR))
    }
  })

  test('has the same age after a year, on the same days of the week', async () => {
    const { records } = await controlApp()
    const DAY = 86_400_000
    const fixtureAt = (days: number) =>
      readBuiltIn('demo', FIXTURES, records, WRITTEN_FOR + days * DAY) as unknown as {
        readonly crm: { readonly contacts: readonly { readonly createdAt: string }[] }
        readonly 'lite-invoicing': object
      }
    const [now, sixDaysOn, yearOn] = [fixtureAt(0), fixtureAt(6.9), fixtureAt(365)]

    expect(sixDaysOn).toEqual(now)
    expect(fixtureAt(-70)).toEqual(now)
    const weeks = 52 * 7 * DAY
    expect(yearOn.crm.contacts.map(({ createdAt }) => Date.parse(createdAt) - weeks)).toEqual(
      now.crm.contacts.map(({ createdAt }) => Date.parse(createdAt)),
    )
    // A CUFE contains the date of its invoice.
    expect(yearOn['lite-invoicing']).toEqual(now['lite-invoicing'])
    await mustBeValid(records, yearOn)
  })

  test.each(['small', 'demo'])('refers only to its own records: %s', async (name) => {
    const { records } = await controlApp()
    const fixture = readBuiltIn(name, FIXTURES, records, WRITTEN_FOR)
    type Held = Readonly<Record<string, unknown>>
    const users = (fixture?.users ?? []).map(({ id }) => id)
    const rows = records.sets.flatMap((set): readonly Held[] => fixture?.[set.section]?.[set.name] ?? [])
    const ids = new Set<unknown>([...users, ...rows.flatMap(({ id, tokenId = null }) => [id, tokenId])])

    const ofSuite = ['contact', 'deal', 'product']
    const named = rows.flatMap(({ entityType, entityId }) =>
      ofSuite.includes(String(entityType)) ? [String(entityId)] : [],
    )
    const written = JSON.stringify(rows).match(/"(?:[a-z]+_demo\d{16}|demo-[a-z]+-\d+)"/g) ?? []
    const references = [...named, ...written.map((text) => text.slice(1, -1))]
    expect(named.length).toBeGreaterThan(5)
    expect(references.filter((id) => !ids.has(id))).toEqual([])
  })

  test('has exactly one file for each section', async () => {
    const { records } = await controlApp()
    const sections = new Set(records.sets.map(({ section }) => `${section}.json`))
    for (const name of readdirSync(join(FIXTURES, 'demo')))
      expect(['history.json', ...sections]).toContain(name)
    for (const name of readdirSync(join(FIXTURES, 'small'))) {
      expect(['workspace.json', ...sections]).toContain(name)
      const fixture = JSON.parse(readFileSync(join(FIXTURES, 'small', name), 'utf8')) as object
      if (name === 'workspace.json')
        expect(Object.keys(fixture).filter((key) => sections.has(`${key}.json`))).toEqual([])
    }
  })

  test('creates the workspace demo with the key demo-key and the account 1', async () => {
    const app = await controlApp({ fixtures: 'demo' })
    expect(app.demoKey).toBe('demo-key')
    expect((await app.sim('GET', '/workspaces/demo')).body).toMatchObject({ id: 'demo', accountId: 1 })
    expect((await app.call('GET', `${CATALOG}/products`, 'demo-key')).status).toBe(200)
  })

  test('has products of every type and status, with plans where they apply', async () => {
    const app = await controlApp({ fixtures: 'demo' })
    const { data } = (await app.call('GET', `${CATALOG}/products?limit=100`, 'demo-key')).body as {
      data: { id: string; type: string; status: string; ownerName: string | null }[]
    }
    expect(new Set(data.map(({ type }) => type))).toEqual(
      new Set(['physical', 'service', 'subscription', 'digital']),
    )
    expect(new Set(data.map(({ status }) => status))).toEqual(new Set(['active', 'archived', 'draft']))
    expect(data.filter(({ ownerName }) => ownerName === null)).toEqual([])
    for (const { id, type } of data.filter(({ status }) => status === 'active')) {
      const product = await app.call('GET', `${CATALOG}/products/${id}`, 'demo-key')
      expect([type, product.body.data.plans.length > 0]).toEqual([type, type !== 'physical'])
    }
  })

  test('has activities of every type, which are found by their links', async () => {
    const app = await controlApp({ fixtures: 'demo' })
    const get = async (query: string) =>
      (await app.call('GET', `${CATALOG}/activities?limit=100&${query}`, 'demo-key')).body.data as {
        type: string
        status: string
      }[]
    const all = await get('')
    expect(new Set(all.map(({ type }) => type))).toEqual(
      new Set(['call', 'task', 'meeting', 'email', 'note', 'lunch', 'deadline']),
    )
    expect(await get('entity_type=deal&entity_id=deal_demo0000000000000003')).toHaveLength(2)
    expect(await get('entity_type=company&entity_id=company-310')).toHaveLength(3)
    expect((await get('status=completed')).length).toBeGreaterThan(0)
  })
})

describe('custom fixture', () => {
  test('creates the workspace that it describes', async () => {
    const fixture = {
      format: 'suite-simulator/1',
      workspace: { id: 'mine', name: 'My workspace', currency: 'EUR' },
      key: 'my-key',
      users: [{ id: 'u1', name: 'Ana', email: 'ana@example.com' }],
    }
    const app = await controlApp({ fixtures: fileWith(JSON.stringify(fixture)) })
    expect((await app.sim('GET', '/workspaces')).body.data).toEqual([
      expect.objectContaining({ id: 'mine', name: 'My workspace', currency: 'EUR', accountId: 1 }),
    ])
    expect((await app.call('GET', `${CATALOG}/products`, 'my-key')).status).toBe(200)
  })

  test('creates a workspace with a generated user and key if it has only a format', async () => {
    const app = await controlApp({ fixtures: fileWith('{"format": "suite-simulator/1"}') })
    const { data } = (await app.sim('GET', '/workspaces')).body as { data: { id: string; name: string }[] }
    expect(data).toEqual([expect.objectContaining({ name: 'Workspace' })])
    const keys = (await app.sim('GET', `/keys?workspaceId=${String(data[0]?.id)}`)).body.data as object[]
    expect(keys).toHaveLength(1)
  })

  test('can be a saved snapshot, and then starts an equal server', async () => {
    const app = await controlApp({ fixtures: 'demo' })
    await app.call('POST', `${CATALOG}/products`, 'demo-key', { name: 'Desk', type: 'physical' })
    const snapshot = (await app.sim('GET', '/workspaces/demo/snapshot')).body as { workspace: object }
    const fixture = { ...snapshot, workspace: { ...snapshot.workspace, id: 'copy' } }
    const other = await controlApp({ fixtures: fileWith(JSON.stringify(fixture)) })
    expect((await other.sim('GET', '/workspaces/copy/snapshot')).body).toEqual(snapshot)
  })

  test.each([
    ['', /cannot use the fixture .*mine\.json: the body must be an object$/],
    ['{', /cannot use the fixture .*mine\.json: The body is not valid JSON/],
    ['[]', /cannot use the fixture .*mine\.json: the body must be an object/],
    ['{}', /cannot use the fixture .*mine\.json: format is required/],
    ['{"format":"suite-simulator/2"}', /: format must be suite-simulator\/1/],
    [
      '{"format":"suite-simulator/1","catalog":{"products":[{}]}}',
      /: catalog\.products\.0\.id is required \(and \d+ more\)$/,
    ],
    ['{"format":"suite-simulator/1","workspace":{"id":"a b"}}', /: workspace\.id must match/],
    ['{"format":"suite-simulator/1","key":"no key"}', /: key must match/],
  ])('reports an error in one line for %j', async (text, message) => {
    const problem = await buildApp({ fixtures: fileWith(text) }).catch((error: unknown) => error)
    expect(problem).toBeInstanceOf(FixtureError)
    expect((problem as Error).message).toMatch(message)
    expect((problem as Error).message).not.toContain('\n')
  })

  test('reports an error for records that contradict each other', async () => {
    const entity = { activityId: 'nothing', entityType: 'deal', entityId: 'd', main: true }
    const file = fileWith(
      JSON.stringify({ format: 'suite-simulator/1', catalog: { activityEntities: [entity] } }),
    )
    await expect(buildApp({ fixtures: file })).rejects.toThrow(
      /^cannot use the fixture: The snapshot does not fit: a record refers to one that is not in it\.$/,
    )
  })

  test('reports the available fixtures if it does not exist', async () => {
    await expect(buildApp({ fixtures: 'nowhere.json' })).rejects.toThrow(
      'cannot use the fixture nowhere.json: the file does not exist; use "demo", "small", "none" or a file',
    )
  })
})
