/** The catalog in snapshots: values that responses could not show are refused. */
import { expect, test } from 'vitest'
import { freshCatalog, NOON } from '../../support/catalog.ts'

const product = { id: 'p', name: 'Desk', type: 'physical', metadata: {}, createdAt: NOON, updatedAt: NOON }
const activity = { id: 'a', title: 'Call', type: 'call', customData: {}, createdAt: NOON, updatedAt: NOON }

test.each([
  ['a completed activity without a time', { activities: [{ ...activity, status: 'completed' }] }],
  ['a pending activity with a completion time', { activities: [{ ...activity, completedAt: NOON }] }],
  ['an overdue activity without a due date', { activities: [{ ...activity, status: 'overdue' }] }],
  ['an entity without an id', { activities: [{ ...activity, entityType: 'deal' }] }],
  ['an entity without a type', { activities: [{ ...activity, entityId: '1' }] }],
])('refuses a snapshot with %s and changes nothing', async (_what, catalog) => {
  const { addActivity, fresh } = await freshCatalog()
  await addActivity()
  const before = fresh.dump()

  const path = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
  const answer = await fresh.call('PUT', path, { body: { format: 'suite-simulator/1', catalog } })

  expect(answer.status, answer.text).toBe(400)
  expect(answer.text).toContain('The snapshot does not fit: ')
  expect(fresh.dump()).toEqual(before)
})

test('accepts a snapshot with all values at their limits', async () => {
  const { fresh, getActivity, getProduct } = await freshCatalog()
  const long = { category: 'x'.repeat(100), sku: 'x'.repeat(50), unit: 'x'.repeat(20) }
  const catalog = {
    products: [{ ...product, ...long }],
    activities: [
      { ...activity, id: 'done', status: 'completed', completedAt: NOON, entityType: 'deal', entityId: '1' },
      { ...activity, id: 'late', status: 'overdue', dueDate: NOON },
    ],
  }

  const path = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
  const answer = await fresh.call('PUT', path, { body: { format: 'suite-simulator/1', catalog } })

  expect(answer.status, answer.text).toBe(204)
  expect(await getProduct('p')).toMatchObject(long)
  expect(await getActivity('done')).toMatchObject({ status: 'completed', completedAt: NOON })
  expect(await getActivity('late')).toMatchObject({ status: 'overdue', dueDate: NOON })
})
