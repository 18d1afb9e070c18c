/**
 * Tracks the automations that one change sets off directly and through each other, and stops loops. The rules are
 * assumed; the specification shows no loops.
 */
import type { EventData, Workspace } from '../../workspace/workspace.ts'
import type { CrmEventName } from '../eventNames.ts'

/** The maximum number of automations that set each other off in a row. None may occur twice. */
export const LONGEST_CHAIN = 5

/** The maximum number of executions that one change leads to. */
export const MAX_EXECUTIONS = 100

/** The event that sets off an automation. */
export interface Trigger {
  readonly name: CrmEventName
  readonly data: EventData
}

/** An event that automations have not checked yet. */
export interface UnseenEvent {
  readonly trigger: Trigger
  /** Ids of the automations that have set each other off so far, the first one first. */
  readonly chain: readonly string[]
  /** Ids of the automations that must still check it; null for all that its event sets off. */
  readonly automations: readonly string[] | null
  /** The id of its row; null if it is not stored. */
  readonly id: string | null
}

/** A change by a request or by the clock, and the executions that follow from it. */
export interface Change {
  executions: number
  /** Loops that were stopped and recorded already. */
  readonly cutOff: Set<string>
  /** Events beyond the budget, in processing order. */
  readonly later: UnseenEvent[]
}

export const newChange = (): Change => ({ executions: 0, cutOff: new Set(), later: [] })

/** The automations that led to the current work. */
export interface Chain {
  readonly ids: readonly string[]
  readonly change: Change
}

/** The chain of each workspace in which an automation is running. */
const chains = new WeakMap<Workspace, Chain>()

export const chainOf = (workspace: Workspace): Chain | undefined => chains.get(workspace)

export function withinChain<T>(workspace: Workspace, chain: Chain, work: () => T): T {
  const outer = chains.get(workspace)
  chains.set(workspace, chain)
  try {
    return work()
  } finally {
    if (outer) chains.set(workspace, outer)
    else chains.delete(workspace)
  }
}

/** Returns why the automation must not run again; null if it may run. */
export function reasonToStop(id: string, { ids, change }: Chain): string | null {
  if (ids.includes(id)) return 'loop: the automation was set off by its own actions'
  if (ids.length >= LONGEST_CHAIN) {
    return `loop: at most ${String(LONGEST_CHAIN)} automations may set each other off`
  }
  if (change.executions >= MAX_EXECUTIONS) {
    return `loop: one change may lead to at most ${String(MAX_EXECUTIONS)} executions`
  }
  return null
}
