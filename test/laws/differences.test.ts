/**
 * Differences: they are those between the records of all sections, none for a snapshot with itself and after a restore,
 * and equal for a clone. Two runs of the same calls differ only in what is marked as volatile.
 */
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'
import { stableValue } from '@suite-sim/client/telling'
import { keyNamesOf } from '../../src/state/storage/records/touches.ts'
import type { RecordSet } from '../../src/state/storage/records/records.ts'
import type { FreshApp } from '../support/app.ts'
import { IS_FULL } from '../support/extent.ts'
import type { Sections } from '../support/records.ts'
import { demoWorkspace, everyExample, runAllActions, timeStep, type WorkspaceClient } from './allActions.ts'
import { READ_AT } from './filled.ts'

interface Changed {
  readonly section: string
  readonly id: string
  readonly change: 'added' | 'changed' | 'removed'
  readonly fields: readonly {
    readonly path: string
    readonly before: unknown
    readonly after: unknown
    readonly volatile?: true
    readonly volatileParts?: readonly string[]
  }[]
  readonly causes: readonly { kind: string; id: string; title: string }[]
}

interface Page {
  readonly summary: Readonly<Record<Changed['change'], number>>
  readonly data: readonly Changed[]
  readonly nextCursor: string | null
}

/** Returns all changes since a snapshot, in pages. */
async function changesOf({ call, workspace }: WorkspaceClient, from: string): Promise<Changed[]> {
  const found: Changed[] = []
  const url = `/_sim/workspaces/${workspace.id}/diff?from=${from}&limit=200`
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, body, text } = await call('GET', cursor === '' ? url : `${url}&cursor=${cursor}`)
    expect(status, text).toBe(200)
    const { data, nextCursor } = body as Page
    found.push(...data)
    cursor = nextCursor
  }
  return found
}

const save = async ({ call, workspace }: WorkspaceClient, name: string): Promise<void> => {
  const { status } = await call('POST', `/_sim/workspaces/${workspace.id}/snapshots`, { body: { name } })
  expect(status).toBe(201)
}

const restore = async ({ call, workspace }: WorkspaceClient, name: string): Promise<void> => {
  const { status } = await call('POST', `/_sim/workspaces/${workspace.id}/snapshots/${name}/restore`)
  expect(status).toBe(204)
}

/** Returns "section id change" for each record that differs between two dumps. */
function differing(sets: readonly RecordSet[], before: Sections, after: Sections): string[] {
  return sets.flatMap((set) => {
    const keys = keyNamesOf(set.table as SQLiteTable)
    const rowsOf = (sections: Sections) =>
      new Map(
        (sections[set.section]?.[set.name] ?? []).map((row) => [
          keys.map((key) => String(row[key])).join('/'),
          JSON.stringify(row),
        ]),
      )
    const [old, current] = [rowsOf(before), rowsOf(after)]
    return [...new Set([...old.keys(), ...current.keys()])].flatMap((key) => {
      if (old.get(key) === current.get(key)) return []
      const change = !old.has(key) ? 'added' : current.has(key) ? 'changed' : 'removed'
      return [`${set.section}.${set.name} ${key} ${change}`]
    })
  })
}

const nameOf = ({ section, id, change }: Changed): string => `${section} ${id} ${change}`

/** Returns changes without the values and parts that are marked, in the order of the sections. */
const withoutVolatile = (changes: readonly Changed[]) =>
  changes.map(({ section, id, change, fields, causes }) => ({
    section,
    change,
    // A new record has a new id.
    id: change === 'changed' ? id : null,
    fields: fields
      .filter(({ path, volatile, volatileParts }) => (!volatile || volatileParts) && path !== 'id')
      .map((field) =>
        field.volatileParts ? { path: field.path, stable: stableValue(change, field, 'new') } : field,
      ),
    causes: causes.map(({ kind, title }) => `${kind} ${title.split(' ')[0] ?? ''}`),
  }))

const OPPOSITE = { added: 'removed', changed: 'changed', removed: 'added' } as const

const runEverything = async (fresh: FreshApp, check: () => Promise<void>): Promise<void> => {
  if (IS_FULL) {
    await runAllActions(fresh, () => undefined, check)
    return
  }
  for (const action of [...everyExample(fresh), timeStep(fresh, 2)]) await action.do()
}

/** Work of automations that a slice left for the next one; nothing of it is left when the calls have ended. */
const PASSING = ['crm.unfinishedChanges', 'crm.unseenEvents']

