/** The tasks of the package: each reference passes, and each saboteur fails for its reason, on every day. */
import { basename } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Remote } from '@suite-sim/kit/terminal/remote'
import { runSelfTest } from '../../src/remote/grade/grading.ts'
import { readTask, shippedTasks } from '../../src/remote/grade/taskFile.ts'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { freshApp } from '../../../../test/support/app.ts'
import { casesOf } from '../../../../test/support/extent.ts'
import { listenTo } from '../../../../test/support/payers.ts'

// Before the demo's week, ends of months and years, a leap day, and a Sunday at midnight.
const DAYS = ['2028-02-29T23:59:59Z', '2027-01-31T12:00:00Z', '2026-11-01T05:00:00Z', '2029-12-31T23:30:00Z']

/** Each task with the day on which its saboteurs also run. */
const FILES = shippedTasks().map(
  (file, index) => [basename(file, '.yaml'), DAYS[index % DAYS.length] ?? '', file] as const,
)

const setDate = (now: string): void => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) })

afterEach(() => {
  vi.useRealTimers()
})

async function remote(): Promise<Remote> {
  return new Remote(await listenTo(await freshApp()))
}

describe('each task of the package', () => {
  test.each(FILES)('%s is solved by its reference, and by no saboteur, on %s', async (_name, day, file) => {
    setDate(day)
    const task = await readTask(file)
    const runs = await runSelfTest(await remote(), task, { reference: true, saboteurs: true })
    const wrong = runs.flatMap(({ run, problems }) => problems.map((problem) => `${run}: ${problem}`))
    expect(wrong).toEqual([])
    expect(runs).toHaveLength(task.saboteurs.length + 1)
  })

  test.each(FILES)('%s has three saboteurs with different reasons', async (_name, _day, file) => {
    const { saboteurs, reference, budget } = await readTask(file)
    const reasons = saboteurs.map(({ fails }) => JSON.stringify(fails))
    expect(new Set(reasons).size).toBe(saboteurs.length)
    expect(saboteurs.length).toBeGreaterThanOrEqual(3)
    expect(reference.filter(({ kind }) => kind === 'call').length).toBeLessThanOrEqual(budget)
  })
})

describe('the tasks of the package', () => {
  test('are twenty, and at least two for each interface', async () => {
    const tasks = await Promise.all(FILES.map(([, , file]) => readTask(file)))
    expect(tasks).toHaveLength(20)
    const counts = INTERFACE_NAMES.map((name) => ({
      name,
      count: tasks.filter(({ interfaces }) => interfaces.includes(name)).length,
    }))
    expect(counts.filter(({ count }) => count < 2)).toEqual([])
  })

  test.each(casesOf(DAYS, 2))('are solved by their references on %s, too', async (now) => {
    setDate(now)
    const server = await remote()
    const wrong: string[] = []
    for (const [name, day, file] of FILES) {
      if (day === now) continue
      const runs = await runSelfTest(server, await readTask(file), { reference: true, saboteurs: false })
      for (const { problems } of runs) wrong.push(...problems.map((problem) => `${name}: ${problem}`))
    }
    expect(wrong).toEqual([])
  })
})
