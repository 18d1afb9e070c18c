/**
 * The cause of the current work: a call, a trigger or a due job. Code that records a timeline entry does not pass a
 * cause; the entry gets the current one.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Language } from '../text/languages.ts'
import type { Trace } from './trace.ts'
import type { TimelineOwner } from './timelineOwner.ts'

/** A note for the caller about something that it may have overlooked. */
export interface Hint {
  readonly code: string
  readonly message: string
}

export interface Cause {
  /** Returns its number in the timeline of a workspace, assigned on first use; null for other workspaces. */
  readonly numberIn: (workspace: TimelineOwner) => number | null
  /** Of a call: adds a hint to its timeline entry. */
  readonly addHint?: (hint: Hint) => void
  /** Of a call: returns its trace context. */
  readonly trace?: () => Trace | null
  /** Of a call: its answer waits until `wait` resolves, which it may cut short. */
  readonly answerAfter?: (wait: (cut: AbortSignal) => Promise<unknown>) => void
  /** Of a call or a form: returns the language of who sent it. */
  readonly language?: () => Language
}

const current = new AsyncLocalStorage<Cause>()

/** Returns the number of the current cause in a workspace; null outside of calls. */
export const causeIn = (workspace: TimelineOwner): number | null =>
  current.getStore()?.numberIn(workspace) ?? null

/** Returns the trace context of the current cause, or null. */
export const traceOfCause = (): Trace | null => current.getStore()?.trace?.() ?? null

/** Returns the language of who caused the current work; English if a due job did. */
export const languageOfCause = (): Language => current.getStore()?.language?.() ?? 'en'

/** Returns what takes hints and waits of the current cause, for a cause within it. */
export function callOfCause(): Pick<Cause, 'addHint' | 'answerAfter'> {
  const { addHint: add, answerAfter: wait } = current.getStore() ?? {}
  return { ...(add && { addHint: add }), ...(wait && { answerAfter: wait }) }
}

/** Adds a hint to the timeline entry of the current call. Does nothing if the current work takes no hints. */
export const addHint = (code: string, message: string): void =>
  current.getStore()?.addHint?.({ code, message })

/** Lets the answer of the current call wait. Does nothing if a call is not the cause. */
export const answerAfter = (wait: (cut: AbortSignal) => Promise<unknown>): void =>
  current.getStore()?.answerAfter?.(wait)

/** Runs work with this cause, including everything after an `await`. */
export const withCause = <T>(cause: Cause, act: () => T): T => current.run(cause, act)
