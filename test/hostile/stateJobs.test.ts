/** Very many simultaneous due jobs run in slices, and no reader sees a partial state. */
import { expect, test } from 'vitest'
import { freshCatalog, NOON } from '../support/catalog.ts'
import { multiply } from '../support/filling.ts'
import { withoutBlocking } from '../support/loopDelay.ts'
import { eventNamesOf } from '../support/events.ts'

const DUE = 1500

/** A catalog with very many activities that become due: half of them one millisecond apart, half at once. */
async function catalogWithMuchDue() {
  const catalog = await freshCatalog({ fixtures: 'none' })
  const { fresh } = catalog
  await catalog.addActivity({ dueDate: '2026-11-22T12:00:00.000Z' })
  multiply(fresh.workspace, 'catalog_activities', DUE - 1, {
    due_date: `"due_date" + max(0, n - ${String(DUE / 2)})`,
    due_key: `"due_key" + max(0, n - ${String(DUE / 2)})`,
  })
  fresh.workspace.forget()
  const overdue = async () => (await catalog.listActivities('?status=overdue&limit=1')).data.length
  const pending = async () => (await catalog.listActivities('?status=pending&limit=1')).data.length
  return { ...catalog, overdue, pending }
}

test('passes very many due dates without blocking other calls when the clock is set', async () => {
  const { fresh, overdue, pending } = await catalogWithMuchDue()
  const clock = `/_sim/workspaces/${fresh.workspace.id}/clock`
  expect([await overdue(), await pending()]).toEqual([0, 1])

  await withoutBlocking(async () => {
    const answer = await fresh.call('PUT', clock, { body: { now: '2026-11-23T12:00:00Z', frozen: true } })
    expect(answer.status).toBe(200)
  })

  expect([await overdue(), await pending()]).toEqual([1, 0])
  const overdueEvents = eventNamesOf(fresh.workspace, 'catalog').filter((name) => name === 'activity.overdue')
  expect(overdueEvents).toHaveLength(DUE)
})

test('passes them without blocking when the clock is advanced', async () => {
  const { fresh, overdue, pending } = await catalogWithMuchDue()
  const advance = `/_sim/workspaces/${fresh.workspace.id}/clock/advance`

  await withoutBlocking(() => fresh.call('POST', advance, { body: { duration: 'P1D' } }))
  await withoutBlocking(() => fresh.call('POST', advance, { body: { duration: 'PT1H' } }))

  expect(fresh.now()).not.toBe(NOON)
  expect([await overdue(), await pending()]).toEqual([1, 0])
})

test('responds after all due jobs have run', async () => {
  const { fresh, call } = await catalogWithMuchDue()
  const other = fresh.tenant()

  fresh.workspace.clock.set(Date.parse('2026-11-23T12:00:00Z'), true)
  const order: string[] = []
  await withoutBlocking(async () => {
    const first = call('GET', '/activities?status=pending&limit=1').then(({ body }) => {
      order.push('this workspace')
      return body
    })
    const control = fresh.call('GET', `/_sim/workspaces/${fresh.workspace.id}/clock`)
    const beside = call('GET', '/activities', { key: other.key }).then(() => order.push('another workspace'))
    expect(await first).toMatchObject({ data: [] })
    await Promise.all([beside, control])
  })

  expect(order.slice(0, 2)).toEqual(['another workspace', 'this workspace'])
})
