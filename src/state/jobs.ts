/**
 * What falls due later, on the workspace's clock. A job is no row of its own: the record says when it is due (an
 * activity its due date, a link its expiry), a kind of job knows the index that finds the earliest, and so nothing
 * can be forgotten, doubled or left behind.
 *
 * Jobs run before the next request of their workspace is looked at, when its clock is moved, and by themselves on
 * the real clock, so no answer is ever older than the clock it is read by.
 */
import type { Workspace } from './workspace.ts'

export interface JobKind {
  /** "catalog.activity.overdue" */
  readonly name: string
  /** When the earliest job of this kind is due in this workspace, in ms since the epoch; null when there is none. */
  due(workspace: Workspace): number | null
  /**
   * Does everything of this kind that is due at or before `instant`, the time the workspace's clock shows meanwhile.
   * Afterwards `due` must name a later instant.
   */
  run(workspace: Workspace, instant: number): void
}

/** When the earliest job of any kind is due; Infinity when there is none. */
export function earliestJob(kinds: readonly JobKind[], workspace: Workspace): number {
  return earliest(kinds, workspace)?.due ?? Infinity
}

function earliest(kinds: readonly JobKind[], workspace: Workspace): { kind: JobKind; due: number } | null {
  let first: { kind: JobKind; due: number } | null = null
  for (const kind of kinds) {
    const due = kind.due(workspace)
    if (due !== null && (first === null || due < first.due)) first = { kind, due }
  }
  return first
}

/** A job that leaves itself due would hold the server for ever; no honest chain of jobs is this long. */
const LONGEST_CHAIN = 100_000

/**
 * Runs what is due at or before `until`, in the order in which it falls due, each at its own time: while a job runs
 * the workspace's clock shows when it was due.
 */
export function runJobs(kinds: readonly JobKind[], workspace: Workspace, until: number): void {
  for (let ran = 0; ran < LONGEST_CHAIN; ran++) {
    const next = earliest(kinds, workspace)
    workspace.nextJobAt = next?.due ?? Infinity
    if (next === null || next.due > until) return
    workspace.at(next.due, () => {
      workspace.write(() => {
        next.kind.run(workspace, next.due)
      })
    })
  }
  throw new Error(`jobs of workspace ${workspace.id} never come to an end`)
}