describe('differences of all sections', () => {
  test('are those between the records, none after a restore, and the opposite in the other direction', async () => {
    const fresh = await demoWorkspace()
    const sets = fresh.app.records.sets.filter(({ isCounter }) => !isCounter)
    const clock = `/_sim/workspaces/${fresh.workspace.id}/clock`
    const { now } = (await fresh.call('GET', clock)).body as { now: string }
    await save(fresh, 'first')
    const before = fresh.dump() as Sections
    const seen = new Set<string>()
    const mustBeThose = async (): Promise<Changed[]> => {
      const changes = await changesOf(fresh, 'first')
      expect(changes.map(nameOf).toSorted()).toEqual(
        differing(sets, before, fresh.dump() as Sections).toSorted(),
      )
      for (const { section } of changes) seen.add(section)
      return changes
    }
    expect(await mustBeThose()).toEqual([])
    await runEverything(fresh, async () => {
      await mustBeThose()
    })
    const changes = await mustBeThose()
    expect(changes.length).toBeGreaterThan(100)
    const names = sets.map((set) => `${set.section}.${set.name}`)
    // The full run writes records of all sections, with more calls than a timeline keeps.
    if (IS_FULL) expect(names.filter((name) => !seen.has(name))).toEqual(PASSING)
    else expect(changes.filter(({ causes }) => causes.length === 0).map(nameOf)).toEqual([])

    await save(fresh, 'second')
    expect(await changesOf(fresh, 'second')).toEqual([])
    // At a later time, jobs of the restored records would be due.
    expect((await fresh.call('PUT', clock, { body: { now, frozen: true } })).status).toBe(200)
    await restore(fresh, 'first')
    expect(await changesOf(fresh, 'first')).toEqual([])
    expect(await changesOf(fresh, 'start')).toEqual([])
    const back = await changesOf(fresh, 'second')
    expect(back.map(nameOf).toSorted()).toEqual(
      changes.map((each) => nameOf({ ...each, change: OPPOSITE[each.change] })).toSorted(),
    )
    await restore(fresh, 'second')
    expect(await changesOf(fresh, 'second')).toEqual([])
    const withoutCauses = ({ causes: _causes, ...rest }: Changed) => rest
    // The restored records have another order.
    const sorted = (some: readonly Changed[]) =>
      some
        .map(withoutCauses)
        .toSorted((one, other) => (one.section + one.id < other.section + other.id ? -1 : 1))
    expect(sorted(await changesOf(fresh, 'first'))).toEqual(sorted(changes))
  })

  test('are equal in a clone, except for what is marked', async () => {
    const fresh = await demoWorkspace()
    for (const action of everyExample(fresh).slice(0, 40)) await action.do()
    await save(fresh, 'cloned')
    const made = await fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/clone`)
    expect(made.status).toBe(201)
    const { workspace, key } = made.body as { workspace: { id: string }; key: string }
    const clone: WorkspaceClient = {
      workspace,
      call: (method, url, options) => fresh.call(method, url, { key, ...options }),
    }
    const diffs: Changed[][] = []
    for (const [each, from] of [
      [fresh, 'cloned'],
      [clone, 'start'],
    ] as const) {
      expect(await changesOf(each, from)).toEqual([])
      const of = `/_sim/workspaces/${each.workspace.id}`
      const link = { amount: 1250, currency: 'USD', description: 'Desk' }
      const answers = [
        await each.call('POST', '/pay/v1/payment-links', { body: link }),
        await each.call('PATCH', '/crm/v1/contacts/con_demo0000000000000002', { body: { tags: ['cloned'] } }),
        await each.call('DELETE', '/crm/v1/contacts/con_demo0000000000000001'),
        await each.call('POST', `${of}/triggers/payments.link.pay`, {
          body: { link_id: 'pl_demo0000000000000009' },
        }),
        await each.call('PUT', `${of}/clock`, { body: { now: '2027-11-21T12:00:00.000Z', frozen: true } }),
      ]
      expect(answers.filter(({ status }) => status >= 400).map(({ text }) => text)).toEqual([])
      diffs.push(await changesOf(each, from))
    }
    const [own = [], cloned = []] = diffs.map(withoutVolatile)
    expect(own.length).toBeGreaterThan(10)
    expect(cloned).toEqual(own)
  })

  test('of two runs of the same calls have the same fields, except for those that are marked', async () => {
    const [own, other] = [await demoWorkspace(), await demoWorkspace()]
    const diffs: Changed[][] = []
    for (const fresh of [own, other]) {
      fresh.setClock(READ_AT)
      for (const action of everyExample(fresh)) await action.do()
      diffs.push(await changesOf(fresh, 'start'))
    }
    const [first = [], second = []] = diffs.map(withoutVolatile)
    expect(first.length).toBeGreaterThan(100)
    expect(second).toEqual(first)
  })
})
