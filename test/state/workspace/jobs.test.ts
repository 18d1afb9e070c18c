/** Due jobs and their order. */
import { describe, expect, test, vi } from 'vitest'
import type { JobKind } from '../../../src/state/workspace/jobs.ts'
import type { Workspace } from '../../../src/state/workspace/workspace.ts'
import { freshState, NOON } from '../../support/state.ts'

/** A kind of job that is due at the minutes after noon in `minutes`; each run is recorded. */
function kindOf(name: string, minutes: number[], log: string[], then?: (minute: number) => void): JobKind {
  const instants = () => minutes.map((minute) => NOON + minute * 60_000)
  return {
    name,
    due: () => (minutes.length === 0 ? null : Math.min(...instants())),
    count: (_workspace, instant) => instants().filter((due) => due <= instant).length,
    run(workspace, instant) {
      const due = minutes.filter((minute) => NOON + minute * 60_000 <= instant)
      for (const minute of due.toSorted((a, b) => a - b)) {
        minutes.splice(minutes.indexOf(minute), 1)
        log.push(`${name} ${String(minute)} at ${String((workspace.now() - NOON) / 60_000)}`)
        then?.(minute)
      }
      return due.length
    },
  }
}

/** A state whose workspaces have only the jobs added to the list. */
function withJobs() {
  const jobs: JobKind[] = []
  return { ...freshState({ jobs }), jobs }
}

/** On a busy machine, the jobs take several slices. */
async function moveTo(workspace: Workspace, minute: number): Promise<void> {
  workspace.clock.set(NOON + minute * 60_000, true)
  await workspace.runDueJobs()
}

