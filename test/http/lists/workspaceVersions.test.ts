/**
 * The version of a workspace, by which cached values are found: it changes with everything that a response can depend
 * on, and other workspaces do not change it.
 */
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { agentsOf, inviteAgent, updateAgent } from '../../../src/state/conversations/agents.ts'
import { contacts, createContact, updateContact } from '../../../src/state/crm/sales/contacts.ts'
import { fillWithBaseline, replaceRecords } from '../../../src/state/storage/records/replaceRecords.ts'
import { keys } from '../../../src/state/storage/tables.ts'
import type { Database } from '../../../src/state/storage/database/database.ts'
import type { Workspace } from '../../../src/state/workspace/workspace.ts'
import { freshApp } from '../../support/app.ts'
import { askCached, callerIn } from '../../support/cachedAnswers.ts'
import { runs } from '../../support/extent.ts'
import { freshState, NOON } from '../../support/state.ts'

/** The first response is not cached yet. */
const MISSES = 2

/** Returns a question to a workspace, and how often it was answered anew. */
function counted(workspace: Workspace) {
  const make = vi.fn(() => 'answer')
  const ask = () => askCached(callerIn(workspace), 'counted', make)
  const askUntilCached = () => {
    for (let asked = 0; asked <= MISSES; asked++) ask()
    make.mockClear()
  }
  askUntilCached()
  return { ask, make, askUntilCached }
}

/** Writes a row whose foreign key SQLite checks only at the commit, which fails. */
async function loseTurn(database: Database): Promise<void> {
  database.write(() => {
    database.sqlite.pragma('defer_foreign_keys = ON')
    const lost = { key: 'k', workspace: 0, user: 'u', scopes: [], interfaces: [], createdAt: 0 }
    database.orm.insert(keys).values(lost).run()
  })
  await expect(database.committed()).rejects.toThrow('FOREIGN KEY')
}

describe('a cached response', () => {
  test('stays when another workspace is written', async () => {
    const { workspace, tenancy, workspaces, database } = freshState()
    const { workspace: other, user } = tenancy()
    const { ask, make } = counted(workspace)

    other.write(() => null)
    expect(() =>
      other.write(() => {
        throw new Error('half-way')
      }),
    ).toThrow('half-way')
    other.addUser({ ...user, name: 'Other' })
    other.clock.set(NOON + 1, true)
    other.forget()
    other.change({ timezone: 'Asia/Tokyo' })
    workspaces.keys.add(other, {})
    workspaces.remove(other)
    tenancy()
    await database.committed()

    ask()
    expect(make).not.toHaveBeenCalled()
  })

  test.each<[string, (workspace: Workspace) => unknown]>([
    ['a write', (workspace) => workspace.write(() => null)],
    ['a new name of a user', (workspace) => workspace.addUser({ ...workspace.users()[0], ...NAMED })],
    [
      'another clock',
      (workspace) => {
        workspace.clock.set(NOON + 1, true)
      },
    ],
    [
      'the real clock',
      (workspace) => {
        workspace.clock.reset()
      },
    ],
    [
      'other settings',
      (workspace) => {
        workspace.change({ currency: 'EUR' })
      },
    ],
    [
      'the replacement of all records',
      (workspace) => {
        workspace.forget()
      },
    ],
  ])('is dropped after %s', (_what, change) => {
    const { ask, make } = counted(freshState().workspace)
    const { workspace } = freshState()
    const changed = counted(workspace)
    change(workspace)
    changed.ask()
    expect(changed.make).toHaveBeenCalledTimes(1)
    ask()
    expect(make).not.toHaveBeenCalled()
  })

  test('is dropped after a write of which only an inner part failed', () => {
    const { workspace } = freshState()
    const { ask, make } = counted(workspace)
    workspace.database.write(() => {
      expect(() =>
        workspace.write(() => {
          throw new Error('half-way')
        }),
      ).toThrow('half-way')
    })
    ask()
    expect(make).toHaveBeenCalledTimes(1)
  })

  test('is not used and not stored inside a write', () => {
    const { workspace } = freshState()
    const { ask, make } = counted(workspace)
    workspace.write(() => {
      for (let times = 0; times < 3; times++) ask()
      expect(make).toHaveBeenCalledTimes(3)
    })
    make.mockClear()
    ask()
    expect(make).toHaveBeenCalledTimes(1)
  })

  test('is dropped when the turn is lost, and a replaced handle still drops those of its successor', async () => {
    const { workspace, workspaces, database } = freshState()
    await database.committed()
    workspace.write(() => null)
    const before = counted(workspace)
    await loseTurn(database)
    before.ask()
    expect(before.make).toHaveBeenCalledTimes(1)

    const successor = workspaces.get(workspace.id)
    expect(successor).not.toBe(workspace)
    const after = counted(successor)
    workspace.write(() => null)
    after.ask()
    expect(after.make).toHaveBeenCalledTimes(1)
  })

  test('is not returned for a new workspace with the scope of a removed one', () => {
    const { workspace, workspaces, tenancy, records, database } = freshState({ seed: 'same numbers' })
    counted(workspace)
    database.write(() => {
      workspaces.removeAll()
      // As after the deletion of their records.
      for (const scope of [workspace.rowScope, workspace.baselineScope]) records.scopes(database).keep(scope)
    })
    const { workspace: next } = tenancy()
    expect(next.rowScope).toBe(workspace.rowScope)
    const make = vi.fn(() => 'other answer')
    expect(askCached(callerIn(next), 'counted', make)).toBe('other answer')
  })
})

