/**
 * What brings about what happens now: a call, a trigger, a job that fell due. Whoever tells of something that happened
 * (`timeline.ts`) need not know: the cause is whatever is under way.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Trace } from './trace.ts'
import type { Workspace } from './workspace.ts'

/** What the caller may not have noticed. */
export interface Hint {
  readonly code: string
  readonly message: string
}

export interface Cause {
  /** Its number in the story of a workspace, given when something first follows from it; null in any other. */
  readonly numberIn: (workspace: Workspace) => number | null
  /** Of a call: adds a hint to its entry in the journal. */
  readonly addHint?: (hint: Hint) => void
  /** Of a call: the trace that it is part of. */
  readonly trace?: () => Trace | null
}

let current: Cause | null = null

/** For what waits in between; what does not is told from the variable alone, which costs next to nothing. */
const beyondAwaits = new AsyncLocalStorage<Cause>()

/** The number of what is under way in a workspace; null where nobody has called. */
export const causeIn = (workspace: Workspace): number | null =>
  (current ?? beyondAwaits.getStore())?.numberIn(workspace) ?? null

/** The trace that what is under way is part of; null where it is part of none. */
export const traceOfCause = (): Trace | null => (current ?? beyondAwaits.getStore())?.trace?.() ?? null

/** Adds a hint to the call that is running, in the journal; does nothing outside of a call that changes records. */
export const addHint = (code: string, message: string): void =>
  (current ?? beyondAwaits.getStore())?.addHint?.({ code, message })

/** Runs what does not wait. */
export function because<T>(cause: Cause, act: () => T): T {
  const outer = current
  current = cause
  try {
    return act()
  } finally {
    current = outer
  }
}

/** Runs what may wait: also what it does afterwards is because of it. */
export const becauseThroughout = <T>(cause: Cause, act: () => T): T =>
  beyondAwaits.run(cause, () => because(cause, act))
