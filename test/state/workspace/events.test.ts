/** Events, which are appended in the transaction of the change. */
import { expect, test } from 'vitest'
import { createProduct, products } from '../../../src/state/catalog/products.ts'
import { renderWith } from '../../../src/state/workspace/events.ts'
import type { AppendedEvent } from '../../../src/state/workspace/workspace.ts'
import { refuse } from '../../../src/state/model/refusal.ts'
import { events } from '../../../src/state/storage/tables.ts'
import { freshState, NOON, type FreshState } from '../../support/state.ts'

const NEW = {
  interface: 'catalog',
  name: 'product.created',
  data: { id: 'p', nested: { list: [1, null] } },
  record: null,
}

const storedEvents = ({ database }: FreshState) => database.orm.select().from(events).all()

test('stores an event with an id, its workspace and the time of its clock', () => {
  const state = freshState()

  const event = state.workspace.write(() => state.workspace.append(NEW))

  expect(event).toEqual({ ...NEW, id: expect.stringMatching(/^[a-z][a-z0-9]{23}$/) as string, at: NOON })
  const { record: _, ...stored } = event
  expect(storedEvents(state)).toEqual([{ ...stored, workspace: state.workspace.rowScope }])
})

test('stores an event with the given time', () => {
  const state = freshState()
  const event = state.workspace.write(() => state.workspace.append({ ...NEW, at: NOON - 1 }))
  expect(event.at).toBe(NOON - 1)
  expect(storedEvents(state)).toMatchObject([{ at: NOON - 1 }])
})

test('calls every follower with every event, in order and inside the transaction', () => {
  const state = freshState()
  const { database, workspace, workspaces } = state
  const called: string[] = []
  for (const follower of ['first', 'second']) {
    workspaces.events.follow((of, { name }) => {
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

test('renders an event with its view at the time of the change, before any follower runs', () => {
  const declared = {
    'product.created': {
      view(data: object, { id }: { id: string }) {
        expect(state.database.sqlite.inTransaction).toBe(true)
        return { shown: data, in: id }
      },
    },
  }
  const state = freshState({ renderers: new Map([['catalog', renderWith(declared)]]) })
  const calls: unknown[] = []
  state.workspaces.events.follow((_of, { data }) => calls.push(data))

  const event = state.workspace.write(() => state.workspace.append(NEW))

  const data = { shown: NEW.data, in: state.workspace.id }
  expect(event.data).toEqual(data)
  expect(calls).toEqual([data])
  expect(storedEvents(state)).toMatchObject([{ data }])
})

test.each([
  ['an interface without views', new Map(), /events of catalog have no renderer/],
  [
    'a name without a view',
    new Map([['catalog', renderWith({})]]),
    /event product\.created of catalog has no view/,
  ],
])('throws for an event of %s and rolls back the change', (_what, renderers, words) => {
  const state = freshState({ renderers })
  const { workspaces, workspace, user } = state
  const calls: string[] = []
  workspaces.events.follow((_of, { name }) => calls.push(name))

  expect(() => createProduct(workspace, user, { name: 'Desk', type: 'physical' })).toThrow(words)

  expect(calls).toEqual([])
  expect(storedEvents(state)).toEqual([])
  const page = products.list(workspace, { sort: 'name', order: 'asc', limit: 9, filters: {}, after: null })
  expect(page.heads).toEqual([])
})

test('passes the record of an event to followers', () => {
  const { workspaces, workspace, user } = freshState()
  const calls: (string | null)[] = []
  workspaces.events.follow((_of, { record }) => calls.push(record))

  const product = createProduct(workspace, user, { name: 'Desk', type: 'physical' })
  workspace.write(() => workspace.append(NEW))

  expect(calls).toEqual([product.id, null])
})

test('rolls back events and writes of followers with the change', () => {
  const state = freshState()
  const { workspaces, workspace, user } = state
  workspaces.events.follow((of, { name }) => void of.addUser({ name, email: 'follower@example.com' }))

  expect(() =>
    workspace.write(() => {
      createProduct(workspace, user, { name: 'Desk', type: 'physical' })
      expect(storedEvents(state)).toHaveLength(1)
      expect(workspace.users()).toHaveLength(2)
      refuse('conflict', 'No.')
    }),
  ).toThrow('No.')

  expect(storedEvents(state)).toEqual([])
  expect(workspace.users()).toEqual([user])
})

test('rolls back the change if a follower fails', () => {
  const state = freshState()
  const { workspaces, workspace, user } = state
  workspaces.events.follow(() => {
    throw new Error('the follower failed')
  })

  expect(() => createProduct(workspace, user, { name: 'Desk', type: 'physical' })).toThrow(
    'the follower failed',
  )

  const page = products.list(workspace, { sort: 'name', order: 'asc', limit: 9, filters: {}, after: null })
  expect(page.heads).toEqual([])
  expect(storedEvents(state)).toEqual([])
})

test('calls followers only with events of their own database', () => {
  const one = freshState()
  const other = freshState()
  const followed: AppendedEvent[] = []
  one.workspaces.events.follow((_workspace, event) => followed.push(event))

  other.workspace.write(() => other.workspace.append(NEW))
  expect(followed).toEqual([])
  const event = one.workspace.write(() => one.workspace.append(NEW))
  expect(followed).toEqual([event])
})
