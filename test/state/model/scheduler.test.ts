import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Database } from '../../../src/state/storage/database/database.ts'
import type { JobKind } from '../../../src/state/workspace/jobs.ts'
import { Alarm, Scheduler } from '../../../src/state/model/scheduler.ts'
import type { Workspace } from '../../../src/state/workspace/workspace.ts'
import { Registry } from '../../../src/state/workspace/registry.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../src/state/storage/migrations', import.meta.url))
const DAY = 24 * 60 * 60 * 1000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('alarm', () => {
  test('fires once after the requested time', () => {
    const callback = vi.fn()
    new Alarm(callback).noLaterThan(50)
    vi.advanceTimersByTime(49)
    expect(callback).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    vi.advanceTimersByTime(DAY)
    expect(callback).toHaveBeenCalledTimes(1)
  })

  test('fires at the earliest requested time', () => {
    const callback = vi.fn()
    const alarm = new Alarm(callback)
    for (const delay of [50, 20, 90]) alarm.noLaterThan(delay)
    vi.advanceTimersByTime(19)
    expect(callback).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(callback).toHaveBeenCalledTimes(1)
  })

  test('does not fire for Infinity or after it is cleared', () => {
    const callback = vi.fn()
    const alarm = new Alarm(callback)
    alarm.noLaterThan(null)
    alarm.noLaterThan(Infinity)
    alarm.noLaterThan(10)
    alarm.clear()
    vi.advanceTimersByTime(DAY)
    expect(callback).not.toHaveBeenCalled()
  })

  test('fires immediately if it is overdue', () => {
    const callback = vi.fn()
    new Alarm(callback).noLaterThan(-Infinity)
    vi.advanceTimersByTime(0)
    expect(callback).toHaveBeenCalledTimes(1)
  })

  test('fires early instead of immediately for times beyond the limit of a timer', () => {
    const callback = vi.fn()
    new Alarm(callback).noLaterThan(365 * DAY)
    vi.advanceTimersByTime(20 * DAY)
    expect(callback).not.toHaveBeenCalled()
    vi.advanceTimersByTime(5 * DAY)
    expect(callback).toHaveBeenCalledTimes(1)
  })
})

/** Registry with one kind of job, due at the times in `due`, by the index of the workspace. */
function jobs() {
  const database = new Database(':memory:', MIGRATIONS)
  onTestFinished(() => {
    database.close()
  })
  const due = new Map<number, number>()
  const ran: { workspace: string; at: number }[] = []
  let fails = false
  const kind: JobKind = {
    name: 'test.job',
    due: (workspace) => due.get(workspace.rowScope) ?? null,
    run(workspace, instant) {
      if (fails) throw new Error('broken')
      ran.push({ workspace: workspace.name, at: instant })
      due.delete(workspace.rowScope)
      return 1
    },
    count: (workspace) => (due.has(workspace.rowScope) ? 1 : 0),
  }
  const workspaces = new Registry(database, { jobs: [kind] })
  const failures: unknown[] = []
  const scheduler = new Scheduler(workspaces, (error) => failures.push(error))
  const plan = (workspace: Workspace, at: number): void => {
    due.set(workspace.rowScope, at)
    workspace.expectJob(at)
  }
  const make = (name: string): Workspace => workspaces.create({ name }, (workspace) => workspace)
  return {
    ran,
    failures,
    scheduler,
    plan,
    make,
    breakJobs(broken: boolean) {
      fails = broken
    },
  }
}

describe('scheduler', () => {
  test('runs a due job without any call', () => {
    const { ran, scheduler, plan, make } = jobs()
    const workspace = make('one')
    scheduler.start()
    vi.advanceTimersByTime(0)
    const at = workspace.now() + 1000
    plan(workspace, at)
    vi.advanceTimersByTime(999)
    expect(ran).toEqual([])
    vi.advanceTimersByTime(1)
    expect(ran).toEqual([{ workspace: 'one', at }])
  })

  test('finds jobs that were due before its start', () => {
    const { ran, scheduler, plan, make } = jobs()
    const workspace = make('one')
    const at = workspace.now()
    plan(workspace, at)
    scheduler.start()
    vi.advanceTimersByTime(0)
    expect(ran).toEqual([{ workspace: 'one', at }])
  })

  test('follows the clock of each workspace', () => {
    const { ran, scheduler, plan, make } = jobs()
    const [frozen, moved] = [make('frozen'), make('moved')]
    scheduler.start()
    frozen.clock.set(Date.now(), true)
    const at = Date.now() + DAY
    plan(frozen, at)
    plan(moved, at)
    moved.clock.set(at - 1000, false)
    vi.advanceTimersByTime(999)
    expect(ran).toEqual([])
    vi.advanceTimersByTime(1)
    expect(ran).toEqual([{ workspace: 'moved', at }])
    vi.advanceTimersByTime(10 * DAY)
    expect(ran).toHaveLength(1)
    frozen.clock.set(at, true)
    vi.advanceTimersByTime(0)
    expect(ran).toEqual([
      { workspace: 'moved', at },
      { workspace: 'frozen', at },
    ])
  })

  test('reports a failed job and retries it without busy waiting', () => {
    const { ran, failures, scheduler, plan, make, breakJobs } = jobs()
    const workspace = make('one')
    breakJobs(true)
    scheduler.start()
    const at = workspace.now()
    plan(workspace, at)
    vi.advanceTimersByTime(59_000)
    expect(failures).toEqual([new Error('broken')])
    breakJobs(false)
    vi.advanceTimersByTime(2000)
    expect(ran).toEqual([{ workspace: 'one', at }])
    expect(failures).toHaveLength(1)
  })

  test('runs nothing after it is stopped', () => {
    const { ran, scheduler, plan, make } = jobs()
    const workspace = make('one')
    scheduler.start()
    plan(workspace, workspace.now() + 1000)
    scheduler.stop()
    plan(workspace, workspace.now() + 500)
    vi.advanceTimersByTime(DAY)
    expect(ran).toEqual([])
  })
})
