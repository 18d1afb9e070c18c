/**
 * Faults of all operations: one after the work leaves the state of an undisturbed call, and one with `lag` hides each
 * new record from the list to which it was added.
 */
import { expect, test } from 'vitest'
import { freshApp, type FreshApp } from '../support/app.ts'
import { everyOperation, preparedCall, type Subject } from '../support/examples.ts'
import { READ_AT } from './filled.ts'

const operations = everyOperation()
const WRITES = operations.filter(({ route: { method } }) => method !== 'GET')

/** A workspace with the same ids as any other that this returns. */
async function equalWorkspace(): Promise<FreshApp> {
  const fresh = await freshApp()
  fresh.workspace.useIds({ seed: 'equal', fixed: 'equal' })
  fresh.setClock(READ_AT)
  return fresh
}

interface Entry {
  readonly status: number
  readonly fault?: string
}

/** What a call of the operation leaves in a workspace with a fault, and the statuses of its answer and in the journal. */
async function stateAfter(subject: Subject, fault: object | null) {
  const fresh = await equalWorkspace()
  const { call, method, path, query, sent } = await preparedCall(fresh, subject)
  const of = `/_sim/workspaces/${fresh.workspace.id}`
  if (fault) expect((await fresh.call('POST', `${of}/faults`, { body: fault })).status).toBe(201)
  const answer = call(method, path + query, { ...sent, isFaulty: fault !== null })
  answer.catch(() => undefined)
  const newest = async () =>
    ((await fresh.call('GET', `${of}/requests?limit=1`)).body as { data: Entry[] }).data[0]
  // A call without an answer never ends here, because there is no connection that it could close.
  if (fault && 'reset' in fault) await expect.poll(newest).toHaveProperty('fault')
  else await answer
  const timeline = (await fresh.call('GET', `${of}/timeline?limit=100`)).body as { data: object[] }
  // Says that there was a fault.
  const steps = timeline.data.map((step) => ({ ...step, reason: undefined }))
  const texts = JSON.stringify([steps, fresh.dump()])
  return {
    status: fault && 'reset' in fault ? 0 : (await answer).status,
    noted: (await newest())?.status,
    state: texts
      .replaceAll(`/accounts/${String(fresh.workspace.tenantId)}/`, '/accounts/1/')
      .replaceAll(fresh.workspace.id, 'WORKSPACE')
      .replaceAll(fresh.key, 'KEY')
      .replaceAll(fresh.user.id, 'USER'),
  }
}

/** The first place where two states differ; null if they are equal. */
function difference(one: string, other: string): object | null {
  if (one === other) return null
  const at = Array.from(one).findIndex((letter, index) => letter !== other[index])
  return [one, other].map((text) => text.slice(Math.max(0, at - 100), at + 100))
}

test.each(WRITES.map((subject) => [subject.title, subject] as const))(
  'after its work, %s leaves what an undisturbed call leaves',
  async (_title, subject) => {
    const usual = await stateAfter(subject, null)
    expect(usual.status).toBeLessThan(400)
    const replaced = await stateAfter(subject, { after: true, status: 504 })
    expect([replaced.status, replaced.noted]).toEqual([504, usual.status])
    expect(difference(replaced.state, usual.state)).toBeNull()
    const lost = await stateAfter(subject, { after: true, reset: true })
    expect([lost.status, lost.noted]).toEqual([0, usual.status])
    expect(difference(lost.state, usual.state)).toBeNull()
  },
)

/** The ids of all records in a response. */
const idsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? [...('id' in value ? [String(value.id)] : []), ...Object.values(value).flatMap(idsIn)]
    : []

const ADDITIONS = operations.filter(
  ({ route: { method, path, interface: of } }) =>
    method === 'POST' &&
    !path.endsWith('}') &&
    operations.some(({ route }) => route.method === 'GET' && route.path === path && route.interface === of),
)

/** Their lists are no pages: a response has all of them, or those of one conversation. */
const WHOLE = [
  'pos POST /webhooks',
  'conversations POST /accounts/{account_id}/conversations/{conversation_id}/messages',
  'conversations POST /accounts/{account_id}/inboxes',
  'conversations POST /accounts/{account_id}/agents',
  'conversations POST /accounts/{account_id}/teams',
]

test.each(ADDITIONS.map((subject) => [subject.title, subject] as const))(
  'with a lag, the list misses the record of %s until it is over, or the fault is refused',
  async (title, subject) => {
    const fresh = await equalWorkspace()
    const { interface: of } = subject.route
    const { call, path, query, sent } = await preparedCall(fresh, subject)
    const body = { interface: of, path: subject.route.path, lag: 'PT1H' }
    const fault = await fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/faults`, { body })
    expect(fault.status).toBe(WHOLE.includes(title) ? 400 : 201)
    if (fault.status === 400) return
    const made = await call('POST', path + query, sent)
    expect(made.status).toBeLessThan(300)
    const [id = ''] = idsIn(made.body)
    // Lists by name can show it on a later page.
    const list = async () => {
      const ids: string[] = []
      for (let page = 1; page < 6; page++)
        ids.push(...idsIn((await call('GET', `${path}?page=${String(page)}`)).body))
      return ids
    }
    expect(await list()).not.toContain(id)
    fresh.setClock('2026-11-21T13:00:00.000Z')
    expect(await list()).toContain(id)
  },
)
