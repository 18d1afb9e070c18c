/** Very many deals: reports and removals in slices return the same results, and other calls continue. */
import { beforeAll, expect, test } from 'vitest'
import { freshSales, type Sales } from '../../support/deals.ts'
import { multiply } from '../../support/filling.ts'
import { withoutBlocking } from '../../support/loopDelay.ts'
import { eventsOf } from '../../support/events.ts'

/** Several slices, and more than one slice at the same instant. */
const DEALS = 20_001
const AT_ONCE = 9001

let sales: Sales
let users: readonly string[]
let contactId: string

beforeAll(async () => {
  sales = await freshSales()
  const { addContact, addDeal, fresh, setClock } = sales
  setClock('2026-11-21T12:00:00Z')
  const { id } = fresh.workspace.addUser({ name: 'Marco Vega', email: 'marco@example.com' })
  users = [fresh.user.id, id]
  contactId = (await addContact()).id
  await addDeal({ value: 0, contact_id: contactId })
  // Each is one minute older than the previous one, except those of the first instant; their values are 0, 1, 2 ...
  // cents.
  multiply(fresh.workspace, 'crm_deals', DEALS - 1, {
    created_at: `"created_at" - max(0, n + 1 - ${String(AT_ONCE)}) * 60000`,
    value: 'n',
    owner_id: `CASE n % 2 WHEN 0 THEN '${users[0] ?? ''}' ELSE '${id}' END`,
  })
})

/** The sum of 0 to `last` in steps of `step`, in the currency. */
const worth = (first: number, last: number, step = 1): number => {
  const count = Math.floor((last - first) / step) + 1
  return Math.round((count * (first + (first + (count - 1) * step))) / 2) / 100
}

interface Measures {
  readonly deals_count: number
  readonly total_value: number
}

const ask = <Body>(path: string): Promise<Body> => withoutBlocking(() => sales.ask<Body>('GET', path))

const reported = <Body>(query = ''): Promise<Body> =>
  ask(`/reports/pipeline?pipeline_id=${sales.pipeline.id}${query}`)

const measured = ({ deals_count: count, total_value: value }: Measures) => [count, value]

test('returns the pipeline report', async () => {
  const { summary, by_stage: stages } = await reported<{
    summary: { total_deals: number; total_value: number }
    by_stage: Measures[]
  }>()
  expect([summary.total_deals, summary.total_value]).toEqual([DEALS, worth(0, DEALS - 1)])
  expect(stages.map(measured)).toContainEqual([DEALS, worth(0, DEALS - 1)])
})

test('returns the pipeline report of a period within', async () => {
  const { summary } = await reported<{ summary: { total_deals: number; total_value: number } }>(
    '&from=2026-11-20T00:00:00Z&to=2026-11-21T11:59:00Z',
  )
  const minutes = 36 * 60
  expect([summary.total_deals, summary.total_value]).toEqual([minutes, worth(AT_ONCE, AT_ONCE + minutes - 1)])
})

test('returns the pipeline report by owner', async () => {
  const { by_owner: owners } = await reported<{ by_owner: Measures[] }>('&group_by=owner')
  expect(owners.map(measured).sort()).toEqual(
    [
      [10_000, worth(1, DEALS - 1, 2)],
      [10_001, worth(0, DEALS - 1, 2)],
    ].sort(),
  )
})

test('returns the pipeline report by month', async () => {
  const { by_month: months } = await reported<{ by_month: Measures[] }>('&group_by=month')
  expect(months.map(measured)).toEqual([[DEALS, worth(0, DEALS - 1)]])
})

test('returns the forecast', async () => {
  const forecast = await ask<{ unscheduled: Measures }>('/reports/forecast')
  expect(measured(forecast.unscheduled)).toEqual([DEALS, worth(0, DEALS - 1)])
})

test('returns the team report', async () => {
  const { team, totals } = await ask<{ team: (Measures & { owner: { id: string } })[]; totals: Measures }>(
    '/reports/team',
  )
  const byOwner = new Map(team.map((member) => [member.owner.id, member.deals_count]))
  expect(users.map((id) => byOwner.get(id))).toEqual([10_001, 10_000])
  expect(totals.deals_count).toBe(DEALS)
})

test('removes a contact with all of its deals without blocking other calls', async () => {
  const { fresh } = sales
  // Loads lazy parts before the measurement.
  await fresh.call('GET', '/_sim/health')
  const order: string[] = []
  const done = (what: string) => () => order.push(what)
  await Promise.all([
    sales.ask('DELETE', `/contacts/${contactId}`).then(done('gone')),
    fresh.call('GET', '/_sim/health').then(done('somebody else')),
  ])
  expect(order).toEqual(['somebody else', 'gone'])
  expect((await sales.ask<{ meta: { total_count: number } }>('GET', '/deals')).meta.total_count).toBe(0)
})

test.each([
  ['contact_id', 100],
  ['contact_id', 250],
  ['deal_id', 250],
])('emits one event per activity of a removed contact, by their %s (%d)', async (by, count) => {
  const { addContact, addDeal, ask: call, fresh } = await freshSales()
  const contact = await addContact()
  const deal = await addDeal({ contact_id: contact.id })
  const about = by === 'contact_id' ? contact.id : deal.id
  await call('POST', '/activities', { type: 'note', subject: 'Note', [by]: about })
  multiply(fresh.workspace, 'crm_activities', count - 1)

  await call('DELETE', `/contacts/${contact.id}`)

  const emitted = eventsOf(fresh.workspace, 'crm').filter(({ name }) => name === 'activity.deleted')
  expect(new Set(emitted.map(({ data }) => JSON.stringify(data))).size).toBe(count)
})

test.each([99, 100, 101, 250])('emits one event per deal of a removed contact (%d)', async (count) => {
  const { addContact, addDeal, ask: call, fresh } = await freshSales()
  const { id } = await addContact()
  await addDeal({ contact_id: id })
  multiply(fresh.workspace, 'crm_deals', count - 1)
  const answered = await fresh.at('crm')('GET', '/deals?per_page=1')
  expect(answered.body).toMatchObject({ meta: { total_count: count } })

  await call('DELETE', `/contacts/${id}`)

  const deleted = eventsOf(fresh.workspace, 'crm').filter(({ name }) => name.endsWith('.deleted'))
  expect(new Set(deleted.map((event) => JSON.stringify(event))).size).toBe(count + 1)
  expect(deleted.filter(({ name }) => name !== 'deal.deleted').map(({ name }) => name)).toEqual([
    'contact.deleted',
  ])
})
