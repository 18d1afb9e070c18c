/** What falls due, in the order in which it does. */
import { describe, expect, test, vi } from 'vitest'
import type { JobKind } from '../../src/state/jobs.ts'
import type { Workspace } from '../../src/state/workspace.ts'
import { freshState, NOON } from '../support/state.ts'

/** A kind whose jobs are due at the minutes after noon that are left in `minutes`; each one that runs is told. */
function kindOf(name: string, minutes: number[], told: string[], then?: (minute: number) => void): JobKind {
  const instants = () => minutes.map((minute) => NOON + minute * 60_000)
  return {
    name,
    due: () => (minutes.length === 0 ? null : Math.min(...instants())),
    count: (_workspace, instant) => instants().filter((due) => due <= instant).length,
    run(workspace, instant) {
      const due = minutes.filter((minute) => NOON + minute * 60_000 <= instant)
      for (const minute of due.toSorted((a, b) => a - b)) {
        minutes.splice(minutes.indexOf(minute), 1)
        told.push(`${name} ${String(minute)} at ${String((workspace.now() - NOON) / 60_000)}`)
        then?.(minute)
      }
      return due.length
    },
  }
}

/** Workspaces without jobs; those that are put into the list are theirs. */
function withJobs() {
  const jobs: JobKind[] = []
  return { ...freshState({ jobs }), jobs }
}

function moveTo(workspace: Workspace, minute: number): void {
  workspace.setClock(NOON + minute * 60_000, true)
  void workspace.runDueJobs()
}

describe('jobs', () => {
  test('of all kinds run in the order in which they fall due, each at its own time', () => {
    const { jobs, workspace } = withJobs()
    const told: string[] = []
    jobs.push(kindOf('a', [30, 10, 50], told), kindOf('b', [40, 20], told))
    workspace.forget()

    moveTo(workspace, 45)

    expect(told).toEqual(['a 10 at 10', 'b 20 at 20', 'a 30 at 30', 'b 40 at 40'])
    expect(workspace.now()).toBe(NOON + 45 * 60_000)
    moveTo(workspace, 50)
    expect(told).toHaveLength(5)
  })

  test('that are due at one instant run in the order of their kinds', () => {
    const { jobs, workspace } = withJobs()
    const told: string[] = []
    jobs.push(kindOf('first', [10], told), kindOf('second', [10], told))
    workspace.forget()

    moveTo(workspace, 10)

    expect(told).toEqual(['first 10 at 10', 'second 10 at 10'])
  })

  test('run at the instant itself, and not a millisecond before', () => {
    const { jobs, workspace } = withJobs()
    const told: string[] = []
    jobs.push(kindOf('a', [10], told))
    workspace.forget()

    workspace.setClock(NOON + 10 * 60_000 - 1, true)
    void workspace.runDueJobs()
    expect(told).toEqual([])
    moveTo(workspace, 10)
    expect(told).toEqual(['a 10 at 10'])
  })

  test('that follow from others in the time that is passed run as well, between those that were there', () => {
    const { jobs, workspace } = withJobs()
    const told: string[] = []
    const followers: number[] = []
    jobs.push(
      kindOf('a', [10, 30], told, (minute) => followers.push(minute + 5)),
      kindOf('b', followers, told),
    )
    workspace.forget()

    moveTo(workspace, 34)

    expect(told).toEqual(['a 10 at 10', 'b 15 at 15', 'a 30 at 30'])
    moveTo(workspace, 35)
    expect(told.at(-1)).toBe('b 35 at 35')
  })

  test('of one workspace do not run by the clock of another', () => {
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

    moveTo(other, 5)
    expect(ran).toEqual([other.rowScope])
    moveTo(workspace, 5)
    expect(ran).toEqual([other.rowScope, workspace.rowScope])
  })

  test('that settle the workspace themselves do not start over inside themselves', () => {
    const { jobs, workspace } = withJobs()
    const told: string[] = []
    jobs.push(
      kindOf('a', [10, 20], told, () => {
        void workspace.runDueJobs()
      }),
    )
    workspace.forget()

    moveTo(workspace, 20)

    expect(told).toEqual(['a 10 at 10', 'a 20 at 20'])
  })

  test('that fail undo what they wrote, hand the error on, and are tried again the next time', () => {
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

    expect(() => {
      moveTo(workspace, 1)
    }).toThrow('the job broke')
    workspace.forget()
    expect(workspace.users()).toHaveLength(1)

    broken = false
    moveTo(workspace, 1)
    expect(workspace.users().map(({ name }) => name)).toEqual(['Test User', 'From the job'])
  })

  test('that never come to an end are put to rest and told of; all others run, until the records are replaced', async () => {
    const rested: string[] = []
    const jobs: JobKind[] = []
    const { workspace } = freshState({ jobs, putToRest: (error) => rested.push(error.message) })
    const told: string[] = []
    jobs.push(
      { name: 'endless', due: () => NOON, run: () => 1, count: () => 1 },
      { name: 'idle', due: () => NOON, run: () => 0, count: () => 0 },
      kindOf('a', [-1, 0], told),
    )
    workspace.forget()

    await workspace.runDueJobs()

    expect(told).toEqual(['a -1 at -1', 'a 0 at 0'])
    const message = (name: string) => `the jobs ${name} of workspace ${workspace.id} never end`
    expect(rested).toEqual([message('endless'), message('idle')])
    expect(workspace.registry.earliestJob(workspace)).toBe(Infinity)
    workspace.forget()
    expect(workspace.registry.earliestJob(workspace)).toBe(NOON)
  })

  test('that make as many others for their own instant as they may are no endless chain', async () => {
    const rested: string[] = []
    const jobs: JobKind[] = []
    const { workspace } = freshState({ jobs, putToRest: (error) => rested.push(error.message) })
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

  test('that are very many let others have their turn, and keep those waiting who come to their workspace', async () => {
    const { jobs, workspace } = withJobs()
    const told: string[] = []
    const minutes = Array.from({ length: 2000 }, (_, minute) => minute)
    let next = 0
    // Each takes a tenth of a millisecond.
    vi.spyOn(performance, 'now').mockImplementation(() => next / 10)
    jobs.push({
      name: 'many',
      due: () => (next < minutes.length ? NOON - minutes.length + next : null),
      count: () => minutes.length - next,
      run: () => ++next && 1,
    })
    workspace.forget()

    setImmediate(() => told.push(next < minutes.length ? 'another turn' : 'too late'))
    const done = workspace.runDueJobs()
    expect(done).not.toBeNull()
    expect(workspace.isBusy).toBe(true)
    const came = workspace.runDueJobs()?.then(() => told.push(`came at ${String(next)}`))
    await done
    await came

    expect(told).toEqual(['another turn', `came at ${String(minutes.length)}`])
    expect(workspace.isBusy).toBe(false)
    expect(workspace.runDueJobs()).toBeNull()
  })
})

describe('the earliest job', () => {
  test('is the earliest of all kinds', () => {
    const { jobs, workspace } = withJobs()
    jobs.push(kindOf('a', [30], []), kindOf('b', [20, 10], []), kindOf('c', [], []))

    expect(workspace.registry.earliestJob(workspace)).toBe(NOON + 10 * 60_000)
  })

  test('is never where there is none', () => {
    const { jobs, workspace } = withJobs()
    expect(workspace.registry.earliestJob(workspace)).toBe(Infinity)
    jobs.push(kindOf('a', [], []))
    expect(workspace.registry.earliestJob(workspace)).toBe(Infinity)
  })

  test('is told to whoever watches the workspaces, as soon as it comes nearer', () => {
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
