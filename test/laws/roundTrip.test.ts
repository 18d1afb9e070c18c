/**
 * Reset and snapshot: after every action, a reset restores the initial records, and a snapshot reproduces the
 * workspace exactly. The quick run uses only the examples.
 */
import { expect, test } from 'vitest'
import { iso } from '@suite-sim/kit/time/instants'
import type { Answer } from '../support/app.ts'
import { IS_FULL } from '../support/extent.ts'
import { INTERFACES } from '../support/subject.ts'
import {
  responsesAt,
  runAllActions,
  everyReadablePath,
  everyExample,
  demoWorkspace,
  timeStep,
  uncachedCopyOf,
  type Action,
} from './allActions.ts'
import { READ_AT, putSnapshot, snapshotOf } from './filled.ts'

/** The number of records of each kind to read. */
const RECORDS = IS_FULL ? 4 : 1

const SETS = INTERFACES.flatMap(({ records }) => records.map(({ section, name }) => ({ section, name })))

test('restores a snapshot exactly, and restores the initial records with a reset', async () => {
  const fresh = await demoWorkspace()
  const addresses = everyReadablePath(fresh, RECORDS)
  const records = fresh.dump()
  const answers = await responsesAt(fresh, addresses)
  const held = new Set<string>()

  const mustMakeTheSame = async (): Promise<void> => {
    fresh.setClock(iso(fresh.workspace.now()))
    const become = await snapshotOf(fresh, fresh)
    for (const { section, name } of SETS) {
      if ((become[section]?.[name] ?? []).length > 0) held.add(`${section} ${name}`)
    }
    const now = everyReadablePath(fresh, RECORDS)
    const seen = await responsesAt(fresh, now)
    expect(await responsesAt(await uncachedCopyOf(fresh), now)).toEqual(seen)
    await putSnapshot(fresh, fresh, become)
    expect(await snapshotOf(fresh, fresh)).toEqual(become)
    expect(await responsesAt(fresh, now)).toEqual(seen)
  }

  const mustNotFail = ({ title }: Action, { status, text }: Answer): void => {
    expect(status, `${title}: ${text}`).toBeLessThan(500)
  }
  if (IS_FULL) {
    await runAllActions(fresh, mustNotFail, mustMakeTheSame)
    await mustMakeTheSame()
    // An empty set would prove nothing.
    expect(SETS.map(({ section, name }) => `${section} ${name}`).filter((set) => !held.has(set))).toEqual([])
  } else {
    for (const action of [...everyExample(fresh), timeStep(fresh, 2)]) mustNotFail(action, await action.do())
    await mustMakeTheSame()
  }

  const { status } = await fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/reset`)
  expect(status).toBe(204)
  fresh.setClock(READ_AT)
  expect(fresh.dump()).toEqual(records)
  expect(await responsesAt(fresh, addresses)).toEqual(answers)
})
