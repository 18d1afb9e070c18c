/**
 * What falls due later, on the workspace's clock. A job is no row of its own: the record says when it is due (an
 * activity its due date, a link its expiry), a kind of job knows the index that finds the earliest, and so nothing
 * can be forgotten, doubled or left behind.
 *
 * Jobs run before the next request of their workspace is looked at, when its clock is moved, and by themselves on
 * the real clock, so no answer is ever older than the clock it is read by. Where many are due they run in slices, and
 * the requests of their workspace wait until all are done.
 */
import { because, type Cause } from './causes.ts'
import { timelineOf } from './timeline.ts'
import type { Workspace } from './workspace.ts'

export interface JobKind {
  /** "catalog.activity.overdue" */
  readonly name: string
  /** When the earliest job of this kind is due in this workspace, in ms since the epoch; null when there is none. */
  due(workspace: Workspace): number | null
  /**
   * Does what is due of this kind at or before `instant`, the time the workspace's clock shows meanwhile, as much of it as
   * goes into a slice; answers with how many. What it has done must not be due any more.
   */
  run(workspace: Workspace, instant: number): number
  /** Whether it is a step of what somebody has begun; such steps go by the `progression` of the workspace. */
  readonly isProgress?: boolean
  /** How many of this kind are due at or before `instant`. */
  count(workspace: Workspace, instant: number): number
}

/** Jobs that make others due at the same instant, which make others, may come to so many in a workspace. */
const MAX_MADE_AT_ONCE = 10_000

/** So many are done at one instant before they are counted. */
const COUNTED_AFTER = 1000

/** Told in the story when something follows from it: many jobs have nothing to do but to say so. */
function fallingDue({ name }: JobKind): Cause {
  let number: number | undefined
  return {
    numberIn: (workspace) =>
      (number ??= timelineOf(workspace).recordStep({ kind: 'job', title: name, ref: name, causedBy: null })),
  }
}

interface Next {
  readonly kind: JobKind
  /** When it is to be done. */
  readonly due: number
  /** When it would fall due by itself; later than `due` where things happen at once. */
  readonly upTo: number
}

/** The kinds of jobs there are, and those that are put to rest. */
export class Jobs {
  readonly #kinds: readonly JobKind[]
  readonly #putToRest: (error: Error, workspace: Workspace) => void
  /** Kinds that never came to an end in a workspace, until others take the place of its records: by its era then. */
  readonly #resting = new WeakMap<Workspace, Map<JobKind, number>>()

  /** `putToRest` is told of a kind of jobs that never came to an end in a workspace. */
  constructor(kinds: readonly JobKind[], putToRest: (error: Error, workspace: Workspace) => void) {
    this.#kinds = kinds
    this.#putToRest = putToRest
  }

  /** When the earliest job of any kind is due; Infinity when there is none. */
  earliest(workspace: Workspace): number {
    return this.#earliest(workspace)?.due ?? Infinity
  }

  /**
   * Runs what is due at or before `until`, in the order in which it falls due, each at its own time: while a job runs
   * the workspace's clock shows when it was due. Each step is small, and all or nothing; it ends early when others take
   * the place of the workspace's records.
   */
  *run(workspace: Workspace, until: number): Generator<void, void> {
    const { generation } = workspace
    const instant = new Instant(this.#kinds)
    while (workspace.generation === generation) {
      const next = this.#earliest(workspace)
      workspace.nextJobAt = next?.due ?? Infinity
      if (next === null || next.due > until) return
      const { kind, due, upTo } = next
      const done = workspace.at(due, () =>
        because(fallingDue(kind), () => workspace.write(() => kind.run(workspace, upTo))),
      )
      if (done > 0) workspace.count(kind.name, done)
      if (instant.isEndless(workspace, due, done)) this.#rest(workspace, kind)
      yield
    }
  }

  /** The next of each kind that is to come, the earliest first. */
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
      if (this.#isResting(workspace, kind) || (isProgress && progression === 'manual')) continue
      const upTo = kind.due(workspace)
      if (upTo === null) continue
      const due = isProgress && progression === 'immediate' ? Math.min(upTo, workspace.now()) : upTo
      yield { kind, due, upTo }
    }
  }

  #isResting(workspace: Workspace, kind: JobKind): boolean {
    return this.#resting.get(workspace)?.get(kind) === workspace.generation
  }

  #rest(workspace: Workspace, kind: JobKind): void {
    const resting = this.#resting.get(workspace) ?? new Map<JobKind, number>()
    this.#resting.set(workspace, resting.set(kind, workspace.generation))
    const error = new Error(`the jobs ${kind.name} of workspace ${workspace.id} never come to an end`)
    this.#putToRest(error, workspace)
  }
}

/**
 * Whether the jobs of an instant come to an end. However many have been waiting for it, they are done one day; what
 * never is, is jobs that make others for the same instant. So what was due is counted once, and what was made since is
 * what is done beyond that.
 */
class Instant {
  readonly #kinds: readonly JobKind[]
  #latest = -Infinity
  #done = 0
  #most: number | null = null

  constructor(kinds: readonly JobKind[]) {
    this.#kinds = kinds
  }

  /** To be told of each `done` jobs that were due at an instant. */
  isEndless(workspace: Workspace, due: number, done: number): boolean {
    if (due > this.#latest) {
      this.#latest = due
      this.#done = 0
      this.#most = null
    }
    // Those that have done nothing at all are still due.
    this.#done += Math.max(done, 1)
    if (this.#done < COUNTED_AFTER) return false
    if (this.#most === null) {
      const counts = this.#kinds.map((kind) => kind.count(workspace, due))
      this.#most = counts.reduce((sum, count) => sum + count, this.#done) + MAX_MADE_AT_ONCE
    }
    if (this.#done <= this.#most) return false
    this.#done = 0
    this.#most = null
    return true
  }
}
