/**
 * Specification part 1, "Product status" and "Activity status": every state and every move, over HTTP and by the
 * clock.
 */
import { describe, expect, test } from 'vitest'
import { activityMachine, productMachine } from '../../../src/state/catalog/machines.ts'
import type { AppendedEvent } from '../../../src/state/workspace/workspace.ts'
import { freshCatalog, type ActivityBody, type Catalog } from '../../support/catalog.ts'

const BEFORE_DUE = '2026-11-21T12:59:59.999Z'
const DUE = '2026-11-21T13:00:00.000Z'
const AFTER_DUE = '2026-11-21T13:00:00.001Z'
const FAR = '2026-12-24T00:00:00.000Z'

/** The names of the events appended from now on. */
function eventsOf(catalog: Catalog): string[] {
  return watch(catalog, ({ name }) => name)
}

/** Maps each later event of the catalog's workspace; the app of the file has workspaces of other tests. */
function watch({ fresh }: Catalog, write: (event: AppendedEvent) => string): string[] {
  const seen: string[] = []
  fresh.app.workspaces.events.follow((workspace, event) => {
    if (workspace === fresh.workspace) seen.push(write(event))
  })
  return seen
}

describe('product', () => {
  const states = productMachine.states

  test.each(states)('can be created %s', async (status) => {
    const { addProduct } = await freshCatalog()

    expect((await addProduct({ status })).status).toBe(status)
  })

  test.each(states.flatMap((from) => states.map((to) => [from, to] as const)))(
    'changes from %s to %s by an update',
    async (from, to) => {
      const { addProduct, putProduct, getProduct, listProducts } = await freshCatalog()
      const product = await addProduct({ status: from })

      expect(await putProduct(product.id, { status: to })).toEqual({ ...product, status: to })
      expect((await getProduct(product.id)).status).toBe(to)
      for (const status of states) {
        expect((await listProducts(`?status=${status}`)).data).toHaveLength(status === to ? 1 : 0)
      }
    },
  )

  test('keeps its status if an update does not contain one', async () => {
    const { addProduct, putProduct } = await freshCatalog()
    const { id } = await addProduct({ status: 'draft' })

    expect((await putProduct(id, { name: 'Desk' })).status).toBe('draft')
  })
})

/** Creates an activity due at DUE in this state. The clock is before DUE, or after it for overdue. */
async function activityThatIs(state: (typeof activityMachine.states)[number]) {
  const catalog = await freshCatalog()
  const { id } = await catalog.addActivity({ dueDate: DUE })
  if (state === 'completed') await catalog.completeActivity(id)
  if (state === 'overdue') catalog.setClock(AFTER_DUE)
  const activity = await catalog.getActivity(id)
  expect(activity.status).toBe(state)
  return { ...catalog, activity }
}

