/** The registry: handles, keys, settings and the base URL of links. */
import { expect, test, vi } from 'vitest'
import { Registry } from '../../../src/state/workspace/registry.ts'
import { Users } from '../../../src/state/workspace/users.ts'
import { freshState } from '../../support/state.ts'

test('finds one handle of each workspace, and none after its removal', () => {
  const { workspaces, workspace } = freshState()
  expect(workspaces.find(workspace.id)).toBe(workspace)
  expect(workspace.isRegistered).toBe(true)

  workspaces.remove(workspace)

  expect(workspaces.find(workspace.id)).toBeUndefined()
  expect(workspace.isRegistered).toBe(false)
})

test('does not register a handle for records that have no workspace yet', () => {
  const { workspaces } = freshState()
  expect(workspaces.shadow(1234).isRegistered).toBe(false)
})

test('leaves no handle behind if a workspace cannot be filled', () => {
  const { workspaces } = freshState()
  let made: { readonly isRegistered: boolean } | undefined
  const fill = () =>
    workspaces.create({ id: 'broken', name: 'Broken' }, (workspace) => {
      made = workspace
      throw new Error('invalid')
    })
  expect(fill).toThrow('invalid')
  expect(made?.isRegistered).toBe(false)
  expect(workspaces.find('broken')).toBeUndefined()
})

test('returns the caller of a key with the current user', () => {
  const { workspaces, workspace, user } = freshState()
  workspaces.keys.add(workspace, { key: 'key', userId: user.id })
  // Users are cached only when nothing is uncommitted.
  workspaces.database.flush()
  const caller = workspaces.keys.caller('key')
  expect(caller).toMatchObject({ workspace, user })
  expect(workspaces.keys.caller('key')).toBe(caller)

  workspace.addUser({ ...user, name: 'Renamed' })

  expect(workspaces.keys.caller('key')?.user.name).toBe('Renamed')
})

test('reads its users as often for a list of many new users as for a list of one', () => {
  const { workspace } = freshState()
  const readsFor = (count: number): number => {
    const read = vi.spyOn(Users.prototype, 'all', 'get')
    const named = (n: number) => ({
      id: `${String(count)}-${String(n)}`,
      name: 'Ana',
      email: 'a@example.com',
    })
    workspace.addUsers(Array.from({ length: count }, (_, n) => named(n)))
    const { length } = read.mock.calls
    read.mockRestore()
    return length
  }
  expect(readsFor(1)).toBe(1)
  expect(readsFor(500)).toBe(1)
  expect(workspace.users()).toHaveLength(502)
})

test('stores changed settings, and restores the first ones with the clock', () => {
  const { database, workspaces } = freshState()
  const workspace = workspaces.create({ name: 'First', timezone: 'America/Panama' }, (made) => made)
  const stored = () => new Registry(database).get(workspace.id)

  workspace.change({ name: 'Second', modules: { products: false }, progression: 'manual' })
  workspace.clock.set(0, true)
  for (const of of [workspace, stored()]) {
    const { name, timezone, modules, progression, clock } = of
    expect({ name, timezone, modules, progression }).toEqual({
      name: 'Second',
      timezone: 'America/Panama',
      modules: { products: false },
      progression: 'manual',
    })
    expect(clock.setting).toMatchObject({ frozenAt: 0 })
  }

  workspace.restoreSettings()
  for (const of of [workspace, stored()]) {
    expect(of).toMatchObject({ name: 'First', modules: { products: true }, progression: 'clock' })
    expect(of.clock.isFrozen).toBe(false)
  }
})

test('calls watchers when the clock, the progression or the next job of a workspace changes', () => {
  const { workspaces, workspace } = freshState()
  const calls: string[] = []
  workspaces.watch(({ id }) => calls.push(id))

  workspace.clock.set(0, true)
  workspace.change({ progression: 'manual' })
  workspace.change({ name: 'Renamed' })
  workspace.nextJobAt = Infinity
  workspace.expectJob(5)
  workspace.expectJob(7)

  expect(calls).toEqual([workspace.id, workspace.id, workspace.id])
})

test('has the origin of the current request in links, or the configured URL', () => {
  const { workspaces, workspace } = freshState()
  workspaces.publicUrl.configure('https://sim.example.com')
  let during = ''
  workspaces.publicUrl.during('http://10.0.0.1:4012', () => (during = workspace.publicUrl))
  expect([during, workspace.publicUrl]).toEqual(['http://10.0.0.1:4012', 'https://sim.example.com'])
})
