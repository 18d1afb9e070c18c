/** Events, appended in the transaction of the change. */
import { expect, test } from 'vitest'
import { createProduct, products } from '../../src/state/catalog/products.ts'
import { renderedBy } from '../../src/state/events.ts'
import type { AppendedEvent } from '../../src/state/workspace.ts'
import { refuse } from '../../src/state/refusal.ts'
import { events } from '../../src/state/tables.ts'
import { freshState, NOON, type FreshState } from '../support/state.ts'

const NEW = { interface: 'catalog', name: 'product.created', data: { id: 'p', nested: { list: [1, null] } } }

const kept = ({ database }: FreshState) => database.orm.select().from(events).all()

test('an event is kept as it was appended, with an id, its workspace and the time on its clock', () => {
  const state = freshState()

  const event = state.workspace.write(() => state.workspace.append(NEW))

  expect(event).toEqual({ ...NEW, id: expect.stringMatching(/^[a-z][a-z0-9]{23}$/) as string, at: NOON })
  expect(kept(state)).toEqual([{ ...event, workspace: state.workspace.rowScope }])
})

test('every follower is called with every event, in the order of both, inside the transaction', () => {
  const state = freshState()
  const { database, workspace, workspaces } = state
  const called: string[] = []
  for (const follower of ['first', 'second']) {
    workspaces.follow((of, { name }) => {
      expect(database.sqlite.inTransaction).toBe(true)
      expect(of).toBe(workspace)
      called.push(`${follower} ${name}`)
    })
  }

  workspace.write(() => {
    workspace.append({ ...NEW, name: 'a' })
    workspace.append({ ...NEW, name: 'b' })
  })

  expect(called).toEqual(['first a', 'second a', 'first b', 'second b'])
})

test('an event is shown by the view of its name, at the moment of the change, before anybody is told of it', () => {
  const views = {
    'product.created': (data: object, { id }: { id: string }) => {
      expect(state.database.sqlite.inTransaction).toBe(true)
      return { shown: data, in: id }
    },
  }
  const state = freshState({ renderers: new Map([['catalog', renderedBy(views)]]) })
  const told: unknown[] = []
  state.workspaces.follow((_of, { data }) => told.push(data))

  const event = state.workspace.write(() => state.workspace.append(NEW))

  const data = { shown: NEW.data, in: state.workspace.id }
  expect(event.data).toEqual(data)
  expect(told).toEqual([data])
  expect(kept(state)).toMatchObject([{ data }])
})

test.each([
  ['an interface that nobody says how to show', new Map(), /events of catalog are shown/],
  [
    'a name without a view',
    new Map([['catalog', renderedBy({})]]),
    /event product\.created of catalog is shown/,
  ],
])('an event of %s is a fault, and takes the change along', (_what, renderers, words) => {
  const state = freshState({ renderers })
  const { workspaces, workspace, user } = state
  const told: string[] = []
  workspaces.follow((_of, { name }) => told.push(name))

  expect(() => createProduct(workspace, user, { name: 'Desk', type: 'physical' })).toThrow(words)

  expect(told).toEqual([])
  expect(kept(state)).toEqual([])
  const page = products.list(workspace, { sort: 'name', order: 'asc', limit: 9, filters: {}, after: null })
  expect(page.heads).toEqual([])
})

test('followers are told which record an event is about', () => {
  const { workspaces, workspace, user } = freshState()
  const told: (string | undefined)[] = []
  workspaces.follow((_of, { record }) => told.push(record))

  const product = createProduct(workspace, user, { name: 'Desk', type: 'physical' })
  workspace.write(() => workspace.append(NEW))

  expect(told).toEqual([product.id, undefined])
})

test('a change that is undone takes its events along, and what their followers wrote', () => {
  const state = freshState()
  const { workspaces, workspace, user } = state
  workspaces.follow((of, { name }) => void of.addUser({ name, email: 'follower@example.com' }))

  expect(() =>
    workspace.write(() => {
      createProduct(workspace, user, { name: 'Desk', type: 'physical' })
      expect(kept(state)).toHaveLength(1)
      expect(workspace.users()).toHaveLength(2)
      refuse('conflict', 'No.')
    }),
  ).toThrow('No.')

  expect(kept(state)).toEqual([])
  expect(workspace.users()).toEqual([user])
})

test('a follower that fails takes the change along', () => {
  const state = freshState()
  const { workspaces, workspace, user } = state
  workspaces.follow(() => {
    throw new Error('the follower failed')
  })

  expect(() => createProduct(workspace, user, { name: 'Desk', type: 'physical' })).toThrow(
    'the follower failed',
  )

  const page = products.list(workspace, { sort: 'name', order: 'asc', limit: 9, filters: {}, after: null })
  expect(page.heads).toEqual([])
  expect(kept(state)).toEqual([])
})

test('followers of one database hear nothing of another', () => {
  const one = freshState()
  const other = freshState()
  const heard: AppendedEvent[] = []
  one.workspaces.follow((_workspace, event) => heard.push(event))

  other.workspace.write(() => other.workspace.append(NEW))
  expect(heard).toEqual([])
  const event = one.workspace.write(() => one.workspace.append(NEW))
  expect(heard).toEqual([event])
})
