/** Very large workspaces are read, replaced, reset and removed without blocking other calls. */
import { describe, expect, test } from 'vitest'
import { freshApp, type FreshApp } from '../support/app.ts'
import { multiply } from '../support/filling.ts'
import { withoutBlocking } from '../support/loopDelay.ts'

const MANY = 3000

interface Snapshot {
  readonly format: string
  readonly crm: { readonly contacts: Record<string, unknown>[]; readonly activities: unknown[] }
}

const pathOf = (id: string): string => `/_sim/workspaces/${id}`

/** A workspace with very many contacts, without the events of their creation. */
async function withContacts(many = MANY): Promise<FreshApp> {
  const fresh = await freshApp({ ownApp: true })
  await fresh.at('crm')('POST', '/contacts', { body: { name: 'Ana', email: 'ana@example.com' } })
  multiply(fresh.workspace, 'crm_contacts', many - 1, {
    email: `n || "email"`,
    email_key: `n || "email_key"`,
  })
  return fresh
}

async function snapshotOf({ call, workspace }: FreshApp, id = workspace.id): Promise<Snapshot> {
  const answer = await call('GET', `${pathOf(id)}/snapshot`)
  expect(answer.status).toBe(200)
  return answer.body as Snapshot
}

const contactsOf = async (fresh: FreshApp, key?: string): Promise<number> => {
  const answer = await fresh.at<{ meta: { total_count: number } }>('crm')('GET', '/contacts?limit=1', {
    ...(key !== undefined && { key }),
  })
  return answer.body.meta.total_count
}

/** The number of rows that belong to no workspace. */
function strayRows({ app }: FreshApp): number {
  const { sqlite } = app.workspaces.database
  return sqlite
    .prepare(
      `SELECT count(*) FROM crm_contacts WHERE workspace NOT IN (
         SELECT coalesce(scope, number) FROM workspaces UNION ALL SELECT coalesce(base, -number) FROM workspaces)`,
    )
    .pluck()
    .get() as number
}

test('returns and restores a large snapshot unchanged, from a single point in time', async () => {
  const fresh = await withContacts()
  const { call, workspace } = fresh
  const { taken, there } = await withoutBlocking(async () => {
    const contacts = await contactsOf(fresh)
    // Nothing is read in the meantime, because that would block this process as well.
    const snapshot = fresh.app.fastify.inject(`${pathOf(workspace.id)}/snapshot`)
    while (!workspace.longWork.isRunning) await new Promise(setImmediate)
    // Arrives during the snapshot, so it is not part of it.
    const added = fresh.at('crm')('POST', '/contacts', { body: { name: 'Late' } })
    expect((await added).status).toBe(201)
    return { taken: (await snapshot).payload, there: contacts }
  })
  const before = JSON.parse(taken) as Snapshot
  expect(before.crm.contacts).toHaveLength(there)
  const { sqlite } = fresh.app.workspaces.database
  sqlite.prepare('DELETE FROM crm_contacts WHERE workspace = ?').run(workspace.rowScope)

  await withoutBlocking(async () => {
    const answer = await call('PUT', `${pathOf(workspace.id)}/snapshot`, { raw: taken })
    expect(answer.status).toBe(204)
  })

  expect(await snapshotOf(fresh)).toEqual(before)
  expect(await contactsOf(fresh)).toBe(there)
})

test('resumes callers that wait for work in a workspace gradually', async () => {
  const { app, workspace } = await withContacts(8_000)
  await withoutBlocking(async () => {
    const clones = await Promise.all(
      Array.from({ length: 12 }, () =>
        app.fastify.inject({ method: 'POST', url: `${pathOf(workspace.id)}/clone` }),
      ),
    )
    expect(clones.map(({ statusCode }) => statusCode)).toEqual(clones.map(() => 201))
  })
})

test('refuses a large invalid snapshot with the first errors, and changes nothing', async () => {
  const fresh = await withContacts()
  const { call, workspace } = fresh
  const snapshot = await snapshotOf(fresh)
  const contacts = snapshot.crm.contacts.map((contact, index) =>
    index >= MANY - 30 ? { ...contact, name: 7 } : contact,
  )
  const raw = JSON.stringify({ ...snapshot, crm: { ...snapshot.crm, contacts } })

  const answer = await withoutBlocking(() => call('PUT', `${pathOf(workspace.id)}/snapshot`, { raw }))

  expect(answer.status).toBe(400)
  const { details } = (answer.body as { error: { details: { field: string; message: string }[] } }).error
  expect(details).toHaveLength(20)
  const field = `crm.contacts.${String(MANY - 30)}.name`
  expect(details[0]).toMatchObject({ field, message: `${field} must be a string` })
  expect(await contactsOf(fresh)).toBe(MANY)
})

