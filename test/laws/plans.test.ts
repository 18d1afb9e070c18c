/**
 * How SQLite runs the statements of calls that write, of triggers and of due jobs: none reads or sorts rows whose number
 * grows with use. A client that only writes has no index of a list before its first write, so each statement needs its own.
 */
import { expect, test } from 'vitest'
import type { FreshApp } from '../support/app.ts'
import { everyOperation } from '../support/examples.ts'
import { withStatements, type Statement } from '../support/statements.ts'
import { demoWorkspace, everyTrigger, timeStep, triggerActions } from './allActions.ts'
import { Prepared } from './prepared.ts'

/** Tables whose rows may be sorted, with the reason why few rows have the same owner. */
const SORTED: Readonly<Record<string, string>> = {
  users: 'kept in memory until they change',
  chat_agents: 'kept in memory until they change',
  emails: 'history, which is trimmed once in 1,000 inserts',
  crm_executions: 'history, which is trimmed once in 1,000 inserts',
  crm_activities: 'those of one contact, when it is deleted',
  crm_deals: 'those of one contact, when it is deleted; those of a pipeline with its totals',
  crm_stages: 'those of a pipeline',
  chat_conversations: 'those of one contact',
  meetings_participants: 'those of one session',
  meetings_sessions: 'those of one meeting',
  recruiting_interviews: 'those within some hours',
  signage_media: 'those of one playlist',
  signage_layouts: 'those that use one medium or playlist',
  signage_layout_zones: 'those of one layout, or that use one medium or playlist',
  signage_playlists: 'those that use one medium',
  signage_playlist_items: 'those of one playlist, or that use one medium',
  signage_schedules: 'those that use one playlist or layout, or apply to one screen',
  signage_schedule_rules: 'those that use one playlist or layout, or apply to one screen',
  signage_schedule_screens: 'those of one schedule or screen',
  signage_schedule_groups: 'those of one schedule or screen',
  signage_screens: 'those of one schedule',
  tax_cancellations: 'those of one invoice',
  tax_receipt_documents: 'those of one receipt',
  tax_certificates: 'one each four years',
}

/** Tables that triggers sort, because they need all of these rows. */
const SORTED_BY_TRIGGERS: Readonly<Record<string, string>> = {
  catalog_products: 'the goods that the shop of pos can sell',
  payment_transactions: 'those that a settlement adds up',
}

function planOf({ source, database }: Statement): string[] {
  if (!/^\s*(?:select|insert|update|delete|with)/i.test(source)) return []
  const values = Array<null>((source.match(/\?/g) ?? []).length).fill(null)
  const explained = database.prepare<null[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${source}`)
  return explained.all(...values).map(({ detail }) => detail)
}

const STEP = /^(SEARCH|SCAN) (\w+)/

/** The tables that some statement sorts. */
const sorted = new Set<string>()

/** Returns what is wrong with a plan. */
function problemsOf(
  tables: ReadonlySet<string>,
  plan: readonly string[],
  sortable: Readonly<Record<string, string>>,
): string[] {
  const steps = plan.flatMap((detail) => {
    const [, kind = '', table = ''] = STEP.exec(detail) ?? []
    return tables.has(table) ? [{ kind, table }] : []
  })
  const isSorted = plan.some((detail) => detail.includes('USE TEMP B-TREE'))
  if (isSorted) for (const { table } of steps) sorted.add(table)
  return steps.flatMap(({ kind, table }) => [
    ...(kind === 'SCAN' ? [`reads all of ${table}`] : []),
    ...(isSorted && !(table in sortable) ? [`sorts ${table}`] : []),
  ])
}

const writing = everyOperation().filter(({ route: { method } }) => method !== 'GET')

/** Operations that return or search many records. */
const SEARCHES = ['filterConversations', 'filterContacts', 'exportContacts']

/** Returns what is wrong with the statements of a call. */
async function problemsIn(
  { workspace }: FreshApp,
  call: () => Promise<unknown>,
  sortable = SORTED,
): Promise<string[]> {
  const { statements } = await withStatements(call)
  const plans = new Map(statements.map((statement) => [statement.source, planOf(statement)]))
  const tables = new Set(
    workspace.database.sqlite
      .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .pluck()
      .all(),
  )
  expect(plans.size).toBeGreaterThan(1)
  return [...plans].flatMap(([source, plan]) =>
    problemsOf(tables, plan, sortable).map((problem) => `${problem}: ${source}`),
  )
}

test.each(writing)('$title reads only rows of what it changes', async (subject) => {
  const { fresh, method, path, query, sent, call } = await new Prepared(subject).fresh()
  await fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/subscriptions`, {
    body: { interface: subject.route.interface, url: 'http://127.0.0.1:9/' },
  })
  const problems = await problemsIn(fresh, () => call(method, path + query, sent))
  expect(SEARCHES.includes(subject.route.operation.id) ? [] : problems).toEqual([])
})

test.each(await everyTrigger())('the trigger $name reads only rows of what it changes', async (trigger) => {
  const fresh = await demoWorkspace()
  const actions = triggerActions(fresh, trigger).slice(0, 5)
  const act = async () => {
    for (const action of actions) await action.do()
  }
  const problems = await problemsIn(fresh, act, { ...SORTED, ...SORTED_BY_TRIGGERS })
  expect(problems).toEqual([])
})

test('due jobs read only rows of what they change', async () => {
  const fresh = await demoWorkspace()
  const problems = await problemsIn(fresh, async () => {
    for (const days of [1, 7, 400]) await timeStep(fresh, days).do()
  })
  expect(problems).toEqual([])
})

test('all tables that may be sorted are', () => {
  expect([...sorted].sort()).toEqual(
    expect.arrayContaining(Object.keys({ ...SORTED, ...SORTED_BY_TRIGGERS }).sort()),
  )
})