describe('jobs', () => {
  test('of all kinds run in order of their due times, each at its own time', async () => {
    const { jobs, workspace } = withJobs()
    const log: string[] = []
    jobs.push(kindOf('a', [30, 10, 50], log), kindOf('b', [40, 20], log))
    workspace.forget()

    await moveTo(workspace, 45)

    expect(log).toEqual(['a 10 at 10', 'b 20 at 20', 'a 30 at 30', 'b 40 at 40'])
    expect(workspace.now()).toBe(NOON + 45 * 60_000)
    await moveTo(workspace, 50)
    expect(log).toHaveLength(5)
  })

  test('of one due time run in the order of their kinds', async () => {
    const { jobs, workspace } = withJobs()
    const log: string[] = []
    jobs.push(kindOf('first', [10], log), kindOf('second', [10], log))
    workspace.forget()

    await moveTo(workspace, 10)

    expect(log).toEqual(['first 10 at 10', 'second 10 at 10'])
  })

  test('run at their due time and not a millisecond earlier', async () => {
    const { jobs, workspace } = withJobs()
    const log: string[] = []
    jobs.push(kindOf('a', [10], log))
    workspace.forget()

    workspace.clock.set(NOON + 10 * 60_000 - 1, true)
    await workspace.runDueJobs()
    expect(log).toEqual([])
    await moveTo(workspace, 10)
    expect(log).toEqual(['a 10 at 10'])
  })

  test('created by other jobs run in the same advance, in order', async () => {
    const { jobs, workspace } = withJobs()
    const log: string[] = []
    const followers: number[] = []
    jobs.push(
      kindOf('a', [10, 30], log, (minute) => followers.push(minute + 5)),
      kindOf('b', followers, log),
    )
    workspace.forget()

    await moveTo(workspace, 34)

    expect(log).toEqual(['a 10 at 10', 'b 15 at 15', 'a 30 at 30'])
    await moveTo(workspace, 35)
    expect(log.at(-1)).toBe('b 35 at 35')
  })

  test('of one workspace do not run by the clock of another', async () => {
    const { jobs, workspace, tenancy } = withJobs()
    const other = tenancy().workspace
    const ran: number[] = []
    const done = new Set<number>()
    jobs.push({
      name: 'once each',
      due: ({ rowScope }) => (done.has(rowScope) ? null : NOON + 60_000),
      run({ rowScope }) {
        done.add(rowScope)
        ran.push(rowScope)
        return 1
      },
      count: () => 1,
    })
    workspace.forget()
    other.forget()

    await moveTo(other, 5)
    expect(ran).toEqual([other.rowScope])
    await moveTo(workspace, 5)
    expect(ran).toEqual([other.rowScope, workspace.rowScope])
  })

  test('that run the due jobs themselves do not start a nested run', async () => {
    const { jobs, workspace } = withJobs()
    const log: string[] = []
    jobs.push(
      kindOf('a', [10, 20], log, () => {
        void workspace.runDueJobs()
      }),
    )
    workspace.forget()

    await moveTo(workspace, 20)

    expect(log).toEqual(['a 10 at 10', 'a 20 at 20'])
  })

  test('that fail are rolled back, rethrow the error, and run again next time', async () => {
    const { jobs, workspace } = withJobs()
    let broken = true
    let isDue = true
    jobs.push({
      name: 'breaks',
      due: () => (isDue ? NOON + 60_000 : null),
      count: () => 1,
      run(of) {
        of.addUser({ name: 'From the job', email: 'job@example.com' })
        if (broken) throw new Error('the job broke')
        isDue = false
        return 1
      },
    })
    workspace.forget()

    await expect(moveTo(workspace, 1)).rejects.toThrow('the job broke')
    workspace.forget()
    expect(workspace.users()).toHaveLength(1)

    broken = false
    await moveTo(workspace, 1)
    expect(workspace.users().map(({ name }) => name)).toEqual(['Test User', 'From the job'])
  })

  test('that never end are disabled and reported; all others run, until the records are replaced', async () => {
    const rested: string[] = []
    const jobs: JobKind[] = []
    const { workspace } = freshState({ jobs, onJobsDisabled: (error) => rested.push(error.message) })
    const log: string[] = []
    jobs.push(
      { name: 'endless', due: () => NOON, run: () => 1, count: () => 1 },
      { name: 'idle', due: () => NOON, run: () => 0, count: () => 0 },
      kindOf('a', [-1, 0], log),
    )
    workspace.forget()

    await workspace.runDueJobs()

    expect(log).toEqual(['a -1 at -1', 'a 0 at 0'])
    const message = (name: string) => `the jobs ${name} of workspace ${workspace.id} never end`
    expect(rested).toEqual([message('endless'), message('idle')])
    expect(workspace.earliestJob()).toBe(Infinity)
    workspace.forget()
    expect(workspace.earliestJob()).toBe(NOON)
  })

  test('that create as many jobs for their own time as allowed are not treated as endless', async () => {
    const rested: string[] = []
    const jobs: JobKind[] = []
    const { workspace } = freshState({ jobs, onJobsDisabled: (error) => rested.push(error.message) })
    let left = 5000
    let made = 10_000
    jobs.push({
      name: 'many',
      due: () => (left > 0 ? NOON : null),
      count: () => left,
      run() {
        if (made-- <= 0) left--
        return 1
      },
    })
    workspace.forget()

    await workspace.runDueJobs()

    expect({ rested, left }).toEqual({ rested: [], left: 0 })
    left = 5000
    made = 11_001
    workspace.forget()
    await workspace.runDueJobs()
    expect(rested).toHaveLength(1)
  })

  test('in large numbers yield to other work and delay requests to their workspace', async () => {
    const { jobs, workspace } = withJobs()
    const log: string[] = []
    const minutes = Array.from({ length: 2000 }, (_, minute) => minute)
    let next = 0
    // Each call takes a tenth of a millisecond.
    vi.spyOn(performance, 'now').mockImplementation(() => next / 10)
    jobs.push({
      name: 'many',
      due: () => (next < minutes.length ? NOON - minutes.length + next : null),
      count: () => minutes.length - next,
      run: () => ++next && 1,
    })
    workspace.forget()

    setImmediate(() => log.push(next < minutes.length ? 'another turn' : 'too late'))
    const done = workspace.runDueJobs()
    expect(done).not.toBeNull()
    expect(workspace.longWork.isRunning).toBe(true)
    const came = workspace.runDueJobs()?.then(() => log.push(`came at ${String(next)}`))
    await done
    await came

    expect(log).toEqual(['another turn', `came at ${String(minutes.length)}`])
    expect(workspace.longWork.isRunning).toBe(false)
    expect(workspace.runDueJobs()).toBeNull()
  })
})

describe('earliest job', () => {
  test('is the earliest of all kinds', () => {
    const { jobs, workspace } = withJobs()
    jobs.push(kindOf('a', [30], []), kindOf('b', [20, 10], []), kindOf('c', [], []))

    expect(workspace.earliestJob()).toBe(NOON + 10 * 60_000)
  })

  test('is Infinity if there is none', () => {
    const { jobs, workspace } = withJobs()
    expect(workspace.earliestJob()).toBe(Infinity)
    jobs.push(kindOf('a', [], []))
    expect(workspace.earliestJob()).toBe(Infinity)
  })

  test('notifies watchers as soon as an earlier one exists', () => {
    const { workspaces, workspace } = freshState()
    workspace.forget()
    const seen: number[] = []
    workspaces.watch((changed) => seen.push(changed.nextJobAt))

    workspace.expectJob(NOON + 5)
    workspace.expectJob(NOON + 9)
    workspace.expectJob(null)
    workspace.expectJob(NOON + 3)

    expect(seen).toEqual([NOON + 5, NOON + 3])
  })
})