test.each([
  ['no comma between two records', (text: string) => text.replace('},{"id":"con_', '} {"id":"con_')],
  ['two commas between two records', (text: string) => text.replace('},{"id":"con_', '},,{"id":"con_')],
  ['a number among its records', (text: string) => text.replace('},{"id":"con_', '},7,{"id":"con_')],
  ['a comma after the last record', (text: string) => text.replace('}],"', '},],"')],
  ['a record that is not closed', (text: string) => text.slice(0, text.length / 2)],
  ['a line feed within a text', (text: string) => text.replace('Ana', 'A\nna')],
  ['a field named __proto__', (text: string) => text.replace('"name":"Ana"', '"__proto__":"Ana"')],
  ['broken UTF-8', (text: string) => Buffer.from(text.replace('Ana', 'A\xffa'), 'latin1')],
])('refuses a large snapshot because of %s', async (_what, broken) => {
  const fresh = await withContacts()
  const { text } = await fresh.call('GET', `${pathOf(fresh.workspace.id)}/snapshot`)
  const raw = broken(text)
  expect(raw).not.toBe(text)

  const answer = await fresh.call('PUT', `${pathOf(fresh.workspace.id)}/snapshot`, { raw })

  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({ error: { code: 'malformed_request' } })
  expect(await contactsOf(fresh)).toBe(MANY)
})

test('creates a workspace with a large snapshot, resets and removes it; no rows remain', async () => {
  const fresh = await withContacts()
  const { call } = fresh
  const snapshot = await snapshotOf(fresh)
  const raw = JSON.stringify({ fixtures: snapshot }, null, 2)
  const made = await withoutBlocking(async () => {
    const answer = await call('POST', '/_sim/workspaces', { raw })
    expect(answer.status).toBe(201)
    return answer.body as { workspace: { id: string }; key: string }
  })
  const { id } = made.workspace
  expect(await contactsOf(fresh, made.key)).toBe(MANY)
  const first = await snapshotOf(fresh, id)
  expect(first.crm).toEqual(snapshot.crm)
  await fresh.at('crm')('POST', '/contacts', { key: made.key, body: { name: 'Another' } })
  expect(await contactsOf(fresh, made.key)).toBe(MANY + 1)

  await withoutBlocking(async () => {
    expect((await call('POST', `${pathOf(id)}/reset`)).status).toBe(204)
  })
  expect(await contactsOf(fresh, made.key)).toBe(MANY)
  expect((await snapshotOf(fresh, id)).crm).toEqual(first.crm)

  expect((await call('DELETE', pathOf(id))).status).toBe(204)
  expect((await call('POST', '/_sim/reset')).status).toBe(204)
  await withoutBlocking(async () => {
    while (strayRows(fresh) > 0) await new Promise(setImmediate)
  })
  const discarded = fresh.app.workspaces.database.sqlite.prepare('SELECT count(*) FROM crm_contacts')
  expect(discarded.pluck().get()).toBe(0)
})

describe('a deletion during a long copy', () => {
  /** A workspace with very many contacts and, in a table that is copied after them, one meeting. */
  async function withMeeting() {
    const fresh = await withContacts(40_000)
    const { status } = await fresh.at('meetings')('POST', '/public/meetings', { body: { title: 'Planning' } })
    expect(status).toBe(201)
    const path = pathOf(fresh.workspace.id)
    const meetings = async (id: string) => {
      const { body } = await fresh.call('GET', `${pathOf(id)}/snapshot`)
      return (body as { meetings: { meetings: unknown[] } }).meetings.meetings.length
    }
    return { ...fresh, path, meetings }
  }

  test('of a named snapshot loses nothing of what is restored', async () => {
    const { call, path, workspace, meetings } = await withMeeting()
    expect((await call('POST', `${path}/snapshots`, { body: { name: 'one' } })).status).toBe(201)
    const restored = call('POST', `${path}/snapshots/one/restore`)
    const removed = call('DELETE', `${path}/snapshots/one`)
    expect([(await restored).status, (await removed).status]).toEqual([204, 204])
    expect(await meetings(workspace.id)).toBe(1)
  })

  test('of a workspace loses nothing of its clone', async () => {
    const { call, path, meetings } = await withMeeting()
    const cloned = call('POST', `${path}/clone`)
    const removed = call('DELETE', path)
    expect([(await cloned).status, (await removed).status]).toEqual([201, 204])
    expect(await meetings(((await cloned).body as { workspace: { id: string } }).workspace.id)).toBe(1)
  })

  test('of a workspace loses nothing of the snapshot that is returned', async () => {
    const { app, call, path, workspace } = await withMeeting()
    const read = app.fastify.inject(`${path}/snapshot`)
    while (!workspace.longWork.isRunning) await new Promise(setImmediate)
    const removed = call('DELETE', path)
    const { statusCode, payload } = await read
    expect([statusCode, (await removed).status]).toEqual([200, 204])
    expect(JSON.parse(payload)).toMatchObject({ meetings: { meetings: [{ title: 'Planning' }] } })
  })

  test('of a workspace is the reason why its snapshot is refused', async () => {
    const { call, path, workspace } = await withMeeting()
    const saved = call('POST', `${path}/snapshots`, { body: { name: 'one' } })
    while (!workspace.longWork.isRunning) await new Promise(setImmediate)
    const removed = call('DELETE', path)
    expect(await saved).toMatchObject({
      status: 409,
      body: { error: { message: 'The workspace was removed while it was being saved.' } },
    })
    expect((await removed).status).toBe(204)
  })
})
