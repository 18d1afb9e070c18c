/**
 * Reset and snapshot: after everything that can be done in a workspace a reset gives back exactly what it was made with,
 * and a snapshot of what has become of it makes another one just like it.
 */
import { expect, test } from 'vitest'
import { iso } from '../../src/state/clock.ts'
import { INTERFACES } from '../support/subject.ts'
import { answersAt, doEverything, everyAddress, furnishedDemo, twinOf } from './everything.ts'
import { LOOKED_AT, putSnapshot, snapshotOf } from './filled.ts'

const SETS = INTERFACES.flatMap(({ records }) => records.map(({ section, name }) => ({ section, name })))

test('a snapshot makes the same again, and after everything a reset gives back what there was', async () => {
  const fresh = await furnishedDemo()
  const addresses = everyAddress(fresh, 4)
  const records = fresh.dump()
  const answers = await answersAt(fresh, addresses)
  const held = new Set<string>()

  const mustMakeTheSame = async (): Promise<void> => {
    fresh.setClock(iso(fresh.workspace.now()))
    const become = await snapshotOf(fresh, fresh)
    for (const { section, name } of SETS) {
      if ((become[section]?.[name] ?? []).length > 0) held.add(`${section} ${name}`)
    }
    const now = everyAddress(fresh, 4)
    const seen = await answersAt(fresh, now)
    expect(await answersAt(await twinOf(fresh), now)).toEqual(seen)
    await putSnapshot(fresh, fresh, become)
    expect(await snapshotOf(fresh, fresh)).toEqual(become)
    expect(await answersAt(fresh, now)).toEqual(seen)
  }

  await doEverything(
    fresh,
    ({ title }, { status, text }) => {
      expect(status, `${title}: ${text}`).toBeLessThan(500)
    },
    mustMakeTheSame,
  )
  await mustMakeTheSame()
  // Of a set that was always empty nothing would be known.
  expect(SETS.map(({ section, name }) => `${section} ${name}`).filter((set) => !held.has(set))).toEqual([])

  const { status } = await fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/reset`)
  expect(status).toBe(204)
  fresh.setClock(LOOKED_AT)
  expect(fresh.dump()).toEqual(records)
  expect(await answersAt(fresh, addresses)).toEqual(answers)
})
