/**
 * Due jobs on the workspace's clock. A record has the time when its job is due, and each kind of job finds the
 * earliest one by an index, so no job can be lost or repeated. Due jobs run in slices before the next request of
 * their workspace (which waits for them), when its clock is moved, and on a timer.
 */
import { withCause, type Cause } from '../timeline/causes.ts'
import { timelineOf } from '../timeline/timelines.ts'
import type { JobService, Workspace } from './workspace.ts'

export interface JobKind {
  /** For example "catalog.activity.overdue". */
  readonly name: string
  /** Returns when the earliest job of this kind is due in the workspace, in ms since the epoch; null if none is. */
  due(workspace: Workspace): number | null
  /**
   * Runs jobs that are due at or before `instant` (the workspace's clock shows it), up to a slice. Returns how many.
   * They must not be due afterwards.
   */
  run(workspace: Workspace, instant: number): number
  /** True if it is a step of a user's action; such steps follow the workspace's `progression`. */
  readonly isProgress?: boolean
  /** The values of columns with which a record can be due, such as its states. */
  readonly when?: Readonly<Record<string, readonly unknown[]>>
  /** Returns how many of this kind are due at or before `instant`. */
  count(workspace: Workspace, instant: number): number
}

/** The limit of jobs that jobs create for the same instant in a workspace. */
const MAX_CREATED_AT_INSTANT = 10_000

/** Jobs of one instant after which the due jobs are counted. */
const JOBS_BEFORE_COUNT = 1000

/** Records a timeline step for the job with its first effect. Jobs without effects leave no step. */
function causeOf({ name }: JobKind): Cause {
  let number: number | undefined
  return {
    numberIn: (workspace) =>
      (number ??= timelineOf(workspace).recordStep({ kind: 'job', title: name, ref: name, causedBy: null })),
  }
}

interface Next {
  readonly kind: JobKind
  /** When it must run. */
  readonly due: number
  /** When its record is due; later than `due` if the progression is immediate. */
  readonly upTo: number
}

/** The due jobs of all workspaces: their kinds, the disabled ones, and their runs. */
export class Jobs implements JobService {
  readonly #kinds: readonly JobKind[]
  readonly #onDisabled: (error: Error, workspace: Workspace) => void
  /** Disabled kinds by workspace, with its generation at that time. New records enable them again. */
  readonly #disabled = new WeakMap<Workspace, Map<JobKind, number>>()
  /** Workspaces in whose jobs the current call is. */
  readonly #running = new Set<Workspace>()

  /** `onDisabled` is called when a kind is disabled in a workspace because its jobs never end. */
  constructor(kinds: readonly JobKind[], onDisabled: (error: Error, workspace: Workspace) => void) {
    this.#kinds = kinds
    this.#onDisabled = onDisabled
  }

  /** Returns when the earliest job of any kind is due; Infinity if none is. */
  earliest(workspace: Workspace): number {
    return this.#earliest(workspace)?.due ?? Infinity
  }

  /** Runs due jobs: see `Workspace.runDueJobs`. */
  runDue(workspace: Workspace): Promise<void> | null {
    if (this.#running.has(workspace)) return null
    if (workspace.longWork.isRunning) return workspace.longWork.afterwards(() => this.runDue(workspace))
    const now = workspace.now()
    return workspace.nextJobAt <= now ? this.runUntil(workspace, now) : null
  }

  /** Runs the jobs until an instant: see `Workspace.runJobsUntil`. */
  runUntil(workspace: Workspace, instant: number): Promise<void> | null {
    if (this.#running.has(workspace)) return null
    if (workspace.longWork.isRunning) {
      return workspace.longWork.afterwards(() => this.runUntil(workspace, instant))
    }
    return workspace.longWork.inSlices(this.#steps(workspace, instant))
  }

  /**
   * Runs all jobs that are due at or before `until`, in order; the workspace's clock shows the due time of each. Each
   * step is small and atomic. Ends early if the workspace's records are replaced.
   */
  *#steps(workspace: Workspace, until: number): Generator<void, void> {
    const { generation } = workspace
    const instant = new Instant(this.#kinds)
    while (workspace.generation === generation && this.#runNext(workspace, until, instant)) yield
    workspace.changed()
  }

  /** Runs one step. Returns false if no job is due. */
  #runNext(workspace: Workspace, until: number, instant: Instant): boolean {
    // Jobs must not start due jobs again.
    this.#running.add(workspace)
    try {
      const next = this.#earliest(workspace)
      workspace.nextJobAt = next?.due ?? Infinity
      if (next === null || next.due > until) return false
      const { kind, due, upTo } = next
      const done = workspace.clock.at(due, () =>
        withCause(causeOf(kind), () => workspace.write(() => kind.run(workspace, upTo))),
      )
      if (done > 0) workspace.count(kind.name, done)
      if (instant.isEndless(workspace, due, done)) this.#disable(workspace, kind)
      return true
    } finally {
      this.#running.delete(workspace)
    }
  }

  /** Returns the next job of each kind, the earliest first. */
  upcoming(workspace: Workspace): readonly { readonly job: string; readonly due: number }[] {
    return [...this.#nextOfEach(workspace)]
      .sort((one, other) => one.due - other.due)
      .map(({ kind, due }) => ({ job: kind.name, due }))
  }

  #earliest(workspace: Workspace): Next | null {
    let first: Next | null = null
    for (const next of this.#nextOfEach(workspace)) {
      if (first === null || next.due < first.due) first = next
    }
    return first
  }

  *#nextOfEach(workspace: Workspace): Generator<Next, void> {
    const { progression } = workspace
    for (const kind of this.#kinds) {
      const isProgress = kind.isProgress === true
      if (this.#isDisabled(workspace, kind) || (isProgress && progression === 'manual')) continue
      const upTo = kind.due(workspace)
      if (upTo === null) continue
      const due = isProgress && progression === 'immediate' ? Math.min(upTo, workspace.now()) : upTo
      yield { kind, due, upTo }
    }
  }

  #isDisabled(workspace: Workspace, kind: JobKind): boolean {
    return this.#disabled.get(workspace)?.get(kind) === workspace.generation
  }

  #disable(workspace: Workspace, kind: JobKind): void {
    const disabled = this.#disabled.get(workspace) ?? new Map<JobKind, number>()
    this.#disabled.set(workspace, disabled.set(kind, workspace.generation))
    const error = new Error(`the jobs ${kind.name} of workspace ${workspace.id} never end`)
    this.#onDisabled(error, workspace)
  }
}

/**
 * Detects jobs that never end, because they create jobs for the same instant. It counts the due jobs once; every job
 * beyond that count was created since.
 */
class Instant {
  readonly #kinds: readonly JobKind[]
  #latest = -Infinity
  #done = 0
  #max: number | null = null

  constructor(kinds: readonly JobKind[]) {
    this.#kinds = kinds
  }

  /** Must be called after each `done` jobs of an instant. */
  isEndless(workspace: Workspace, due: number, done: number): boolean {
    if (due > this.#latest) {
      this.#latest = due
      this.#done = 0
      this.#max = null
    }
    // Jobs that did nothing are still due.
    this.#done += Math.max(done, 1)
    if (this.#done < JOBS_BEFORE_COUNT) return false
    if (this.#max === null) {
      const counts = this.#kinds.map((kind) => kind.count(workspace, due))
      this.#max = counts.reduce((sum, count) => sum + count, this.#done) + MAX_CREATED_AT_INSTANT
    }
    if (this.#done <= this.#max) return false
    this.#done = 0
    this.#max = null
    return true
  }
}