const NAMED = { name: 'Other', email: 'other@example.com' }

describe('any writes in two workspaces', () => {
  const commands = [
    'create a contact',
    'rename a contact',
    'rename a user',
    'add a user',
    'invite an agent',
    'change an agent',
    'change the settings',
    'set the clock',
    'fail',
    'fail inside',
    'fail outside',
    'fail in both workspaces',
    'write through a replaced handle',
    'reset',
    'move',
    'lose the turn',
  ] as const
  const step = fc.record({ command: fc.constantFrom(...commands), which: fc.nat({ max: 1 }) })

  test('leave every answer equal to that of a first-time caller', async () => {
    const { app, tenant } = await freshApp({ ownApp: true })
    const { workspaces, records } = app
    const { database } = workspaces
    let lastName = 0
    const nextName = () => `Name ${String(++lastName)}`

    const createSome = (workspace: Workspace) => void createContact(workspace, { name: nextName() })
    const renameUser = (workspace: Workspace) => {
      const [user] = workspace.users()
      workspace.addUser({ id: user?.id ?? 'user', name: nextName(), email: user?.email ?? '' })
    }
    const invite = (workspace: Workspace) => {
      const name = nextName()
      inviteAgent(workspace, { name, email: `${name.replace(' ', '')}@example.com`, role: 'agent' })
    }
    const changeAll = (workspace: Workspace) => {
      createSome(workspace)
      renameUser(workspace)
      invite(workspace)
    }

    /** Reads everything, with all caches between the reader and the tables. */
    const read = (workspace: Workspace): string =>
      askCached(callerIn(workspace), 'everything', () => {
        const page = { sort: 'created_at', order: 'asc', limit: 1, offset: 0, filters: {} } as const
        const { heads, total } = contacts.list(workspace, page)
        return JSON.stringify({
          first: heads.map(({ id }) => contacts.get(workspace, id).name),
          total,
          users: workspace.users().map(({ name }) => name),
          agents: agentsOf(workspace).map(({ name, role }) => [name, role]),
          settings: [workspace.timezone, workspace.clock.setting.frozenAt],
        })
      })
    /** Reads the same without caches, with SQL and a new handle of the workspace. */
    const readAnew = ({ id, rowScope, tenantId }: Workspace): string => {
      const { sqlite } = database
      const all = (text: string, scope: number) => sqlite.prepare(text).pluck().all(scope)
      const names = all(
        'SELECT name FROM crm_contacts WHERE workspace = ? ORDER BY created_at, rowid',
        rowScope,
      )
      const users = all('SELECT name FROM users WHERE workspace = ? ORDER BY rowid', tenantId)
      const invited = sqlite
        .prepare(
          'SELECT name, role FROM chat_agents WHERE workspace = ? AND number IS NOT NULL ORDER BY number',
        )
        .raw()
        .all(rowScope) as string[][]
      const stored = sqlite
        .prepare('SELECT timezone, clock_frozen_at FROM workspaces WHERE id = ?')
        .raw()
        .get(id)
      return JSON.stringify({ first: names.slice(0, 1), total: names.length, users, invited, stored })
    }
    const expectEqual = (workspace: Workspace) => {
      const { agents, settings, ...rest } = JSON.parse(read(workspace)) as Record<string, string[][]>
      const { invited, stored, ...restAnew } = JSON.parse(readAnew(workspace)) as Record<string, string[][]>
      expect(rest).toEqual(restAnew)
      expect(settings).toEqual(stored)
      const users = (rest['users'] ?? []).map((name) => [name, 'administrator'])
      expect(agents?.toSorted()).toEqual([...(invited ?? []), ...users].toSorted())
    }
    const failing = (change: () => void) => () => {
      change()
      throw new Error('half-way')
    }

    type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
    const pair = () => {
      const ids = [tenant(), tenant()].map(({ workspace }) => workspace.id)
      const replaced: (Workspace | undefined)[] = []
      const handle = (which: number) => workspaces.get(ids[which] ?? '')
      const run = async ({ command, which }: Step): Promise<void> => {
        const [workspace, other] = [handle(which), handle(1 - which)]
        const attempt = (write: <T>(change: () => T) => T, change: () => void): void => {
          expect(() => write(failing(change))).toThrow('half-way')
        }
        switch (command) {
          case 'create a contact':
            createSome(workspace)
            return
          case 'rename a contact': {
            const [first] = contacts.findAll(workspace, idsOf(database, workspace))
            if (first) updateContact(workspace, first, { name: nextName() })
            return
          }
          case 'rename a user':
            renameUser(workspace)
            return
          case 'add a user': {
            const name = nextName()
            workspace.addUser({ name, email: `${name.replace(' ', '')}@example.com` })
            return
          }
          case 'invite an agent':
            invite(workspace)
            return
          case 'change an agent': {
            const agent = agentsOf(workspace).find(({ email }) => email.startsWith('Name'))
            if (agent?.id.startsWith('agent-')) {
              const role = agent.role === 'agent' ? 'administrator' : 'agent'
              updateAgent(workspace, agent, { role })
            }
            return
          }
          case 'change the settings':
            workspace.change({
              timezone: workspace.timezone === 'UTC' ? 'Asia/Tokyo' : 'UTC',
            })
            return
          case 'set the clock':
            workspace.clock.set(NOON + ++lastName, true)
            return
          case 'fail':
            attempt(
              (change) => workspace.write(change),
              () => {
                changeAll(workspace)
                expectEqual(workspace)
              },
            )
            return
          case 'fail inside':
            workspace.write(() => {
              attempt(
                (change) => workspace.write(change),
                () => {
                  changeAll(workspace)
                },
              )
              expectEqual(workspace)
              createSome(workspace)
              expectEqual(workspace)
            })
            return
          case 'fail outside':
            attempt(
              (change) => database.write(change),
              () => {
                changeAll(workspace)
                expectEqual(workspace)
              },
            )
            return
          case 'fail in both workspaces':
            attempt(
              (change) => workspace.write(change),
              () => {
                changeAll(other)
                changeAll(workspace)
                expectEqual(other)
              },
            )
            return
          case 'write through a replaced handle':
            if (replaced[which]) createSome(replaced[which])
            return
          case 'reset':
            records.reset(workspace)
            replaced[which] = undefined
            return
          case 'move':
            replaced[which] = undefined
            return replaceRecords(
              { workspaces, records },
              workspace,
              fillWithBaseline({ workspaces, records }, workspace.baselineScope),
              () => {
                records.restoreOthers(workspace)
              },
            )
          case 'lose the turn':
            await database.committed()
            changeAll(workspace)
            expectEqual(workspace)
            await loseTurn(database)
            replaced[which] = workspace
            expect(workspace.users()).toEqual(handle(which).users())
        }
      }
      const check = () => {
        // Cached at the second time, returned at the third.
        for (const which of [0, 1, 0, 1, 0, 1]) expectEqual(handle(which))
      }
      return { run, check }
    }

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const { run, check } = pair()
        check()
        for (const one of steps) {
          await run(one)
          check()
        }
      }),
      { numRuns: runs(100) },
    )
  })
})

const idsOf = (database: Database, { rowScope }: Workspace): string[] =>
  database.sqlite
    .prepare('SELECT id FROM crm_contacts WHERE workspace = ? ORDER BY rowid')
    .pluck()
    .all(rowScope) as string[]