describe('activity', () => {
  test.each([
    ['pending', 'completed', ['activity.completed']],
    ['overdue', 'completed', ['activity.completed']],
    ['completed', 'completed', []],
  ] as const)('in %s becomes %s by PATCH complete', async (state, expected, events) => {
    const catalog = await activityThatIs(state)
    const seen = eventsOf(catalog)
    const now = catalog.fresh.now()

    const completed = await catalog.completeActivity(catalog.activity.id)

    expect(completed).toEqual(
      state === 'completed'
        ? catalog.activity
        : { ...catalog.activity, status: expected, completedAt: now, updatedAt: now },
    )
    expect(await catalog.getActivity(catalog.activity.id)).toEqual(completed)
    expect(seen).toEqual(events)
  })

  test.each([
    ['pending', 'overdue', ['activity.overdue']],
    ['overdue', 'overdue', []],
    ['completed', 'completed', []],
  ] as const)('in %s becomes %s when its due date has come', async (state, expected, events) => {
    const catalog = await activityThatIs(state)
    const seen = eventsOf(catalog)

    catalog.setClock(FAR)

    expect(await catalog.getActivity(catalog.activity.id)).toEqual({
      ...catalog.activity,
      status: expected,
      ...(state === 'pending' && { updatedAt: DUE }),
    })
    expect(seen).toEqual(events)
  })

  test.each([
    ['pending', { dueDate: FAR }, 'pending'],
    ['pending', { dueDate: null }, 'pending'],
    ['pending', { dueDate: '2020-01-01' }, 'overdue'],
    ['overdue', { dueDate: FAR }, 'pending'],
    ['overdue', { dueDate: null }, 'pending'],
    ['overdue', { dueDate: AFTER_DUE }, 'overdue'],
    ['overdue', { dueDate: '2020-01-01' }, 'overdue'],
    ['overdue', { title: 'Another' }, 'overdue'],
    ['completed', { dueDate: FAR }, 'completed'],
    ['completed', { dueDate: null }, 'completed'],
    ['completed', { dueDate: '2020-01-01' }, 'completed'],
  ] as const)('in %s and updated with %j becomes %s', async (state, fields, expected) => {
    const { activity, putActivity, getActivity } = await activityThatIs(state)

    const updated = await putActivity(activity.id, fields)

    expect(updated.status).toBe(expected)
    expect(updated.completedAt).toBe(activity.completedAt)
    expect((await getActivity(activity.id)).status).toBe(expected)
  })

  test.each(activityMachine.states)('in %s can be deleted', async (state) => {
    const { activity, call } = await activityThatIs(state)

    expect((await call('DELETE', `/activities/${activity.id}`)).status).toBe(200)
    expect((await call('GET', `/activities/${activity.id}`)).status).toBe(404)
  })

  test.each(activityMachine.states)('in %s is found only by that status', async (state) => {
    const { activity, listActivities } = await activityThatIs(state)

    for (const status of activityMachine.states) {
      expect((await listActivities(`?status=${status}`)).data).toEqual(status === state ? [activity] : [])
    }
  })
})

