/** Workspaces of a built-in fixture share a baseline, which none of them shows. */
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildApp, type App } from '../../../src/app.ts'
import { WEEK, WRITTEN_FOR } from '../../../src/control/snapshots/builtIn/demoDates.ts'
import { scratchFolder } from '../../support/process.ts'
import { sweepAll } from '../../support/records.ts'
import { controlApp, makeWorkspace, type ControlApp } from '../app.ts'

const contactsOf = async (app: ControlApp, key: string): Promise<string> =>
  (await app.call('GET', '/crm/v1/contacts?limit=100', key)).text

const snapshotOf = async (app: ControlApp, id: string): Promise<string> =>
  JSON.stringify({ ...(await app.sim('GET', `/workspaces/${id}/snapshot`)).body, workspace: null })

/** The rows of all contacts, of all workspaces and baselines. */
function contactRows({ workspaces }: App): unknown {
  return workspaces.database.sqlite.prepare('SELECT count(*) FROM crm_contacts').pluck().get()
}

describe.each(['small', 'demo'])('workspaces of %s', (fixtures) => {
  test('have records of their own', async () => {
    const app = await controlApp({ fixtures: 'none' })
    const [first, second] = [await makeWorkspace(app, { fixtures }), await makeWorkspace(app, { fixtures })]
    const [before, snapshot] = [await contactsOf(app, first.key), await snapshotOf(app, first.id)]
    expect(await snapshotOf(app, second.id)).toBe(snapshot)
    await app.call('POST', '/crm/v1/contacts', first.key, { name: 'Of the first alone' })
    expect(await contactsOf(app, second.key)).toBe(before)
    expect((await app.sim('POST', `/workspaces/${first.id}/reset`)).status).toBe(204)
    expect(await snapshotOf(app, first.id)).toBe(snapshot)
  })

  test('are loaded once by simultaneous requests', async () => {
    const app = await controlApp({ fixtures: 'none' })
    const made = await Promise.all([0, 1, 2].map(() => makeWorkspace(app, { fixtures })))
    const bases = made.map(({ id }) => app.workspaces.get(id).baselineScope)
    expect(new Set(bases).size).toBe(1)
  })

  test('can be reset after all others were deleted, in any order', async () => {
    // The larger fixture takes the same way.
    for (const kept of fixtures === 'demo' ? [0] : [0, 1, 2]) {
      const app = await controlApp({ fixtures: 'none' })
      const made = [0, 1, 2].map(() => makeWorkspace(app, { fixtures }))
      const all = [await made[0], await made[1], await made[2]]
      const survivor = all[kept]
      if (!survivor) throw new Error('no workspace')
      const snapshot = await snapshotOf(app, survivor.id)
      for (const each of all) {
        if (each !== survivor) await app.sim('DELETE', `/workspaces/${String(each?.id)}`)
      }
      await sweepAll(app)
      await app.call('POST', '/crm/v1/contacts', survivor.key, { name: 'Added' })
      expect((await app.sim('POST', `/workspaces/${survivor.id}/reset`)).status).toBe(204)
      expect(await snapshotOf(app, survivor.id)).toBe(snapshot)
    }
  })

  test('leave only the shared rows when they are deleted, and the next one is equal', async () => {
    const app = await controlApp({ fixtures: 'none' })
    const first = await makeWorkspace(app, { fixtures })
    const snapshot = await snapshotOf(app, first.id)
    const alone = contactRows(app)
    const more = [await makeWorkspace(app, { fixtures }), await makeWorkspace(app, { fixtures })]
    // Two sets of rows for the first one, and one for each further one.
    expect(contactRows(app)).toBe(Number(alone) * 2)
    for (const { id } of [first, ...more]) await app.sim('DELETE', `/workspaces/${id}`)
    await sweepAll(app)
    expect(contactRows(app)).toBe(Number(alone) / 2)
    const next = await makeWorkspace(app, { fixtures })
    expect(await snapshotOf(app, next.id)).toBe(snapshot)
    expect(contactRows(app)).toBe(alone)
  })

  test('survive a reset of the server and a restart', async () => {
    const db = join(scratchFolder(), 'shared.sqlite')
    const app = await controlApp({ fixtures, db, allowReset: true, ownApp: true })
    const snapshot = await snapshotOf(app, 'demo')
    await makeWorkspace(app, { fixtures })
    await app.call('POST', '/crm/v1/contacts', 'demo-key', { name: 'Added' })
    expect((await app.sim('POST', '/reset')).status).toBe(204)
    expect(await snapshotOf(app, 'demo')).toBe(snapshot)
    const other = await makeWorkspace(app, { fixtures })
    await app.sim('DELETE', '/workspaces/demo')
    await app.close()

    const later = await controlApp({ fixtures, db, ownApp: true })
    await sweepAll(later)
    await later.call('POST', '/crm/v1/contacts', other.key, { name: 'Added' })
    expect((await later.sim('POST', `/workspaces/${other.id}/reset`)).status).toBe(204)
    expect(await snapshotOf(later, other.id)).toBe(snapshot)
    await later.sim('DELETE', `/workspaces/${other.id}`)
    await sweepAll(later)
    expect(contactRows(later)).toBe(0)
    await later.close()
  })
})

test('a workspace with another time zone loads the fixture itself', async () => {
  const app = await controlApp({ fixtures: 'none' })
  const shared = await makeWorkspace(app, { fixtures: 'demo' })
  const own = await makeWorkspace(app, { fixtures: 'demo', timezone: 'Asia/Tokyo' })
  const bases = [shared, own].map(({ id }) => app.workspaces.get(id).baselineScope)
  expect(new Set(bases).size).toBe(2)
  await app.sim('DELETE', `/workspaces/${own.id}`)
  await sweepAll(app)
  expect(await contactsOf(app, shared.key)).toContain('"total_count":120')
})

test('the baseline of an earlier week belongs only to its workspaces', async () => {
  let demoDate = WRITTEN_FOR
  const app = await buildApp({
    get demoDate() {
      return demoDate
    },
  })
  onTestFinished(() => app.close())
  const call = async (method: 'POST' | 'DELETE', path: string): Promise<string> => {
    const payload = method === 'POST' ? { payload: { fixtures: 'demo' } } : {}
    const response = await app.fastify.inject({ method, url: `/_sim/workspaces${path}`, ...payload })
    return method === 'POST' ? response.json<{ workspace: { id: string } }>().workspace.id : ''
  }
  const early = await call('POST', '')
  demoDate += 3 * WEEK
  const late = await call('POST', '')
  const before = contactRows(app)
  expect(app.workspaces.get(early).baselineScope).not.toBe(app.workspaces.get(late).baselineScope)
  for (const id of [early, late]) await call('DELETE', `/${id}`)
  await sweepAll(app)
  // Only that of the current week is left: one of four.
  expect(contactRows(app)).toBe(Number(before) / 4)
})
