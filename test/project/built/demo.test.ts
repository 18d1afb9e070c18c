/** The demo equals the output of its generator for the current program; `npm run demo` writes it again. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generatedDemo } from '../../../scripts/generated/demo.ts'
import { WEEK, weeksUntil, WRITTEN_FOR } from '../../../src/control/snapshots/builtIn/demoDates.ts'
import { controlApp, makeWorkspace } from '../../control/app.ts'
import { DEMO } from '../../support/company/index.ts'

test('equals the output of the generator', async () => {
  const files = await generatedDemo()
  const hint = 'must be generated: run `npm run demo`'
  expect(readdirSync(DEMO).sort(), `fixtures/demo ${hint}`).toEqual([...files.keys()].sort())
  for (const [name, text] of files) {
    expect(readFileSync(join(DEMO, name), 'utf8') === text, `fixtures/demo/${name} ${hint}`).toBe(true)
  }
})

const SECTIONS = ['crm', 'payments', 'webhooks', 'catalog', 'conversations']

type Lists = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

async function madeOf(fixtures: string) {
  const { call, sim, ...app } = await controlApp()
  const made = await sim('POST', '/workspaces', { body: { fixtures } })
  const { workspace, key } = made.body as { workspace: { id: string }; key: string }
  const at = `/workspaces/${workspace.id}`
  const get = async (path: string) => (await sim('GET', at + path)).body
  return { ...app, call, sim, key, at, get, snapshot: (await get('/snapshot')) as Record<string, Lists> }
}

test('contains the small fixtures unchanged, and a year around them', async () => {
  const [small, demo] = [await madeOf('small'), await madeOf('demo')]
  for (const section of Object.keys(small.snapshot)) {
    if (['format', 'workspace', 'users', 'counters'].includes(section)) {
      expect(demo.snapshot[section]).toEqual(small.snapshot[section])
      continue
    }
    for (const [name, rows] of Object.entries(small.snapshot[section] ?? {})) {
      const all = demo.snapshot[section]?.[name] ?? []
      // Numbers continue after those of the small fixtures.
      if (name === 'counters') continue
      expect(all.slice(0, rows.length), `${section}.${name}`).toEqual(rows)
      if (!SECTIONS.includes(section)) expect(all).toHaveLength(rows.length)
    }
  }
  const count = (section: string, name: string, fields: Readonly<Record<string, unknown>> = {}) =>
    demo.snapshot[section]?.[name]?.filter((row) =>
      Object.entries(fields).every(([field, value]) => row[field] === value),
    ).length ?? 0
  expect(small.snapshot['crm']?.['contacts']).toHaveLength(12)
  expect(count('crm', 'contacts')).toBe(120)
  expect(count('crm', 'deals')).toBe(60)
  expect(count('payments', 'transactions')).toBe(200)
  for (const status of ['open', 'won', 'lost']) expect(count('crm', 'deals', { status })).toBeGreaterThan(9)
  for (const status of ['success', 'failed', 'skipped', 'waiting']) {
    expect(count('crm', 'executions', { status }), status).toBeGreaterThan(2)
  }
  expect(count('crm', 'waitingSteps')).toBeGreaterThan(2)
  for (const status of ['completed', 'failed', 'refunded', 'pending']) {
    expect(count('payments', 'transactions', { status }), status).toBeGreaterThan(0)
  }
  for (const status of ['completed', 'failed', 'processing']) {
    expect(count('payments', 'refunds', { status }), status).toBeGreaterThan(0)
  }
  for (const status of ['deposited', 'processing']) {
    expect(count('payments', 'settlements', { status }), status).toBeGreaterThan(0)
  }
  expect(small.snapshot['conversations']?.['conversations']).toHaveLength(8)
  expect(count('conversations', 'conversations')).toBe(60)
  for (const status of ['open', 'resolved', 'pending', 'snoozed']) {
    expect(count('conversations', 'conversations', { status }), status).toBeGreaterThan(2)
  }
  for (const inboxId of ['1', '2', '3', '4']) {
    expect(count('conversations', 'conversations', { inboxId }), inboxId).toBeGreaterThan(4)
  }
  for (const assigneeId of [
    null,
    'demo-user-00000000001',
    'demo-user-00000000002',
    'demo-user-00000000003',
  ]) {
    expect(count('conversations', 'conversations', { status: 'open', assigneeId })).toBeGreaterThan(2)
  }
  const deals = demo.snapshot['crm']?.['deals'] ?? []
  expect(new Set(deals.map(({ currency }) => currency)).size).toBeGreaterThan(2)
  const late = deals.filter(
    (deal) => deal['status'] === 'open' && String(deal['expectedCloseDate']) < '2026-11-23',
  )
  expect(late.length).toBeGreaterThan(1)
})

test('has two pages of open conversations, and assigns later ids after all of its own', async () => {
  const { fastify, key, sim, at } = await madeOf('demo')
  const { body: result } = await sim('GET', at)
  const path = `/chat/api/v1/accounts/${String((result as { accountId: number }).accountId)}/conversations`
  const pages = await Promise.all(
    [1, 2, 3].map(async (page) => {
      const url = `${path}?page=${String(page)}`
      const answer = await fastify.inject({ url, headers: { api_access_token: key } })
      return answer.json<{ data: { meta: { all_count: number }; payload: { status: string }[] } }>().data
    }),
  )
  const [first, second, third] = pages.map(({ payload }) => payload.length)
  expect(first).toBe(25)
  expect(second).toBeGreaterThan(0)
  expect(second).toBeLessThanOrEqual(25)
  expect(third).toBe(0)
  expect(pages[0]?.meta.all_count).toBe(25 + (second ?? 0))
  expect(new Set(pages.flatMap(({ payload }) => payload.map(({ status }) => status)))).toEqual(
    new Set(['open']),
  )

  const written = await sim('POST', `${at}/triggers/conversations.message.receive`, {
    body: { inbox_id: 1, content: 'Hello!', contact: { name: 'Somebody new' } },
  })
  expect(written.body).toMatchObject({ conversation_id: 61 })
})

test('refers only to records that exist', async () => {
  const { snapshot } = await madeOf('demo')
  const idsOf = (name: string) => new Set(snapshot['crm']?.[name]?.map(({ id }) => id))
  const ids: Readonly<Record<string, ReadonlySet<unknown>>> = {
    contact: idsOf('contacts'),
    deal: idsOf('deals'),
  }
  for (const { contactId, dealId } of snapshot['crm']?.['activities'] ?? []) {
    if (contactId !== null) expect(ids['contact']).toContain(contactId)
    if (dealId !== null) expect(ids['deal']).toContain(dealId)
  }
  const made = (snapshot['catalog']?.['activities'] ?? []).filter(({ id }) => !String(id).startsWith('demo-'))
  expect(made.length).toBeGreaterThan(9)
  for (const { entityType, entityId } of made) expect(ids[String(entityType)]).toContain(entityId)
})

test('contains sent e-mails and webhooks, which a reset restores', async () => {
  const { get, sim, at, call, key } = await madeOf('demo')
  const happened = async () => ({
    emails: (await get('/emails?limit=200')) as { data: object[] },
    deliveries: (await get('/deliveries?limit=200')) as { data: { status: string; payload: object }[] },
  })
  const before = await happened()
  expect(before.emails.data.length).toBeGreaterThan(99)
  const statuses = before.deliveries.data.map(({ status }) => status)
  for (const status of ['delivered', 'dead']) expect(statuses).toContain(status)

  await call('POST', '/crm/v1/contacts', key, { name: 'Somebody new', email: 'somebody.new@example.com' })
  expect(await happened()).not.toEqual(before)
  expect((await sim('POST', `${at}/reset`)).status).toBe(204)
  expect(await happened()).toEqual(before)
})

test('creates no record by itself in the week for which it is written', async () => {
  const { sim, at, get, snapshot } = await madeOf('demo')
  const idsOf = (sections: Record<string, Lists>): string[] =>
    SECTIONS.flatMap((section) =>
      Object.entries(sections[section] ?? {}).flatMap(([name, rows]) =>
        name === 'counters' ? [] : rows.map(({ id }) => `${section}.${name} ${String(id)}`),
      ),
    )
  // A job that has run before now, in the middle of the week, has created its record already.
  const written = SECTIONS.flatMap((section) =>
    [join(DEMO, '../small'), DEMO]
      .map((folder) => join(folder, `${section}.json`))
      .filter((file) => existsSync(file))
      .flatMap((file) => idsOf({ [section]: JSON.parse(readFileSync(file, 'utf8')) as Lists })),
  )
  expect(idsOf(snapshot).toSorted()).toEqual(written.toSorted())
  const endOfWeek = WRITTEN_FOR + (weeksUntil(Date.now()) + 1) * WEEK - 1000
  await sim('PUT', `${at}/clock`, { body: { now: new Date(endOfWeek).toISOString(), frozen: true } })
  expect(idsOf((await get('/snapshot')) as Record<string, Lists>)).toEqual(idsOf(snapshot))
})

test('is the same in a second workspace that is copied from the first', async () => {
  const app = await controlApp({ fixtures: 'demo' })
  const alike = async (id: string) => ({
    snapshot: (await app.sim('GET', `/workspaces/${id}/snapshot`)).body as object,
    emails: (await app.sim('GET', `/workspaces/${id}/emails`)).body as object,
  })
  // The first workspace no longer has its initial records.
  await app.call('POST', '/crm/v1/contacts', 'demo-key', { name: 'Of the first alone' })
  const second = await makeWorkspace(app, { fixtures: 'demo' })
  const made = await alike(second.id)
  expect((await app.sim('POST', '/workspaces/demo/reset')).status).toBe(204)
  expect(made).toEqual(await alike('demo'))
  expect((await app.sim('DELETE', '/workspaces/demo')).status).toBe(204)
  const third = await makeWorkspace(app, { fixtures: 'demo' })
  expect(await alike(third.id)).toEqual(made)
})

test('contains nothing that the interfaces would refuse', async () => {
  const { sim, get, snapshot } = await madeOf('demo')
  const made = await sim('POST', '/workspaces', { body: { fixtures: await get('/snapshot') } })
  expect(made.status).toBe(201)
  const { id } = (made.body as { workspace: { id: string } }).workspace
  const sent = (await sim('GET', `/workspaces/${id}/snapshot`)).body as Record<string, Lists>
  expect(sent['crm']).toEqual(snapshot['crm'])
  expect(sent['payments']).toEqual(snapshot['payments'])
  expect(sent['conversations']).toEqual(snapshot['conversations'])
})