describe('overdue', () => {
  test('is an activity that is created at its due date', async () => {
    const catalog = await freshCatalog()
    catalog.setClock(DUE)
    expect((await catalog.addActivity({ dueDate: DUE })).status).toBe('overdue')
  })

  test('begins exactly at the due date', async () => {
    const { addActivity, getActivity, setClock } = await freshCatalog()
    const { id } = await addActivity({ dueDate: DUE })

    setClock(BEFORE_DUE)
    expect((await getActivity(id)).status).toBe('pending')
    setClock(DUE)
    expect((await getActivity(id)).status).toBe('overdue')
  })

  test('changes nothing else but updatedAt, which is the due date', async () => {
    const { addActivity, getActivity, setClock } = await freshCatalog()
    const activity = await addActivity({ dueDate: DUE })
    setClock(FAR)

    expect(await getActivity(activity.id)).toEqual({ ...activity, status: 'overdue', updatedAt: DUE })
  })

  test('begins immediately for a past due date, as the response to the creation says', async () => {
    const catalog = await freshCatalog()
    const seen = eventsOf(catalog)

    const activity = await catalog.addActivity({ dueDate: '2020-01-01' })

    expect(activity.status).toBe('overdue')
    expect(await catalog.getActivity(activity.id)).toEqual(activity)
    expect(seen).toEqual(['activity.created', 'activity.overdue'])
  })

  test('begins not before the creation or the change of the due date, as its event shows', async () => {
    const catalog = await freshCatalog()
    const log = watch(catalog, ({ name, at }) => `${name} ${new Date(at).toISOString()}`)
    const { id } = await catalog.addActivity({ dueDate: '2020-01-01' })
    catalog.setClock('2026-11-21T12:10:00Z')
    await catalog.putActivity(id, { dueDate: null })
    await catalog.putActivity(id, { dueDate: '2026-11-21T12:05:00Z' })
    catalog.setClock(FAR)

    expect(log).toEqual([
      'activity.created 2026-11-21T12:00:00.000Z',
      'activity.overdue 2026-11-21T12:00:00.000Z',
      'activity.updated 2026-11-21T12:10:00.000Z',
      'activity.updated 2026-11-21T12:10:00.000Z',
      'activity.overdue 2026-11-21T12:10:00.000Z',
    ])
  })

  test('begins when an update sets a past due date', async () => {
    const { addActivity, putActivity, getActivity } = await freshCatalog()
    const { id } = await addActivity({ dueDate: FAR })

    await putActivity(id, { dueDate: '2026-11-21T11:59:59Z' })

    expect((await getActivity(id)).status).toBe('overdue')
  })

  test('begins again after a later due date was set', async () => {
    const catalog = await activityThatIs('overdue')
    const seen = eventsOf(catalog)
    await catalog.putActivity(catalog.activity.id, { dueDate: FAR })
    catalog.setClock('2026-12-23T23:59:59.999Z')
    expect((await catalog.getActivity(catalog.activity.id)).status).toBe('pending')

    catalog.setClock(FAR)

    expect((await catalog.getActivity(catalog.activity.id)).status).toBe('overdue')
    expect(seen).toEqual(['activity.updated', 'activity.overdue'])
  })

  test('never begins without a due date, after a deletion, or by the clock of another workspace', async () => {
    const catalog = await freshCatalog()
    const free = await catalog.addActivity()
    const deleted = await catalog.addActivity({ dueDate: DUE })
    const other = catalog.fresh.tenant()
    catalog.fresh.setClock('2026-11-21T12:00:00Z', { workspace: other.workspace })
    const foreign = await catalog.addActivity({ dueDate: DUE }, { key: other.key })
    await catalog.call('DELETE', `/activities/${deleted.id}`)
    const seen = eventsOf(catalog)

    catalog.setClock(FAR)

    expect((await catalog.getActivity(free.id)).status).toBe('pending')
    expect(await catalog.getActivity(foreign.id, { key: other.key })).toEqual(foreign)
    expect(seen).toEqual([])
  })

  test('begins in the order of the due dates, each at its own time', async () => {
    const catalog = await freshCatalog()
    for (const [title, dueDate] of [
      ['third', '2026-11-21T15:00:00Z'],
      ['first', '2026-11-21T13:00:00Z'],
      ['second', '2026-11-21T14:00:00Z'],
      ['far', '2027-01-01T00:00:00Z'],
    ]) {
      await catalog.addActivity({ title, dueDate })
    }
    const seen = watch(catalog, ({ data, at }) => `${String(data['title'])} ${new Date(at).toISOString()}`)

    catalog.setClock(FAR)

    expect(seen).toEqual([
      'first 2026-11-21T13:00:00.000Z',
      'second 2026-11-21T14:00:00.000Z',
      'third 2026-11-21T15:00:00.000Z',
    ])
  })

  test('remains when the clock is set back', async () => {
    const { activity, setClock, getActivity } = await activityThatIs('overdue')

    setClock(BEFORE_DUE)

    expect((await getActivity(activity.id)).status).toBe('overdue')
  })

  test('begins before the first read with a running clock', async () => {
    const { fresh, addActivity, listActivities } = await freshCatalog()
    await addActivity({ dueDate: DUE })

    fresh.workspace.clock.set(Date.parse(DUE), false)

    expect((await listActivities('?status=overdue')).data).toHaveLength(1)
    expect((await listActivities('?status=pending')).data).toHaveLength(0)
  })

  test('comes before a completion at the same instant, which still succeeds', async () => {
    const catalog = await freshCatalog()
    const { id } = await catalog.addActivity({ dueDate: DUE })
    const seen = eventsOf(catalog)
    catalog.fresh.workspace.clock.set(Date.parse(DUE), true)

    const completed: ActivityBody = await catalog.completeActivity(id)

    expect(completed).toMatchObject({ status: 'completed', completedAt: DUE })
    expect(seen).toEqual(['activity.overdue', 'activity.completed'])
  })
})
