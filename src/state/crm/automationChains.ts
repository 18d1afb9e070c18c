/**
 * What one change leads to: automations that set each other off, how far they may, and what of it has still to be done.
 * The rules are assumed; the specification shows no loops.
 */
import type { EventData, Workspace } from '../workspace.ts'

/** An automation may set off another, and that one a third: so many in a row, and none twice. */
export const LONGEST_CHAIN = 5

/** One change may lead to so many executions, however they set each other off. */
export const MAX_EXECUTIONS = 100

/** What sets an automation off. */
export interface Trigger {
  readonly name: string
  readonly data: EventData
}

/** An event that automations have still to look at. */
export interface UnseenEvent {
  readonly trigger: Trigger
  /** Ids of the automations that have set each other off up to here, the first one first. */
  readonly chain: readonly string[]
  /** Ids of those that have still to look at it; null for all that wait for it. */
  readonly automations: readonly string[] | null
  /** The id of its row; null while it has none. */
  readonly id: string | null
}

/** What somebody or the clock has changed, and all that follows from it. */
export interface Change {
  executions: number
  /** What has been cut off already, and so is not recorded again. */
  readonly cutOff: Set<string>
  /** Beyond the budget, in the order in which it is to be done. */
  readonly later: UnseenEvent[]
}

export const newChange = (): Change => ({ executions: 0, cutOff: new Set(), later: [] })

/** What has led to what happens at this moment. */
export interface Chain {
  readonly ids: readonly string[]
  readonly change: Change
}

/** Where an automation is at work, what has led to it. */
const chains = new WeakMap<Workspace, Chain>()

export const chainOf = (workspace: Workspace): Chain | undefined => chains.get(workspace)

export function within<T>(workspace: Workspace, chain: Chain, work: () => T): T {
  const outer = chains.get(workspace)
  chains.set(workspace, chain)
  try {
    return work()
  } finally {
    if (outer) chains.set(workspace, outer)
    else chains.delete(workspace)
  }
}

/** Why the automation is not set off once more; null where it is. */
export function reasonToCut(id: string, { ids, change }: Chain): string | null {
  if (ids.includes(id)) return 'loop: the automation was set off by what it did itself'
  if (ids.length >= LONGEST_CHAIN) {
    return `loop: ${String(LONGEST_CHAIN)} automations had set each other off before`
  }
  if (change.executions >= MAX_EXECUTIONS) {
    return `loop: one change had led to ${String(MAX_EXECUTIONS)} executions before`
  }
  return null
}
